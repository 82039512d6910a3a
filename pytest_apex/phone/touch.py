"""From the path of a finger to what it means, with the thresholds of the platforms themselves.

A recogniser is fed with downs, moves, ups and passing time, and answers with gestures. It knows nothing of screens: who
touches down says what the touched place listens to (`Wants`).
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from pytest_apex.gestures.velocity import fitted_velocity, recent_places
from pytest_apex.vision.canvas import Box


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Lengths in dp or points, times in milliseconds, speeds in dp a second.

    A finger that stays within `slop` has not moved. A second touch makes a double tap when it comes down at most
    `double_tap_max` after the first came down, at least `double_tap_min` after it went up, and within
    `double_tap_slop`. A finger that lifts faster than `fling_min` leaves content running, unless it did nothing for
    `stopped` before; its speed is fitted to its last places (`fits_velocity`), else their mean. A pinch begins when the
    distance of two fingers has changed by more than `span_slop`, and there is none below `span_min`; a twist begins
    when they have gone more than `slop` around each other.
    """

    slop: float
    long_press: float
    double_tap_min: float
    double_tap_max: float
    double_tap_slop: float
    fling_min: float
    fling_max: float
    stopped: float
    fits_velocity: bool
    span_slop: float
    span_min: float


#: Android: `android.view.ViewConfiguration` of AOSP (TOUCH_SLOP 8 dp, DEFAULT_LONG_PRESS_TIMEOUT 400 ms, 500 ms in
#: older versions, DOUBLE_TAP_TIMEOUT 300 ms, DOUBLE_TAP_MIN_TIME 40 ms, DOUBLE_TAP_SLOP 100 dp, MINIMUM_FLING_VELOCITY
#: 50 dp/s, MAXIMUM_FLING_VELOCITY 8000 dp/s). That the second touch counts from the first *down* is how
#: `android.view.GestureDetector` does it: its waiting tap is posted when the finger comes down. A finger that says
#: nothing for 40 ms has stopped, and its speed is the slope of a parabola through its last 100 ms
#: (ASSUME_POINTER_STOPPED_TIME and LSQ2 of `libs/input/VelocityTracker.cpp`). Pinch is
#: `android.view.ScaleGestureDetector`: span slop twice the touch slop, least span `config_minScalingSpan` = 27 mm
#: (170 dp). Twist is `detectTransformGestures` of Jetpack Compose: the touch slop along the circle of the fingers; the
#: view system has none.
#: iOS: documented defaults of UILongPressGestureRecognizer (minimumPressDuration 0.5 s, allowableMovement 10 points);
#: UIKit does not publish the pause between two taps, 350 ms is what is usually measured. Of flings, pinches and turns
#: it publishes no limits at all: Android's speeds are taken, slops in the same proportion, and no least span.
THRESHOLDS: Mapping[str, Thresholds] = {
    "android": Thresholds(8, 400, 40, 300, 100, 50, 8000, 40, True, 16, 170),
    "ios": Thresholds(10, 500, 0, 350, 45, 50, 8000, 100, False, 20, 0),
    "watchos": Thresholds(10, 500, 0, 350, 45, 50, 8000, 100, False, 20, 0),
}


@dataclass(frozen=True, slots=True)
class Wants:
    """What the touched place listens to. `bounds` is the touched control in pixels: a finger that leaves it, by more
    than the slop, no longer taps it."""

    bounds: Box
    long_press: bool = False
    double_tap: bool = False
    scroll_x: bool = False
    scroll_y: bool = False


@dataclass(frozen=True, slots=True)
class Contact:
    """One touch of one finger, from its first place to its last."""

    finger: int
    began: float
    ended: float
    x: float
    y: float
    last_x: float
    last_y: float


@dataclass(frozen=True, slots=True)
class Gesture:
    """What was recognised. x and y are where the finger came down, or the middle of two.

    `tap`, `double_tap`, `long_press`; `drag` (dx, dy: pixels that it was moved after the long press); `scroll` (pixels
    since the last); `fling` and `swipe` (pixels a second); `pinch` (`scale`) and `twist` (`degrees`, clockwise), each
    from where it began; `multi_touch`, anything else of `fingers` at once, or of three and more, with all `contacts`.
    """

    kind: str
    x: float
    y: float
    dx: float = 0.0
    dy: float = 0.0
    scale: float = 1.0
    degrees: float = 0.0
    fingers: int = 1
    contacts: tuple[Contact, ...] = ()

    @property
    def direction(self) -> str:
        if abs(self.dx) > abs(self.dy):
            return "right" if self.dx > 0 else "left"
        return "down" if self.dy > 0 else "up"


@dataclass(slots=True)
class _Touch:
    """One contact while it lasts."""

    t: float
    x: float
    y: float
    wants: Wants
    last_x: float
    last_y: float
    at_x: float
    at_y: float
    scrolling: bool = False
    over: bool = False
    long_pressed: bool = False
    dragged: bool = False
    doubled: bool = False


