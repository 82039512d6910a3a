"""What is meant → what a finger does: the exact track of a gesture, by the rules of the platform that gets it.

A track from here is a machine's: ends and durations as asked, even steps on a straight line. `humanize` makes it human.
"""

from __future__ import annotations

import math

from pytest_apex.gestures import limits
from pytest_apex.gestures.frames import compile_frames
from pytest_apex.gestures.paths import FRAME_MS, along_way, between, length_of, samples_of, ticks
from pytest_apex.gestures.rules import RULES, TouchRules, rules_for
from pytest_apex.model.action import (
    DoubleTap,
    Drag,
    Fingers,
    Fling,
    LongPress,
    Pinch,
    Pointer,
    Sample,
    Stroke,
    Swipe,
    Tap,
    Track,
    Twist,
)
from pytest_apex.model.geometry import Point

__all__ = ["END_HOLD_MS", "FRAME_MS", "RULES", "TouchRules", "compile_action", "rules_for", "ticks"]

#: A drag rests this long before it lets go, so that nothing flies on: a finger at rest for 40 ms has stopped for
#: Android's VelocityTracker, which looks back 100 ms.
END_HOLD_MS = 100


def compile_action(action: Pointer, rules: TouchRules) -> Track:
    """The exact track of a gesture: times from 0 in whole slots (rounded up), points as asked.

    Raises `ConfigError` for what can't be, or can't arrive as what it is meant to be: a negative time, a point that
    is no number, a path without length or so slow that it becomes a long press, a long press shorter than the
    platform's, a double tap too slow or too fast, a fling that is none, a pinch or twist too small to be seen.
    A path of more points than the device can carry is thinned, in the same time; `note` says so.
    """
    note = ""
    match action:
        case Tap():
            strokes = _tap(action, rules)
        case DoubleTap():
            strokes = _double_tap(action, rules)
        case LongPress():
            strokes = _long_press(action, rules)
        case Swipe():
            strokes, note = _swipe(action, rules)
        case Fling():
            strokes = _fling(action, rules)
        case Drag():
            strokes = _drag(action, rules)
        case Pinch():
            strokes = _pinch(action, rules)
        case Twist():
            strokes = _twist(action, rules)
        case Fingers():
            strokes = compile_frames(action, rules)
    return Track(action.verb, strokes, note=note)


def _tap(tap: Tap, rules: TouchRules) -> tuple[Stroke, ...]:
    limits.check_point("tap", tap.at)
    hold = limits.check_time("tap", "hold_ms", tap.hold_ms)
    limits.check_hold("tap", hold, rules)
    return (_still(tap.at, 0, rules.round_up(hold) or rules.tap_ms),)


def _double_tap(tap: DoubleTap, rules: TouchRules) -> tuple[Stroke, ...]:
    limits.check_point("double tap", tap.at)
    pause = limits.check_time("double tap", "interval_ms", tap.interval_ms)
    limits.check_pause(pause, rules)
    second = rules.tap_ms + rules.round_up(pause)
    return _still(tap.at, 0, rules.tap_ms), _still(tap.at, second, rules.tap_ms)


def _long_press(press: LongPress, rules: TouchRules) -> tuple[Stroke, ...]:
    limits.check_point("long press", press.at)
    duration = limits.check_time("long press", "duration_ms", press.duration_ms)
    limits.check_press(duration, rules)
    return (_still(press.at, 0, rules.round_up(duration)),)


def _swipe(swipe: Swipe, rules: TouchRules) -> tuple[tuple[Stroke, ...], str]:
    way = (swipe.start, *swipe.via, swipe.end)
    limits.check_way("swipe", way, rules)
    duration = rules.round_up(limits.check_moving_time("swipe", "duration_ms", swipe.duration_ms))
    times = ticks(duration, rules)
    points, missed = along_way(way, [t / duration for t in times])
    samples = samples_of(points, times)
    limits.check_pace("swipe", samples, rules)
    note = ""
    if missed:
        note = (
            f"the path is thinned: {missed} of its {len(way)} points fall between the {len(times)} that "
            f"{rules.platform} carries in {duration} ms"
        )
    rest = rules.round_up(limits.check_time("swipe", "rest_ms", swipe.rest_ms))
    if rest:
        samples = (*samples, Sample(duration + rest, swipe.end.x, swipe.end.y))
    return (Stroke(0, samples),), note


def _fling(fling: Fling, rules: TouchRules) -> tuple[Stroke, ...]:
    limits.check_way("fling", (fling.start, fling.end), rules)
    duration = rules.round_up(limits.check_moving_time("fling", "duration_ms", fling.duration_ms))
    limits.check_speed(length_of((fling.start, fling.end)), duration, rules)
    samples = _straight(fling.start, fling.end, 0, duration, rules)
    limits.check_pace("fling", samples, rules)
    return (Stroke(0, samples),)


def _drag(drag: Drag, rules: TouchRules) -> tuple[Stroke, ...]:
    limits.check_way("drag", (drag.start, drag.end), rules)
    hold = limits.check_time("drag", "hold_ms", drag.hold_ms)
    limits.check_hold("drag", hold, rules)
    pressed = rules.round_up(hold)
    moved = rules.round_up(limits.check_moving_time("drag", "move_ms", drag.move_ms))
    samples = list(_straight(drag.start, drag.end, pressed, moved, rules))
    if pressed:
        samples.insert(0, Sample(0, drag.start.x, drag.start.y))
    if hold < rules.long_press_ms:
        limits.check_pace("drag", samples, rules)
    samples.append(Sample(pressed + moved + rules.round_up(END_HOLD_MS), drag.end.x, drag.end.y))
    return (Stroke(0, tuple(samples)),)


def _pinch(pinch: Pinch, rules: TouchRules) -> tuple[Stroke, ...]:
    limits.check_point("pinch", pinch.center)
    scale = limits.check_number("pinch", "scale", pinch.scale, above=0)
    span = limits.check_number("pinch", "span", pinch.span, above=0)
    angle = limits.check_number("pinch", "angle", pinch.angle)
    limits.check_pinch(span, span * scale, rules)
    duration = rules.round_up(limits.check_moving_time("pinch", "duration_ms", pinch.duration_ms))
    strokes = []
    for finger, turn in enumerate((0.0, 180.0)):
        start, end = (_around(pinch.center, angle + turn, width) for width in (span, span * scale))
        strokes.append(Stroke(finger, _straight(start, end, 0, duration, rules)))
    return tuple(strokes)


def _twist(twist: Twist, rules: TouchRules) -> tuple[Stroke, ...]:
    limits.check_point("twist", twist.center)
    degrees = limits.check_number("twist", "degrees", twist.degrees)
    span = limits.check_number("twist", "span", twist.span, above=0)
    limits.check_twist(degrees, span, rules)
    duration = rules.round_up(limits.check_moving_time("twist", "duration_ms", twist.duration_ms))
    times = ticks(duration, rules)
    limits.check_turn(degrees, len(times) - 1, rules)
    strokes = []
    for finger, turn in enumerate((0.0, 180.0)):
        points = [_around(twist.center, turn + degrees * t / duration, span) for t in times]
        strokes.append(Stroke(finger, samples_of(points, times)))
    return tuple(strokes)


def _around(center: Point, degrees: float, span: float) -> Point:
    """The point on a circle of diameter `span`; degrees go clockwise from the x axis, as on the screen."""
    angle = math.radians(degrees)
    return center.moved(span / 2 * math.cos(angle), span / 2 * math.sin(angle))


def _still(at: Point, begins: int, hold_ms: int) -> Stroke:
    return Stroke(0, (Sample(begins, at.x, at.y), Sample(begins + hold_ms, at.x, at.y)))


def _straight(start: Point, end: Point, begins: int, duration_ms: int, rules: TouchRules) -> tuple[Sample, ...]:
    times = ticks(duration_ms, rules)
    return samples_of([between(start, end, t / duration_ms) for t in times], times, begins)
