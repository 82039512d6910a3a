"""Drawing a touch onto a copy of a picture."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, hypot, pi, sin

from PIL import ImageDraw

from pytest_apex.model.geometry import Point
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.image import from_image

#: Seen on light and dark ground: a strong red with a white edge.
_INK = (230, 0, 60)
_EDGE = (255, 255, 255)
#: Radius of the ring as a share of the picture's shorter side: about a fingertip.
_RING = 0.035
#: Length of the arrow's sides, in radii.
_BARB = 1.5
#: Rings of each verb, as radii of the first.
_RINGS = {"double_tap": (1.0, 0.55), "long_press": (1.0, 1.4), "drag": (1.0, 1.4)}


def draw_touch(picture: Picture, points_px: Sequence[Point], verb: str) -> Picture:
    """A copy with the touch drawn in: a ring and a dot where the finger lands, for a path its line and an arrow where
    it lifts. A double tap has two rings, one inside the other; a long press or drag a second one around it. Points are
    in pixels of the picture; without points the picture itself is returned."""
    if not points_px:
        return picture
    image = picture.pixels().copy()
    radius = max(6.0, min(image.size) * _RING)
    draw = ImageDraw.Draw(image)
    start, end = points_px[0], points_px[-1]
    width = max(2, round(radius / 5))
    if any(point.distance(start) > radius for point in points_px):
        _line(draw, points_px, width)
        _arrow(draw, _before(points_px, radius), end, radius, width)
    for factor in _RINGS.get(verb, (1.0,)):
        _ring(draw, start, radius * factor, width)
    _dot(draw, start, radius / 4)
    return from_image(image)


def _before(points: Sequence[Point], radius: float) -> Point:
    """The last point far enough from the end to show the direction in which the finger came."""
    end = points[-1]
    return next((point for point in reversed(points) if point.distance(end) > radius), points[0])


def _line(draw: ImageDraw.ImageDraw, points: Sequence[Point], width: int) -> None:
    for color, more in ((_EDGE, 4), (_INK, 0)):
        for a, b in pairwise(points):
            draw.line((a.x, a.y, b.x, b.y), fill=color, width=width + more)


def _arrow(draw: ImageDraw.ImageDraw, tail: Point, tip: Point, radius: float, width: int) -> None:
    if hypot(tip.x - tail.x, tip.y - tail.y) == 0:
        return
    angle = atan2(tip.y - tail.y, tip.x - tail.x)
    barbs = (
        (tip.x + _BARB * radius * cos(angle + turn), tip.y + _BARB * radius * sin(angle + turn))
        for turn in (pi * 5 / 6, -pi * 5 / 6)
    )
    corners = [(tip.x, tip.y), *barbs]
    draw.polygon(corners, fill=_INK, outline=_EDGE, width=max(1, width // 2))


def _ring(draw: ImageDraw.ImageDraw, at: Point, radius: float, width: int) -> None:
    for color, more in ((_EDGE, 2), (_INK, 0)):
        reach = radius + more
        draw.ellipse((at.x - reach, at.y - reach, at.x + reach, at.y + reach), outline=color, width=width + 2 * more)


def _dot(draw: ImageDraw.ImageDraw, at: Point, radius: float) -> None:
    draw.ellipse((at.x - radius, at.y - radius, at.x + radius, at.y + radius), fill=_INK, outline=_EDGE)
