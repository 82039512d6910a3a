"""What no gesture can be: refused before anything is touched, each time with what would do."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pytest_apex.errors import ConfigError
from pytest_apex.gestures.rules import TouchRules
from pytest_apex.model.action import Sample
from pytest_apex.model.geometry import Point

#: People have no more.
MOST_FINGERS = 10
#: Degrees from one place of two fingers to the next: half of what can still be told from a turn the other way.
MOST_TURN = 90
#: How much faster than the limit a fling has to be.
_SURELY = 1.02


def check_number(gesture: str, name: str, value: object, above: float = -math.inf) -> float:
    """A length, an angle or a scale; a finite number greater than `above`."""
    if isinstance(value, (int, float)) and not isinstance(value, bool) and above < value < math.inf:
        return value
    wanted = "a number" if above == -math.inf else f"a number greater than {above:g}"
    raise ConfigError(
        f"can't make a {gesture} with {name}={value!r}",
        seen=f"not {wanted}",
        likely="it was computed from a control without size",
        cure=f"{wanted} for {name}",
    )


def check_time(gesture: str, name: str, value: object) -> float:
    if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value < math.inf:
        return value
    raise ConfigError(
        f"can't make a {gesture} with {name}={value!r}",
        seen="not a time: times are milliseconds, from 0 on",
        likely="a sign or a unit went wrong on the way",
        cure=f"a whole number of milliseconds for {name}",
    )


def check_moving_time(gesture: str, name: str, value: object) -> float:
    duration = check_time(gesture, name, value)
    if duration == 0:
        raise ConfigError(
            f"can't make a {gesture} with {name}=0",
            seen="a path without time: the finger would jump, and no platform sees a jump as a move",
            likely="0 was meant as 'as fast as can be'",
            cure=f"a short {name}, such as 100",
        )
    return duration


def check_point(gesture: str, point: Point) -> None:
    if not (math.isfinite(point.x) and math.isfinite(point.y)):
        raise ConfigError(
            f"can't make a {gesture} at ({point.x}, {point.y})",
            seen="a coordinate that is no finite number",
            likely="the place was computed from a control without size",
            cure="a point on the screen, in the units of the tree",
        )


def check_hold(gesture: str, hold_ms: float, rules: TouchRules) -> None:
    """A hold may be a tap's or a long press's, not one that may arrive as either."""
    if rules.longest_tap_ms < hold_ms < rules.shortest_press_ms:
        raise ConfigError(
            f"can't hold a {gesture} for {hold_ms:g} ms",
            seen=f"on {rules.platform} a touch becomes a long press at {rules.long_press_ms} ms, "
            f"and times arrive to {rules.slot_ms} ms",
            likely="the touch would arrive as a tap at one time and as a long press at another",
            cure=f"up to {rules.longest_tap_ms} ms for a tap, from {rules.shortest_press_ms} ms for a long press",
        )


def check_pause(pause_ms: float, rules: TouchRules) -> None:
    """The pause of a double tap, one slot inside the platform's window."""
    shortest, longest = rules.pauses(rules.tap_ms)
    if not shortest <= pause_ms <= longest:
        raise ConfigError(
            f"can't make a double tap with {pause_ms:g} ms between its touches",
            seen=f"{rules.platform} takes {rules.double_tap_min_ms} to {rules.double_tap_max_ms} ms for a double tap",
            likely="the two touches would arrive as two taps, or as one",
            cure=f"an interval_ms from {shortest} to {longest}, which arrives surely",
        )


def check_press(duration_ms: float, rules: TouchRules) -> None:
    if duration_ms < rules.shortest_press_ms:
        raise ConfigError(
            f"can't make a long press of {duration_ms:g} ms",
            seen=f"on {rules.platform} a touch is a long press from {rules.long_press_ms} ms on",
            likely="the touch would arrive as a tap",
            cure=f"a duration_ms of at least {rules.shortest_press_ms}, or a tap",
        )


def check_way(gesture: str, way: Sequence[Point], rules: TouchRules) -> None:
    """A path that goes somewhere, if only on its way."""
    for point in way:
        check_point(gesture, point)
    start, far = way[0], max(way, key=way[0].distance)
    if start.distance(far) <= rules.touch_slop:
        raise ConfigError(
            f"can't make a {gesture} from ({start}) to ({way[-1]})",
            seen=f"it is {start.distance(far):.1f} long; on {rules.platform} a finger has not moved up to "
            f"{rules.touch_slop:g}",
            likely="start and end are the same place, so the touch would arrive as a tap or long press",
            cure=f"ends further apart, or a tap or long press in place of the {gesture}",
        )


