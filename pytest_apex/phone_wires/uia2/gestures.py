"""What `Gestures` and `PointerGesture` of UI Automator do with fingers: samples 5 ms apart, at a speed."""

from __future__ import annotations

from math import dist, hypot

from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.geometry import Rect
from pytest_apex.phone_wires.webdriver.faults import BadValue

STEP_MS = 5
#: The system's long press as Appium documents it; half of its double-tap timeout; the hold that ends a pinch.
LONG_PRESS_MS, DOUBLE_GAP_MS, PINCH_HOLD_MS = 500, 150, 250
MOST_MS = 600_000
Place = tuple[float, float]


def press(at: Place, hold_ms: float) -> Track:
    return Track("tap", (Stroke(0, (Sample(0, *at), Sample(hold_ms, *at))),))


def double_press(at: Place) -> Track:
    first = Stroke(0, (Sample(0, *at), Sample(0, *at)))
    return Track("double_tap", (first, Stroke(0, (Sample(DOUBLE_GAP_MS, *at), Sample(DOUBLE_GAP_MS, *at)))))


def _stroke(
    finger: int, start: Place, end: Place, speed: float, *, before_ms: float = 0, after_ms: float = 0
) -> Stroke:
    """Down, a hold, the way to the end at a speed, a hold, up."""
    lasts = dist(start, end) / speed * 1000
    if lasts > MOST_MS:
        raise BadValue("the gesture takes too long")
    steps = max(1, int(lasts / STEP_MS))
    moves = [
        Sample(
            before_ms + lasts * step / steps,
            round(start[0] + (end[0] - start[0]) * step / steps),
            round(start[1] + (end[1] - start[1]) * step / steps),
        )
        for step in range(1, steps + 1)
    ]
    held = [Sample(before_ms, *start)] if before_ms else []
    return Stroke(finger, (Sample(0, *start), *held, *moves, Sample(before_ms + lasts + after_ms, *end)))


def drag(start: Place, end: Place, speed: float) -> Track:
    return Track("drag", (_stroke(0, start, end, speed, before_ms=LONG_PRESS_MS),))


def swipe(area: Rect, direction: str, percent: float, speed: float) -> Track:
    """The finger goes in `direction`, from the edge of the area that lies opposite, over a share of it."""
    middle_x, middle_y = int((area.left + area.right) / 2), int((area.top + area.bottom) / 2)
    wide, high = int((area.right - area.left) * percent), int((area.bottom - area.top) * percent)
    ways: dict[str, tuple[Place, Place]] = {
        "left": ((area.right, middle_y), (area.right - wide, middle_y)),
        "right": ((area.left, middle_y), (area.left + wide, middle_y)),
        "up": ((middle_x, area.bottom), (middle_x, area.bottom - high)),
        "down": ((middle_x, area.top), (middle_x, area.top + high)),
    }
    return Track("swipe", (_stroke(0, *ways[direction], speed),))


def pinch(area: Rect, percent: float, speed: float, *, opens: bool) -> Track:
    """Two fingers on the diagonal from bottom left to top right, over a share of its half."""
    far: list[Place] = [(area.left, area.bottom), (area.right, area.top)]
    middle_x, middle_y = (area.left + area.right) / 2, (area.top + area.bottom) / 2
    near = [(x + (middle_x - x) * percent, y + (middle_y - y) * percent) for x, y in far]
    if hypot(near[0][0] - far[0][0], near[0][1] - far[0][1]) < 1:
        raise BadValue("the area is too small for two fingers")
    hold = 0 if opens else PINCH_HOLD_MS
    strokes = [
        _stroke(finger, near[finger] if opens else far[finger], far[finger] if opens else near[finger], speed,
                after_ms=hold)
        for finger in (0, 1)
    ]  # fmt: skip
    return Track("pinch", tuple(strokes))