class Recognizer:
    """One finger's gestures; times in milliseconds, places in pixels of the picture."""

    def __init__(self, thresholds: Thresholds, density: float) -> None:
        self._limits = thresholds
        self._density = density
        self._touch: _Touch | None = None
        self._trail: deque[tuple[float, float, float]] = deque(maxlen=64)
        self._first: _Touch | None = None  # a tap that may become a double tap
        self._first_up = 0.0

    def deadline(self) -> float | None:
        """When `time` has to be called next, if anything is due by time alone."""
        touch = self._touch
        moments = []
        if (
            touch
            and touch.wants.long_press
            and not (touch.over or touch.scrolling or touch.long_pressed or touch.doubled)
        ):
            moments.append(touch.t + self._limits.long_press)
        if self._first is not None and touch is None:
            moments.append(self._first.t + self._limits.double_tap_max)
        return min(moments, default=None)

    def time(self, t: float) -> list[Gesture]:
        """Time passes: a finger that rests becomes a long press, a tap that stays alone a tap."""
        found = []
        first, touch = self._first, self._touch
        if first is not None and touch is None and t > first.t + self._limits.double_tap_max:
            self._first = None
            found.append(Gesture("tap", first.x, first.y))
        due = self.deadline()
        if touch is not None and due is not None and t >= touch.t + self._limits.long_press:
            touch.long_pressed = True
            found.append(Gesture("long_press", touch.x, touch.y))
        return found

    def down(self, t: float, x: float, y: float, wants: Wants) -> list[Gesture]:
        found = self.time(t)
        touch = self._touch = _Touch(t, x, y, wants, x, y, x, y)
        self._trail.clear()
        self._trail.append((t, x, y))
        first, self._first = self._first, None
        if first is not None:
            if self._makes_double(first, touch):
                touch.doubled = True
                found.append(Gesture("double_tap", first.x, first.y))
            else:
                found.append(Gesture("tap", first.x, first.y))
        return found

    def _makes_double(self, first: _Touch, second: _Touch) -> bool:
        limits = self._limits
        return (
            second.t - first.t <= limits.double_tap_max
            and second.t - self._first_up >= limits.double_tap_min
            and math.hypot(second.x - first.x, second.y - first.y) <= limits.double_tap_slop * self._density
        )

    def move(self, t: float, x: float, y: float) -> list[Gesture]:
        found = self.time(t)
        touch = self._touch
        if touch is None:
            return found
        touch.at_x, touch.at_y = x, y
        self._trail.append((t, x, y))
        slop = self._limits.slop * self._density
        if touch.long_pressed:
            touch.dragged = touch.dragged or math.hypot(x - touch.x, y - touch.y) > slop
        elif not touch.scrolling:
            self._leave_slop(touch, x, y, slop)
        if touch.scrolling:
            dx = x - touch.last_x if touch.wants.scroll_x else 0.0
            dy = y - touch.last_y if touch.wants.scroll_y else 0.0
            touch.last_x, touch.last_y = x, y
            if dx or dy:
                found.append(Gesture("scroll", touch.x, touch.y, dx, dy))
        return found

    @staticmethod
    def _leave_slop(touch: _Touch, x: float, y: float, slop: float) -> None:
        dx, dy = x - touch.x, y - touch.y
        along_y = touch.wants.scroll_y and abs(dy) > slop and abs(dy) >= abs(dx)
        along_x = touch.wants.scroll_x and abs(dx) > slop and abs(dx) > abs(dy)
        if along_x or along_y:
            touch.scrolling = True
            # The first slop of the way is lost to the content, as in Android's ScrollView.
            touch.last_x = touch.x + math.copysign(min(abs(dx), slop), dx)
            touch.last_y = touch.y + math.copysign(min(abs(dy), slop), dy)
            return
        left, top, right, bottom = touch.wants.bounds
        inside = left - slop <= x < right + slop and top - slop <= y < bottom + slop
        moved = math.hypot(dx, dy) > slop
        # A finger that moves but stays on the control still taps it; for a long or double press it has moved away.
        touch.over = touch.over or not inside or (moved and (touch.wants.long_press or touch.wants.double_tap))

    def up(self, t: float, x: float, y: float) -> list[Gesture]:
        # That a finger lifts where it is says nothing of its speed.
        still = self._touch is not None and (self._touch.at_x, self._touch.at_y) == (x, y)
        found = self.time(t) if still else self.move(t, x, y)
        touch, self._touch = self._touch, None
        if touch is None:
            return found
        vx, vy = self._speed(t)
        fast = math.hypot(vx, vy) >= self._limits.fling_min * self._density
        if touch.scrolling:
            if fast:
                found.append(Gesture("fling", touch.x, touch.y, vx if touch.wants.scroll_x else 0.0,
                                     vy if touch.wants.scroll_y else 0.0))  # fmt: skip
            return found
        if touch.dragged:
            found.append(Gesture("drag", touch.x, touch.y, x - touch.x, y - touch.y))
        travelled = math.hypot(x - touch.x, y - touch.y) > self._limits.slop * self._density
        if travelled and fast and not touch.long_pressed:
            found.append(Gesture("swipe", touch.x, touch.y, vx, vy))
        if touch.over or touch.long_pressed or touch.doubled:
            return found
        if touch.wants.double_tap:
            self._first, self._first_up = touch, t
        else:
            found.append(Gesture("tap", touch.x, touch.y))
        return found

    def cancel(self) -> None:
        """The touch is taken away, by a second finger or a window."""
        self._touch = self._first = None

    def _speed(self, t: float) -> tuple[float, float]:
        recent = recent_places(self._trail, self._limits.stopped)
        if len(recent) < 2 or t - recent[-1][0] >= self._limits.stopped:
            return 0.0, 0.0
        if self._limits.fits_velocity:
            speed = fitted_velocity(recent)
        else:
            seconds = (recent[-1][0] - recent[0][0]) / 1000
            speed = (recent[-1][1] - recent[0][1]) / seconds, (recent[-1][2] - recent[0][2]) / seconds
        most = self._limits.fling_max * self._density
        return max(-most, min(most, speed[0])), max(-most, min(most, speed[1]))
