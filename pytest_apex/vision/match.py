"""Two pictures of one size: how many pixels differ, where, and how closely together.

The cheapest question first: equal files, equal pixels, then colours only where pixels differ (see `pixelmatch`), band
by band, and no further than the answer needs. Nothing is ever resized.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from math import isfinite
from typing import Any, TypeAlias

import numpy as np
from PIL import Image, ImageChops

from pytest_apex.errors import ConfigError, SizesDiffer
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision import clusters, pixelmatch, proof
from pytest_apex.vision.image import as_decoded, as_rgb, from_image
from pytest_apex.vision.pixels import covering

#: Left, top, right and bottom in pixels; the last two are outside.
Box: TypeAlias = tuple[int, int, int, int]
#: Rows that are asked for any difference together, and the most that are looked at together. A band without any
#: difference costs next to nothing, and a wrong screen shows in its first rows.
_STRIP, _BAND = 16, 128
#: From so many pixels on an even area is told of: the strokes of one word, a small icon.
_SHADED = 48


@dataclass(frozen=True, slots=True)
class ImageComparison:
    """How two pictures differ.

    `count` is the number of pixels that pixelmatch 7.2 counts, `ratio` their share of the pixels outside of masks (from
    0 to 1), `unequal` the number of pixels that are not the same at all. `boxes` enclose what counts, in pixels, from
    the top; `largest_cluster` is the number of counted pixels in the largest group that hangs together, and
    `window_count` in the fullest window of 32 by 32 pixels. A comparison that is not `complete` was ended when it was
    clear that there are too many: `count` is "at least", and the places are those found until then.
    """

    size: Size
    count: int = 0
    ratio: float = 0.0
    unequal: int = 0
    boxes: tuple[Rect, ...] = ()
    largest_cluster: int = 0
    window_count: int = 0
    complete: bool = True


@dataclass(frozen=True, slots=True)
class Rules:
    """What counts: the colour distance that is let be (0 to 1), whether smoothed edges count; and how many pixels may
    differ before it is not looked any further (None: look at all)."""

    threshold: float = 0.1
    include_aa: bool = False
    enough: int | None = None


def compare_images(
    approved: Image.Image,
    actual: Image.Image,
    threshold: float = 0.1,
    masks: Sequence[Rect | tuple[float, float, float, float]] = (),
    *,
    include_aa: bool = False,
    enough: int | None = None,
) -> ImageComparison:
    """Compare two Pillow images, as pixelmatch 7.2 does.

    `threshold` is the colour distance that is let be, from 0 to 1. `masks` are rectangles in pixels (left, top, right,
    bottom) that do not count. `include_aa` counts smoothed edges, too. With `enough`, counting may end once there are
    more pixels than that. What is transparent lies on white.

    Raises `SizesDiffer` for images of different sizes, `ConfigError` for wrong arguments, and `ComparatorBroken` where
    the comparison fails its own test.
    """
    if not isinstance(approved, Image.Image) or not isinstance(actual, Image.Image):
        raise ConfigError(
            "compare_images() takes two Pillow images",
            seen=f"{type(approved).__name__} and {type(actual).__name__}",
            cure='PIL.Image.open("approved.png")',
        )
    rules = Rules(_share(threshold), include_aa, enough)
    hidden = _masks(masks)
    return compare_pictures(from_image(approved), from_image(actual), rules, hidden)


def compare_pictures(
    approved: Picture, actual: Picture, rules: Rules = Rules(), masks: Sequence[Rect] = ()
) -> ImageComparison:
    """The same for pictures; they are decoded only if their files differ, both at once. `masks` are in pixels; parts of
    pixels count as whole ones."""
    need_comparator()
    return compare(approved, actual, rules, masks)


def need_comparator() -> None:
    """Raise `ComparatorBroken` unless the comparison shows, once a process, that it can tell pictures apart."""
    proof.need_comparator(_counts)


def _counts(approved: Picture, actual: Picture, include_aa: bool, masks: Sequence[Rect]) -> tuple[int, int]:
    found = compare(approved, actual, Rules(include_aa=include_aa), masks)
    return found.count, found.unequal


def _masks(given: object) -> list[Rect]:
    """Rectangles of pixels, each with something in it; one alone may be given as it is."""
    items = [given] if isinstance(given, Rect) or _is_box(given) else given
    if not isinstance(items, (list, tuple)):
        raise _no_mask(given)
    return [_mask(item) for item in items]


def _is_box(value: object) -> bool:
    return isinstance(value, tuple) and len(value) == 4 and all(isinstance(edge, (int, float)) for edge in value)


def _mask(item: object) -> Rect:
    if isinstance(item, tuple) and _is_box(item):
        item = Rect(*map(float, item))
    if isinstance(item, Rect) and isfinite(item.area) and not item.is_empty:
        return item
    raise _no_mask(item)


def _no_mask(given: object) -> ConfigError:
    return ConfigError(
        "masks= takes rectangles in pixels (left, top, right, bottom)",
        seen=repr(given)[:120],
        cure="masks=[(0, 0, 200, 40)]",
    )


def _share(threshold: float) -> float:
    good = isinstance(threshold, (int, float)) and not isinstance(threshold, bool) and 0 <= threshold <= 1
    if not good:
        raise ConfigError(
            "threshold= takes a number from 0 to 1", seen=repr(threshold)[:80], cure="0.1 is the usual one"
        )
    return float(threshold)


def need_equal_sizes(approved: Size, actual: Size) -> None:
    """Raise `SizesDiffer`, naming both, unless they are the same."""
    if approved != actual:
        raise SizesDiffer(
            "pictures of different sizes can't be compared; nothing is resized",
            seen=f"the approved one has {approved} pixels, the actual one {actual}",
            likely="they are of two devices, of two orientations, or of a control that has another size now",
            cure="compare with a picture of the same device, or approve it anew",
        )


def compare(approved: Picture, actual: Picture, rules: Rules = Rules(), masks: Sequence[Rect] = ()) -> ImageComparison:
    """`compare_pictures` without asking whether it can."""
    need_equal_sizes(approved.size, actual.size)
    hidden = whole_pixels(masks, approved.size)
    marks = find_marks(approved, actual, rules, hidden)
    if not marks.count:
        return ImageComparison(approved.size, unequal=marks.unequal)
    found = clusters.groups(marks.mask, marks.left, marks.top, marks.tiles)
    return ImageComparison(
        approved.size,
        marks.count,
        marks.count / max(1, shown_pixels(approved.size, hidden)),
        marks.unequal,
        tuple(where for where, _ in found),
        max(inside for _, inside in found),
        clusters.fullest_window(marks.mask, marks.tiles),
        complete=marks.complete,
    )


def whole_pixels(masks: Sequence[Rect], size: Size) -> list[Rect]:
    """The whole pixels of a picture that the masks touch; without those that miss it."""
    return [part for part in (covering(mask, size) for mask in masks) if not part.is_empty]


def shown_pixels(size: Size, masks: Sequence[Rect]) -> int:
    """How many pixels of a picture no mask covers; masks are of whole pixels."""
    if not masks:
        return int(size.width * size.height)
    shown = np.ones((int(size.height), int(size.width)), dtype=bool)
    for mask in masks:
        shown[int(mask.top) : int(mask.bottom), int(mask.left) : int(mask.right)] = False
    return int(np.count_nonzero(shown))


@dataclass(frozen=True, slots=True)
class Marks:
    """`mask` (height, width) says which pixels count, from (`left`, `top`) of the picture on, `tiles` how many in each
    tile of it; see `ImageComparison` for the rest."""

    mask: Any
    tiles: Any
    left: int = 0
    top: int = 0
    count: int = 0
    unequal: int = 0
    complete: bool = True


def find_marks(approved: Picture, actual: Picture, rules: Rules, masks: Sequence[Rect]) -> Marks:
    """Which pixels of two pictures of one size count; masks are of whole pixels."""
    nothing = Marks(np.zeros((0, 0), dtype=bool), np.zeros((0, 0), dtype=np.int64))
    if approved is actual or approved.key == actual.key:
        return nothing
    a, b = _decoded(approved, actual)
    delta = ImageChops.difference(a, b)
    box = delta.getbbox(alpha_only=False)
    return _counted(a, b, box, _bands(delta, box), rules, masks) if box is not None else nothing


def _decoded(approved: Picture, actual: Picture) -> tuple[Image.Image, Image.Image]:
    """The pixels of both, decoded at the same time: Pillow lets other threads run while it decodes. Where both have an
    alpha channel they keep it: to make a whole picture RGB takes longer than to find out where two differ."""
    with ThreadPoolExecutor(1) as pool:
        other = pool.submit(as_decoded, actual)
        a, b = as_decoded(approved), other.result()
    return (a, b) if a.mode == b.mode else (as_rgb(a), as_rgb(b))


def _bands(delta: Image.Image, box: Box) -> Iterator[Box]:
    """Boxes around what differs inside `box`, from the top, none higher than `_BAND` rows."""
    left, top, right, bottom = box
    band: Box | None = None
    for row in range(top, bottom, _STRIP):
        found = delta.crop((left, row, right, min(row + _STRIP, bottom))).getbbox(alpha_only=False)
        if found is None and band is not None:
            yield band
            band = None
        if found is None:
            continue
        strip = left + found[0], row + found[1], left + found[2], row + found[3]
        band = strip if band is None else (min(band[0], strip[0]), band[1], max(band[2], strip[2]), strip[3])
        if row == top or band[3] - band[1] > _BAND - _STRIP:
            yield band
            band = None
    if band is not None:
        yield band


def _counted(
    a: Image.Image, b: Image.Image, box: Box, bands: Iterator[Box], rules: Rules, masks: Sequence[Rect]
) -> Marks:
    """Count what differs in the bands, which lie in the box of all differences."""
    left, top, right, bottom = box
    marked = np.zeros((bottom - top, right - left), dtype=bool)
    wide = -(-(right - left) // clusters.TILE)
    tiles = np.zeros(wide * -(-(bottom - top) // clusters.TILE), dtype=np.int64)
    count = unequal = 0
    complete = True
    for band in bands:
        if rules.enough is not None and count > rules.enough:
            complete = False
            break
        rows, columns, differ = _in_band(a, b, band, rules, masks)
        rows, columns = rows - top, columns - left
        marked[rows, columns] = True
        tiles += np.bincount(rows // clusters.TILE * wide + columns // clusters.TILE, minlength=tiles.size)
        count, unequal = count + rows.size, unequal + differ
    return Marks(marked, tiles.reshape(-1, wide), left, top, count, unequal, complete)


def _in_band(a: Image.Image, b: Image.Image, asked: Box, rules: Rules, masks: Sequence[Rect]) -> tuple[Any, Any, int]:
    """Rows and columns of what counts inside `asked`, and how many pixels are not equal there."""
    band, left, top = _band(a, b, asked, masks)
    at, unequal = pixelmatch.differing(band, rules.threshold, include_aa=rules.include_aa)
    rows, columns = np.divmod(at, band.a.shape[1])
    return rows + top, columns + left, unequal


def _band(a: Image.Image, b: Image.Image, asked: Box, masks: Sequence[Rect]) -> tuple[pixelmatch.Band, int, int]:
    """What is inside `asked` for the rules to look at, and where the first column and row of its arrays are."""
    left, top, right, bottom = asked
    reach = pixelmatch.REACH
    area = max(0, left - reach), max(0, top - reach), min(a.width, right + reach), min(a.height, bottom + reach)
    colors, others = _packed(a, area), _packed(b, area)
    for mask in masks:
        _blank(colors, mask, area)
        _blank(others, mask, area)
    rim = left < reach or top < reach or right > a.width - reach or bottom > a.height - reach
    band = pixelmatch.Band(colors, others, top - area[1] + 1, bottom - area[1] + 1, rim)
    return band, area[0] - 1, area[1] - 1


def other_shades(approved: Picture, actual: Picture, masks: Sequence[Rect]) -> tuple[Rect, ...]:
    """Places where an even area has another shade, however little: what a threshold lets be and people may not. Where
    an edge is smoothed otherwise nothing is even. Masks are of whole pixels."""
    if approved is actual or approved.key == actual.key:
        return ()
    a, b = _decoded(approved, actual)
    delta = ImageChops.difference(a, b)
    box = delta.getbbox(alpha_only=False)
    if box is None:
        return ()
    marked = np.zeros((a.height, a.width), dtype=bool)
    for asked in _bands(delta, box):
        band, left, top = _band(a, b, asked, masks)
        rows, columns = np.divmod(pixelmatch.shaded(band), band.a.shape[1])
        marked[rows + top, columns + left] = True
    return tuple(where for where, inside in clusters.groups(marked) if inside >= _SHADED)


def _packed(image: Image.Image, area: Box) -> Any:
    """The colours of an area as `pixelmatch.Band` has them."""
    width, height = area[2] - area[0], area[3] - area[1]
    # Rows of a few hundred pixels at a time are copied four times as fast as a whole picture at once: they stay in the
    # processor's cache.
    raw = np.frombuffer(as_rgb(image.crop(area)).tobytes("raw", "RGBX"), np.dtype("<u4")).reshape(height, width)
    packed = np.empty((height + 2, width + 2), dtype=np.uint32)
    packed[:: height + 1] = pixelmatch.OUTSIDE
    packed[:, :: width + 1] = pixelmatch.OUTSIDE
    np.bitwise_and(raw, 0xFFFFFF, out=packed[1:-1, 1:-1])
    return packed


def _blank(packed: Any, mask: Rect, area: Box) -> None:
    part = mask.intersect(Rect(*area)).moved(1 - area[0], 1 - area[1])
    if not part.is_empty:
        packed[int(part.top) : int(part.bottom), int(part.left) : int(part.right)] = 0
