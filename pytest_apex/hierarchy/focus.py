"""The way of a focus over a screen: which keys of a remote bring it from one control to another.

Apple does not publish how its focus engine chooses: nearest in the direction that was pressed, a gap to the side
counting double, is right for rows, columns and grids. So a way is a plan, and where the focus went has to be looked at.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import pairwise

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot

_DIRECTIONS = {"down": (0, 1), "up": (0, -1), "right": (1, 0), "left": (-1, 0)}
#: They scroll to what has the focus and never have it themselves; a way through one is none.
_CONTAINERS = frozenset({"scroll", "list"})
_ROLES = frozenset(
    {
        "button",
        "link",
        "cell",
        "text_field",
        "switch",
        "checkbox",
        "radio",
        "icon",
        "tab",
        "menu_item",
        "key",
        "stepper",
    }
)


def focused(snapshot: Snapshot) -> Node | None:
    """What has the focus: the innermost of those that say so."""
    index = next((at for at in range(len(snapshot.tree) - 1, -1, -1) if _has(snapshot, at, NodeState.FOCUSED)), None)
    return None if index is None else snapshot.tree.node(index)


def _has(snapshot: Snapshot, index: int, state: NodeState) -> bool:
    return bool(snapshot.tree.states[index] & state)


def is_on(focus: Node, goal: Node) -> bool:
    """Whether selecting what has the focus selects `goal`: it is that, or one is in the other."""
    return focus == goal or focus.is_inside(goal) or goal.is_inside(focus)


def can_hold(snapshot: Snapshot) -> list[Node]:
    """What the focus may go to, as far as a tree tells."""
    wanted = NodeState.ENABLED | NodeState.VISIBLE
    return [
        node
        for node in snapshot.nodes
        if node.has(wanted)
        and not node.bounds.is_empty
        and node.role not in _CONTAINERS
        and (node.role in _ROLES or node.has(NodeState.CLICKABLE) or node.has(NodeState.FOCUSABLE))
    ]


def way(snapshot: Snapshot, start: Node, goal: Node) -> Sequence[str]:
    """The keys that should bring the focus from one control to another: as few as can be, and of these the shortest
    way. None where there is no way, or where it is there. Where the tree tells of nothing that takes the focus for the
    goal, its row in a list or the goal itself is taken to do so: Apple's tell it of few kinds."""
    holders = can_hold(snapshot)
    ends = {node.index for node in holders if is_on(node, goal)}
    if not ends:
        holder = _row(goal)
        holders, ends = [*holders, holder], {holder.index}
    came: dict[int, tuple[int, str]] = {}
    waiting = [(0, 0.0, start.index, -1, "")]
    while waiting:
        presses, length, index, before, pressed = heapq.heappop(waiting)
        if index in came:
            continue
        came[index] = (before, pressed)
        if index in ends:
            return _keys(came, index)
        box = snapshot.tree.node(index).bounds
        for key, (dx, dy) in _DIRECTIONS.items():
            reached = _next(holders, box, dx, dy)
            if reached is not None:
                far = length + box.center.distance(reached.bounds.center)
                heapq.heappush(waiting, (presses + 1, far, reached.index, index, key))
    return ()


def _row(node: Node) -> Node:
    around = [node, *node.ancestors]
    return next((one for one, above in pairwise(around) if above.role == "list"), node)


def _keys(came: dict[int, tuple[int, str]], index: int) -> Sequence[str]:
    keys = []
    while came[index][0] >= 0:
        index, key = came[index]
        keys.append(key)
    return tuple(reversed(keys))


def _next(holders: Sequence[Node], box: Rect, dx: int, dy: int) -> Node | None:
    def ahead(other: Rect) -> float:
        return (other.center.x - box.center.x) * dx + (other.center.y - box.center.y) * dy

    def cost(node: Node) -> tuple[float, float]:
        other = node.bounds
        beside = max(0.0, other.left - box.right, box.left - other.right)
        above = max(0.0, other.top - box.bottom, box.top - other.bottom)
        return ahead(other) + 2 * (above if dx else beside), box.center.distance(other.center)

    return min((node for node in holders if ahead(node.bounds) > 0), key=cost, default=None)
