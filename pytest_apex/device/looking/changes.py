"""What changed between two looks beside what may: controls first, then pixels that no control accounts for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_apex.device.looking.living import is_clock, living_boxes
from pytest_apex.hierarchy.diff import Altered, node_diff
from pytest_apex.hierarchy.match import Matching, match
from pytest_apex.hierarchy.names import in_words
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.vision.compare import difference
from pytest_apex.vision.mask import black_out


@dataclass(frozen=True)
class May:
    """The controls that may change, with all that is in them, in both looks."""

    before: tuple[Node, ...] = ()
    after: tuple[Node, ...] = ()

    def covers(self, node: Node) -> bool:
        return any(node.is_inside(one) for one in (*self.before, *self.after))


def allowed(before: Snapshot, after: Snapshot, named: Sequence[tuple[Node | None, Node | None]]) -> May:
    """What each name stands for in either look. A control that only one of them has by that name (a badge named by its
    number, say) is looked for in the other as the same control."""
    found = match(before.tree, after.tree)
    left, right = [], []
    for one, other in named:
        partner = found.to[one.index] if one is not None and other is None else -1
        origin = found.back[other.index] if other is not None and one is None else -1
        left += [node for node in (one, before.tree.node(origin) if origin >= 0 else None) if node is not None]
        right += [node for node in (other, after.tree.node(partner) if partner >= 0 else None) if node is not None]
    return May(tuple(left), tuple(right))


def changed_controls(before: Snapshot, after: Snapshot, may: May, pushed: tuple[int, int] = (0, 0)) -> list[str]:
    """Everything in the trees that changed and may not, a line each. Clocks, videos and live regions may. `pushed` is
    where the step pushed the content (`effect.pushed`)."""
    change = node_diff(before, after, pushed)
    lines = ["another screen is shown"] if change.navigated else []
    lines += [
        f"{in_words(item.before)} scrolled {item.direction} by {round(item.distance, 1):g}"
        for item in change.scrolled
        if not may.covers(item.before)
    ]
    for word, nodes in (("appeared", change.appeared), ("vanished", change.vanished)):
        lines += [f"{in_words(node)} {word}" for node in nodes if not may.covers(node) and not is_clock(node)]
    lines += [
        f"{in_words(one)} moved from {one.bounds} to {other.bounds}"
        for one, other in change.moved
        if not may.covers(one) and not may.covers(other)
    ]
    lines += [
        f"{in_words(item.before)} {item.field}: {item.was} → {item.is_now}"
        for item in change.altered
        if not (
            may.covers(item.before) or may.covers(item.after) or _is_alive(item) or _repeats(item, may, before, after)
        )
    ]
    return lines


def _is_alive(item: Altered) -> bool:
    return is_clock(item.before) or is_clock(item.after)


def _repeats(item: Altered, may: May, before: Snapshot, after: Snapshot) -> bool:
    """Whether a container only repeats the words of what may change in it, as the rows of iOS do: `Inbox, 3 unread`."""
    if item.field not in ("text", "label"):
        return False
    earlier: str = getattr(item.before, item.field)
    later: str = getattr(item.after, item.field)
    found: Matching | None = None
    for node in may.before:
        if node == item.before or not node.is_inside(item.before):
            continue
        found = found or match(before.tree, after.tree)
        partner = found.to[node.index]
        if partner >= 0:
            for old, new in zip(_words(node), _words(after.tree.node(partner)), strict=True):
                earlier = earlier.replace(old, new) if old else earlier
    return earlier == later


def _words(node: Node) -> Iterator[str]:
    yield node.text
    yield node.label


def changed_regions(before: Snapshot, after: Snapshot, may: May, living: Sequence[Rect]) -> list[Rect]:
    """Where the pictures differ, in units of the tree, outside of what may change and of what lives by itself."""
    if before.picture is None or after.picture is None or before.picture.key == after.picture.key:
        return []
    scale = after.screen.scale
    boxes = [*living_boxes(before), *living_boxes(after), *living]
    boxes += [node.bounds for node in (*may.before, *may.after)]
    boxes += [inner.bounds for node in (*may.before, *may.after) for inner in node.descendants if inner.visible]
    hidden = [box.grown(1).scaled(scale) for box in boxes if not box.is_empty]
    found = difference(black_out(before.picture, hidden), black_out(after.picture, hidden))
    if not found.same_size:
        return [after.screen.bounds]
    return [box.scaled(1 / scale) for box in found.boxes]
