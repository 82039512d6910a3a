"""How numbers, times and texts are spelt in the command language, both ways.

Nothing is rounded on the way: what can't be spelt exactly is not read, and what is written reads back as it was.
"""

from __future__ import annotations

import re
from decimal import Decimal

#: No coordinate and no number of turns is larger, either side of zero.
MAX_NUMBER = 1_000_000
#: The longest time, an hour.
MAX_SECONDS = 3600
#: Characters of a number. 17 digits tell any coordinate exactly; the rest is room for zeros.
_LONGEST = 32

_DECIMAL = re.compile(r"(-?)([0-9]+|(?=\.))(?:\.([0-9]+))?")
#: What a text can't hold as it is: control characters, halves of surrogate pairs, and what looks like an escape.
_SPECIAL = re.compile(r"\\u\{[0-9A-Fa-f]{0,7}\}?|[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_ESCAPE = re.compile(r"\\u\{([0-9A-Fa-f]{1,6})\}")
#: What is written as an escape: what can't stand for itself, what breaks lines, and a backslash that would begin one.
_ESCAPED = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]|\\(?=u\{)")


class Misspelt(Exception):
    """A text that can't be read: at which character, and what was expected there."""

    def __init__(self, offset: int, expected: str, found: str) -> None:
        super().__init__(expected)
        self.offset, self.expected, self.found = offset, expected, found


def read_number(word: str) -> float | None:
    """A finite decimal such as `12`, `-3.5` or `.5`; None for anything else, and beyond `MAX_NUMBER`."""
    if len(word) > _LONGEST or _DECIMAL.fullmatch(word) is None:
        return None
    value = float(word) + 0.0  # -0 is 0
    return value if abs(value) <= MAX_NUMBER else None


def read_ms(word: str) -> int | None:
    """Seconds as whole milliseconds; None if they are not, or negative, or more than `MAX_SECONDS`."""
    spelt = _DECIMAL.fullmatch(word) if len(word) <= _LONGEST else None
    if spelt is None or spelt[1]:
        return None
    fraction = (spelt[3] or "").rstrip("0")
    ms = int(spelt[2] or 0) * 1000 + int(fraction.ljust(3, "0")[:3])
    return ms if len(fraction) <= 3 and ms <= MAX_SECONDS * 1000 else None


def write_number(value: float) -> str:
    """With the fewest digits that read back as the same number; what is no number is written as `?`."""
    try:
        return format(Decimal(repr(float(value) + 0.0)).normalize(), "f")
    except (TypeError, ValueError, OverflowError):
        return "?"


def write_ms(ms: float) -> str:
    """Milliseconds as seconds, with the fewest digits."""
    spelt = write_number(ms)
    try:
        return format(Decimal(spelt).scaleb(-3).normalize(), "f")
    except ArithmeticError:
        return spelt


def read_text(spelt: str) -> str:
    r"""The text that is meant: `\u{XXXX}` is a character by its number, all else stands for itself.

    Raises `Misspelt` for a broken escape, for what is no character, and for control characters as they are.
    """
    return _SPECIAL.sub(_meant, spelt)


def _meant(special: re.Match[str]) -> str:
    found = special.group()
    if len(found) == 1:
        kind = "a control character" if found < "\ud800" else "half of a surrogate pair"
        cure = rf"\u{{{ord(found):04X}}} in its place" if found < "\ud800" else "a whole character"
        raise Misspelt(special.start(), cure, f"{kind}, {found!r}")
    escape = _ESCAPE.fullmatch(found)
    if escape is None:
        raise Misspelt(special.start(), r"\u{XXXX} with 1 to 6 hexadecimal digits", f"'{found}'")
    number = int(escape[1], 16)
    if number > 0x10FFFF or 0xD800 <= number <= 0xDFFF:
        raise Misspelt(special.start(), "the number of a character (no surrogate, up to 10FFFF)", f"'{found}'")
    return chr(number)


def write_text(text: str) -> str:
    """The text as a command holds it, on one line."""
    return _ESCAPED.sub(lambda special: rf"\u{{{ord(special.group()):04X}}}", text)
