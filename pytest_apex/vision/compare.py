"""How far two pictures differ: exactly, pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from PIL import ImageChops

from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.clusters import groups


@dataclass(frozen=True, slots=True)
class Difference:
    """`ratio` is the share of pixels that are not equal; `boxes` enclose them, in pixels, from the top.

    Pictures of different sizes are not compared: `same_size` is False, the ratio 1.
    """

    ratio: float
    boxes: tuple[Rect, ...] = ()
    same_size: bool = True

    def __bool__(self) -> bool:
        return self.ratio > 0


def difference(a: Picture, b: Picture) -> Difference:
    """All pixels that are not equal. Equal keys cost nothing, equal sizes are not resampled."""
    if a is b or a.key == b.key:
        return Difference(0.0)
    if a.size != b.size:
        return Difference(1.0, same_size=False)
    delta = ImageChops.difference(a.pixels(), b.pixels())
    found = delta.getbbox()
    if found is None:
        return Difference(0.0)
    differs = np.asarray(delta.crop(found)).any(axis=2)
    ratio = float(np.count_nonzero(differs)) / (a.size.width * a.size.height)
    return Difference(ratio, tuple(box for box, _ in groups(differs, found[0], found[1])))
