"""What is meant → what a finger does: the exact track of a gesture, by the rules of the platform that gets it.

A track from here is a machine's: ends and durations as asked, even steps on a straight line. `humanize` makes it human.

Sources of the numbers in `RULES`:

- Android: `android.view.ViewConfiguration`: TOUCH_SLOP 8 dp, DEFAULT_LONG_PRESS_TIMEOUT 400 ms (500 in older ones),
  DOUBLE_TAP_MIN_TIME 40 ms, DOUBLE_TAP_TIMEOUT 300 ms. The UiAutomator2 server plays W3C actions in slots of 20 ms and
  rounds each duration up to whole slots.
- iOS, tvOS, watchOS: `UILongPressGestureRecognizer` and `WKLongPressGestureRecognizer`: minimumPressDuration 0.5 s,
  allowableMovement 10 pt. The longest pause within a double tap is not documented; 350 ms is what is commonly
  measured. WebDriverAgent plays whole milliseconds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from pytest_apex.errors import ConfigError
from pytest_apex.model.action import DoubleTap, Drag, LongPress, Pointer, Sample, Stroke, Swipe, Tap, Track
from pytest_apex.model.geometry import Point
from pytest_apex.model.screen import DeviceInfo

#: A finger of a path is told of at most once a frame of a 60 Hz screen; more samples say nothing more.
FRAME_MS = 16
#: A drag rests this long before it lets go, so that nothing flies on (100 to 200 ms end a fling on Android and iOS).
END_HOLD_MS = 100


@dataclass(frozen=True, slots=True)
class TouchRules:
    """How a platform tells gestures apart. Times are milliseconds.

    `slot_ms` is its time grid; all times of a track are multiples of it. `tap_ms` is how long a plain tap lasts.
    A touch held for `long_press_ms` is a long press. The window of a double tap, `double_tap_min_ms` to
    `double_tap_max_ms`, is the pause between its two touches. A finger that moved no more than `touch_slop` (units of
    the tree) has not moved.
    """

    platform: str
    slot_ms: int
    tap_ms: int
    long_press_ms: int
    double_tap_min_ms: int
    double_tap_max_ms: int
    touch_slop: float

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


_APPLE = TouchRules(
    "ios", slot_ms=1, tap_ms=60, long_press_ms=500, double_tap_min_ms=0, double_tap_max_ms=350, touch_slop=10.0
)

#: By platform; `touch_slop` for a screen with one unit a dp or point (`rules_for` scales it to a device).
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
        ),
        "ios": _APPLE,
        "tvos": replace(_APPLE, platform="tvos"),
        "watchos": replace(_APPLE, platform="watchos"),
    }
)


def rules_for(device: DeviceInfo) -> TouchRules:
    """The rules of a device, distances in the units of its tree."""
    rules = RULES[device.platform]
    return replace(rules, touch_slop=rules.touch_slop * device.dp)


def compile_action(action: Pointer, rules: TouchRules) -> Track:
    """The exact track of a gesture: times from 0 in whole slots (rounded up), points as asked.

    Raises `ConfigError` for what can't be, or can't arrive as what it is meant to be: a negative time, a point that
    is no number, a path without length, a long press shorter than the platform's, a double tap too slow or too fast.
    """
    match action:
        case Tap():
            strokes = _tap(action, rules)
        case DoubleTap():
            strokes = _double_tap(action, rules)
        case LongPress():
            strokes = _long_press(action, rules)
        case Swipe():
            strokes = _swipe(action, rules)
        case Drag():
            strokes = _drag(action, rules)
    return Track(action.verb, strokes)


def ticks(duration_ms: int, rules: TouchRules) -> list[int]:
    """When a moving finger is told of: from 0 to `duration_ms` on the grid, at most once a frame."""
    slots = duration_ms // rules.slot_ms
    steps = max(duration_ms // max(rules.slot_ms, FRAME_MS), 1)
    return [rules.slot_ms * round(i * slots / steps) for i in range(steps + 1)]


def _tap(tap: Tap, rules: TouchRules) -> tuple[Stroke, ...]:
    _check_point("tap", tap.at)
    hold = _time("tap", "hold_ms", tap.hold_ms)
    _check_hold("tap", hold, rules)
    return (_still(tap.at, 0, rules.round_up(hold) or rules.tap_ms),)


def _double_tap(tap: DoubleTap, rules: TouchRules) -> tuple[Stroke, ...]:
    _check_point("double tap", tap.at)
    pause = _time("double tap", "interval_ms", tap.interval_ms)
    shortest, longest = rules.pauses(rules.tap_ms)
    if not shortest <= pause <= longest:
        raise ConfigError(
            f"can't make a double tap with {pause:g} ms between its touches",
            seen=f"{rules.platform} takes {rules.double_tap_min_ms} to {rules.double_tap_max_ms} ms for a double tap",
            likely="the two touches would arrive as two taps, or as one",
            cure=f"an interval_ms from {shortest} to {longest}, which arrives surely",
        )
    second = rules.tap_ms + rules.round_up(pause)
    return _still(tap.at, 0, rules.tap_ms), _still(tap.at, second, rules.tap_ms)


def _long_press(press: LongPress, rules: TouchRules) -> tuple[Stroke, ...]:
    _check_point("long press", press.at)
    duration = _time("long press", "duration_ms", press.duration_ms)
    if duration < rules.shortest_press_ms:
        raise ConfigError(
            f"can't make a long press of {duration:g} ms",
            seen=f"on {rules.platform} a touch is a long press from {rules.long_press_ms} ms on",
            likely="the touch would arrive as a tap",
            cure=f"a duration_ms of at least {rules.shortest_press_ms}, or a tap",
        )
    return (_still(press.at, 0, rules.round_up(duration)),)


def _swipe(swipe: Swipe, rules: TouchRules) -> tuple[Stroke, ...]:
    _check_path("swipe", swipe.start, swipe.end, rules)
    duration = _moving_time("swipe", "duration_ms", swipe.duration_ms)
    return (Stroke(0, _straight(swipe.start, swipe.end, 0, rules.round_up(duration), rules)),)


def _drag(drag: Drag, rules: TouchRules) -> tuple[Stroke, ...]:
    _check_path("drag", drag.start, drag.end, rules)
    hold = _time("drag", "hold_ms", drag.hold_ms)
    _check_hold("drag", hold, rules)
    pressed = rules.round_up(hold)
    moved = rules.round_up(_moving_time("drag", "move_ms", drag.move_ms))
    samples = list(_straight(drag.start, drag.end, pressed, moved, rules))
    if pressed:
        samples.insert(0, Sample(0, drag.start.x, drag.start.y))
    samples.append(Sample(pressed + moved + rules.round_up(END_HOLD_MS), drag.end.x, drag.end.y))
    return (Stroke(0, tuple(samples)),)


def _still(at: Point, begins: int, hold_ms: int) -> Stroke:
    return Stroke(0, (Sample(begins, at.x, at.y), Sample(begins + hold_ms, at.x, at.y)))


def _straight(start: Point, end: Point, begins: int, duration_ms: int, rules: TouchRules) -> tuple[Sample, ...]:
    samples = []
    for t in ticks(duration_ms, rules):
        s = t / duration_ms
        # Weighted so that both ends come out exactly.
        samples.append(Sample(begins + t, start.x * (1 - s) + end.x * s, start.y * (1 - s) + end.y * s))
    return tuple(samples)


def _time(gesture: str, name: str, value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf:
        return value
    raise ConfigError(
        f"can't make a {gesture} with {name}={value!r}",
        seen="not a time: times are milliseconds, from 0 on",
        likely="a sign or a unit went wrong on the way",
        cure=f"a whole number of milliseconds for {name}",
    )


def _moving_time(gesture: str, name: str, value: object) -> float:
    duration = _time(gesture, name, value)
    if duration == 0:
        raise ConfigError(
            f"can't make a {gesture} with {name}=0",
            seen="a path without time: the finger would jump, and no platform sees a jump as a move",
            likely="0 was meant as 'as fast as can be'",
            cure=f"a short {name}, such as 100",
        )
    return duration


def _check_hold(gesture: str, hold_ms: float, rules: TouchRules) -> None:
    """A hold may be a tap's or a long press's, not one that may arrive as either."""
    if rules.longest_tap_ms < hold_ms < rules.shortest_press_ms:
        raise ConfigError(
            f"can't hold a {gesture} for {hold_ms:g} ms",
            seen=f"on {rules.platform} a touch becomes a long press at {rules.long_press_ms} ms, "
            f"and times arrive to {rules.slot_ms} ms",
            likely="the touch would arrive as a tap at one time and as a long press at another",
            cure=f"up to {rules.longest_tap_ms} ms for a tap, from {rules.shortest_press_ms} ms for a long press",
        )


def _check_path(gesture: str, start: Point, end: Point, rules: TouchRules) -> None:
    _check_point(gesture, start)
    _check_point(gesture, end)
    if start.distance(end) <= rules.touch_slop:
        raise ConfigError(
            f"can't make a {gesture} from ({start}) to ({end})",
            seen=f"it is {start.distance(end):.1f} long; on {rules.platform} a finger has not moved up to "
            f"{rules.touch_slop:g}",
            likely="start and end are the same place, so the touch would arrive as a tap or long press",
            cure=f"ends further apart, or a tap or long press in place of the {gesture}",
        )


def _check_point(gesture: str, point: Point) -> None:
    if not (math.isfinite(point.x) and math.isfinite(point.y)):
        raise ConfigError(
            f"can't make a {gesture} at ({point.x}, {point.y})",
            seen="a coordinate that is no finite number",
            likely="the place was computed from a control without size",
            cure="a point on the screen, in the units of the tree",
        )
