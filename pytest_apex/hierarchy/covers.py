"""What takes a touch before the control under it does."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
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

_BANDS = 32

#: A node (or -1: a window without nodes) and where it takes touches.
Cover: TypeAlias = tuple[int, Box]


@dataclass(frozen=True, slots=True)
class Covers:
    """All controls of a tree that take touches, in document order, sorted into bands across the screen."""

    order: tuple[int, ...]
    boxes: tuple[Box, ...]
    bands: tuple[tuple[int, ...], ...]
    windows: tuple[tuple[int, Box] | None, ...]
    top: float
    band_height: float

    def over(self, region: Box, start: int, stop: int) -> Iterator[Cover]:
        """The nodes from `start` to before `stop` that take touches inside `region`, in document order."""
        for at in self._near(region, start):
            if self.order[at] >= stop:
                return
            box = self.boxes[at]
            if box[0] < region[2] and box[2] > region[0] and box[1] < region[3] and box[3] > region[1]:
                yield self.order[at], box

    def _near(self, region: Box, start: int) -> Iterator[int]:
        first, last = self._band(region[1]), self._band(region[3])
        begin = bisect_left(self.order, start)
        if last - first >= _BANDS // 4:
            yield from range(begin, len(self.order))
        elif first == last:
            band = self.bands[first]
            yield from band[bisect_left(band, begin) :]
        else:
            yield from sorted({at for band in self.bands[first : last + 1] for at in band[bisect_left(band, begin) :]})

    def _band(self, y: float) -> int:
        return band_of(y, self.top, self.band_height)


def band_of(y: float, top: float, height: float) -> int:
    return max(0, min(_BANDS - 1, int((y - top) / height))) if height else 0


def takes_touches(tree: Tree, index: int) -> bool:
    """Whether a control takes the touches inside its bounds."""
    return bool(tree.states[index] & _TOUCHED) or tree.roles[index] in _SOLID_ROLES or tree.roles[index] in _MODAL_ROLES


@per_tree
def covers_of(tree: Tree, screen: Rect) -> Covers:
    """Everything on a screen that takes touches. Worked out once a tree."""
    whole: Box = (screen.left, screen.top, screen.right, screen.bottom) if not screen.is_empty else EVERYWHERE
    order: list[int] = []
    boxes: list[Box] = []
    for index, seen in enumerate(visible_boxes(tree, screen)):
        if seen is None or not tree.states[index] & _VISIBLE or not takes_touches(tree, index):
            continue
        order.append(index)
        boxes.append(whole if tree.roles[index] in _MODAL_ROLES else seen)
    height = screen.height / _BANDS
    bands: list[list[int]] = [[] for _ in range(_BANDS)]
    for at, box in enumerate(boxes):
        for band in range(band_of(box[1], screen.top, height), band_of(box[3], screen.top, height) + 1):
            bands[band].append(at)
    windows = tuple(_window_cover(tree, at, whole) for at in range(len(tree.windows)))
    return Covers(tuple(order), tuple(boxes), tuple(map(tuple, bands)), windows, screen.top, height)


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
