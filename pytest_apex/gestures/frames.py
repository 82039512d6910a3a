"""Several fingers by key frames: where each is at certain times, and straight on between them."""

from __future__ import annotations

from itertools import pairwise

from pytest_apex.errors import ConfigError
from pytest_apex.gestures import limits
from pytest_apex.gestures.paths import between, ticks
from pytest_apex.gestures.rules import TouchRules
from pytest_apex.model.action import Fingers, Frame, Sample, Stroke
from pytest_apex.model.geometry import Point

_NAME = "touch of several fingers"


def compile_frames(action: Fingers, rules: TouchRules) -> tuple[Stroke, ...]:
    """A stroke for each contact of each finger.

    A finger comes down in the first frame that has it, and goes up in the next one that has it not, or after the last.
    All fingers that are down have a sample at the same times, those that rest too: in a driver's event, a finger that
    is not named has vanished.
    """
    frames = action.frames
    _check(frames)
    times = _times(frames, rules)
    strokes = []
    for finger in range(max(len(frame.points) for frame in frames)):
        places = [frame.points[finger] if finger < len(frame.points) else None for frame in frames]
        begins = None
        for k, place in enumerate([*places, None]):
            if place is not None and begins is None:
                begins = k
            elif place is None and begins is not None:
                held = [at for at in places[begins:k] if at is not None]
                strokes.append(Stroke(finger, _samples(held, times[begins : k + 1], rules)))
                begins = None
    return tuple(sorted(strokes, key=lambda stroke: (stroke.samples[0].t_ms, stroke.finger)))


def _samples(places: list[Point], times: list[int], rules: TouchRules) -> tuple[Sample, ...]:
    """From place to place; it rests at the last one until its time is over."""
    samples = [Sample(times[0], places[0].x, places[0].y)]
    for (begins, ends), (start, end) in zip(pairwise(times), pairwise([*places, places[-1]]), strict=True):
        for t in ticks(ends - begins, rules)[1:] if ends > begins else ():
            at = between(start, end, t / (ends - begins))
            samples.append(Sample(begins + t, at.x, at.y))
    return tuple(samples)


def _times(frames: tuple[Frame, ...], rules: TouchRules) -> list[int]:
    """When each frame is, and when the last one ends. Rounded as a sum, so that many short ones take no longer."""
    times, exact = [0], 0.0
    for frame in frames[:-1]:
        exact += frame.to_next_ms
        times.append(rules.fit(exact, low=times[-1] + rules.slot_ms))
    last = frames[-1].to_next_ms
    return [*times, times[-1] + (rules.fit(last, low=rules.slot_ms) if last else 0)]


def _check(frames: tuple[Frame, ...]) -> None:
    for frame in frames[:-1]:
        limits.check_moving_time(_NAME, "to_next_ms", frame.to_next_ms)
    for frame in frames[-1:]:
        limits.check_time(_NAME, "to_next_ms", frame.to_next_ms)
    for frame in frames:
        for point in frame.points:
            if point is not None:
                limits.check_point(_NAME, point)
    most = max((len(frame.points) for frame in frames), default=0)
    down = [{n for n, point in enumerate(frame.points) if point is not None} for frame in frames]
    if most > limits.MOST_FINGERS:
        raise ConfigError(
            f"can't make a {_NAME}: {most} of them",
            seen=f"people have {limits.MOST_FINGERS}",
            likely="a comma is missing or one too many",
            cure=f"up to {limits.MOST_FINGERS} points in a frame",
        )
    if not any(down):
        raise ConfigError(
            f"can't make a {_NAME} without a finger",
            seen=f"{len(frames)} frames, no point in any of them",
            likely="all slots are empty",
            cure="at least one point in one frame",
        )
    if not frames[-1].to_next_ms and down[-1] - (down[-2] if len(down) > 1 else set()):
        raise ConfigError(
            f"can't make a {_NAME} that comes down and goes up at the same time",
            seen="a finger that is in the last frame only, which takes 0 ms",
            likely="the time after the last frame was left out: how long it is held",
            cure="a time after the last frame, such as 60 ms",
        )
