"""The mathematics of a moving hand: how far along the path at a time, and how far beside it."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from pytest_apex.model.geometry import Point

#: Shares of what sideways noise is made of: an arc, an S, and a little of a double S. They add up to 1.
_SHARES = (0.6, 0.3, 0.1)


def minimum_jerk(x: float) -> float:
    """Share of the path done at a share `x` of the time: 10x³ − 15x⁴ + 6x⁵, from 0 to 1.

    The profile of a reaching hand (Flash and Hogan, 1985): at rest at both ends, top speed 1.875 × the mean.
    """
    x = min(max(x, 0.0), 1.0)
    return x * x * x * (10.0 - 15.0 * x + 6.0 * x * x)


def lifting(x: float) -> float:
    """As `minimum_jerk`, but of a hand that lifts while it is still on its way: 0.3 of its mean speed at the end.

    What that takes is spread over the second half, so that the top speed is still 1.84 × the mean.
    """
    x = min(max(x, 0.0), 1.0)
    return minimum_jerk(x) + 0.3 * (x - 1.0) * x**5


def throwing(x: float) -> float:
    """As `minimum_jerk`, but only up to its top speed: of a hand that lifts while it is fastest."""
    return 2.0 * minimum_jerk(x / 2.0)


def bell(rng: random.Random) -> float:
    """A random number in [−1, 1], bell-shaped around 0 (σ a third): the mean of three even ones.

    Made of `random()` alone, whose values Python promises to keep, so a seed means the same gesture next year.
    """
    return (rng.random() + rng.random() + rng.random()) * 2.0 / 3.0 - 1.0


def wander(rng: random.Random) -> Callable[[float], float]:
    """A smooth random function on [0, 1] with values in [−1, 1], zero and level at both ends.

    A few slow waves: neighbouring values belong together, so a path made of them never zigzags. Level at the ends, so
    that it leaves straight towards its end: a vertical swipe is never taken for a horizontal one.
    """
    heights = [share * bell(rng) for share in _SHARES]

    def value(s: float) -> float:
        waves = sum(height * math.cos(wave * math.pi * s) for wave, height in enumerate(heights))
        return math.sin(math.pi * s) ** 2 * waves

    return value


def along(points: Sequence[Point], s: float) -> Point:
    """The point at a share `s` of a smooth curve through `points` (Catmull–Rom; each piece takes an equal share)."""
    pieces = len(points) - 1
    piece = min(int(s * pieces), pieces - 1)
    u = s * pieces - piece
    b, c = points[piece], points[piece + 1]
    # Past the ends the curve goes on as a mirror image, which keeps evenly spaced points evenly paced.
    a = points[piece - 1] if piece > 0 else Point(2 * b.x - c.x, 2 * b.y - c.y)
    d = points[piece + 2] if piece + 2 <= pieces else Point(2 * c.x - b.x, 2 * c.y - b.y)
    return Point(_spline(a.x, b.x, c.x, d.x, u), _spline(a.y, b.y, c.y, d.y, u))


def _spline(a: float, b: float, c: float, d: float, u: float) -> float:
    return b + 0.5 * u * (c - a + u * (2 * a - 5 * b + 4 * c - d + u * (3 * (b - c) + d - a)))
