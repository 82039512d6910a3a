"""What is drawn inside a box: glyphs, lines, an ellipsis, ink that is cut at an edge.

Boxes are in pixels. The ground of a box is its most frequent colour; ink is what lies farther from it than 12 levels
and than 35 % of the largest distance in the box, so that pale text has ink too. The numbers were measured on rendered
phone pages in Roboto, DejaVu and Noto.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pytest_apex.model.geometry import Rect, union
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.pixels import Color, counted, crop, spread, unpacked

_Pixels: TypeAlias = NDArray[np.int16]
_Mask: TypeAlias = NDArray[np.bool_]

_LEVELS, _SHARE = 12, 0.35
#: With a smaller share of one colour a box has no ground.
_CLEAR = 0.4
#: A pixel just outside that differs by more from the one just inside: the ink does not go on. A letter that ends there
#: fades out in its last pixel; one that is cut stops in full strength.
_STOPS, _FULL = 40, 0.9
#: Shares of ink that has to stop at an edge: of the columns with ink (a descender may end there), of a line's height; a
#: stem may be cut where it fades.
_CUT_ROWS, _CUT_COLUMNS, _CUT_STEM = 0.15, 0.25, 0.6
#: All of the ink at an edge, but for what is too pale to tell.
_ALL = 0.8
#: A run of rows lower than this share of the tallest, and as near, is the dot or accent of the line below.
_ACCENT_HEIGHT, _ACCENT_GAP = 0.45, 0.4
#: Boxes whose middles are this share of the lower one's height apart stand one above the other.
_STACKED = 0.25
#: As shares of the line: a gap as wide as a space, and one that is no space any more.
_SPACE, _BESIDE = 0.2, 0.5
#: Pale ink counts beside the dark ink of another text.
_FAINT = 0.15


@dataclass(frozen=True, slots=True)
class Span:
    """Rows or columns, `end` exclusive, counted from the box's edge."""

    start: int
    end: int

    @property
    def size(self) -> int:
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class Ink:
    """What is drawn in a box. `ground_share` below 0.4 means that no ground can be told (a photo, a gradient).

    `runs` counts columns of ink that hang together and `width` is how far the ink of a line reaches, both summed over
    the lines; `cut` names the edges at which much of the ink stops in full strength, as if it would go on, `grazed`
    those at which all does that reaches them, be it little.
    """

    ground: Color
    ground_share: float
    lines: tuple[Span, ...]
    runs: int
    width: int
    ellipsis: bool
    cut: tuple[str, ...]
    grazed: tuple[str, ...] = ()

    @property
    def is_clear(self) -> bool:
        """Whether ground and ink can be told apart."""
        return self.ground_share >= _CLEAR


def read_ink(picture: Picture, box: Rect) -> Ink | None:
    """What is drawn in `box`; None when it has no pixels on the picture."""
    inner = _clipped(picture, box)
    if inner is None:
        return None
    around = _with_margin(picture, inner)
    pixels = around[1:-1, 1:-1]
    ground, share = _ground(pixels)
    distance = _distance(pixels, ground)
    mask = _ink(distance)
    lines = _lines(mask)
    columns = [_spans(_any(mask[line.start : line.end], 0)) for line in lines]
    cut, grazed = _cut(around, mask, _ink(distance, _FULL), lines)
    return Ink(
        ground=ground,
        ground_share=share,
        lines=tuple(lines),
        runs=sum(map(len, columns)),
        width=sum(parts[-1].end - parts[0].start for parts in columns if parts),
        ellipsis=bool(lines) and _ellipsis(mask, lines[-1], columns[-1]),
        cut=cut,
        grazed=grazed,
    )


def runs_of(picture: Picture, box: Rect) -> tuple[Rect, ...]:
    """Boxes of the columns of ink that hang together, from left to right, in pixels from the top left of `box`: the
    letters of a line, if none of them touch."""
    inner = _clipped(picture, box)
    if inner is None:
        return ()
    pixels = _crop(picture, inner)
    mask = _ink(_distance(pixels, _ground(pixels)[0]))
    found = []
    for run in _spans(_any(mask, 0)):
        rows = np.flatnonzero(_any(mask[:, run.start : run.end], 1))
        found.append(Rect(run.start, int(rows[0]), run.end, int(rows[-1]) + 1))
    return tuple(found)


def ground_of(picture: Picture, box: Rect) -> tuple[Color, float] | None:
    """The most frequent colour of a large box and its share of the pixels; None where there are none.

    The colour is looked for in every eighth row and column; a share above 0.9 is counted in every second row.
    """
    pixels = crop(picture, box)
    if not pixels.size:
        return None
    color, share = _ground(pixels[::8, ::8])
    if share > 0.9:
        red, green, blue = (pixels[::2, :, at] == color[at] for at in range(3))
        share = float((red & green & blue).mean())
    return color, share


