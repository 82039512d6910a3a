"""What takes a touch before the control under it does."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.hierarchy.visible import EVERYWHERE, Box, has_area, overlap, visible_boxes
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Tree

_VISIBLE = int(NodeState.VISIBLE)
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

#: The grid that nodes are looked up by: cells about as large as a button of a phone.
_COLUMNS, _ROWS = 16, 32
#: More cells than this are slower to look through than everything.
_MANY = 48
_FEW = 8

#: A node (or -1: a window without nodes) and where it takes touches.
Cover: TypeAlias = tuple[int, Box]


@dataclass(frozen=True, slots=True)
class Covers:
    """All controls of a tree that take touches, in document order.

    `parts` are the visible boxes of all nodes. `cells` holds positions in `order` by the cells of a coarse grid that
    the controls reach into; those that reach into many stand in `wide` instead.
    """

    parts: Sequence[Box | None]
    order: Sequence[int]
    boxes: Sequence[Box]
    windows: tuple[Cover | None, ...]
    screen: Rect
    cells: Mapping[int, Sequence[int]]
    wide: Sequence[int]

    def over(self, region: Box, start: int, stop: int) -> Iterator[Cover]:
        """The nodes from `start` to before `stop` that take touches inside `region`, in document order."""
        begin, end = bisect_left(self.order, start), bisect_left(self.order, stop)
        for at in self._near(region, begin, end):
            box = self.boxes[at]
            if box[0] < region[2] and box[2] > region[0] and box[1] < region[3] and box[3] > region[1]:
                yield self.order[at], box

    def _near(self, region: Box, begin: int, end: int) -> Iterable[int]:
        """Positions between `begin` and `end` that may lie in the region, ascending."""
        cells = cells_of(region, self.screen) if end - begin > _FEW else None
        if cells is None:
            return range(begin, end)
        lists = (self.wide, *(self.cells.get(cell, ()) for cell in cells))
        return sorted({at for some in lists for at in some[bisect_left(some, begin) : bisect_left(some, end)]})


def cells_of(box: Box, screen: Rect) -> Sequence[int] | None:
    """The cells of the grid that a box reaches into; None for too many, or where the screen has no known size."""
    if screen.is_empty:
        return None
    width, height = screen.width / _COLUMNS, screen.height / _ROWS
    left, right = _clamped((box[0] - screen.left) / width, _COLUMNS), _clamped((box[2] - screen.left) / width, _COLUMNS)
    top, bottom = _clamped((box[1] - screen.top) / height, _ROWS), _clamped((box[3] - screen.top) / height, _ROWS)
    if (right - left + 1) * (bottom - top + 1) > _MANY:
        return None
    return [row * _COLUMNS + column for row in range(top, bottom + 1) for column in range(left, right + 1)]


def _clamped(place: float, count: int) -> int:
    return min(max(int(place), 0), count - 1)


def takes_touches(tree: Tree, index: int) -> bool:
    """Whether a control takes the touches inside its bounds."""
    return bool(tree.states[index] & _TOUCHED) or tree.roles[index] in _SOLID_ROLES or tree.roles[index] in _MODAL_ROLES


@per_tree
def covers_of(tree: Tree, screen: Rect) -> Covers:
    """Everything on a screen that takes touches. Worked out once a tree."""
    whole: Box = (screen.left, screen.top, screen.right, screen.bottom) if not screen.is_empty else EVERYWHERE
    order: list[int] = []
    boxes: list[Box] = []
    parts = visible_boxes(tree, screen)
    for index, seen in enumerate(parts):
        if seen is None or not tree.states[index] & _VISIBLE or not takes_touches(tree, index):
            continue
        order.append(index)
        boxes.append(whole if tree.roles[index] in _MODAL_ROLES else seen)
    cells: dict[int, list[int]] = defaultdict(list)
    wide: list[int] = []
    for at, box in enumerate(boxes):
        reached = cells_of(box, screen)
        for some in (wide,) if reached is None else (cells[cell] for cell in reached):
            some.append(at)
    windows = tuple(_window_cover(tree, at, whole) for at in range(len(tree.windows)))
    return Covers(parts, order, boxes, windows, screen, dict(cells), wide)


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
