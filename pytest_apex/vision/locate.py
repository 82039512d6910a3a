"""Finding a small picture on a large one, at exactly its size."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture

#: A channel may differ by this much at a probe: other rounding of blends, colour management, one JPEG on the way.
_PROBE_TOLERANCE = 40
#: And all channels by this much on average.
_MEAN_TOLERANCE = 10.0
#: Pixels that are compared everywhere before anything is compared whole.
_PROBES = 24
#: A template whose pixels spread less than this (standard deviation of its brightness) would be found on any plain
#: ground.
_PLAIN = 4.0


def find_image(picture: Picture, template: Picture) -> list[Rect]:
    """All places of `template` on `picture`, in pixels, most alike first; places that overlap count once.

    Nothing is scaled or turned. Raises `ConfigError` for a template that shows nothing but a plain ground.
    """
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
        if distance <= _MEAN_TOLERANCE and not any(place.overlaps(other) for other in found):
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
