"""Where a finger is on its way, at the times that a device can carry."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise

from pytest_apex.gestures.rules import TouchRules
from pytest_apex.model.action import Sample
from pytest_apex.model.geometry import Point

#: A finger of a path is told of at most once a frame of a 60 Hz screen; more samples say nothing more.
FRAME_MS = 16
#: How far a point may be beside the line between its neighbours and still be no corner, in units of the tree.
_FLAT = 0.01


def ticks(duration_ms: int, rules: TouchRules) -> list[int]:
    """When a moving finger is told of: from 0 to `duration_ms` on the grid, at most once a frame."""
    slots = duration_ms // rules.slot_ms
    steps = max(duration_ms // max(rules.slot_ms, FRAME_MS), 1)
    return [rules.slot_ms * round(i * slots / steps) for i in range(steps + 1)]


def between(start: Point, end: Point, s: float) -> Point:
    """Weighted so that both ends come out exactly."""
    return Point(start.x * (1 - s) + end.x * s, start.y * (1 - s) + end.y * s)


def length_of(way: Sequence[Point]) -> float:
    return sum(a.distance(b) for a, b in pairwise(way))


def along_way(way: Sequence[Point], shares: Sequence[float]) -> tuple[list[Point], int]:
    """The points of a way at `shares` of its length (ascending, 0 to 1), and how many of its corners have none.

    A corner takes the place of the point nearest to it, so that a path goes through what it was given; of several at
    one point the nearest does, and the path cuts the others.
    """
    way = [way[0], *(b for a, b in pairwise(way) if a != b)]
    reached = list(accumulate((a.distance(b) for a, b in pairwise(way)), initial=0.0))
    points = [_at(way, reached, s * reached[-1]) for s in shares]
    nearest: dict[int, tuple[float, Point]] = {}
    for corner, mark in zip(way[1:-1], reached[1:-1], strict=True):
        share = mark / reached[-1]
        after = min(max(bisect(shares, share), 1), len(shares) - 1)
        index = after if shares[after] - share < share - shares[after - 1] else after - 1
        index = min(max(index, 1), len(shares) - 2)
        off = abs(shares[index] - share)
        if index > 0 and (index not in nearest or off < nearest[index][0]):
            nearest[index] = off, corner
    for index, (_, corner) in nearest.items():
        points[index] = corner
    return points, len(way) - 2 - len(nearest)


def _at(way: Sequence[Point], reached: Sequence[float], length: float) -> Point:
    leg = min(max(bisect(reached, length), 1), len(way) - 1)
    return between(way[leg - 1], way[leg], (length - reached[leg - 1]) / (reached[leg] - reached[leg - 1]))


def corners(points: Iterable[Point]) -> list[Point]:
    """The points of a path without those that lie on the straight line between their neighbours."""
    kept: list[Point] = []
    for point in points:
        if kept and point == kept[-1]:
            continue
        while len(kept) > 1 and _straight(kept[-2], kept[-1], point):
            kept.pop()
        kept.append(point)
    return kept


def _straight(a: Point, b: Point, c: Point) -> bool:
    """Whether the way from `a` to `c` by `b` goes straight on."""
    back = (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y) < 0
    beside = abs((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)) / max(a.distance(c), 1e-9)
    return not back and beside <= _FLAT


def samples_of(points: Sequence[Point], times: Sequence[int], begins: int = 0) -> tuple[Sample, ...]:
    return tuple(Sample(begins + t, point.x, point.y) for point, t in zip(points, times, strict=True))
