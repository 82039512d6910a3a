"""Which command carries each gesture: one table, which the code goes by and the documentation prints.

A driver's native command is taken for an exact track (humanize off) where it carries the ends and the duration as they
are; everything else is W3C actions. Sources of what the commands do:

- Android (appium-uiautomator2-driver 8.7 `commands/gestures.ts`; its server's `GestureController.java`): pixels,
  milliseconds, pixels a second, whole numbers. `clickGesture` holds for 0 ms; `longClickGesture` for `duration` ms;
  `dragGesture` presses for the phone's own long press first and moves at `speed`.
- iOS (appium-xcuitest-driver 12.13 `commands/gesture.ts`; WebDriverAgent `FBElementCommands.m`): points, seconds, and
  for `velocity` what XCTest calls pixels a second. `touchAndHold` needs a `duration`; `dragFromToForDuration`'s is the
  hold before the drag, at a speed of its own: `dragFromToWithVelocity` has the hold, the speed and the rest at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeAlias

from pytest_apex.gestures.rules import TouchRules
from pytest_apex.gestures.w3c import to_w3c
from pytest_apex.model.action import Drag, Sample, Track
from pytest_apex.model.geometry import Point

#: How far from its straight line, or from its moment on it, a sample of a drag may lie, in units of the tree.
_STRAIGHT = 1.0
#: A longer hold than a drag's usual one was meant, so it must not become the phone's own.
_USUAL_HOLD_MS: int = Drag(Point(0, 0), Point(1, 1)).hold_ms


@dataclass(frozen=True, slots=True)
class Native:
    """`POST execute/sync` with this script and its one argument."""

    script: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Actions:
    """`POST actions` with these sources."""

    sources: list[dict[str, Any]]


Plan: TypeAlias = Native | Actions

#: Makes a command's arguments of an exact track; None where the command can't carry it.
Carry = Callable[[Track, TouchRules], "Mapping[str, Any] | None"]


@dataclass(frozen=True, slots=True)
class Row:
    """One gesture on one platform, humanize off. `script` is "" for W3C actions; `when` says when the command carries
    it, `why` why it is not (always) taken."""

    platform: str
    verb: str
    script: str = ""
    carry: Carry | None = None
    when: str = ""
    why: str = ""


def _shape(track: Track) -> tuple[Sample, Sample] | None:
    """First and last sample of a track of one touch."""
    return (track.strokes[0].samples[0], track.strokes[0].samples[-1]) if len(track.strokes) == 1 else None


def _held(track: Track) -> tuple[Sample, int] | None:
    """Place and length of a touch that stays where it is."""
    ends = _shape(track)
    if ends is None or len({(round(s.x), round(s.y)) for s in track.strokes[0].samples}) > 1:
        return None
    return ends[0], round(ends[1].t_ms - ends[0].t_ms)


def _click(track: Track, rules: TouchRules) -> Mapping[str, Any] | None:
    held = _held(track)
    if held is None or held[1] != rules.tap_ms:
        return None
    return {"x": round(held[0].x), "y": round(held[0].y)}


def _long_click(track: Track, _rules: TouchRules) -> Mapping[str, Any] | None:
    held = _held(track)
    return None if held is None else {"x": round(held[0].x), "y": round(held[0].y), "duration": held[1]}


def _touch_and_hold(track: Track, _rules: TouchRules) -> Mapping[str, Any] | None:
    held = _held(track)
    return None if held is None else {"x": round(held[0].x), "y": round(held[0].y), "duration": held[1] / 1000}


@dataclass(frozen=True, slots=True)
class _Way:
    """A drag: hold, a straight way at one speed, rest; milliseconds."""

    start: Sample
    end: Sample
    hold_ms: float
    move_ms: float
    rest_ms: float

    @property
    def speed(self) -> float:
        length = ((self.end.x - self.start.x) ** 2 + (self.end.y - self.start.y) ** 2) ** 0.5
        return float(length / self.move_ms * 1000)


def _way(track: Track) -> _Way | None:
    ends = _shape(track)
    if ends is None:
        return None
    samples = track.strokes[0].samples
    moving = [n for n, (a, b) in enumerate(pairwise(samples)) if (a.x, a.y) != (b.x, b.y)]
    if not moving:
        return None
    leaves, arrives = samples[moving[0]], samples[moving[-1] + 1]
    way = _Way(
        leaves, arrives, leaves.t_ms - samples[0].t_ms, arrives.t_ms - leaves.t_ms, samples[-1].t_ms - arrives.t_ms
    )
    for sample in samples[moving[0] : moving[-1] + 2]:
        share = (sample.t_ms - leaves.t_ms) / way.move_ms
        x, y = leaves.x + (arrives.x - leaves.x) * share, leaves.y + (arrives.y - leaves.y) * share
        if abs(sample.x - x) > _STRAIGHT or abs(sample.y - y) > _STRAIGHT:
            return None
    return way


def _drag_android(track: Track, rules: TouchRules) -> Mapping[str, Any] | None:
    way = _way(track)
    if way is None or not rules.long_press_ms <= way.hold_ms <= _USUAL_HOLD_MS:
        return None
    return {
        "startX": round(way.start.x),
        "startY": round(way.start.y),
        "endX": round(way.end.x),
        "endY": round(way.end.y),
        "speed": max(round(way.speed), 1),
    }


def _drag_ios(track: Track, _rules: TouchRules) -> Mapping[str, Any] | None:
    way = _way(track)
    if way is None:
        return None
    return {
        "fromX": round(way.start.x),
        "fromY": round(way.start.y),
        "toX": round(way.end.x),
        "toY": round(way.end.y),
        "pressDuration": way.hold_ms / 1000,
        "velocity": round(way.speed, 3),
        "holdDuration": way.rest_ms / 1000,
    }


_DOUBLE = "the pause of a native double tap is the driver's own"
_SWIPE = "no native swipe has free ends and a duration without a hold"
_PINCH_ANDROID = "the native one goes along one diagonal, with margins of its own, and rests 250 ms when it closes"
_PINCH_IOS = "the native one has neither centre nor span nor duration"

#: Gestures that no row is for (`multi_touch`) are W3C actions. Several rows for one gesture are tried in their order.
MATRIX: tuple[Row, ...] = (
    Row("android", "tap", "mobile: clickGesture", _click, "no length is asked for"),
    Row("android", "tap", "mobile: longClickGesture", _long_click, "a length is asked for (ms)"),
    Row("android", "double_tap", why=_DOUBLE),
    Row("android", "long_press", "mobile: longClickGesture", _long_click, "always (ms)"),
    Row("android", "swipe", why=_SWIPE),
    Row("android", "fling", why=_SWIPE),
    Row("android", "drag", "mobile: dragGesture", _drag_android,
        f"the hold is a long press of up to {_USUAL_HOLD_MS} ms: the phone's own is taken (px/s)",
        "a longer hold is kept, and a shorter one is no drag to the phone"),
    Row("android", "pinch", why=_PINCH_ANDROID),
    Row("android", "twist", why="there is no native one"),
    Row("ios", "tap", "mobile: tap", _click, "no length is asked for"),
    Row("ios", "tap", "mobile: touchAndHold", _touch_and_hold, "a length is asked for (s)"),
    Row("ios", "double_tap", why=_DOUBLE),
    Row("ios", "long_press", "mobile: touchAndHold", _touch_and_hold, "always (s)"),
    Row("ios", "swipe", why=_SWIPE),
    Row("ios", "fling", why=_SWIPE),
    Row("ios", "drag", "mobile: dragFromToWithVelocity", _drag_ios, "always: hold and rest (s), speed"),
    Row("ios", "pinch", why=_PINCH_IOS),
    Row("ios", "twist", why="the native one turns an element, not a place"),
)  # fmt: skip


def plan(track: Track, rules: TouchRules, offered: Collection[str]) -> Plan:
    """How to carry a track; `offered` are the scripts that the connected driver has."""
    if not track.humanized:
        for row in MATRIX:
            if (row.platform, row.verb) == (rules.platform, track.verb) and row.carry and row.script in offered:
                arguments = row.carry(track, rules)
                if arguments is not None:
                    return Native(row.script, arguments)
    return Actions(to_w3c(track, rules))


#: Every native script that a row takes.
SCRIPTS = frozenset(row.script for row in MATRIX if row.script)


def as_markdown() -> str:
    """The table, as `docs/appium.md` has it."""
    lines = ["| platform | gesture | humanize off | humanize on |", "|---|---|---|---|"]
    for row in MATRIX:
        off = f"`{row.script}`: {row.when}" if row.script else f"W3C: {row.why}"
        if row.script and row.why:
            off += f"; else W3C: {row.why}"
        lines.append(f"| {row.platform} | {row.verb.replace('_', ' ')} | {off} | W3C |")
    return "\n".join(lines)
