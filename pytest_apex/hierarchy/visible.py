"""The part of each control that is not clipped away, whatever may lie over it."""

from __future__ import annotations

import math
from typing import TypeAlias

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree

#: Left, top, right, bottom.
Box: TypeAlias = tuple[float, float, float, float]

#: Content is cut at the edges of these even where the platform does not call them scrollable.
CLIPPING_ROLES = frozenset({"scroll", "list", "web"})

_SCROLLABLE = int(NodeState.SCROLLABLE)

EVERYWHERE: Box = (-math.inf, -math.inf, math.inf, math.inf)


def overlap(a: Box, b: Box) -> Box:
    """The common part; may be inverted. Not-a-number in `a` stays, so that such a box is empty."""
    return (
        b[0] if b[0] > a[0] else a[0],
        b[1] if b[1] > a[1] else a[1],
        b[2] if b[2] < a[2] else a[2],
        b[3] if b[3] < a[3] else a[3],
    )


def has_area(box: Box) -> bool:
    """Whether width and height are positive and finite."""
    return 0 < box[2] - box[0] < math.inf and 0 < box[3] - box[1] < math.inf


def clips(tree: Tree, index: int) -> bool:
    """Whether a control cuts its children off at its edges."""
    return tree.roles[index] in CLIPPING_ROLES or bool(tree.states[index] & _SCROLLABLE)


def boxes_of(tree: Tree) -> list[Box]:
    """The bounds of all nodes."""
    flat = tree.boxes
    return list(zip(flat[0::4], flat[1::4], flat[2::4], flat[3::4], strict=True))


@per_tree
def visible_boxes(tree: Tree, screen: Rect) -> list[Box | None]:
    """For each node its bounds cut by the screen, its window and the scrolling containers around it; None: nothing
    is left.

    A screen or window without a known size cuts nothing. Visibility flags are not looked at.
    """
    outer = _known(screen, EVERYWHERE)
    of_window = [_known(window.bounds, outer, within=outer) for window in tree.windows]
    limits: list[Box] = []
    parts: list[Box | None] = []
    boxes, states, roles = boxes_of(tree), tree.states, tree.roles
    for index, parent in enumerate(tree.parents):
        limit = limits[parent] if parent >= 0 else of_window[tree.window_of[index]]
        box = boxes[index]
        # Most lie inside as a whole. Comparisons with not-a-number are false, so that such boxes take the long way.
        is_inside = box[0] >= limit[0] and box[1] >= limit[1] and box[2] <= limit[2] and box[3] <= limit[3]
        part = box if is_inside else overlap(box, limit)
        parts.append(part if has_area(part) else None)
        is_limit = states[index] & _SCROLLABLE or roles[index] in CLIPPING_ROLES
        limits.append(part if is_limit and has_area(box) else limit)
    return parts


def _known(rect: Rect, otherwise: Box, within: Box = EVERYWHERE) -> Box:
    box = (rect.left, rect.top, rect.right, rect.bottom)
    return overlap(box, within) if has_area(box) else otherwise


def visible_box(snapshot: Snapshot, node: Node) -> Rect | None:
    """The unclipped part of one control."""
    box = visible_boxes(snapshot.tree, snapshot.screen.bounds)[node.index]
    return None if box is None else Rect(*box)
