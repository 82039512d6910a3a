"""Small pictures for buttons, as shapes on a grid of 24 by 24 units."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import ImageDraw


class _Pen:
    """Draws in units of the 24-grid."""

    def __init__(self, pen: ImageDraw.ImageDraw, size: int) -> None:
        self._pen = pen
        self._by = size / 24

    def line(self, *points: float, width: float = 2) -> None:
        """A line through (x, y) pairs with round ends and joints."""
        scaled = [value * self._by for value in points]
        self._pen.line(scaled, fill=255, width=round(width * self._by))
        for x, y in zip(points[::2], points[1::2], strict=True):
            self.disc(x, y, width / 2)

    def disc(self, x: float, y: float, radius: float, fill: int = 255) -> None:
        box = [(x - radius) * self._by, (y - radius) * self._by, (x + radius) * self._by, (y + radius) * self._by]
        self._pen.ellipse(box, fill=fill)

    def polygon(self, *points: float) -> None:
        self._pen.polygon([value * self._by for value in points], fill=255)

    def bar(self, left: float, top: float, right: float, bottom: float, radius: float = 1, fill: int = 255) -> None:
        box = [left * self._by, top * self._by, right * self._by, bottom * self._by]
        self._pen.rounded_rectangle(box, radius * self._by, fill=fill)

    def arc(self, x: float, y: float, radius: float, start: float, end: float, width: float = 2) -> None:
        box = [(x - radius) * self._by, (y - radius) * self._by, (x + radius) * self._by, (y + radius) * self._by]
        self._pen.arc(box, start, end, fill=255, width=round(width * self._by))


def _lines(*lines: tuple[float, ...]) -> Callable[[_Pen], None]:
    def draw(pen: _Pen) -> None:
        for points in lines:
            pen.line(*points)

    return draw


def _gear(pen: _Pen) -> None:
    for turn in range(8):
        angle = math.pi * turn / 4
        pen.line(12, 12, 12 + 8.5 * math.cos(angle), 12 + 8.5 * math.sin(angle), width=4)
    pen.disc(12, 12, 7)
    pen.disc(12, 12, 3, fill=0)


def _search(pen: _Pen) -> None:
    pen.arc(10, 10, 7, 0, 360)
    pen.line(15, 15, 20, 20)


def _trash(pen: _Pen) -> None:
    pen.line(5, 6, 19, 6)
    pen.line(10, 4, 14, 4)
    pen.bar(7, 8, 17, 20)


def _note(pen: _Pen) -> None:
    pen.bar(5, 3, 19, 21, 2)
    for y in (8, 12, 16):
        pen.bar(8, y - 0.8, 16, y + 0.8, 0.5, fill=0)


def _sync(pen: _Pen) -> None:
    pen.arc(12, 12, 8, 200, 340)
    pen.arc(12, 12, 8, 20, 160)
    pen.polygon(21, 4, 21, 11, 15, 9)
    pen.polygon(3, 20, 3, 13, 9, 15)


def _bell(pen: _Pen) -> None:
    pen.disc(12, 10, 6)
    pen.bar(6, 10, 18, 16, 0)
    pen.bar(4, 16, 20, 18)
    pen.disc(12, 20, 2)


def _person(pen: _Pen) -> None:
    pen.disc(12, 8, 4)
    pen.bar(4, 14, 20, 24, 6)


def _box(pen: _Pen) -> None:
    pen.bar(4, 4, 20, 8)
    pen.bar(5, 9, 19, 20)
    pen.bar(9, 11, 15, 13, 1, fill=0)


def _more(pen: _Pen) -> None:
    for y in (6, 12, 18):
        pen.disc(12, y, 1.8)


def _star(pen: _Pen) -> None:
    points: list[float] = []
    for turn in range(10):
        angle, radius = math.pi * (turn / 5 - 0.5), 10 if turn % 2 == 0 else 4.2
        points += [12 + radius * math.cos(angle), 12 + radius * math.sin(angle)]
    pen.polygon(*points)


def _wifi(pen: _Pen) -> None:
    pen.polygon(12, 21, 2, 8, 6.5, 5.3, 12, 4.4, 17.5, 5.3, 22, 8)


def _battery(pen: _Pen) -> None:
    pen.bar(10, 2, 14, 6, 0.5)
    pen.bar(7, 4, 17, 22, 1.5)


def _shift(pen: _Pen) -> None:
    pen.polygon(12, 3, 21, 13, 16, 13, 16, 20, 8, 20, 8, 13, 3, 13)


def _erase(pen: _Pen) -> None:
    pen.polygon(2, 12, 8, 5, 22, 5, 22, 19, 8, 19)


_SHAPES: dict[str, Callable[[_Pen], None]] = {
    "plus": _lines((12, 5, 12, 19), (5, 12, 19, 12)),
    "back": _lines((4, 12, 20, 12), (11, 5, 4, 12, 11, 19)),
    "next": _lines((9, 5, 16, 12, 9, 19)),
    "check": _lines((5, 13, 10, 18, 19, 7)),
    "close": _lines((6, 6, 18, 18), (18, 6, 6, 18)),
    "gear": _gear,
    "search": _search,
    "trash": _trash,
    "note": _note,
    "sync": _sync,
    "bell": _bell,
    "person": _person,
    "box": _box,
    "more": _more,
    "star": _star,
    "wifi": _wifi,
    "battery": _battery,
    "shift": _shift,
    "erase": _erase,
    "enter": _lines((19, 6, 19, 13, 5, 13), (10, 8, 5, 13, 10, 18)),
}

ICONS = frozenset(_SHAPES)


def draw_icon(pen: ImageDraw.ImageDraw, name: str, size: int) -> None:
    """Draw one of `ICONS`, white, into a square of `size` pixels."""
    _SHAPES[name](_Pen(pen, size))
