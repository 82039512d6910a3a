"""What XCTest does with fingers. A path is drawn smoothly between the points it was given (points, milliseconds,
points a second)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.geometry import Rect
from pytest_apex.phone_wires.webdriver.faults import BadValue

Place = tuple[float, float]
#: Touches come with the frames of the screen.
FRAME_MS = 1000 / 60
#: XCTest does not publish how long its taps are, how far apart, nor how fast it drags; these are plain choices.
TAP_MS, GAP_MS, DRAG_SPEED, SWIPE_SPEED = 50, 100, 500.0, 1000.0
MOST_MS = 600_000


def press(at: Place, hold_ms: float) -> Track:
    return Track("tap", (Stroke(0, (Sample(0, *at), Sample(checked(hold_ms), *at))),))


def presses(at: Place, times: int, fingers: int = 1) -> Track:
    """Several taps after one another, each with some fingers side by side."""
    strokes = []
    for number in range(times):
        start = number * (TAP_MS + GAP_MS)
        for finger in range(fingers):
            x = at[0] + 24 * (finger - (fingers - 1) / 2)
            strokes.append(Stroke(finger, (Sample(start, x, at[1]), Sample(start + TAP_MS, x, at[1]))))
    return Track("double_tap" if times == 2 else "tap", tuple(strokes))


def drag(start: Place, end: Place, press_ms: float, speed: float, hold_ms: float = 0) -> Track:
    """A hold, the way at a speed, a hold."""
    if speed <= 0:
        raise BadValue("the velocity must be positive")
    lasts = math.dist(start, end) / speed * 1000
    checked(press_ms + lasts + hold_ms)
    points = [(0.0, start), (press_ms, start), (press_ms + lasts, end), (press_ms + lasts + hold_ms, end)]
    return Track("drag", (Stroke(0, drawn(points)),))


def pinch(box: Rect, scale: float, velocity: float) -> Track:
    """Two fingers on a diagonal; the distance between them ends `scale` times what it was."""
    if scale <= 0 or velocity == 0:
        raise BadValue("'scale' must be positive, and 'velocity' not 0")
    if (scale > 1) != (velocity > 0):
        raise BadValue("'velocity' must be above 0 to open, below 0 to close")
    half = min(box.width, box.height) / 2 * 0.8
    near, far = max(half / scale, 8.0) if scale > 1 else half * max(scale, 0.05), half
    lasts = checked(abs(scale - 1) / abs(velocity) * 1000)
    first, last = (near, far) if scale > 1 else (far, near)
    return _around(box, [(0.0, first, 45.0), (lasts, last, 45.0)], "pinch")


def rotate(box: Rect, radians: float, velocity: float) -> Track:
    """Two fingers turn around the middle."""
    if velocity == 0:
        raise BadValue("'velocity' must not be 0")
    lasts = checked(abs(radians / velocity) * 1000)
    radius, steps = min(box.width, box.height) / 2 * 0.8, max(1, round(lasts / FRAME_MS))
    turned = math.degrees(radians)
    return _around(box, [(lasts * n / steps, radius, turned * n / steps) for n in range(steps + 1)], "twist")


def _around(box: Rect, places: Sequence[tuple[float, float, float]], verb: str) -> Track:
    middle, strokes = box.center, []
    for finger, side in enumerate((0.0, 180.0)):
        points = [
            (at, (middle.x + radius * math.cos(math.radians(angle + side)),
                  middle.y + radius * math.sin(math.radians(angle + side))))
            for at, radius, angle in places
        ]  # fmt: skip
        strokes.append(Stroke(finger, drawn(points)))
    return Track(verb, tuple(strokes))


def checked(lasts: float) -> float:
    if not 0 <= lasts <= MOST_MS:
        raise BadValue(f"a gesture lasts 0 to {MOST_MS / 1000:g} s")
    return lasts


def drawn(points: Sequence[tuple[float, Place]]) -> tuple[Sample, ...]:
    """Samples along points with times, one a frame between two that differ."""
    samples = [Sample(points[0][0], *points[0][1])]
    for (before, start), (at, end) in pairwise(points):
        steps = max(1, math.ceil((at - before) / FRAME_MS)) if start != end else 1
        samples += [
            Sample(
                before + (at - before) * step / steps,
                start[0] + (end[0] - start[0]) * step / steps,
                start[1] + (end[1] - start[1]) * step / steps,
            )
            for step in range(1, steps + 1)
        ]
    return tuple(samples)