def differs(picture: Picture, box: Rect, color: Color, by: int = _LEVELS) -> bool:
    """Whether any pixel of `box` is farther than `by` levels from `color`, in its farthest channel."""
    inner = _clipped(picture, box)
    if inner is None:
        return False
    return bool((_distance(_crop(picture, inner), color) > by).any())


def is_plain(picture: Picture, box: Rect) -> bool:
    """Whether nothing is drawn in `box`: its pixels are all as good as its ground. False for one off the picture."""
    inner = _clipped(picture, box)
    if inner is None:
        return False
    apart = spread(picture, inner)
    if apart <= _LEVELS or apart > 2 * _LEVELS:  # two colours so far apart can't both be as good as the ground
        return apart <= _LEVELS
    pixels = _crop(picture, inner)
    return not _ink(_distance(pixels, _ground(pixels)[0])).any()


def likeness(one: Picture, other: Picture, box: Rect) -> float | None:
    """How much of what is drawn in a box of the one picture is drawn there in the other too, whatever its colours: the
    share of the pixels with ink in both of those with ink in either. 1 is the same drawing, 0 another or none.

    None where nobody can tell: nothing is drawn in the first, or one of them has no ground (a photo, a gradient), or
    the box is not on both.
    """
    inner = _clipped(one, box)
    if inner is None or inner != _clipped(other, box):
        return None
    masks = []
    for picture in (one, other):
        pixels = _crop(picture, inner)
        ground, share = _ground(pixels)
        if share < _CLEAR:
            return None
        masks.append(_ink(_distance(pixels, ground)))
    if not masks[0].any():
        return None
    return float((masks[0] & masks[1]).sum() / (masks[0] | masks[1]).sum())


def meeting(picture: Picture, one: Rect, other: Rect) -> str:
    """How the ink in two boxes of text that meet lies: `apart`, `over` each other, or in the `same_place`, where it may
    be that only one of them is drawn.

    Of two texts one above the other, an empty row between their middles sets them apart; of two side by side, a gap as
    wide as a space in the part that they share, or a wider one beside it; of one inside the other's box, wider ones on
    both sides of it.
    """
    common = one.intersect(other)
    height = min(one.height, other.height)
    if abs(one.center.y - other.center.y) >= _STACKED * height:
        middles = sorted((one.center.y, other.center.y))
        rows = _profile(picture, Rect(common.left, middles[0], common.right, middles[1] + 1), one, other, axis=1)
        return "over" if rows is not None and rows.all() else "apart"
    beside = _BESIDE * height
    left = Rect(common.left - beside, common.top, common.left, common.bottom)
    right = Rect(common.right, common.top, common.right + beside, common.bottom)
    free = [not _has_ink(picture, side, one, other) for side in (left, right)]
    inner, outer = sorted((one, other), key=lambda box: box.width)
    if not (outer.left <= inner.left and inner.right <= outer.right):
        columns = _profile(picture, common, one, other, axis=0)
        gaps = _spans(~columns) if columns is not None else []
        return "apart" if any(free) or any(gap.size > _SPACE * height for gap in gaps) else "over"
    if not all(free):
        return "over"
    rest = (
        Rect(outer.left, outer.top, left.left, outer.bottom),
        Rect(right.right, outer.top, outer.right, outer.bottom),
    )
    return "apart" if any(_has_ink(picture, part, one, other) for part in rest) else "same_place"


def _profile(picture: Picture, strip: Rect, one: Rect, other: Rect, axis: int) -> _Mask | None:
    """The columns (axis 0) or rows of a strip that hold ink, on the ground of both boxes."""
    inside, around = _clipped(picture, strip), _clipped(picture, union((one, other)))
    if inside is None or around is None:
        return None
    ground = _ground(_crop(picture, around))[0]
    return _any(_ink(_distance(_crop(picture, inside), ground), _FAINT), axis)


def _has_ink(picture: Picture, strip: Rect, one: Rect, other: Rect) -> bool:
    columns = _profile(picture, strip, one, other, axis=0)
    return columns is not None and bool(columns.any())


# Cropping


def _clipped(picture: Picture, box: Rect) -> Rect | None:
    """Whole pixels of the picture inside `box`."""
    width, height = picture.size.width, picture.size.height
    part = Rect(
        max(0, round(box.left)), max(0, round(box.top)), min(width, round(box.right)), min(height, round(box.bottom))
    )
    return None if part.is_empty else part


