"""A human hand on top of an exact track.

Pure functions over a `random.Random` that the caller owns: the same seed gives the same gesture, byte for byte. Only
pointer gestures come here; text, keys and launches never do, and no pause is added between steps.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeAlias

from pytest_apex.gestures.compile import END_HOLD_MS, TouchRules, ticks
from pytest_apex.gestures.curves import along, bell, minimum_jerk, wander
from pytest_apex.gestures.personas import PERSONAS, HumanizeConfig
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.geometry import Point, Rect

__all__ = [
    "PERSONAS",
    "HumanizeConfig",
    "humanize_track",
    "jitter_duration",
    "jitter_interval",
    "jitter_point",
    "swipe_waypoints",
]

Place: TypeAlias = Point | tuple[float, float]

#: Far below what a track keeps of a coordinate (two decimals).
_FUZZ = 1e-6


def jitter_point(x: float, y: float, *, radius: float, rng: random.Random) -> Point:
    """A point around (x, y), never further away than `radius`: a Gaussian in both axes (σ half the radius), cut."""
    if radius <= 0:
        return Point(x, y)
    # The distance is drawn from the cut distribution itself, so that no draw is thrown away.
    inside = 1.0 - math.exp(-2.0)
    distance = radius / 2 * math.sqrt(-2.0 * math.log(1.0 - rng.random() * inside))
    angle = rng.random() * 2.0 * math.pi
    return Point(x + distance * math.cos(angle), y + distance * math.sin(angle))


def swipe_waypoints(start: Place, end: Place, *, curvature: float, n: int, rng: random.Random) -> list[Point]:
    """A curved path as n + 2 points; first and last are the ends exactly, the others evenly spaced along the line.

    Sideways they are off by at most `curvature` × its length, each by nearly as much as its neighbours.
    """
    (x1, y1), (x2, y2) = start, end
    beside = wander(rng)
    points = [Point(x1, y1)]
    for i in range(1, n + 1):
        s = i / (n + 1)
        off = curvature * beside(s)
        points.append(Point(x1 + (x2 - x1) * s - (y2 - y1) * off, y1 + (y2 - y1) * s + (x2 - x1) * off))
    return [*points, Point(x2, y2)]


def jitter_duration(value_ms: float, *, spread: float, rng: random.Random) -> int:
    """A duration around `value_ms`, at most ± `spread` × the value away; whole milliseconds."""
    return max(round(value_ms * (1.0 + spread * bell(rng))), 0)


def jitter_interval(value_ms: float, *, spread: float, rng: random.Random) -> int:
    """A pause around `value_ms`, drawn as a duration is, and never so short that two touches become one."""
    return max(jitter_duration(value_ms, spread=spread, rng=rng), 1)


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

    `area` is the visible, uncovered part of what is touched, `end_area` that of where a path ends; touches stay inside,
    cut or rounded to whole units too. None means that nothing is known there: that end stays exact. `bounds` is where a
    path may go on its way (None: the box around both areas and both ends).
    """
    if not config.enabled:
        return track
    hand = _Hand(area, end_area, config, rules, rng)
    if any(_moves(stroke) for stroke in track.strokes):
        strokes = tuple(hand.path(stroke, bounds) for stroke in track.strokes)
    else:
        strokes = hand.touches(track.strokes)
    return replace(track, strokes=strokes, humanized=True)