def leaves_in_time(samples: Sequence[Sample], rules: TouchRules) -> bool:
    """Whether a finger that comes down and moves is gone from its place before that makes a long press."""
    first = samples[0]
    return any(
        sample.t_ms - first.t_ms <= rules.longest_tap_ms
        and math.hypot(sample.x - first.x, sample.y - first.y) > rules.touch_slop
        for sample in samples
    )


def check_pace(gesture: str, samples: Sequence[Sample], rules: TouchRules) -> None:
    if not leaves_in_time(samples, rules):
        raise ConfigError(
            f"can't make a {gesture} that takes {samples[-1].t_ms:g} ms for so short a way",
            seen=f"after {rules.longest_tap_ms} ms it is still within {rules.touch_slop:g} of its start; on "
            f"{rules.platform} that becomes a long press at {rules.long_press_ms} ms",
            likely=f"the {gesture} would arrive as a long press and a drag",
            cure="less time, or a longer way; to press first and then move: a drag",
        )


def check_speed(length: float, duration_ms: float, rules: TouchRules) -> None:
    """A fling's speed, one slot inside the platform's limit."""
    longest = longest_fling_ms(length, rules)
    if duration_ms > longest:
        raise ConfigError(
            f"can't fling {length:.0f} in {duration_ms:g} ms",
            seen=f"{rules.platform} takes a finger that lifts at {rules.fling_min:g} a second or more for a fling",
            likely="it would arrive as a slow scroll: nothing runs on",
            cure=f"a duration_ms up to {longest}, or a swipe",
        )


def longest_fling_ms(length: float, rules: TouchRules) -> int:
    """The longest time for a path of this length at whose end a finger is surely fast: one slot inside the limit."""
    slots = math.floor(length / (_SURELY * rules.fling_min) * 1000 / rules.slot_ms) - 1
    return max(slots, 0) * rules.slot_ms


def check_pinch(start: float, end: float, rules: TouchRules) -> None:
    """Spans at both ends of a pinch, with a touch slop to spare for the hand."""
    least = rules.span_min + rules.touch_slop
    if min(start, end) < least:
        raise ConfigError(
            f"can't pinch from {start:.0f} to {end:.0f} between the fingers",
            seen=f"{rules.platform} sees a pinch only while the fingers are {rules.span_min:g} or more apart",
            likely="the control is too small for this scale",
            cure=f"fingers {least:.0f} apart or more at both ends: a scale nearer to 1, or a larger control",
        )
    if abs(end - start) < rules.span_slop + rules.touch_slop:
        raise ConfigError(
            f"can't pinch from {start:.0f} to {end:.0f} between the fingers",
            seen=f"on {rules.platform} a pinch begins when that has changed by more than {rules.span_slop:g}",
            likely="a scale so near to 1 that it would arrive as a touch of two fingers",
            cure="a scale further from 1, or a larger span",
        )


def check_turn(degrees: float, steps: int, rules: TouchRules) -> None:
    """A turn whose direction can be told from one place of the fingers to the next."""
    if abs(degrees) > MOST_TURN * steps:
        raise ConfigError(
            f"can't twist by {degrees:g} degrees in so short a time",
            seen=f"the fingers are seen at {steps + 1} places on {rules.platform}; they would jump around the circle",
            likely="turns were meant, or another unit",
            cure=f"up to {MOST_TURN * steps:g} degrees, or more time",
        )


def check_twist(degrees: float, span: float, rules: TouchRules) -> None:
    """The way of each finger, with a touch slop to spare for the hand."""
    way = abs(math.radians(degrees)) * span / 2
    if way < 2 * rules.touch_slop:
        raise ConfigError(
            f"can't twist by {degrees:g} degrees with {span:.0f} between the fingers",
            seen=f"each finger goes {way:.1f}; on {rules.platform} they have not turned up to {rules.touch_slop:g}",
            likely="so small an angle that it would arrive as a touch of two fingers",
            cure=f"{math.degrees(4 * rules.touch_slop / span):.0f} degrees or more, or a larger span",
        )
