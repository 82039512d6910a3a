"""Touches and paths of one finger, made human."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from pytest_apex.gestures.compile import END_HOLD_MS
from pytest_apex.gestures.curves import along, lifting, minimum_jerk, throwing, wander
from pytest_apex.gestures.hand import Hand
from pytest_apex.gestures.jitter import swipe_waypoints
from pytest_apex.gestures.limits import leaves_in_time, longest_fling_ms
from pytest_apex.gestures.paths import along_way, corners, length_of, samples_of, ticks
from pytest_apex.gestures.room import flattened, room_around
from pytest_apex.gestures.velocity import fitted_velocity, recent_places
from pytest_apex.model.action import Sample, Stroke
from pytest_apex.model.geometry import Point, Rect

#: How evenly a hand may have to go on a short path, so that it stays what it is: 0 is all its own way, 1 an even pace.
_PACES = (0.0, 0.1, 0.2, 0.35, 0.5, 0.75, 1.0)
#: How much faster than the limit a finger lifts where it can: whole pixels make its speed uncertain.
_SURELY = 1.5


def touches(hand: Hand, strokes: Sequence[Stroke], area: Rect | None) -> tuple[Stroke, ...]:
    """A tap, a press, or the two touches of a double tap: these fall near each other, inside its window."""
    radius, longest_hold = hand.config.radius, math.inf
    if len(strokes) > 1:
        shortest, longest = hand.rules.pauses(0)
        radius, longest_hold = min(radius, hand.rules.touch_slop), longest - shortest
    done: list[Stroke] = []
    for n, stroke in enumerate(strokes):
        at = hand.place(_at(stroke.samples[0]), area, radius)
        hold = hand.hold(_length(stroke), longest_hold)
        begins = 0
        if done:
            pause = stroke.samples[0].t_ms - strokes[n - 1].samples[-1].t_ms
            begins = round(done[-1].samples[-1].t_ms) + hand.pause(pause, _length(done[-1]))
        done.append(Stroke(stroke.finger, (Sample(begins, at.x, at.y), Sample(begins + hold, at.x, at.y))))
    return tuple(done)


def path(
    hand: Hand, stroke: Stroke, area: Rect | None, end_area: Rect | None, bounds: Rect | None, verb: str
) -> Stroke:
    """Hold, move, hold: each part that the exact stroke has.

    A path that moves at once is on its way before it becomes a long press, and one that lifts fast still does.
    """
    rules = hand.rules
    first, last = stroke.samples[0], stroke.samples[-1]
    leaves, arrives = _last_at(stroke.samples, first), _last_at(stroke.samples[::-1], last)
    moving = [sample for sample in stroke.samples if leaves.t_ms <= sample.t_ms <= arrives.t_ms]
    way = _ends(hand, corners(_at(sample) for sample in moving), area, end_area)
    length, exact = length_of(way), arrives.t_ms - leaves.t_ms
    pressed = leaves.t_ms - first.t_ms >= rules.long_press_ms
    fast = arrives is last and exact <= longest_fling_ms(length_of([_at(sample) for sample in moving]), rules)
    begins = round(first.t_ms)
    moves = begins + hand.hold(leaves.t_ms - first.t_ms)
    duration = hand.duration(exact, rules.slot_ms, longest_fling_ms(length, rules) if fast else math.inf)
    profile = throwing if verb == "fling" else lifting if fast else minimum_jerk
    # As fast as an even pace where that is not much more than the limit.
    speed = max(rules.fling_min, min(_SURELY * rules.fling_min, 995 * length / duration)) if fast else -math.inf
    draw = _curve(hand, way, room_around((bounds,) if bounds is not None else (area, end_area), way))
    times = ticks(duration, rules)
    held = (Sample(begins, way[0].x, way[0].y),) if moves > begins else ()
    for evenly in _PACES:
        shares = [profile(t / duration) * (1 - evenly) + t / duration * evenly for t in times]
        samples = (*held, *samples_of(draw(shares), times, moves))
        if (pressed or leaves_in_time(samples, rules)) and _forwards(samples, way) >= speed:
            return Stroke(stroke.finger, (*samples, *_rest(hand, samples[-1], last.t_ms - arrives.t_ms)))
    return stroke


def _forwards(samples: Sequence[Sample], way: list[Point]) -> float:
    """How fast a finger is on its way, when it lifts; units a second."""
    vx, vy = fitted_velocity(recent_places([(sample.t_ms, sample.x, sample.y) for sample in samples]))
    before, end = way[-2:]
    return (vx * (end.x - before.x) + vy * (end.y - before.y)) / before.distance(end)


def _rest(hand: Hand, at: Sample, exact_ms: float) -> tuple[Sample, ...]:
    if not exact_ms:
        return ()
    return (Sample(at.t_ms + hand.duration(exact_ms, min(exact_ms, END_HOLD_MS)), at.x, at.y),)


def _ends(hand: Hand, way: list[Point], area: Rect | None, end_area: Rect | None) -> list[Point]:
    """Both ends, missed by so little that the direction stays and the move stays a move."""
    radius = min(hand.config.radius, length_of(way) / 16)
    missed = [hand.place(way[0], area, radius), *way[1:-1], hand.place(way[-1], end_area, radius)]
    return missed if max(map(missed[0].distance, missed)) > hand.rules.touch_slop else way


def _curve(hand: Hand, way: list[Point], room: Rect) -> Callable[[Sequence[float]], list[Point]]:
    """The drawn path: its points by their shares of the way. Both ends are exact, all of it stays in the room."""
    drawn = _bent(hand, way)

    def points(shares: Sequence[float]) -> list[Point]:
        return [way[0], *flattened(along_way(way, shares)[0], drawn(shares), room)[1:-1], way[-1]]

    return points


def _bent(hand: Hand, way: list[Point]) -> Callable[[Sequence[float]], list[Point]]:
    """A straight way becomes a curve; one that was given point by point is missed by no more than a touch is."""
    config, rng = hand.config, hand.rng
    if len(way) == 2:
        bent = swipe_waypoints(*way, curvature=config.curvature, n=config.waypoints, rng=rng)
        return lambda shares: [along(bent, s) for s in shares]
    radius = min(config.radius, config.curvature * length_of(way)) / math.sqrt(2)
    right, down = wander(rng), wander(rng)
    return lambda shares: [
        point.moved(radius * right(s), radius * down(s))
        for point, s in zip(along_way(way, shares)[0], shares, strict=True)
    ]


def _at(sample: Sample) -> Point:
    return Point(sample.x, sample.y)


def _length(stroke: Stroke) -> int:
    return round(stroke.samples[-1].t_ms - stroke.samples[0].t_ms)


def _last_at(samples: Sequence[Sample], place: Sample) -> Sample:
    """The last of the samples that, from the first on, stay at `place`."""
    for before, after in pairwise(samples):
        if _at(after) != _at(place):
            return before
    return samples[-1]
