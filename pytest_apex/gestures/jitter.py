"""Places, paths and times as a hand draws them: pure functions over a `random.Random` that the caller owns."""

from __future__ import annotations

import math
import random
from typing import TypeAlias

from pytest_apex.gestures.curves import bell, wander
from pytest_apex.model.geometry import Point

Place: TypeAlias = Point | tuple[float, float]


def jitter_point(x: float, y: float, *, radius: float, rng: random.Random) -> Point:
    """A point around (x, y), never further away than `radius`: a Gaussian in both axes (σ half the radius), cut."""
    if radius <= 0:
        return Point(x, y)
    # The distance is drawn from the cut distribution itself, so that no draw is thrown away.
    inside = 1.0 - math.exp(-2.0)
    distance = radius / 2 * math.sqrt(-2.0 * math.log(1.0 - rng.random() * inside))
    angle = rng.random() * 2.0 * math.pi
    return Point(x + distance * math.cos(angle), y + distance * math.sin(angle))


def swipe_waypoints(start: Place, end: Place, *, curvature: float, n: int, rng: random.Random) -> list[Point]:
    """A curved path as n + 2 points; first and last are the ends exactly, the others evenly spaced along the line.

    Sideways they are off by at most `curvature` × its length, each by nearly as much as its neighbours.
    """
    (x1, y1), (x2, y2) = start, end
    beside = wander(rng)
    points = [Point(x1, y1)]
    for i in range(1, n + 1):
        s = i / (n + 1)
        off = curvature * beside(s)
        points.append(Point(x1 + (x2 - x1) * s - (y2 - y1) * off, y1 + (y2 - y1) * s + (x2 - x1) * off))
    return [*points, Point(x2, y2)]


def jitter_duration(value_ms: float, *, spread: float, rng: random.Random) -> int:
    """A duration around `value_ms`, at most ± `spread` × the value away; whole milliseconds."""
    return max(round(value_ms * (1.0 + spread * bell(rng))), 0)


def jitter_interval(value_ms: float, *, spread: float, rng: random.Random) -> int:
    """A pause around `value_ms`, drawn as a duration is, and never so short that two touches become one."""
    return max(jitter_duration(value_ms, spread=spread, rng=rng), 1)
