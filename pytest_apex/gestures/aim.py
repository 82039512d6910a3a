"""Gestures that fit an area: where the fingers go when only the area is known."""

from __future__ import annotations

import math

from pytest_apex.errors import ConfigError
from pytest_apex.gestures.rules import TouchRules
from pytest_apex.model.action import SWIPE_MS, Fling, Pinch, Swipe, Twist
from pytest_apex.model.geometry import Point, Rect

DIRECTIONS = ("up", "down", "left", "right")
#: How much wider than the platform's least a pinch is at its narrow end, and how wide two fingers are at ease there and
#: in a twist, in touch slops (8 dp, 10 points): a thumb's width more than they need, and a hand's.
_SPAN_TO_SPARE, _NARROW, _AT_EASE = 1.15, 10, 20


def swipe_in(area: Rect, direction: str, duration_ms: int = SWIPE_MS, *, rest_ms: int = 0) -> Swipe:
    """A swipe through the middle 60 % of `area`; `direction` is where the finger moves."""
    start, end = _ends("swipe", area, direction)
    return Swipe(start, end, duration_ms, rest_ms=rest_ms)


def fling_in(area: Rect, direction: str) -> Fling:
    """A fling through the middle 60 % of `area`; `direction` is where the finger moves."""
    start, end = _ends("fling", area, direction)
    return Fling(start, end)


def need_direction(gesture: str, direction: object) -> None:
    """Raise `ConfigError` for what is no direction."""
    if not isinstance(direction, str) or direction not in DIRECTIONS:
        raise ConfigError(f"can't {gesture} {direction!r}", cure=f"one of {', '.join(DIRECTIONS)}")


def _ends(gesture: str, area: Rect, direction: str) -> tuple[Point, Point]:
    need_direction(gesture, direction)
    middle, width, height = area.center, area.width * 0.3, area.height * 0.3
    return {
        "up": (middle.moved(0, height), middle.moved(0, -height)),
        "down": (middle.moved(0, -height), middle.moved(0, height)),
        "left": (middle.moved(width, 0), middle.moved(-width, 0)),
        "right": (middle.moved(-width, 0), middle.moved(width, 0)),
    }[direction]


def pinch_in(area: Rect, scale: float, rules: TouchRules) -> Pinch:
    """A pinch around the middle of `area`, along its diagonal from the lower left, as wide as it has to be.

    Where the area is too small for the scale, the pinch is, too: the compiler says so.
    """
    inner = area.grown(-rules.touch_slop)
    room = math.hypot(max(inner.width, 0.0), max(inner.height, 0.0))
    angle = -math.degrees(math.atan2(area.height, area.width))
    ratio = max(scale, 1 / scale) if scale > 0 else 1.0
    least = (rules.span_slop + 2 * rules.touch_slop) / (ratio - 1) if ratio > 1 else 0.0
    narrow = min(max(least, _SPAN_TO_SPARE * rules.span_min, _NARROW * rules.touch_slop), room / ratio)
    return Pinch(area.center, scale, narrow if scale > 1 else narrow * ratio, angle=angle)


def twist_in(area: Rect, degrees: float, rules: TouchRules) -> Twist:
    """A twist around the middle of `area`, of a circle that stays inside."""
    room = min(area.width, area.height) - 2 * rules.touch_slop
    return Twist(area.center, degrees, min(_AT_EASE * rules.touch_slop, room))
