"""Lines of a page source."""

from __future__ import annotations

import re
from collections.abc import Iterable

#: Deep trees are not indented further.
_MOST_PADS = 60
#: What XML 1.0 can't say; each becomes a question mark.
_UNSAYABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufddf\ufffe\uffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_ESCAPED = re.compile('[&<>"\n\r\t]')


def element_lines(
    tag: str, attributes: Iterable[tuple[str, str]], depth: int, *, open: bool = False, close: bool = False
) -> list[str]:
    """The line of an element: whole, or only its beginning (`open`) or its end (`close`)."""
    pad = "  " * min(depth, _MOST_PADS)
    if close:
        return [f"{pad}</{tag}>"]
    told = "".join(f' {name}="{escaped(value)}"' for name, value in attributes)
    return [f"{pad}<{tag}{told}{'' if open else ' /'}>"]


def escaped(value: str) -> str:
    return _ESCAPED.sub(lambda found: _ESCAPES[found[0]], _UNSAYABLE.sub("?", value))
