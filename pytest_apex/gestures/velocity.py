"""How fast a finger is when it lifts, as Android's VelocityTracker reckons it (`libs/input/VelocityTracker.cpp`).

For touch it lays a parabola through the places of the last 100 ms (strategy LSQ2) and takes its slope at the end. A
finger that slows down to a standstill by minimum jerk therefore seems to go *backwards* at the end: what it moved would
fly back. A finger that lifts has to be on its way.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

#: How far back it looks, and after how long without a word a finger has stopped (ASSUME_POINTER_STOPPED_TIME).
HORIZON_MS = 100.0
STOPPED_MS = 40.0

#: Milliseconds, x, y.
Place = tuple[float, float, float]


def recent_places(trail: Sequence[Place], stopped_ms: float = STOPPED_MS) -> list[Place]:
    """The last places of a trail that count: within the horizon, and since the finger last stood still."""
    if not trail:
        return []
    # Times are sums of fractions of a second: a thousandth is nothing.
    newest = [place for place in trail if trail[-1][0] - place[0] <= HORIZON_MS + 0.001]
    stops = [n for n, (before, after) in enumerate(pairwise(newest), 1) if after[0] - before[0] > stopped_ms]
    return newest[stops[-1] if stops else 0 :]


def fitted_velocity(places: Sequence[Place]) -> tuple[float, float]:
    """Units a second at the last of the places; 0 where there are too few to tell."""
    if len(places) < 2:
        return 0.0, 0.0
    times = [(place[0] - places[-1][0]) / 1000 for place in places]
    return _slope(times, [place[1] for place in places]), _slope(times, [place[2] for place in places])


def _slope(t: Sequence[float], x: Sequence[float]) -> float:
    """At t = 0, of the parabola (of two places: the line) that fits best."""
    n = len(t)
    if n == 2:
        return (x[1] - x[0]) / (t[1] - t[0]) if t[1] > t[0] else 0.0
    t1, t2, mean_x = sum(t) / n, sum(a * a for a in t) / n, sum(x) / n
    a = [value - t1 for value in t]
    b = [value * value - t2 for value in t]
    aa, ab, bb = (sum(p * q for p, q in zip(u, v, strict=True)) for u, v in ((a, a), (a, b), (b, b)))
    ax, bx = (sum(p * (value - mean_x) for p, value in zip(u, x, strict=True)) for u in (a, b))
    determinant = aa * bb - ab * ab
    return (ax * bb - bx * ab) / determinant if determinant > 0 else 0.0