@dataclass(frozen=True, slots=True)
class _Hand:
    """The arguments of one `humanize_track`, and what is done with them."""

    area: Rect | None
    end_area: Rect | None
    config: HumanizeConfig
    rules: TouchRules
    rng: random.Random

    def touches(self, strokes: Sequence[Stroke]) -> tuple[Stroke, ...]:
        """A tap, a press, or the two touches of a double tap: these fall near each other, inside its window."""
        radius, longest_hold = self.config.radius, math.inf
        if len(strokes) > 1:
            shortest, longest = self.rules.pauses(0)
            radius, longest_hold = min(radius, self.rules.touch_slop), longest - shortest
        done: list[Stroke] = []
        for n, stroke in enumerate(strokes):
            at = self.place(_at(stroke.samples[0]), self.area, radius)
            hold = self.hold(_length(stroke), longest_hold)
            begins = self.second_down(strokes[n - 1], stroke, done[-1]) if done else 0
            done.append(Stroke(stroke.finger, (Sample(begins, at.x, at.y), Sample(begins + hold, at.x, at.y))))
        return tuple(done)

    def second_down(self, first: Stroke, second: Stroke, done: Stroke) -> int:
        """When the second touch begins, after `done`, which the first has become."""
        shortest, longest = self.rules.pauses(_length(done))
        exact = second.samples[0].t_ms - first.samples[-1].t_ms
        pause = jitter_interval(exact, spread=self.config.spread, rng=self.rng)
        return round(done.samples[-1].t_ms) + self.rules.fit(pause, shortest, longest)

    def path(self, stroke: Stroke, bounds: Rect | None) -> Stroke:
        """Hold, move, hold: each part that the exact stroke has."""
        first, last = stroke.samples[0], stroke.samples[-1]
        leaves = _last_at(stroke.samples, first)
        arrives = _last_at(stroke.samples[::-1], last)
        start, end = self.ends(_at(first), _at(last))
        begins = round(first.t_ms)
        moves = begins + self.hold(leaves.t_ms - first.t_ms)
        samples = self.curve(start, end, moves, self.duration(arrives.t_ms - leaves.t_ms, self.rules.slot_ms), bounds)
        if moves > begins:
            samples.insert(0, Sample(begins, start.x, start.y))
        rest = last.t_ms - arrives.t_ms
        if rest:
            rested = self.duration(rest, min(rest, END_HOLD_MS))
            samples.append(Sample(samples[-1].t_ms + rested, end.x, end.y))
        return Stroke(stroke.finger, tuple(samples))

    def ends(self, start: Point, end: Point) -> tuple[Point, Point]:
        """Both ends, missed by so little that the direction stays and the move stays a move."""
        radius = min(self.config.radius, start.distance(end) / 16)
        first, last = self.place(start, self.area, radius), self.place(end, self.end_area, radius)
        return (first, last) if first.distance(last) > self.rules.touch_slop else (start, end)

    def curve(self, start: Point, end: Point, begins: int, duration: int, bounds: Rect | None) -> list[Sample]:
        """Off slowly, over quickly, in slowly, beside the straight line as far as there is room."""
        config = self.config
        path = swipe_waypoints(start, end, curvature=config.curvature, n=config.waypoints, rng=self.rng)
        times = ticks(duration, self.rules)
        shares = [minimum_jerk(t / duration) for t in times]
        room = _room((bounds,) if bounds is not None else (self.area, self.end_area), start, end)
        line = [_between(start, end, s) for s in shares]
        curve = _flattened(line, [along(path, s) for s in shares], room)
        return [Sample(begins + t, at.x, at.y) for t, at in zip(times, [start, *curve[1:-1], end], strict=True)]

    def place(self, about: Point, area: Rect | None, radius: float) -> Point:
        """A touch meant for `about`; exactly there if nothing is known around it or there is nothing to choose."""
        inside = _whole(area) if area is not None else None
        if inside is None:
            return about
        point = jitter_point(about.x, about.y, radius=radius, rng=self.rng)
        return Point(
            round(min(max(point.x, inside.left), inside.right), 2),
            round(min(max(point.y, inside.top), inside.bottom), 2),
        )

    def hold(self, ms: float, most: float = math.inf) -> int:
        """A hold that stays what it is: a tap stays shorter, a press longer than the platform's limit."""
        if ms <= 0:
            return 0
        if ms < self.rules.long_press_ms:
            return self.duration(ms, self.rules.slot_ms, min(most, self.rules.longest_tap_ms))
        return self.duration(ms, self.rules.shortest_press_ms)

    def duration(self, ms: float, least: float, most: float = math.inf) -> int:
        return self.rules.fit(jitter_duration(ms, spread=self.config.spread, rng=self.rng), least, most)


def _at(sample: Sample) -> Point:
    return Point(sample.x, sample.y)


def _length(stroke: Stroke) -> int:
    return round(stroke.samples[-1].t_ms - stroke.samples[0].t_ms)


def _moves(stroke: Stroke) -> bool:
    return any(_at(sample) != _at(stroke.samples[0]) for sample in stroke.samples)


def _last_at(samples: Sequence[Sample], place: Sample) -> Sample:
    """The last of the samples that, from the first on, stay at `place`."""
    for before, after in pairwise(samples):
        if _at(after) != _at(place):
            return before
    return samples[-1]


def _between(start: Point, end: Point, s: float) -> Point:
    return Point(start.x * (1 - s) + end.x * s, start.y * (1 - s) + end.y * s)


def _whole(area: Rect) -> Rect | None:
    """The part of `area` whose points, edges included, stay inside however a driver cuts or rounds them."""
    part = Rect(math.ceil(area.left), math.ceil(area.top), math.ceil(area.right) - 1, math.ceil(area.bottom) - 1)
    return part if part.left <= part.right and part.top <= part.bottom else None


def _room(areas: Sequence[Rect | None], *ends: Point) -> Rect:
    """The box around both ends and all areas; points on its edges belong to it."""
    boxes = [Rect(point.x, point.y, point.x, point.y) for point in ends]
    boxes += [part for part in (_whole(area) for area in areas if area is not None) if part is not None]
    return Rect(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )


def _flattened(line: Sequence[Point], curve: Sequence[Point], room: Rect) -> list[Point]:
    """The curve, all of it drawn towards the straight line as far as it takes to stay in the room.

    Not cut at the edge, which would put a corner into it.
    """
    share = 1.0
    for base, point in zip(line, curve, strict=True):
        share = min(
            share,
            _reach(base.x, point.x, room.left, room.right),
            _reach(base.y, point.y, room.top, room.bottom),
        )
    return [
        Point(round(base.x + (point.x - base.x) * share, 2), round(base.y + (point.y - base.y) * share, 2))
        for base, point in zip(line, curve, strict=True)
    ]


def _reach(base: float, wanted: float, low: float, high: float) -> float:
    """How much of the way from `base` to `wanted` stays between `low` and `high`."""
    if low - _FUZZ <= wanted <= high + _FUZZ:
        return 1.0
    edge = high if wanted > high else low
    return min(max((edge - base) / (wanted - base), 0.0), 1.0)
