"""What shells, loggers and servers put around a hierarchy: prefixes on each line, quotes of a string."""

from __future__ import annotations

import json
import re

from pytest_apex.hierarchy.readers.encoding import whole
from pytest_apex.hierarchy.readers.limits import MAX_JSON_VALUES
from pytest_apex.hierarchy.readers.notes import Notes

#: Prefixes that tools put before every line: grep and Select-String, logcat (threadtime, brief), XCTest's runner.
_PREFIXES = (
    ("file name and line", re.compile(r"[^\s<>:{}'\"]{1,200}:\d{1,7}:")),
    ("line number", re.compile(r"\d{1,7}[:\t]")),
    ("logcat", re.compile(r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d{1,7} +\d{1,7} [VDIWEF] [^:\n]{0,100}: ?")),
    ("logcat", re.compile(r"[VDIWEF]/[^(\n]{0,100}\( *\d{1,7}\): ?")),
    (
        "time",
        re.compile(
            r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d[.,]\d{1,9}(?:Z|[+-]\d\d:?\d\d)? (?:[\w.-]{1,80}\[[\d:a-fx]{1,30}\] )?"
        ),
    ),
)
#: How far into a text it shows that its line ends are escaped.
_HEAD = 20_000
_ESCAPES = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))")
_MEANT = {"n": "\n", "t": "\t", "r": "\r"}
#: What shows that a text is a hierarchy.
_INSIDE = re.compile(r"<hierarchy[\s>]|<AppiumAUT|<XCUIElementType|Element subtree:|Application bundle identifier:")
#: A line of a hierarchy that ends with the two characters of an escape instead of a line end; an escaped quote.
_ESCAPED_END = re.compile(
    r"(?:Element subtree:|\?>|<hierarchy[^<>]{0,300}>|<AppiumAUT>|Application bundle identifier: ?[\w.]{1,200}) *\\n"
    r"|<(?:hierarchy|node|XCUIElementType\w{1,40}) [\w-]{1,40}=\\\""
)


def unframed(text: str, notes: Notes) -> str:
    """The text without what stands around each of its lines, and out of the string it was put into."""
    head = text[:200].lstrip()
    if head.startswith(("{", "[", '"', "'")):
        found = _in_json(text)
        if found is not None:
            notes.add("the hierarchy stands in a string of a JSON document")
            return whole(found, notes)
    if _ESCAPED_END.search(text, 0, _HEAD):
        notes.add("the hierarchy stands in a string, its line ends written as \\n")
        return whole(_unescaped(text), notes)
    return _without_prefixes(text, notes)


def _in_json(text: str) -> str | None:
    """The first string in a JSON document that holds a hierarchy."""
    try:
        waiting = [json.loads(text)]
    except (ValueError, RecursionError):
        return None
    for _ in range(MAX_JSON_VALUES):
        if not waiting:
            break
        value = waiting.pop(0) if len(waiting) < 100 else waiting.pop()
        if isinstance(value, str) and _INSIDE.search(value):
            return value
        if isinstance(value, dict):
            waiting.extend(value.values())
        elif isinstance(value, list):
            waiting.extend(value)
    return None


def _unescaped(text: str) -> str:
    def plain(found: re.Match[str]) -> str:
        return chr(int(found[1], 16)) if found[1] else _MEANT.get(found[2], found[2])

    return _ESCAPES.sub(plain, text)


def _without_prefixes(text: str, notes: Notes) -> str:
    """Without a prefix that every line has; one on some lines only is content."""
    head = text[:4000].split("\n")
    sample = [line for line in head[: max(1, len(head) - 1)] if line.strip()]
    for name, prefix in _PREFIXES:
        if sample and len(sample) > 2 and all(map(prefix.match, sample)):
            lines = text.split("\n")
            cut = [line[found.end() :] if (found := prefix.match(line)) else line for line in lines]
            notes.add(f"each line begins with a prefix ({name}), ignored")
            return "\n".join(cut)
    return text
