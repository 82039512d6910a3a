"""Where a hand may go: its touches stay inside, its paths are flattened until they do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from pytest_apex.model.geometry import Point, Rect

#: Far below what a track keeps of a coordinate (two decimals).
_FUZZ = 1e-6


def whole(area: Rect) -> Rect | None:
    """The part of `area` whose points, edges included, stay inside however a driver cuts or rounds them."""
    part = Rect(math.ceil(area.left), math.ceil(area.top), math.ceil(area.right) - 1, math.ceil(area.bottom) - 1)
    return part if part.left <= part.right and part.top <= part.bottom else None


def room_around(areas: Iterable[Rect | None], points: Iterable[Point]) -> Rect:
    """The box around all points and areas; points on its edges belong to it."""
    boxes = [Rect(point.x, point.y, point.x, point.y) for point in points]
    boxes += [part for part in (whole(area) for area in areas if area is not None) if part is not None]
    return Rect(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def kept_inside(point: Point, part: Rect) -> Point:
    """The nearest point of `part`, in hundredths of a unit."""
    return Point(
        round(min(max(point.x, part.left), part.right), 2),
        round(min(max(point.y, part.top), part.bottom), 2),
    )


def kept_shift(shift: Point, points: Sequence[Point], area: Rect | None) -> Point:
    """As much of `shift` as all of `points` can make together without leaving `area`; nothing if they are not in it."""
    part, box = whole(area) if area is not None else None, room_around((), points)
    if part is None or not part.encloses(box):
        return Point(0, 0)
    return Point(
        min(max(shift.x, part.left - box.left), part.right - box.right),
        min(max(shift.y, part.top - box.top), part.bottom - box.bottom),
    )


def flattened(line: Sequence[Point], curve: Sequence[Point], room: Rect) -> list[Point]:
    """The curve, all of it drawn towards the straight line as far as it takes to stay in the room.

    Not cut at the edge, which would put a corner into it.
    """
    share = 1.0
    for base, point in zip(line, curve, strict=True):
        share = min(
            share,
            _reach(base.x, point.x, room.left, room.right),
            _reach(base.y, point.y, room.top, room.bottom),
        )
    return [
        Point(round(base.x + (point.x - base.x) * share, 2), round(base.y + (point.y - base.y) * share, 2))
        for base, point in zip(line, curve, strict=True)
    ]


def _reach(base: float, wanted: float, low: float, high: float) -> float:
    """How much of the way from `base` to `wanted` stays between `low` and `high`."""
    if low - _FUZZ <= wanted <= high + _FUZZ:
        return 1.0
    edge = high if wanted > high else low
    return min(max((edge - base) / (wanted - base), 0.0), 1.0)
