"""Tracks as calls of the server on the phone: what it can carry, and how each gesture keeps its time.

A touch that stands still is one call, held by the phone's own clock. A straight swipe at one speed is the server's own
swipe, in steps of 5 ms. Everything else that one finger does (a double tap, a curve, a drag with its holds) is told
event by event at its moment: the server's `swipePoints` spends the same number of steps on each of its stretches and
skips their last ones, so that neither length nor speed of a human swipe would arrive.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TypeAlias

from pytest_apex.errors import CapabilityMissing
from pytest_apex.model.action import Sample, Stroke, Track

#: `MotionEvent.ACTION_DOWN`, `ACTION_UP`, `ACTION_MOVE`, `ACTION_CANCEL`.
DOWN, UP, MOVE, CANCEL = 0, 1, 2, 3
#: A step of `UiDevice.swipe` (androidx.test.uiautomator: `InteractionController`).
STEP_MS = 5
#: How far from the straight line, or from its moment on it, a sample of a straight swipe may lie, in pixels.
_STRAIGHT = 1.0


@dataclass(frozen=True, slots=True)
class Held:
    """`click[x, y, ms]`: down, wait, up, all on the phone."""

    x: int
    y: int
    ms: int


@dataclass(frozen=True, slots=True)
class Straight:
    """`swipe[x1, y1, x2, y2, steps]`."""

    x1: int
    y1: int
    x2: int
    y2: int
    steps: int


@dataclass(frozen=True, slots=True)
class Event:
    """`injectInputEvent[action, x, y, 0]`, due `t_ms` after the start."""

    t_ms: float
    action: int
    x: int
    y: int


Plan: TypeAlias = Held | Straight | tuple[Event, ...]


def plan(track: Track) -> Plan:
    """How to carry a track. Raises `CapabilityMissing` for more than one finger at a time."""
    if len({stroke.finger for stroke in track.strokes}) > 1 or _overlap(track.strokes):
        raise CapabilityMissing(
            f"uiautomator2 can't play a {track.verb.replace('_', ' ')}",
            seen="its server takes touches of one finger at a time",
            likely="the test was meant for a device driven by Appium",
            cure="--apex-backend=appium, or mark the test with gestures(…), so that it is skipped here",
        )
    if len(track.strokes) == 1:
        samples = track.strokes[0].samples
        if _stands_still(samples):
            x, y = _whole(samples[0])
            return Held(x, y, max(round(samples[-1].t_ms - samples[0].t_ms), 1))
        if not track.humanized and _is_straight(samples):
            start, end = _whole(samples[0]), _whole(samples[-1])
            return Straight(*start, *end, max(round((samples[-1].t_ms - samples[0].t_ms) / STEP_MS), 2))
    return tuple(event for stroke in track.strokes for event in _events(stroke))


def _overlap(strokes: tuple[Stroke, ...]) -> bool:
    ordered = sorted(strokes, key=lambda stroke: stroke.samples[0].t_ms)
    return any(later.samples[0].t_ms < earlier.samples[-1].t_ms for earlier, later in pairwise(ordered))


def _whole(sample: Sample) -> tuple[int, int]:
    return round(sample.x), round(sample.y)


def _stands_still(samples: tuple[Sample, ...]) -> bool:
    return len({_whole(sample) for sample in samples}) == 1


def _is_straight(samples: tuple[Sample, ...]) -> bool:
    """Whether all samples lie where a finger of one speed is at their moment."""
    first, last = samples[0], samples[-1]
    took = last.t_ms - first.t_ms
    if took <= 0 or _whole(first) == _whole(last):
        return False
    for sample in samples:
        share = (sample.t_ms - first.t_ms) / took
        x, y = first.x + (last.x - first.x) * share, first.y + (last.y - first.y) * share
        if abs(sample.x - x) > _STRAIGHT or abs(sample.y - y) > _STRAIGHT:
            return False
    return True


def _events(stroke: Stroke) -> list[Event]:
    """Down at the first sample, up at the last; a sample that does not move the finger needs no event."""
    samples = stroke.samples
    events = [Event(samples[0].t_ms, DOWN, *_whole(samples[0]))]
    for before, sample in pairwise(samples):
        if _whole(sample) != _whole(before):
            events.append(Event(sample.t_ms, MOVE, *_whole(sample)))
    return [*events, Event(samples[-1].t_ms, UP, *_whole(samples[-1]))]
