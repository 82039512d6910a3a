"""tvOS: no touch, but a focus that the remote moves, and a key that selects what has it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pytest_apex.model.node import NodeState
from pytest_apex.phone.boxes import Box
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


def _focusable(surface: Surface) -> list[Box]:
    found, waiting = [], [surface.boxes]
    while waiting:
        box = waiting.pop(0)
        if box.has(NodeState.CLICKABLE) and box.has(NodeState.ENABLED):
            found.append(box)
        waiting = [*box.children, *waiting]
    return found


def _next(boxes: list[Box], current: Box, dx: int, dy: int) -> Box | None:
    """The nearest control in a direction; what lies to the side counts double."""
    x, y = current.left + current.width / 2, current.top + current.height / 2

    def way(box: Box) -> tuple[float, float]:
        right, down = box.left + box.width / 2 - x, box.top + box.height / 2 - y
        ahead, aside = (right * dx, abs(down)) if dx else (down * dy, abs(right))
        return ahead, ahead + 2 * aside

    ahead = [box for box in boxes if box is not current and way(box)[0] > 0]
    return min(ahead, key=lambda box: way(box)[1], default=None)
