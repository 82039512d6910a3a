"""A whole gesture on the phone."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.model.action import Track
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.journal import Journal
from pytest_apex.phone_wires.pace import Pace


def play(track: Track, pace: Pace, journal: Journal, *, locked: bool, left: float = 0.0) -> None:
    """Play a gesture and return when it has passed in real time too; nothing takes it while the screen is locked. The
    phone's screen begins at `left` of what the gesture counts from."""

    def play_it(phone: Phone) -> None:
        start = pace.real_time(phone.clock.now())
        for stroke in track.strokes:
            last = len(stroke.samples) - 1
            for number, sample in enumerate(stroke.samples):
                name = "down" if number == 0 else "up" if number == last else "move"
                journal.add(start + sample.t_ms / 1000, "touch", name, stroke.finger, sample.x, sample.y)
        if locked:
            phone.clock.sleep(track.duration_ms / 1000)
        else:
            phone.touch(_moved(track, -left) if left else track)

    pace.do(play_it)


def _moved(track: Track, dx: float) -> Track:
    strokes = (
        replace(stroke, samples=tuple(replace(sample, x=sample.x + dx) for sample in stroke.samples))
        for stroke in track.strokes
    )
    return replace(track, strokes=tuple(strokes))
