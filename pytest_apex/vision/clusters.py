"""Where the marked pixels of a mask lie: groups, boxes, the fullest window."""

from __future__ import annotations

from typing import Any

import numpy as np

from pytest_apex.model.geometry import Rect

#: Marked pixels are gathered into tiles of this edge, in pixels, and touching tiles into groups.
TILE = 16
#: Edge of the window in which marked pixels are counted: an icon is about as large, and scattered noise never fills it.
WINDOW = 2 * TILE
#: Rows whose windows are counted together, and so many places of three by three tiles are looked at one by one.
_STRIP, _ONE_BY_ONE = 256, 200


def tile_counts(marked: Any) -> Any:
    """How many pixels of each tile are marked."""
    height, width = marked.shape
    rows, columns = -(-height // TILE), -(-width // TILE)
    padded = np.zeros((rows * TILE, columns * TILE), dtype=bool)
    padded[:height, :width] = marked
    return padded.reshape(rows, TILE, columns, TILE).sum(axis=(1, 3), dtype=np.int32)


def groups(marked: Any, left: int = 0, top: int = 0, counts: Any = None) -> list[tuple[Rect, int]]:
    """The groups of touching tiles with marked pixels, as boxes shrunk to those pixels and their number, from the top.

    `marked` is a mask (height, width) that begins at (`left`, `top`) of the picture; `counts` are its `tile_counts`, if
    they are known.
    """
    counts = tile_counts(marked) if counts is None else counts
    found = []
    for group in _touching(counts > 0):
        y, x = min(row for row, _ in group) * TILE, min(column for _, column in group) * TILE
        bottom, right = (max(row for row, _ in group) + 1) * TILE, (max(column for _, column in group) + 1) * TILE
        part = marked[y:bottom, x:right]
        ys, xs = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
        box = Rect(float(xs[0]), float(ys[0]), float(xs[-1]) + 1, float(ys[-1]) + 1)
        found.append((box.moved(left + x, top + y), sum(int(counts[at]) for at in group)))
    return sorted(found, key=lambda item: (item[0].top, item[0].left))


def _touching(tiles: Any) -> list[list[tuple[int, int]]]:
    """Tiles that touch at an edge or corner, together."""
    waiting = {(int(row), int(column)) for row, column in zip(*np.nonzero(tiles), strict=True)}
    found = []
    while waiting:
        group = [waiting.pop()]
        for row, column in group:
            around = {(row + dy, column + dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1)} & waiting
            waiting -= around
            group.extend(around)
        found.append(group)
    return found


def fullest_window(marked: Any, counts: Any = None) -> int:
    """The most marked pixels that any window of `WINDOW` by `WINDOW` pixels holds; `counts` as for `groups`."""
    counts = tile_counts(marked) if counts is None else counts
    padded = np.pad(counts, ((0, 2), (0, 2)))
    # A window that begins at a tile holds two by two tiles; one that begins inside of it lies on three by three.
    rows, columns = counts.shape
    sums = padded[:-1, :] + padded[1:, :]
    least = int((sums[:rows, :columns] + sums[:rows, 1 : columns + 1]).max(initial=0))
    tall = padded[:rows] + padded[1 : rows + 1] + padded[2 : rows + 2]
    most = tall[:, :columns] + tall[:, 1 : columns + 1] + tall[:, 2 : columns + 2]
    open_places = np.argwhere(most > least) if least < WINDOW * WINDOW else ()
    if len(open_places) > _ONE_BY_ONE:
        starts = range(0, max(1, marked.shape[0] - WINDOW + 1), _STRIP)
        return max(_fullest(marked[start : start + _STRIP + WINDOW - 1]) for start in starts)
    reach = TILE + WINDOW - 1
    for row, column in open_places:
        if most[row, column] > least:
            y, x = row * TILE, column * TILE
            least = max(least, _fullest(marked[y : y + reach, x : x + reach]))
    return least


def _fullest(marked: Any) -> int:
    """The same for few rows: sums over whole pictures would take several times their memory."""
    height, width = marked.shape
    tall, wide = min(WINDOW, height), min(WINDOW, width)
    sums = np.zeros((height + 1, width + 1), dtype=np.int32)
    np.cumsum(marked, axis=0, dtype=np.int32, out=sums[1:, 1:])
    np.cumsum(sums[1:, 1:], axis=1, out=sums[1:, 1:])
    inside = sums[tall:, wide:] - sums[:-tall, wide:] - sums[tall:, :-wide] + sums[:-tall, :-wide]
    return int(inside.max()) if inside.size else 0
