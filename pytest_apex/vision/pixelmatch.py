"""Which pixels of two pictures differ, as pixelmatch 7.2 counts them.

Colours are compared in YIQ; a pixel is excused when it looks like the smoothing of an edge in one of the two pictures.
Both rules are those of the npm package `pixelmatch` 7.2.0 for opaque pictures, and give its counts to the pixel: other
versions of it, and other tools, give others.

Pictures come in bands of rows, as packed colours (`PAD` wide and high around them, see `Band`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

#: So far around a pixel the rules look: a neighbour, and that neighbour's neighbours.
REACH = 2
#: What lies outside of the picture; no colour has this value.
OUTSIDE = np.uint32(0xFF000000)
#: Squared distance of the two colours that are farthest apart.
_FARTHEST = 35215
#: Weights of red, green and blue in brightness, times 10^8: whole numbers up to 2.55 · 10^10, so sums of them are exact
#: and brightness of two colours is equal only if the colours are.
_RED, _GREEN, _BLUE = 29889531, 58662247, 11448223
#: More equal neighbours than this, and a pixel lies in an area, not on an edge; so does a neighbour from one more on.
_EQUAL = 2
#: Levels of a channel from which on a shade is another one: less is rounding.
_SHADE = 3
#: Pixels that are looked at together: what is made of them stays in the processor's cache.
_TOGETHER = 8192


@dataclass(frozen=True, slots=True)
class Band:
    """Rows of two pictures as packed colours (red + green·256 + blue·65536) in uint32, with one ring of `OUTSIDE`
    around.

    `top` and `bottom` are the rows of the arrays that are asked about; rows beside them are there for the neighbours.
    `rim` says that what is asked about, or a neighbour of it, may lie at the edge of the picture: in all other places
    `OUTSIDE` is out of reach.
    """

    a: Any
    b: Any
    top: int
    bottom: int
    rim: bool = True


def limit_of(threshold: float) -> float:
    """The squared distance that a threshold from 0 to 1 allows."""
    return _FARTHEST * threshold * threshold


def differing(band: Band, threshold: float, *, include_aa: bool = False) -> tuple[Any, int]:
    """Flat indices into the band's arrays of the pixels that count as different, ascending, and how many pixels are
    not equal at all. With `include_aa` smoothed edges count, too."""
    width = band.a.shape[1]
    a, b = band.a.reshape(-1), band.b.reshape(-1)
    first = band.top * width
    unequal = np.flatnonzero(a[first : band.bottom * width] != b[first : band.bottom * width])
    if not unequal.size:
        return unequal, 0
    unequal += first
    far = unequal[_far(a.take(unequal), b.take(unequal), limit_of(threshold))]
    if include_aa or not far.size:
        return far, int(unequal.size)
    parts = [far[start : start + _TOGETHER] for start in range(0, far.size, _TOGETHER)]
    return np.concatenate([_not_smoothed(a, b, part, width, band.rim) for part in parts]), int(unequal.size)


def shaded(band: Band) -> Any:
    """Flat indices into the band's arrays of the pixels that lie in an even area in both pictures, and have another
    colour there by `_SHADE` levels or more. No rule of pixelmatch's."""
    width = band.a.shape[1]
    a, b = band.a.reshape(-1), band.b.reshape(-1)
    first = band.top * width
    at = np.flatnonzero(a[first : band.bottom * width] != b[first : band.bottom * width]) + first
    steps = _around(width)
    for image in (a, b):
        at = at[(image.take(at + steps) == image.take(at)).all(axis=0)]
    before, now = (image.take(at)[:, None] >> np.array([0, 8, 16], dtype=np.uint32) & 255 for image in (a, b))
    return at[(np.abs(before.astype(np.int16) - now.astype(np.int16)) >= _SHADE).any(axis=1)]


def _far(a: Any, b: Any, limit: float) -> Any:
    """Where two rows of colours are farther apart than `limit`. Operations and their order are the original's: so is
    their rounding."""
    red = (a & 255).astype(np.float64) - (b & 255)
    green = (a >> 8 & 255).astype(np.float64) - (b >> 8 & 255)
    blue = (a >> 16).astype(np.float64) - (b >> 16)
    y = red * 0.29889531 + green * 0.58662247 + blue * 0.11448223
    i = red * 0.59597799 - green * 0.27417610 - blue * 0.32180189
    q = red * 0.21147017 - green * 0.52261711 + blue * 0.31114694
    return 0.5053 * y * y + 0.299 * i * i + 0.1957 * q * q > limit


def _not_smoothed(a: Any, b: Any, at: Any, width: int, rim: bool) -> Any:
    """Those of the pixels `at` that are no smoothed edge in either picture."""
    left = at[~_smoothed(a, b, at, width, rim)]
    return left[~_smoothed(b, a, left, width, rim)] if left.size else left


def _around(width: int) -> Any:
    """Steps to the eight neighbours, column after column: the first of equally bright ones is the one that counts."""
    return np.array([-width - 1, -1, width - 1, -width, width, -width + 1, 1, width + 1])[:, None]


def _smoothed(image: Any, other: Any, at: Any, width: int, rim: bool) -> Any:
    """Whether each pixel `at` looks like the smoothing of an edge: hardly any neighbour is its equal, some are darker
    and some brighter, and the darkest or the brightest of them lies in an area of one colour in both pictures."""
    steps = _around(width)
    found = np.zeros(at.size, dtype=bool)
    center = image.take(at)
    near = image.take(at + steps)
    lone = np.flatnonzero(_equals(near, center, rim) <= _EQUAL)
    if not lone.size:
        return found
    at, center, near = at[lone], center[lone], near[:, lone]
    delta = _brightness(np.where(near == OUTSIDE, center, near) if rim else near) - _brightness(center)
    low, high = delta.argmin(axis=0), delta.argmax(axis=0)
    columns = np.arange(at.size)
    both = np.flatnonzero((delta[low, columns] < 0) & (delta[high, columns] > 0))
    at, lone = at[both], lone[both]
    dark, bright = at + steps[low[both], 0], at + steps[high[both], 0]
    plain = _in_area(image, other, dark, steps, rim)
    rest = np.flatnonzero(~plain)
    plain[rest] = _in_area(image, other, bright[rest], steps, rim)
    found[lone[plain]] = True
    return found


def _equals(near: Any, center: Any, rim: bool) -> Any:
    """How many of the neighbours have the same colour; the edge of the picture counts as one of them."""
    equal = (near == center).sum(axis=0, dtype=np.uint8)
    return equal + (near == OUTSIDE).any(axis=0) if rim else equal


def _brightness(colors: Any) -> Any:
    red = (colors & 255).astype(np.int64) * _RED
    return red + (colors >> 8 & 255).astype(np.int64) * _GREEN + (colors >> 16).astype(np.int64) * _BLUE


def _in_area(image: Any, other: Any, at: Any, steps: Any, rim: bool) -> Any:
    """Whether pixels have three equal neighbours or more in both pictures."""
    found = np.zeros(at.size, dtype=bool)
    around = at + steps
    where = np.flatnonzero(_equals(image.take(around), image.take(at), rim) > _EQUAL)
    where = where[_equals(other.take(around[:, where]), other.take(at[where]), rim) > _EQUAL]
    found[where] = True
    return found
