"""Several fingers, made human: one hand moves them all.

The fingers keep one timeline, as drivers demand it, and miss their places together: a pinch must not twist, and a twist
must not pinch. Only a little, well below the platform's slop, each finger wanders on its own.
"""

from __future__ import annotations

from bisect import bisect
from itertools import pairwise

from pytest_apex.gestures.curves import minimum_jerk, wander
from pytest_apex.gestures.hand import Hand
from pytest_apex.gestures.jitter import jitter_point
from pytest_apex.gestures.paths import between, length_of, ticks
from pytest_apex.gestures.room import flattened, kept_shift, room_around
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.geometry import Point, Rect

#: How far a finger wanders on its own, as a share of the hand's radius and of the touch slop.
_OWN = 0.25
#: A change of pace or direction, in units a millisecond, that is none: rounding.
_STEADY = 1e-6


def together(hand: Hand, track: Track, area: Rect | None, bounds: Rect | None) -> tuple[Stroke, ...]:
    """The strokes of a pinch, a twist, or of key frames."""
    keys = _keys(track)
    times = _times(hand, track, keys)
    own = _OWN * min(hand.config.radius, hand.rules.touch_slop) * _narrowing(track)
    shift = kept_shift(jitter_point(0, 0, radius=hand.config.radius - own, rng=hand.rng), track.points, area)
    done = []
    for stroke in track.strokes:
        begins, ends = stroke.samples[0].t_ms, stroke.samples[-1].t_ms
        moments = [(t, exact) for t, exact in times if begins <= exact <= ends]
        line = [_position(stroke, exact).moved(shift.x, shift.y) for _, exact in moments]
        miss = kept_shift(jitter_point(0, 0, radius=own, rng=hand.rng), line, area)
        line = [point.moved(miss.x, miss.y) for point in line]
        curve = _wandering(hand, line, [(exact - begins) / max(ends - begins, 1) for _, exact in moments])
        room = room_around((bounds if bounds is not None else area,), line)
        points = flattened(line, curve, room)
        samples = (Sample(t, point.x, point.y) for (t, _), point in zip(moments, points, strict=True))
        done.append(Stroke(stroke.finger, tuple(samples)))
    return tuple(done)


def _keys(track: Track) -> list[float]:
    """When something begins or ends: a contact, or a finger's pace or direction. A twist turns all the time."""
    keys = set()
    for stroke in track.strokes:
        samples = stroke.samples
        keys |= {samples[0].t_ms, samples[-1].t_ms}
        if track.verb != "twist":
            speeds = [((b.x - a.x) / (b.t_ms - a.t_ms), (b.y - a.y) / (b.t_ms - a.t_ms)) for a, b in pairwise(samples)]
            for (before, after), sample in zip(pairwise(speeds), samples[1:], strict=False):
                if abs(after[0] - before[0]) + abs(after[1] - before[1]) > _STEADY:
                    keys.add(sample.t_ms)
    return sorted(keys)


def _times(hand: Hand, track: Track, keys: list[float]) -> list[tuple[int, float]]:
    """When the fingers are told of, each with its time in the exact track."""
    # A single finger goes from key to key at the pace it was given: slower, it might become a long press.
    several = len({stroke.finger for stroke in track.strokes}) > 1
    times = [(round(keys[0]), keys[0])]
    for begins, ends in pairwise(keys):
        start, exact = times[-1][0], ends - begins
        duration = hand.duration(exact, hand.rules.slot_ms) if _moves(track, begins, ends) else hand.hold(exact)
        for t in ticks(duration, hand.rules)[1:]:
            share = minimum_jerk(t / duration) if several else t / duration
            times.append((start + t, begins + exact * share if t < duration else ends))
    return times


def _moves(track: Track, begins: float, ends: float) -> bool:
    return any(
        _position(stroke, begins) != _position(stroke, ends)
        for stroke in track.strokes
        if stroke.samples[0].t_ms <= begins and ends <= stroke.samples[-1].t_ms
    )


def _narrowing(track: Track) -> float:
    """The least distance of the first two fingers as a share of the greatest: what is off by little between fingers
    close to each other is off by much once they are apart."""
    if len(track.strokes) < 2:
        return 1.0
    pairs = zip(track.strokes[0].samples, track.strokes[1].samples, strict=False)
    apart = [Point(a.x, a.y).distance(Point(b.x, b.y)) for a, b in pairs]
    return min(apart) / max(apart) if max(apart) > 0 else 1.0


def _position(stroke: Stroke, t_ms: float) -> Point:
    samples = stroke.samples
    after = min(max(bisect([sample.t_ms for sample in samples], t_ms), 1), len(samples) - 1)
    a, b = samples[after - 1], samples[after]
    return between(Point(a.x, a.y), Point(b.x, b.y), (t_ms - a.t_ms) / (b.t_ms - a.t_ms))


def _wandering(hand: Hand, line: list[Point], shares: list[float]) -> list[Point]:
    """Beside the line by a little; a finger that rests stays where it is."""
    way = min(hand.config.curvature * length_of(line), _OWN * hand.rules.touch_slop) / 2**0.5
    right, down = wander(hand.rng), wander(hand.rng)
    return [point.moved(way * right(s), way * down(s)) for point, s in zip(line, shares, strict=True)]
