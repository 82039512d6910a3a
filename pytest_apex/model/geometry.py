"""Points, sizes and rectangles in the units of the tree.

Units are pixels on Android and points on iOS, tvOS and watchOS; only
:mod:`pytest_apex.vision` converts them to pixels of the picture (`Screen.scale`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


def _number(value: float) -> str:
    """Print whole numbers without a fraction: ``24`` rather than ``24.0``."""
    if math.isfinite(value) and value == int(value):
        return str(int(value))
    return f"{value:.2f}".rstrip("0").rstrip(".")


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the screen."""

    x: float
    y: float

    def __str__(self) -> str:
        return f"{_number(self.x)}, {_number(self.y)}"

    def __iter__(self) -> Iterator[float]:
        """`x, y = point`."""
        yield self.x
        yield self.y

    def moved(self, dx: float, dy: float) -> Point:
        return Point(self.x + dx, self.y + dy)

    def distance(self, other: Point) -> float:
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(frozen=True, slots=True)
class Size:
    """Width and height."""

    width: float
    height: float

    def __str__(self) -> str:
        return f"{_number(self.width)}×{_number(self.height)}"


@dataclass(frozen=True, slots=True)
class Insets:
    """Space taken at each edge by system bars, in the units of the tree."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle; `right` and `bottom` are exclusive. May be empty or inverted as devices report it."""

    left: float
    top: float
    right: float
    bottom: float

    @classmethod
    def from_size(cls, x: float, y: float, width: float, height: float) -> Rect:
        return cls(x, y, x + width, y + height)

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def area(self) -> float:
        return self.width * self.height if not self.is_empty else 0.0

    @property
    def is_empty(self) -> bool:
        return not (self.right > self.left and self.bottom > self.top)

    @property
    def center(self) -> Point:
        return Point((self.left + self.right) / 2, (self.top + self.bottom) / 2)

    @property
    def size(self) -> Size:
        return Size(self.width, self.height)

    def __str__(self) -> str:
        return f"[{_number(self.left)},{_number(self.top)}][{_number(self.right)},{_number(self.bottom)}]"

    def contains(self, point: Point) -> bool:
        return self.left <= point.x < self.right and self.top <= point.y < self.bottom

    def encloses(self, other: Rect, tolerance: float = 0.0) -> bool:
        """Whether `other` lies inside, give or take `tolerance` at each edge."""
        return (
            other.left >= self.left - tolerance
            and other.top >= self.top - tolerance
            and other.right <= self.right + tolerance
            and other.bottom <= self.bottom + tolerance
        )

    def intersect(self, other: Rect) -> Rect:
        """The common part; empty (`is_empty`) when there is none."""
        return Rect(
            max(self.left, other.left),
            max(self.top, other.top),
            min(self.right, other.right),
            min(self.bottom, other.bottom),
        )

    def overlaps(self, other: Rect) -> bool:
        return not self.intersect(other).is_empty

    def grown(self, by: float) -> Rect:
        """Each edge moved outwards by `by` (inwards when negative)."""
        return Rect(self.left - by, self.top - by, self.right + by, self.bottom + by)

    def moved(self, dx: float, dy: float) -> Rect:
        return Rect(self.left + dx, self.top + dy, self.right + dx, self.bottom + dy)

    def scaled(self, factor: float) -> Rect:
        return Rect(self.left * factor, self.top * factor, self.right * factor, self.bottom * factor)

    def inside(self, insets: Insets) -> Rect:
        return Rect(
            self.left + insets.left, self.top + insets.top, self.right - insets.right, self.bottom - insets.bottom
        )


#: No system bars at all.
NO_INSETS = Insets()
#: A rectangle without area.
EMPTY = Rect(0, 0, 0, 0)


def union(rects: Iterable[Rect]) -> Rect:
    """The smallest rectangle around all of them; an empty one when there are none."""
    boxes = [rect for rect in rects if not rect.is_empty]
    if not boxes:
        return EMPTY
    return Rect(
        min(box.left for box in boxes),
        min(box.top for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )
