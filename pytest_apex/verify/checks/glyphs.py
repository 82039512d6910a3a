"""What the letters of a text should look like, compared with the ink that is drawn."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pytest_apex.vision.ink import Ink

#: Below this share of the runs, and of the width, that the words should have, some are missing. In 2,500 texts in 20
#: cuts of DejaVu it blamed none; of those that showed the first half it found nine of ten. Shorter texts vary too much.
TOO_FEW, _FAR_TOO_FEW, ENOUGH_LETTERS = 0.72, 0.65, 8
#: Fewer runs than this share can't be letters that hang together; then a little less than the usual width will do.
_HALF, _NARROW = 0.6, 0.8
#: The two shares together, of a text of which neither alone is far too small. Letters that hang together leave its
#: width as it is.
_BOTH = 1.4
#: So much wider than its control a text has to be, at the narrower end of fonts; of fewer letters nothing is said.
_TOO_WIDE, _SOME_LETTERS = 1.1, 4
#: Letters that hang together, or are reordered: their runs say nothing.
_JOINED_SCRIPTS = (
    "ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU",
    "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER", "NKO", "THAANA",
)  # fmt: skip
#: Ink of at most so many runs a line and about as wide as high, by this share, is an icon: Apple's tree gives its
#: accessibility label as a button's title.
_ICON_RUNS, _ICON_WIDTH = 3, 1.5
#: Widths of letters in em, as in sans-serif fonts at their narrower end; what is in none of these is _USUAL.
_WIDTHS = {0.25: "iljI|.,:;'!·", 0.32: 'ftr()[]{} -/\\"', 0.8: "mwMW@%—…", 0.62: "ABCDEFGHKLNOPQRSTUVXYZ&"}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_USUAL, _WIDE = 0.5, 0.9
_ASCENDING, _DESCENDING = "bdfhkltij()[]|/@$&'", "gjpqyQ,;()[]|/@$"


def letters_of(text: str) -> list[str]:
    """What of a text leaves ink."""
    return [letter for letter in text if not letter.isspace()]


def can_be_counted(letters: Sequence[str]) -> bool:
    """Whether each letter is drawn on its own."""
    return all(map(_is_separate, letters))


def is_icon(seen: Ink) -> bool:
    """Whether ink looks like a picture of its own, rather than like a text or a part of one."""
    count = len(seen.lines)
    high = seen.lines[-1].end - seen.lines[0].start if count else 0
    return count > 0 and seen.runs <= _ICON_RUNS * count and seen.width <= _ICON_WIDTH * high * count


def is_shorter(text: str, seen: Ink, *, enough: int = ENOUGH_LETTERS, at_edge: bool = False) -> bool:
    """Whether clearly fewer glyphs are drawn than the text has: by their runs, and by their width as well, as
    letters of some words ("fluffy", "WAVE") hang together. With less than `enough` letters nothing is said. `at_edge`:
    the box ends with the screen, so that far too few runs are enough."""
    letters = letters_of(text)
    if len(letters) < enough or not seen.lines or not can_be_counted(letters):
        return False
    if seen.runs >= TOO_FEW * len(letters):
        return False
    if at_edge and seen.runs < _HALF * len(letters):
        return True
    line, width = max(line.size for line in seen.lines), sum(map(_width, text))
    # Which letters give the line its height: any of them, or only the first ones, which are drawn for sure?
    cautious, likely = (line / _height(part) * width for part in (letters, letters[: seen.runs]))
    share = _NARROW if seen.runs < _HALF * len(letters) else TOO_FEW
    both = seen.runs / len(letters) + seen.width / likely if likely > 0 else _BOTH
    return seen.width < max(share * cautious, _FAR_TOO_FEW * likely) or both < _BOTH


def needs_more(text: str, seen: Ink, width: float) -> bool:
    """Whether a line of text, by the size of its letters and at the narrower end of fonts, needs clearly more than
    `width` pixels."""
    letters = letters_of(text)
    if len(letters) < _SOME_LETTERS or len(seen.lines) != 1 or not can_be_counted(letters):
        return False
    return text_size(text, seen) * sum(map(_width, text)) > _TOO_WIDE * width


def text_size(text: str, seen: Ink) -> float:
    """The size of a text's font in pixels, by the height of its ink; 0 where it has none."""
    letters = letters_of(text)
    line = max((line.size for line in seen.lines), default=0)
    return line / _height(letters) if letters else 0.0


def size_by_width(text: str, seen: Ink) -> float:
    """The same by the width of its ink; a narrow font's, so that it is too large for a wide one."""
    return seen.width / max(1e-6, sum(map(_width, text)))


def _height(letters: Sequence[str]) -> float:
    """How much of an em the ink of a text is high."""
    above = any(letter.isupper() or letter.isdigit() or letter in _ASCENDING for letter in letters)
    below = any(letter in _DESCENDING for letter in letters)
    accent = any(letter.isupper() and unicodedata.decomposition(letter) for letter in letters)
    return 0.56 + 0.2 * above + 0.19 * below + 0.2 * accent


def _width(letter: str) -> float:
    return _WIDTH_OF.get(letter, _WIDE if ord(letter) > 0x2E7F else _USUAL)


def _is_separate(letter: str) -> bool:
    if ord(letter) > 0xFFFF or unicodedata.category(letter) in ("Co", "Cn", "Mn", "Cf"):
        return False
    return not unicodedata.name(letter, "").startswith(_JOINED_SCRIPTS)
