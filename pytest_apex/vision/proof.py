"""The comparison shows, once a process, that it can tell pictures apart: on a drawn pair whose counts are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
from PIL import Image

from pytest_apex.errors import ApexError, ComparatorBroken
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.image import from_image

#: The comparison: two pictures, whether smoothed edges count, masks → pixels that differ, and those that are not equal.
Counts: TypeAlias = Callable[[Picture, Picture, bool, Sequence[Rect]], tuple[int, int]]

_WIDTH, _HEIGHT = 48, 40
#: A changed block: left, top, right, bottom.
_BLOCK = (36, 4, 43, 9)
#: What pixelmatch 7.2.0 counts for the pair: as it is, with smoothed edges, with the block masked; and the pair's
#: unequal pixels.
COUNTS = (35, 87, 0, 109)


def pair() -> tuple[Image.Image, Image.Image]:
    """A page with a disc and a block, and the same with the disc a quarter of a pixel farther and the block lighter."""
    pages = []
    for shift, block in ((0, (30, 60, 160)), (1, (120, 150, 230))):
        page = np.full((_HEIGHT, _WIDTH, 3), 238, dtype=np.uint8)
        inside = _disc(shift)[..., None]
        page[:] = (page * (16 - inside) + np.array([20, 24, 32]) * inside) // 16
        page[_BLOCK[1] : _BLOCK[3], _BLOCK[0] : _BLOCK[2]] = block
        pages.append(Image.fromarray(page))
    return pages[0], pages[1]


def _disc(shift: int) -> Any:
    """Sixteenths of each pixel inside of a disc, its centre moved to the right by `shift` quarters of a pixel."""
    y, x = np.mgrid[0 : 4 * _HEIGHT, 0 : 4 * _WIDTH]
    inside = (2 * x - 127 - 2 * shift) ** 2 + (2 * y - 159) ** 2 <= 97**2
    return inside.reshape(_HEIGHT, 4, _WIDTH, 4).sum(axis=(1, 3), dtype=np.int64)


@lru_cache(maxsize=1)
def _fault(count: Counts) -> str:
    """What is wrong with the comparison; "" if nothing is."""
    approved, actual = (from_image(page) for page in pair())
    try:
        differ, unequal = count(approved, actual, False, ())
        smoothed, _ = count(approved, actual, True, ())
        masked, _ = count(approved, actual, False, [Rect(*_BLOCK)])
        counts = (differ, smoothed, masked, unequal)
    except (ApexError, AttributeError, TypeError, ValueError, IndexError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    return "" if counts == COUNTS else f"counted {counts} instead of {COUNTS}"


def need_comparator(count: Counts) -> None:
    """Raise `ComparatorBroken` unless the comparison tells the pair apart as it should."""
    fault = _fault(count)
    if fault:
        raise ComparatorBroken(
            "pictures can't be compared here",
            seen=f"of a pair whose answer is known, the comparison says: {fault}",
            likely="numpy or Pillow is damaged, or replaced by something that only looks like it",
            cure="install both anew: pip install --force-reinstall numpy pillow",
        )
