"""Finding a small picture on a large one, at exactly its size."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.image import from_image
from pytest_apex.vision.pixels import covering

#: A channel may differ by this much at a probe: other rounding of blends, colour management, one JPEG on the way.
_PROBE_TOLERANCE = 40
#: And all channels by this much on average.
_MEAN_TOLERANCE = 10.0
#: And by this much between two pictures that the same screen drew.
_SAME = 1.0
#: Pixels that are compared everywhere before anything is compared whole.
_PROBES = 24
#: A template whose pixels spread less than this (standard deviation of its brightness) would be found on any plain
#: ground.
_PLAIN = 4.0


def find_again(picture: Picture, earlier: Picture, box: Rect) -> list[Rect]:
    """All places of what an earlier picture of the same screen showed in a box, in pixels, most alike first; none for a
    box that holds nothing but a plain ground, or lies not wholly on the picture. Two buttons of one form are told apart
    by their words."""
    part = covering(box, earlier.size)
    if part.is_empty or part.width < box.width - 1 or part.height < box.height - 1:
        return []
    cut = earlier.pixels().crop((int(part.left), int(part.top), int(part.right), int(part.bottom)))
    try:
        return _places(picture, from_image(cut), _SAME)
    except ConfigError:
        return []


def find_image(picture: Picture, template: Picture) -> list[Rect]:
    """All places of `template` on `picture`, in pixels, most alike first; places that overlap count once.

    Nothing is scaled or turned. Raises `ConfigError` for a template that shows nothing but a plain ground.
    """
    return _places(picture, template, _MEAN_TOLERANCE)


def _places(picture: Picture, template: Picture, tolerance: float) -> list[Rect]:
    small = np.asarray(template.pixels())
    large = np.asarray(picture.pixels())
    height, width = small.shape[:2]
    if small.std(axis=(0, 1)).max() < _PLAIN:
        raise ConfigError(
            "the image shows a plain area, which is found everywhere", cure="cut it so that it shows the whole sign"
        )
    if height > large.shape[0] or width > large.shape[1]:
        return []
    rated = sorted((_mean_distance(large, small, x, y), y, x) for y, x in _candidates(large, small))
    found: list[Rect] = []
    for distance, y, x in rated:
        place = Rect.from_size(float(x), float(y), float(width), float(height))
        if distance <= tolerance and not any(place.overlaps(other) for other in found):
            found.append(place)
    return found


def _candidates(large: Any, small: Any) -> list[tuple[int, int]]:
    """The (row, column) of all places where the probes fit."""
    height, width = large.shape[0] - small.shape[0] + 1, large.shape[1] - small.shape[1] + 1
    fits = np.ones((height, width), dtype=bool)
    for y, x in _probes(small):
        channel = int(np.abs(small[y, x].astype(int) - 128).argmax())
        wanted = int(small[y, x, channel])
        there = large[y : y + height, x : x + width, channel]
        fits &= there >= max(0, wanted - _PROBE_TOLERANCE)
        fits &= there <= min(255, wanted + _PROBE_TOLERANCE)
    return [(int(y), int(x)) for y, x in zip(*np.nonzero(fits), strict=True)]


def _probes(small: Any) -> list[tuple[int, int]]:
    """Pixels spread over the template, those farthest from its mean first in each part of it."""
    away = np.abs(small.astype(int) - small.mean(axis=(0, 1))).sum(axis=2)
    order = np.argsort(-away, axis=None)
    step = max(1, order.size // _PROBES)
    return [(int(at) // small.shape[1], int(at) % small.shape[1]) for at in order[::step][:_PROBES]]


def _mean_distance(large: Any, small: Any, x: int, y: int) -> float:
    part = large[y : y + small.shape[0], x : x + small.shape[1]].astype(int)
    return float(np.abs(part - small).mean())
