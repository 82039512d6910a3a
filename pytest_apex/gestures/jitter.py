"""Places, paths and times as a hand draws them: pure functions over a `random.Random` that the caller owns."""

from __future__ import annotations

import math
import random
from typing import Any, TypeAlias

from pytest_apex.errors import ConfigError
from pytest_apex.gestures.curves import bell, wander
from pytest_apex.model.geometry import Point

Place: TypeAlias = Point | tuple[float, float]


def jitter_point(x: float, y: float, *, radius: float, rng: random.Random) -> Point:
    """A point around (x, y), never further away than `radius`: a Gaussian in both axes (σ half the radius), cut."""
    _check("jitter_point", rng, x=x, y=y)
    _check_size("jitter_point", "radius", radius)
    if radius == 0:
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
    (x1, y1), (x2, y2) = _pair("start", start), _pair("end", end)
    _check("swipe_waypoints", rng, x1=x1, y1=y1, x2=x2, y2=y2)
    _check_size("swipe_waypoints", "curvature", curvature)
    if isinstance(n, bool) or not isinstance(n, int) or n < 0:
        raise _wrong("swipe_waypoints", "a whole number from 0 on for n", n)
    beside = wander(rng)
    points = [Point(x1, y1)]
    for i in range(1, n + 1):
        s = i / (n + 1)
        off = curvature * beside(s)
        points.append(Point(x1 + (x2 - x1) * s - (y2 - y1) * off, y1 + (y2 - y1) * s + (x2 - x1) * off))
    return [*points, Point(x2, y2)]


def jitter_duration(value_ms: float, *, spread: float, rng: random.Random) -> int:
    """A duration around `value_ms`, at most ± `spread` × the value away; whole milliseconds."""
    _check("jitter_duration", rng)
    _check_size("jitter_duration", "value_ms", value_ms)
    _check_size("jitter_duration", "spread", spread)
    return max(round(value_ms * (1.0 + spread * bell(rng))), 0)


def jitter_interval(value_ms: float, *, spread: float, rng: random.Random) -> int:
    """A pause around `value_ms`, drawn as a duration is, and never so short that two touches become one."""
    return max(jitter_duration(value_ms, spread=spread, rng=rng), 1)


def _check(function: str, rng: object, **places: Any) -> None:
    """Raise `ConfigError` unless all places are finite numbers and the randomness is `random.Random`."""
    if not isinstance(rng, random.Random):
        raise _wrong(function, "a random.Random for rng", rng)
    for name, value in places.items():
        if not _is_number(value):
            raise _wrong(function, f"a finite number for {name}", value)


def _check_size(function: str, name: str, value: object) -> None:
    if not _is_number(value) or value < 0:  # type: ignore[operator]
        raise _wrong(function, f"a finite number from 0 on for {name}", value)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _pair(name: str, place: Any) -> tuple[float, float]:
    try:
        x, y = place
    except (TypeError, ValueError):
        raise _wrong("swipe_waypoints", f"a Point, or a pair of numbers, for {name}", place) from None
    return x, y


def _wrong(function: str, wanted: str, value: object) -> ConfigError:
    return ConfigError(f"{function}() takes {wanted}", seen=repr(value)[:120], cure=f"give it {wanted}")
