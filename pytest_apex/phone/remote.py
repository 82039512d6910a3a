"""tvOS: no touch, but a focus that the remote moves, and a key that selects what has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_apex.model.node import NodeState
from pytest_apex.phone.boxes import Box
from pytest_apex.phone.process import Process
from pytest_apex.phone.surface import Surface, Touched

if TYPE_CHECKING:
    from pytest_apex.phone.phone import Phone

DIRECTIONS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}


def press(phone: Phone, key: str, select: Callable[[Touched, str], None]) -> None:
    """Move the focus of the app in front, or select what has it."""
    front = phone.machine.front
    surfaces = [surface for surface in phone.scene().surfaces if surface.in_tree and surface.owner is not None]
    if not surfaces:
        return
    surface = next((item for item in reversed(surfaces) if item.window.kind != "status_bar"), surfaces[-1])
    boxes = _focusable(surface)
    if front is None or phone.machine.dialog is not None:
        if key == "select" and boxes and surface.owner is not None:
            surface.owner(Touched(boxes[0], surface), "tap")
        return
    current = next((box for box in boxes if box.key == front.focus), None)
    if key == "select":
        if current is not None:
            select(Touched(current, surface), "tap")
        return
    chosen = _next(boxes, current, *DIRECTIONS[key]) if current is not None else (boxes[0] if boxes else None)
    if chosen is not None:
        front.set_focus(chosen.key)
        _reveal(front, surface, chosen)


def _focusable(surface: Surface) -> list[Box]:
    return [box for box in _all_in(surface.boxes) if box.has(NodeState.CLICKABLE) and box.has(NodeState.ENABLED)]


def _next(boxes: list[Box], current: Box, dx: int, dy: int) -> Box | None:
    """The nearest control in a direction; a gap to the side counts double."""

    def ahead(box: Box) -> float:
        right = (box.left + box.right - current.left - current.right) / 2
        down = (box.top + box.bottom - current.top - current.bottom) / 2
        return right * dx + down * dy

    def way(box: Box) -> float:
        beside = max(0, box.left - current.right, current.left - box.right)
        above = max(0, box.top - current.bottom, current.top - box.bottom)
        return ahead(box) + 2 * (above if dx else beside)

    return min((box for box in boxes if ahead(box) > 0), key=way, default=None)


def _reveal(process: Process, surface: Surface, chosen: Box) -> None:
    """Scroll what has the focus into sight."""
    for box in [surface.boxes, *surface.boxes.children]:
        if box.scroll is None or chosen not in _all_in(box):
            continue
        offset, most = box.scroll
        hidden = max(0, chosen.bottom - box.bottom) - max(0, box.top - chosen.top)
        process.scroll_to(box.key, min(most, max(0, offset + hidden)))


def _all_in(box: Box) -> list[Box]:
    found, waiting = [], [box]
    while waiting:
        box = waiting.pop(0)
        found.append(box)
        waiting = [*box.children, *waiting]
    return found
