"""A human hand on top of an exact track.

Pure functions over a `random.Random` that the caller owns: the same seed gives the same gesture, byte for byte. Only
pointer gestures come here; text, keys and launches never do, and no pause is added between steps.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import get_args

from pytest_apex.errors import ConfigError
from pytest_apex.gestures import one_finger
from pytest_apex.gestures.compile import RULES, TouchRules, compile_action
from pytest_apex.gestures.hand import Hand
from pytest_apex.gestures.jitter import jitter_duration, jitter_interval, jitter_point, swipe_waypoints
from pytest_apex.gestures.personas import PERSONAS, HumanizeConfig
from pytest_apex.gestures.room import room_around
from pytest_apex.gestures.together import together
from pytest_apex.model.action import Pointer, Stroke, Track
from pytest_apex.model.geometry import Point, Rect

__all__ = [
    "PERSONAS",
    "HumanizeConfig",
    "humanize",
    "humanize_track",
    "jitter_duration",
    "jitter_interval",
    "jitter_point",
    "swipe_waypoints",
]

#: Gestures of several fingers, by their verbs.
_TOGETHER = frozenset({"pinch", "twist", "multi_touch"})


def humanize(
    action: Pointer,
    config: HumanizeConfig,
    rng: random.Random,
    *,
    platform: str = "android",
    area: Rect | None = None,
    end_area: Rect | None = None,
) -> Track:
    """A pointer gesture as a human hand makes it: timed samples per finger, in the units of the action's points.

    `area` is what its start must not leave, `end_area` the same for its end; without them, touches miss their points by
    up to `config.radius`. Raises `ConfigError` for a platform without touch rules, and for a gesture that can't arrive
    as what it is meant to be.
    """
    _need(action, "an action of a finger", get_args(Pointer), 'parse_commands("t 1 2")[0]')
    _need(config, "a HumanizeConfig", (HumanizeConfig,), "HumanizeConfig(), or PERSONAS[…]")
    _need(rng, "the randomness", (random.Random,), "random.Random(seed)")
    rules = RULES.get(platform) if isinstance(platform, str) else None
    if rules is None:
        raise ConfigError(f"can't make a gesture for {platform!r}", cure=f"one of {', '.join(RULES)}")
    track = compile_action(action, rules)
    around = track.points if track.verb in _TOGETHER else track.points[:1]
    return humanize_track(
        track,
        area=area if area is not None else _around(around, config.radius),
        end_area=end_area if end_area is not None else _around(track.points[-1:], config.radius),
        config=config,
        rules=rules,
        rng=rng,
        bounds=_around(track.points, max(config.radius, config.curvature * _longest(track))),
    )


def _need(value: object, what: str, kinds: tuple[type, ...], cure: str) -> None:
    if not isinstance(value, kinds):
        raise ConfigError(f"humanize() takes {what}", seen=repr(value)[:120], cure=cure)


def humanize_track(
    track: Track,
    *,
    area: Rect | None,
    end_area: Rect | None,
    config: HumanizeConfig,
    rules: TouchRules,
    rng: random.Random,
    bounds: Rect | None = None,
) -> Track:
    """The same gesture by a human hand; the very same track when `config.enabled` is false.

    `area` is the visible, uncovered part of what is touched (by all fingers, where there are several), `end_area` that
    of where a path ends; touches stay inside, cut or rounded to whole units too. None means that nothing is known
    there: that end stays exact. `bounds` is where a path may go on its way (None: the box around both areas and both
    ends).
    """
    if not config.enabled:
        return track
    hand = Hand(config, rules, rng)
    if track.verb in _TOGETHER:
        strokes = together(hand, track, area, bounds)
    elif any(_moves(stroke) for stroke in track.strokes):
        strokes = tuple(one_finger.path(hand, stroke, area, end_area, bounds, track.verb) for stroke in track.strokes)
    else:
        strokes = one_finger.touches(hand, track.strokes, area)
    return replace(track, strokes=strokes, humanized=True)


def _moves(stroke: Stroke) -> bool:
    first = stroke.samples[0]
    return any((sample.x, sample.y) != (first.x, first.y) for sample in stroke.samples)


def _around(points: tuple[Point, ...], margin: float) -> Rect:
    """All places within `margin` of the points; wide enough for the edges, which are exclusive."""
    box = room_around((), points).grown(margin)
    return Rect(box.left, box.top, box.right + 1, box.bottom + 1)


def _longest(track: Track) -> float:
    box = room_around((), track.points)
    return Point(box.left, box.top).distance(Point(box.right, box.bottom))
