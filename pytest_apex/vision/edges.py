"""What lies at the edges of a box: ink that reaches them in full strength, corners of another colour."""

from __future__ import annotations

import numpy as np

from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.pixels import Color, crop

#: A letter fades out in its last pixel, and no ink is nearer to the ground than 12 levels.
_FULL, _LEVELS = 0.6, 12
#: A row with ink from side to side, across so much of the box, is a line under or over it, and no letter.
_RULE = 0.8


def ink_at_side(picture: Picture, box: Rect, side: str, ground: Color) -> int:
    """How many rows of a box (pixels) have ink at its outermost column on the `left` or `right`, full-width lines
    left out."""
    pixels = crop(picture, box)
    if not pixels.size:
        return 0
    far = np.abs(pixels.astype(np.int16) - np.array(ground, dtype=np.int16)).max(axis=2)
    strong = far > max(_LEVELS, _FULL * float(far.max()))
    ruled = strong[:, 0] & strong[:, -1] & (strong.mean(axis=1) > _RULE)
    return int((strong[:, 0 if side == "left" else -1] & ~ruled).sum())


def fills_corners(picture: Picture, box: Rect, ground: Color) -> bool:
    """Whether a box (pixels) has its ground in all four corners; one with a round ground of its own has not."""
    pixels = crop(picture, box)
    if not pixels.size:
        return False
    corners = pixels[[0, 0, -1, -1], [0, -1, 0, -1]].astype(np.int16)
    return bool((np.abs(corners - np.array(ground, dtype=np.int16)) <= _LEVELS).all())
