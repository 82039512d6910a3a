"""Whether letters that end with their box are cut there, or end there by themselves.

A box may lie tight around its letters, and boxes in whole points end up to three pixels too early: ink that stops at
the last row says little. What is left of the letters says more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import median

from pytest_apex.model.geometry import Rect
from pytest_apex.verify.checks.glyphs import can_be_counted, letters_of, size_by_width, text_size
from pytest_apex.vision.ink import Ink

#: Letters as high as an x, and those that reach below the line.
_LOW, _DEEP = "acemnorsuvwxz", "gpqy"
_HIGH = "bdfhkl"
#: High letters, in heights of an x: 1.25 (DejaVu Sans ExtraLight) to 1.5 (Serif) in 21 cuts of DejaVu; 1.33 in Roboto.
_LEAST_HIGH, _MOST_HIGH = 1.2, 1.55
#: How far deep letters reach down, in heights of an x: 0.27 to 0.45 in the same fonts.
_LEAST_DEEP = 0.2
#: What the width of a text makes expect of its height, by wide and narrow letters together: 0.73 and more in 19 of 20
#: texts. Between the two nobody knows.
_TOO_LOW, _HIGH_ENOUGH = 0.72, 0.8
#: A line of several that is lower than this share of the highest.
_LOWER_LINE = 0.7
#: Letters from here on (CJK) fill a square, and no letter is high or low.
_SQUARE = 0x2E80


def is_cut_at(edge: str, text: str, seen: Ink, runs: Callable[[], Sequence[Rect]]) -> bool | None:
    """Whether a text whose ink stops at the `top` or `bottom` of its box is cut there; None where nobody can tell.
    `runs` are those of `vision.ink.runs_of`.

    Of scripts whose letters hang together or have no common height, ink that stops is all that tells.
    """
    letters = letters_of(text)
    if not can_be_counted(letters) or any(ord(letter) >= _SQUARE for letter in letters):
        return edge in seen.cut
    if len(seen.lines) != 1:
        return _of_lines(edge, seen) if edge in seen.cut else False
    told = _by_letters(edge, letters, runs())
    if told is not None or edge not in seen.cut:
        return bool(told)
    share = text_size(text, seen) / size_by_width(text, seen)
    return True if share < _TOO_LOW else False if share >= _HIGH_ENOUGH else None


def may_be_cut(edge: str, text: str, seen: Ink) -> bool:
    """Whether `is_cut_at` has to be asked: much ink stops there, or that of a deep letter."""
    return edge in seen.cut or (edge == "bottom" and edge in seen.grazed and any(one in _DEEP for one in text))


def _of_lines(edge: str, seen: Ink) -> bool | None:
    sizes = [line.size for line in seen.lines]
    return (sizes[0] if edge == "top" else sizes[-1]) < _LOWER_LINE * max(sizes, default=0) or None


def _by_letters(edge: str, letters: Sequence[str], runs: Sequence[Rect]) -> bool | None:
    """By the letters' heights, where each is a run of its own; None without letters that tell."""
    if len(runs) != len(letters):
        return None
    drawn = list(zip(letters, runs, strict=True))
    low = [box for letter, box in drawn if letter in _LOW]
    high = [box for letter, box in drawn if letter in _HIGH or letter.isupper() or letter.isdigit()]
    deep = [box for letter, box in drawn if letter in _DEEP]
    if not low:
        return None
    line = median(box.bottom for box in low)
    height = line - median(box.top for box in low)
    if edge == "bottom" and deep:
        return max(box.bottom for box in deep) - line < _LEAST_DEEP * height
    if not high or height <= 0:
        return None
    share = (line - median(box.top for box in high)) / height
    return share > _MOST_HIGH if edge == "bottom" else share < _LEAST_HIGH
