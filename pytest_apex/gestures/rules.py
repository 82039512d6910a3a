"""How the platforms tell gestures apart, and the time grid that each of them plays touches on.

Sources of the numbers in `RULES`:

- Android: `android.view.ViewConfiguration`: TOUCH_SLOP 8 dp, DEFAULT_LONG_PRESS_TIMEOUT 400 ms (500 in older ones),
  DOUBLE_TAP_MIN_TIME 40 ms, DOUBLE_TAP_TIMEOUT 300 ms, DOUBLE_TAP_SLOP 100 dp, MINIMUM_FLING_VELOCITY 50 dp/s.
  `android.view.ScaleGestureDetector`: a pinch begins once the span of the fingers has changed by twice the touch slop,
  and only while it is at least `config_minScalingSpan`, 27 mm (170 dp). Two fingers turn once they have gone a touch
  slop along their circle (`detectTransformGestures` of Jetpack Compose; the view system has no detector of its own).
  The UiAutomator2 server plays W3C actions in slots of 20 ms and rounds each duration up to whole slots.
- iOS, tvOS, watchOS: `UILongPressGestureRecognizer` and `WKLongPressGestureRecognizer`: minimumPressDuration 0.5 s,
  allowableMovement 10 pt. The longest pause within a double tap is not documented; 350 ms is what is commonly
  measured, and 45 pt for how far apart its touches may be. Nor are there published limits for flings, pinches and
  turns: the speed and the proportions are Android's, which are stricter than what UIKit is seen to take. WebDriverAgent
  plays whole milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from pytest_apex.model.screen import DeviceInfo


@dataclass(frozen=True, slots=True)
class TouchRules:
    """How a platform tells gestures apart. Times are milliseconds.

    `slot_ms` is its time grid; all times of a track are multiples of it. `tap_ms` is how long a plain tap lasts.
    A touch held for `long_press_ms` is a long press. The window of a double tap, `double_tap_min_ms` to
    `double_tap_max_ms`, is the pause between its two touches, which are no more than `double_tap_slop` apart. A finger
    that moved no more than `touch_slop` (units of the tree) has not moved. A finger that lifts at `fling_min` (units a
    second) or more leaves the content running. Two fingers pinch once their span has changed by `span_slop`, and only
    while it is at least `span_min`; they twist once they have gone a touch slop around each other.
    """

    platform: str
    slot_ms: int
    tap_ms: int
    long_press_ms: int
    double_tap_min_ms: int
    double_tap_max_ms: int
    touch_slop: float
    fling_min: float = 50.0
    span_slop: float = 16.0
    span_min: float = 0.0
    double_tap_slop: float = 100.0

    def fit(self, ms: float, low: float = 0.0, high: float = math.inf) -> int:
        """The time on the grid next to `ms`, no less than `low` and no more than `high`."""
        least = math.ceil(low / self.slot_ms)
        slots = max(round(ms / self.slot_ms), least)
        return (
            min(slots, math.floor(high / self.slot_ms)) * self.slot_ms if math.isfinite(high) else slots * self.slot_ms
        )

    def round_up(self, ms: float) -> int:
        """As the platform's driver does it: never shorter than asked."""
        return math.ceil(ms / self.slot_ms) * self.slot_ms

    @property
    def longest_tap_ms(self) -> int:
        """One slot short of a long press."""
        return (self.long_press_ms - self.slot_ms) // self.slot_ms * self.slot_ms

    @property
    def shortest_press_ms(self) -> int:
        """One slot past the limit of a long press."""
        return self.round_up(self.long_press_ms + self.slot_ms)

    def pauses(self, hold_ms: int) -> tuple[int, int]:
        """The shortest and the longest pause of a double tap whose first touch lasts `hold_ms`.

        One slot inside the window at both ends. The upper end counts from the first touch *down*: Android's
        GestureDetector forgets the first tap DOUBLE_TAP_TIMEOUT after it began.
        """
        longest = self.double_tap_max_ms - self.slot_ms - hold_ms
        return self.round_up(self.double_tap_min_ms + self.slot_ms), longest // self.slot_ms * self.slot_ms


#: What no device has: nobody touches as short, and Android's accessibility settings end at 3 s.
_LEAST_MS, _MOST_MS = 100, 10_000

_APPLE = TouchRules(
    "ios",
    slot_ms=1,
    tap_ms=60,
    long_press_ms=500,
    double_tap_min_ms=0,
    double_tap_max_ms=350,
    touch_slop=10.0,
    fling_min=50.0,
    span_slop=20.0,
    span_min=0.0,
    double_tap_slop=45.0,
)

#: By platform; distances and speeds for a screen with one unit a dp or point (`rules_for` scales them to a device).
RULES: Mapping[str, TouchRules] = MappingProxyType(
    {
        "android": TouchRules(
            "android",
            slot_ms=20,
            tap_ms=60,
            long_press_ms=400,
            double_tap_min_ms=40,
            double_tap_max_ms=300,
            touch_slop=8.0,
            fling_min=50.0,
            span_slop=16.0,
            span_min=170.0,
            double_tap_slop=100.0,
        ),
        "ios": _APPLE,
        "tvos": replace(_APPLE, platform="tvos"),
        "watchos": replace(_APPLE, platform="watchos"),
    }
)


def _told(ms: int | None, usual: int, least: int) -> int:
    """What a device says of itself, unless that can't be."""
    return ms if ms is not None and least <= ms <= _MOST_MS else usual


def rules_for(device: DeviceInfo) -> TouchRules:
    """The rules of a device, distances in the units of its tree; its own limits where it tells them."""
    rules, dp, told = RULES[device.platform], device.dp, device.touch
    return replace(
        rules,
        long_press_ms=_told(told.long_press_ms, rules.long_press_ms, _LEAST_MS),
        double_tap_min_ms=_told(told.double_tap_min_ms, rules.double_tap_min_ms, 0),
        double_tap_max_ms=_told(told.double_tap_max_ms, rules.double_tap_max_ms, _LEAST_MS),
        touch_slop=rules.touch_slop * dp,
        fling_min=rules.fling_min * dp,
        span_slop=rules.span_slop * dp,
        span_min=rules.span_min * dp,
        double_tap_slop=rules.double_tap_slop * dp,
    )
