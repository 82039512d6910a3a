"""How far two pictures differ: exactly, pixel by pixel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import ImageChops

from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture

#: Differing pixels are gathered into tiles of this edge, in pixels, and touching tiles into boxes.
TILE = 16


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
    return Difference(ratio, _boxes(differs, found[0], found[1]))


def _boxes(differs: Any, left: int, top: int) -> tuple[Rect, ...]:
    """The boxes around the groups of touching tiles with differing pixels, each shrunk to those pixels."""
    height, width = differs.shape
    rows, columns = -(-height // TILE), -(-width // TILE)
    padded = np.zeros((rows * TILE, columns * TILE), dtype=bool)
    padded[:height, :width] = differs
    tiles = padded.reshape(rows, TILE, columns, TILE).any(axis=(1, 3))
    boxes = []
    for group in _groups(tiles):
        y, x = min(row for row, _ in group) * TILE, min(column for _, column in group) * TILE
        bottom, right = (max(row for row, _ in group) + 1) * TILE, (max(column for _, column in group) + 1) * TILE
        part = padded[y:bottom, x:right]
        ys, xs = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
        box = Rect(float(xs[0]), float(ys[0]), float(xs[-1]) + 1, float(ys[-1]) + 1)
        boxes.append(box.moved(left + x, top + y))
    return tuple(sorted(boxes, key=lambda box: (box.top, box.left)))


def _groups(tiles: Any) -> list[list[tuple[int, int]]]:
    """Tiles that touch at an edge or corner, together."""
    waiting = {(int(row), int(column)) for row, column in zip(*np.nonzero(tiles), strict=True)}
    groups = []
    while waiting:
        group = [waiting.pop()]
        for row, column in group:
            around = {(row + dy, column + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & waiting
            waiting -= around
            group.extend(around)
        groups.append(group)
    return groups
