"""Touches that were asked for one by one arrive one by one: two taps in one place are no double tap."""

from __future__ import annotations

import math

from pytest_apex.device.context import Context, Touched
from pytest_apex.gestures.rules import TouchRules, rules_for
from pytest_apex.model.action import Sample, Track


def last_touch(track: Track, ended: float, rules: TouchRules) -> Touched | None:
    """What of a gesture may be the first half of a double tap: a touch that stayed where it was and was no long
    press."""
    first, last = (samples := track.strokes[-1].samples)[0], samples[-1]
    short = last.t_ms - first.t_ms < rules.long_press_ms
    still = all(_distance(first, sample) <= rules.touch_slop for sample in samples)
    return Touched(last, ended) if short and still else None


def kept_apart(ctx: Context, track: Track) -> bool:
    """Let the rest of the platform's window for a double tap pass, where this gesture begins at the last touch, so
    that the app takes both for what they are. Returns whether time passed: the screen may be another one then.

    A driver that takes a third of a second for its looks never waits here.
    """
    last, rules = ctx.touched, rules_for(ctx.info)
    if last is None or all(_distance(last.at, stroke.samples[0]) > rules.double_tap_slop for stroke in track.strokes):
        return False
    return window_passed(ctx)


def window_passed(ctx: Context) -> bool:
    """Let the rest of the platform's window for a double tap pass since the last touch: until then an app that knows
    both may hold a tap back. Returns whether time passed."""
    last, rules = ctx.touched, rules_for(ctx.info)
    window_s = (rules.double_tap_max_ms + rules.slot_ms) / 1000
    rest_s = last.ended + window_s - ctx.backend.clock.now() if last is not None else 0.0
    if not 0 < rest_s <= window_s:
        return False
    ctx.backend.clock.sleep(rest_s)
    return True


def _distance(one: Sample, other: Sample) -> float:
    return math.hypot(one.x - other.x, one.y - other.y)
