"""Hiding parts of a picture."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import ImageDraw

from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.image import from_image
from pytest_apex.vision.pixels import covering

#: Pixels of a stripe.
_STRIPE = 3


def black_out(picture: Picture, boxes_px: Sequence[Rect], *, striped: bool = False) -> Picture:
    """A copy in which the boxes (pixels; parts of pixels count as whole ones) are black; the picture itself where
    there is nothing to hide. `striped` puts white stripes on them: on any ground it can be told that something is
    drawn there."""
    parts = [part for part in (covering(box, picture.size) for box in boxes_px) if not part.is_empty]
    if not parts:
        return picture
    image = picture.pixels().copy()
    draw = ImageDraw.Draw(image)
    for part in parts:
        draw.rectangle((part.left, part.top, part.right - 1, part.bottom - 1), fill="black")
        for left in range(int(part.left) + _STRIPE, int(part.right), 2 * _STRIPE) if striped else ():
            right = min(left + _STRIPE, int(part.right)) - 1
            draw.rectangle((left, part.top, right, part.bottom - 1), fill="white")
    return from_image(image)
