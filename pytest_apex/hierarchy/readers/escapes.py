"""What the values of XML attributes mean."""

from __future__ import annotations

import re

from pytest_apex.hierarchy.readers.encoding import joined, printable
from pytest_apex.hierarchy.readers.notes import Notes

_ENTITY = re.compile(r"&(?:#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,9}))|(amp|lt|gt|quot|apos));")
_NAMED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_SURROGATE = re.compile("[\ud800-\udfff]")
_SPACES = str.maketrans("\t\n\r", "   ")


def value(text: str, notes: Notes) -> str:
    """The words of a value: references resolved, those to unknown entities left as they stand.

    A line end is a space, as XML has it (shells break lines there); one that is meant is written `&#10;`.
    """
    if not text.isprintable():
        text = text.translate(_SPACES)
    if "&" in text:
        plain, resolved = _ENTITY.subn(_meant, text)
        if resolved < text.count("&"):
            notes.count("values with an unescaped & or an unknown entity: {}")
        # Old dumpers write a character beyond U+FFFF as two references.
        text = joined(plain, notes) if _SURROGATE.search(plain) else plain
    return text


def _meant(found: re.Match[str]) -> str:
    if found[3]:
        return _NAMED[found[3]]
    code = int(found[1], 16) if found[1] else int(found[2])
    return chr(code) if code <= 0x10FFFF else "\ufffd"


def clean(words: list[str], notes: Notes) -> list[str]:
    """Words without control characters."""
    if "".join(words).isprintable():
        return words
    return [word if word.isprintable() else printable(word, notes) for word in words]
