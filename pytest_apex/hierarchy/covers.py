"""What takes a touch before the control under it does."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.hierarchy.visible import EVERYWHERE, Box, boxes_of, has_area, overlap, visible_boxes
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Tree

_VISIBLE = int(NodeState.VISIBLE)
_REMOTE = int(NodeState.REMOTE)
#: States of a control that takes a touch for itself. Scrollable containers are not among them: trees of Compose list a
#: full-screen list after the bars that are drawn over it, and the touch on its content reaches what is clickable there.
_TOUCHED = int(
    NodeState.CLICKABLE
    | NodeState.LONG_CLICKABLE
    | NodeState.CHECKABLE
    | NodeState.EDITABLE
    | NodeState.OPAQUE_TO_TOUCH
)
#: Containers whose ground takes touches, shown as such or not.
_SOLID_ROLES = frozenset({"sheet", "keyboard", "menu"})
#: Containers that take every touch beside them as well (Android's `FLAG_NOT_TOUCH_MODAL` unset, iOS alerts).
_MODAL_ROLES = frozenset({"dialog", "alert"})

#: The strips of the screen, across it, that controls are looked up by; those of a phone are as high as a line of text.
_STRIPS = 128
#: What reaches into more strips than this is looked at each time.
_TALL = 16
_FEW = 8

#: A node (or -1: a window without nodes) and where it takes touches.
Cover: TypeAlias = tuple[int, Box]


@dataclass(frozen=True, slots=True)
class Covers:
    """All controls of a tree that take touches, in document order.

    `bounds` and `parts` are the bounds and the visible boxes of all nodes, `remote` those whose content belongs to
    another process. `before` counts the covers before each node. `strips` holds positions in `order` by the strips of
    the screen that the controls reach into; those that reach into many stand in `tall` instead.
    """

    bounds: Sequence[Box]
    parts: Sequence[Box | None]
    remote: frozenset[int]
    order: Sequence[int]
    boxes: Sequence[Box]
    before: Sequence[int]
    windows: tuple[Cover | None, ...]
    screen: Rect
    strips: Mapping[int, Sequence[int]]
    tall: Sequence[int]

    def over(self, region: Box, start: int, stop: int) -> Iterator[Cover]:
        """The nodes from `start` to before `stop` that take touches inside `region`, in document order."""
        begin, end = self.before[start], self.before[stop]
        if begin == end:
            return
        left, top, right, bottom = region
        order, boxes = self.order, self.boxes
        for at in self._near(region, begin, end):
            box = boxes[at]
            if box[0] < right and box[2] > left and box[1] < bottom and box[3] > top:
                yield order[at], box

    def _near(self, region: Box, begin: int, end: int) -> Iterable[int]:
        """Positions between `begin` and `end` that may lie in the region, ascending."""
        if end - begin <= _FEW:
            return range(begin, end)
        strips = strips_of(region, self.screen)
        if strips is None:
            return range(begin, end)
        tall = self.tall[bisect_left(self.tall, begin) : bisect_left(self.tall, end)]
        if len(strips) == 1 and not tall:
            some = self.strips.get(strips[0], ())
            return some[bisect_left(some, begin) : bisect_left(some, end)]
        found = set(tall)
        for strip in strips:
            found.update(self.strips.get(strip, ()))
        return sorted(at for at in found if begin <= at < end)


def strips_of(box: Box, screen: Rect) -> range | None:
    """The strips of the screen that a box reaches into; None for too many, or where the screen has no known size."""
    height = screen.bottom - screen.top
    if not height > 0:
        return None
    first = int((box[1] - screen.top) * _STRIPS / height)
    last = int((box[3] - screen.top) * _STRIPS / height)
    return range(first, last + 1) if last - first < _TALL else None


def takes_touches(tree: Tree, index: int) -> bool:
    """Whether a control takes the touches inside its bounds."""
    return bool(tree.states[index] & _TOUCHED) or tree.roles[index] in _SOLID_ROLES or tree.roles[index] in _MODAL_ROLES


@per_tree
def covers_of(tree: Tree, screen: Rect) -> Covers:
    """Everything on a screen that takes touches. Worked out once a tree."""
    whole: Box = (screen.left, screen.top, screen.right, screen.bottom) if not screen.is_empty else EVERYWHERE
    parts = visible_boxes(tree, screen)
    order: list[int] = []
    boxes: list[Box] = []
    before = [0]
    for index, (seen, state, role) in enumerate(zip(parts, tree.states, tree.roles, strict=True)):
        if seen is not None and state & _VISIBLE and (state & _TOUCHED or role in _SOLID_ROLES or role in _MODAL_ROLES):
            order.append(index)
            boxes.append(whole if role in _MODAL_ROLES else seen)
        before.append(len(order))
    strips: dict[int, list[int]] = defaultdict(list)
    tall: list[int] = []
    for at, box in enumerate(boxes):
        reached = strips_of(box, screen)
        for some in (tall,) if reached is None else (strips[strip] for strip in reached):
            some.append(at)
    windows = tuple(_window_cover(tree, at, whole) for at in range(len(tree.windows)))
    return Covers(
        boxes_of(tree), parts, _remote(tree), order, boxes, before, windows, screen, dict(strips), tall
    )  # fmt: skip


def _remote(tree: Tree) -> frozenset[int]:
    """The placeholders for content of other processes, and what is listed inside them."""
    inside: set[int] = set()
    for index, state in enumerate(tree.states):
        if state & _REMOTE and index not in inside:
            inside.update(range(index, tree.ends[index]))
    return frozenset(inside)


def _window_cover(tree: Tree, number: int, whole: Box) -> Cover | None:
    """Where a window takes the touches meant for the windows under it."""
    window = tree.windows[number]
    box = overlap((window.bounds.left, window.bounds.top, window.bounds.right, window.bounds.bottom), whole)
    if window.kind == "toast":  # toasts let touches through
        return None
    if window.kind == "dialog":
        return _spokesman(tree, number), whole
    return (_spokesman(tree, number), box) if has_area(box) else None


def _spokesman(tree: Tree, number: int) -> int:
    """The node that a window is best known by: the first visible one with a name, else the first; a keyboard is not
    known by its keys."""
    first = bisect_left(tree.window_of, number)
    end = bisect_left(tree.window_of, number + 1)
    if tree.windows[number].kind == "keyboard" and first < end:
        return first
    for index in range(first, end):
        if tree.states[index] & _VISIBLE and (tree.texts[index] or tree.labels[index]):
            return index
    return first if first < end else -1