def _with_margin(picture: Picture, box: Rect) -> _Pixels:
    """The pixels of a box and one more on each side; at the picture's edge the outermost ones again."""
    part = box.grown(1).intersect(Rect(0, 0, picture.size.width, picture.size.height))
    edges = (
        (part.top - box.top + 1, box.bottom + 1 - part.bottom),
        (part.left - box.left + 1, box.right + 1 - part.right),
    )
    missing = [(int(before), int(behind)) for before, behind in edges]
    return np.pad(_crop(picture, part), (*missing, (0, 0)), mode="edge")


def _crop(picture: Picture, box: Rect) -> _Pixels:
    pixels: _Pixels = crop(picture, box).astype(np.int16)
    return pixels


# Ground and ink


def _ground(pixels: Any) -> tuple[Color, float]:
    """The most frequent colour and its share, of every second pixel where there are many."""
    sample = pixels[::2, ::2] if pixels.shape[0] * pixels.shape[1] > 2000 else pixels
    colors, counts = counted(sample)
    return unpacked(int(colors[0])), float(counts[0] / counts.sum())


def _distance(pixels: _Pixels, ground: Color) -> _Pixels:
    """How far each pixel is from the ground, in its farthest channel."""
    far = np.abs(pixels[..., 0] - ground[0])
    for channel in (1, 2):  # three times faster than a maximum along the last axis
        np.maximum(far, np.abs(pixels[..., channel] - ground[channel]), out=far)
    return far


def _ink(distance: _Pixels, share: float = _SHARE) -> _Mask:
    mask: _Mask = distance > max(_LEVELS, share * float(distance.max(initial=0)))
    return mask


def _any(mask: _Mask, axis: int) -> _Mask:
    found: _Mask = np.asarray(mask.any(axis=axis))
    return found


def _spans(profile: _Mask) -> list[Span]:
    """Runs of true in a row of booleans."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], profile, [False])).astype(np.int8)))
    return [Span(int(start), int(end)) for start, end in zip(edges[::2], edges[1::2], strict=True)]


def _lines(mask: _Mask) -> list[Span]:
    """Lines of text: runs of rows, dots and accents joined to the line below them."""
    rows = _spans(_any(mask, 1))
    tallest = max((row.size for row in rows), default=0)
    lines: list[Span] = []
    accent: Span | None = None
    for row in rows:
        near = accent is not None and row.start - accent.end <= _ACCENT_GAP * tallest
        joined = Span(accent.start, row.end) if accent is not None and near else row
        if accent is not None and not near:
            lines.append(accent)
        accent = joined if joined.size < _ACCENT_HEIGHT * tallest else None
        if accent is None:
            lines.append(joined)
    return [*lines, accent] if accent is not None else lines


def _ellipsis(mask: _Mask, line: Span, columns: Sequence[Span]) -> bool:
    """Whether a line ends in three equal dots below its middle."""
    if len(columns) < 4:
        return False
    dots = columns[-3:]
    sizes = [dot.size for dot in dots]
    gaps = [dots[1].start - dots[0].end, dots[2].start - dots[1].end]
    if max(sizes) - min(sizes) > 2 or abs(gaps[0] - gaps[1]) > 2 or max(sizes) > 0.3 * line.size:
        return False
    for dot in dots:
        rows = _spans(_any(mask[line.start : line.end, dot.start : dot.end], 1))
        if len(rows) != 1 or rows[0].size >= 0.3 * line.size or rows[0].start <= line.size / 2:
            return False
    return True


def _cut(around: _Pixels, mask: _Mask, full: _Mask, lines: Sequence[Span]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The edges at which much ink stops, and those at which all that reaches them does. `around` has a margin of one
    pixel."""
    inked = int(_any(mask, 0).sum())
    found, grazed = [], []
    for edge in ("top", "bottom", "left", "right"):
        outside, inside = _seen_from(edge, around)[:2, 1:-1]
        ends = np.abs(inside - outside).max(axis=1) > _STOPS
        stops, hard = ends & _seen_from(edge, mask)[0], ends & _seen_from(edge, full)[0]
        if edge in ("top", "bottom"):
            cut = int(hard.sum()) > _CUT_ROWS * inked
        else:
            cut = any(
                int(hard[line.start : line.end].sum()) >= _CUT_COLUMNS * line.size
                or int(stops[line.start : line.end].sum()) >= _CUT_STEM * line.size
                for line in lines
            )
        if cut:
            found.append(edge)
        if hard.any() and stops.sum() > _ALL * _seen_from(edge, mask)[0].sum():
            grazed.append(edge)
    return tuple(found), tuple(grazed)


def _seen_from(edge: str, array: Any) -> Any:
    """The array with that edge as its first row."""
    turned = array.swapaxes(0, 1) if edge in ("left", "right") else array
    return turned[::-1] if edge in ("bottom", "right") else turned
