"""Two fingers and more: pinch, twist, and whatever else they do together.

Pinch is Android's ScaleGestureDetector, twist the rotation of Jetpack Compose's detectTransformGestures; the numbers
are in `touch.THRESHOLDS`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pytest_apex.phone.touch import Contact, Gesture, Thresholds

_Place = tuple[float, float]


class Pair:
    """Two fingers while both are down."""

    def __init__(self, limits: Thresholds, density: float, a: _Place, b: _Place) -> None:
        self._slop = limits.slop * density
        self._span_slop, self._span_min = limits.span_slop * density, limits.span_min * density
        self._middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        self._first_span = self._span = math.dist(a, b)
        self._angle = _angle(a, b)
        self._turned = 0.0
        self._pinching = self._twisting = False
        self._scale, self._degrees = 1.0, 0.0

    def look(self, a: _Place, b: _Place) -> None:
        """Both fingers at one moment."""
        span, angle = math.dist(a, b), _angle(a, b)
        self._pinch(span)
        turn = (angle - self._angle + 180.0) % 360.0 - 180.0
        self._angle = angle
        if self._twisting:
            self._degrees += turn
        self._turned += turn
        # The way of each finger along the circle around their middle.
        self._twisting = self._twisting or abs(math.radians(self._turned)) * span / 2 > self._slop

    def _pinch(self, span: float) -> None:
        """What is lost before it begins, and below the least span, never comes back."""
        if self._pinching and span < self._span_min:
            self._pinching, self._first_span = False, span
        elif self._pinching:
            self._scale *= span / self._span
            self._span = span
        elif span >= self._span_min and abs(span - self._first_span) > self._span_slop:
            self._pinching, self._span = True, span

    @property
    def found(self) -> list[Gesture]:
        found = []
        if self._scale != 1.0:
            found.append(Gesture("pinch", *self._middle, scale=self._scale, fingers=2))
        if self._degrees:
            found.append(Gesture("twist", *self._middle, degrees=self._degrees, fingers=2))
        return found


@dataclass(slots=True)
class _Down:
    """A finger on the screen."""

    began: float
    start: _Place
    at: _Place


class Several:
    """Follows all fingers; times in milliseconds, places in pixels. Moves of one moment belong together: they have to
    be told before a finger goes up or down at that moment."""

    def __init__(self, limits: Thresholds, density: float) -> None:
        self._limits = limits
        self._density = density
        self._down: dict[int, _Down] = {}
        self._contacts: list[Contact] = []
        self._most = 0
        self._known = False
        self._pair: Pair | None = None

    def down(self, t: float, finger: int, x: float, y: float) -> list[Gesture]:
        found = self._end_pair()
        self._down[finger] = _Down(t, (x, y), (x, y))
        self._most = max(self._most, len(self._down))
        self._begin_pair()
        return found

    def move(self, finger: int, x: float, y: float) -> None:
        self._down[finger].at = (x, y)

    def look(self) -> None:
        """All moves of this moment are told."""
        if self._pair is not None:
            self._pair.look(*(touch.at for touch in self._down.values()))

    def up(self, t: float, finger: int) -> list[Gesture]:
        found = self._end_pair()
        touch = self._down.pop(finger)
        self._contacts.append(Contact(finger, touch.began, t, *touch.start, *touch.at))
        self._begin_pair()
        return found if self._down else found + self._end()

    def _begin_pair(self) -> None:
        if len(self._down) == 2:
            self._pair = Pair(self._limits, self._density, *(touch.at for touch in self._down.values()))

    def _end_pair(self) -> list[Gesture]:
        self.look()
        pair, self._pair = self._pair, None
        found = pair.found if pair is not None else []
        self._known = self._known or bool(found)
        return found

    def _end(self) -> list[Gesture]:
        """The last finger is up: what two fingers did may have no other name, what three did has none."""
        contacts, most, known = tuple(self._contacts), self._most, self._known
        self._contacts.clear()
        self._most, self._known = 0, False
        if most < 2 or (most == 2 and known):
            return []
        ordered = tuple(sorted(contacts, key=lambda contact: (contact.began, contact.finger)))
        return [Gesture("multi_touch", ordered[0].x, ordered[0].y, fingers=most, contacts=ordered)]


def _angle(a: _Place, b: _Place) -> float:
    return math.degrees(math.atan2(b[1] - a[1], b[0] - a[0]))
