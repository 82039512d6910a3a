"""Words between quotes in the text form."""

from __future__ import annotations

import re

#: What would end a line or a quoted word, or can't be written as UTF-8 (lone surrogates).
_SPECIAL = re.compile("[\\\\'\x00-\x1f\x7f\x85\u2028\u2029\ud800-\udfff]")
_NAMED = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f]{1,6})\}|(.))", re.DOTALL)
_MEANT = {"n": "\n", "r": "\r", "t": "\t"}


def quoted(text: str) -> str:
    """`'it\\'s'`: backslash, quote, line breaks and control characters escaped."""
    return "'" + _SPECIAL.sub(lambda found: _NAMED.get(found[0]) or f"\\u{{{ord(found[0]):04X}}}", text) + "'"


def unescaped(text: str) -> str:
    """The words that `quoted` was given, without the quotes; an unknown escape stands for itself."""
    return _ESCAPE.sub(_plain, text) if "\\" in text else text


def _plain(found: re.Match[str]) -> str:
    if found[1] is not None:
        code = int(found[1], 16)
        return chr(code) if code <= 0x10FFFF else found[0]
    return _MEANT.get(found[2], found[2])
