"""What UI Automator does with a finger, sample by sample: `InteractionController` and `TouchController`, whose moves
come 5 ms apart."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from pytest_apex.model.action import Sample, Stroke, Track

#: MOTION_EVENT_INJECTION_DELAY_MILLIS and REGULAR_CLICK_LENGTH of AOSP.
STEP_MS, CLICK_MS = 5, 100
#: `ViewConfiguration.getLongPressTimeout`; a drag waits one and a half times as long.
LONG_PRESS_MS = 400
#: FINGER_TOUCH_HALF_WIDTH of `UiObject`: no finger of a pinch comes closer to the middle.
HALF_FINGER = 20

Place = tuple[float, float]


def press(x: float, y: float, hold_ms: float) -> Track:
    """Down, and up after a while."""
    return Track("tap", (Stroke(0, (Sample(0, x, y), Sample(max(0.0, hold_ms), x, y))),))


def swipe(start: Place, end: Place, steps: int, *, drag: bool = False) -> Track:
    """From place to place in `steps` steps, the last of which is the lifting."""
    steps = max(1, steps)
    wait = 1.5 * LONG_PRESS_MS if drag else 0.0
    samples = [Sample(0, *start), *_between(start, end, steps, wait)]
    last = wait + (steps - 1) * STEP_MS + (CLICK_MS if drag else 0)
    samples.append(Sample(last, *end))
    return Track("drag" if drag else "swipe", (Stroke(0, tuple(samples)),))


def swipe_points(points: Sequence[Place], steps: int) -> Track:
    """Along points, each way between two in `steps` steps whose last is left out, so that the finger never quite is
    where the ways meet."""
    samples = [Sample(0, *points[0])]
    at = 0.0
    for start, end in pairwise(points):
        samples += _between(start, end, max(1, steps), at)
        at += max(0, steps - 1) * STEP_MS
    samples.append(Sample(at, *points[-1]))
    return Track("swipe", (Stroke(0, tuple(samples)),))


def _between(start: Place, end: Place, steps: int, at_ms: float) -> list[Sample]:
    """The moves between two places; the way of each is cut to whole pixels."""
    dx, dy = (end[0] - start[0]) / steps, (end[1] - start[1]) / steps
    return [
        Sample(at_ms + (step - 1) * STEP_MS, start[0] + int(dx * step), start[1] + int(dy * step))
        for step in range(1, steps)
    ]


def two_fingers(starts: Sequence[Place], ends: Sequence[Place], steps: int) -> Track:
    """`UiObject.performTwoPointerGesture`: both down, `steps` moves together, both up."""
    steps = max(1, steps)
    strokes = []
    for finger, (start, end) in enumerate(zip(starts, ends, strict=True)):
        dx, dy = (end[0] - start[0]) / steps, (end[1] - start[1]) / steps
        moves = [Sample(step * STEP_MS, start[0] + dx * step, start[1] + dy * step) for step in range(steps)]
        strokes.append(Stroke(finger, (*moves, Sample(steps * STEP_MS, *end))))
    return Track("multi_touch", tuple(strokes))


def pinch(bounds: tuple[int, int, int, int], percent: int, steps: int, *, opens: bool) -> Track | None:
    """`UiObject.pinchOut` and `pinchIn`: along the middle of a control; None if it is too narrow."""
    left, top, right, bottom = bounds
    if right - left <= 2 * HALF_FINGER:
        return None
    middle, y = (left + right) // 2, (top + bottom) // 2
    reach = int((right - left) // 2 * max(1, min(100, percent)) / 100)
    close = [(middle - HALF_FINGER, y), (middle + HALF_FINGER, y)]
    far = [(middle - reach, y), (middle + reach, y)]
    return two_fingers(close, far, steps) if opens else two_fingers(far, close, steps)
