"""Reading broken XML as far as it goes: text that is not escaped, control characters, files that are cut or spliced.

One pass from left to right that never goes back, so that the time is linear in the size, whatever is in it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeVar

from pytest_apex.hierarchy.readers import escapes
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.hierarchy.readers.table import TableWriter

K = TypeVar("K")

_NAME = r"[^\s<>/=\"'&?!][^\s<>/=\"'&]{0,199}"
#: What begins a tag, as opposed to a `<` in the middle of a text.
_TAG = re.compile(rf"<(?:(/?)({_NAME})(?=[\s/>])|!--|!\[CDATA\[|[?!])")
#: All the attributes of a tag that has nothing odd about it, up to its end; and one of them.
_PLAIN = re.compile(rf"((?:\s+{_NAME}=\"[^\"<&\t\r\n]*\")*)\s*(/?)>")
_PLAIN_ATTRIBUTE = re.compile(r"([^\s=]+)=\"([^\"]*)\"")
_ATTRIBUTE = re.compile(rf"\s*({_NAME})\s*=\s*([\"'])")
_TAG_END = re.compile(r"\s*(/?)>")
#: Where to go on in the middle of a tag after something that is none of the above (a prefix of a line, say).
_NEXT = re.compile(rf"(?=\s{_NAME}\s*=\s*[\"']|/?>|<{_NAME}[\s/>]|</)")
#: A tag of a node inside a value: that value was never closed. Texts hold tags too, but not these.
_OPENS = r"</?(?:node|hierarchy|AppiumAUT|XCUIElementType\w{1,40}|[a-z]\w{0,40}(?:\.\w{1,80}){1,20})[\s/>]"
#: A quote closes a value if an attribute, the end of the tag or the end of the file follows; a prefix that a tool put
#: before each line may come between.
_CLOSES = rf"\s*/?>|(?:[ \t]{{0,20}}\n[^\s<>=\"']{{1,200}}:\d{{1,7}}:)?\s+{_NAME}\s*=\s*[\"']|\s*\Z"
_VALUE_END = {quote: re.compile(rf"{quote}(?={_CLOSES})|(?={_OPENS})") for quote in ('"', "'")}


@dataclass(slots=True)
class _Tag:
    """A start tag: where it ends in the text, whether it ends at all, and whether it has no children (one that was
    never finished is taken to have none)."""

    attributes: dict[str, str]
    end: int
    complete: bool
    empty: bool


def scan(text: str, writer: TableWriter[K], notes: Notes, places: list[int] | None = None) -> None:
    """Give all the tags of a text to `writer`; `places`, if asked for, gets the position of each row."""
    add, end = writer.handlers()
    at = 0
    open_tags: list[str] = []
    how_often: dict[str, int] = {}
    while (found := _TAG.search(text, at)) is not None:
        at = found.end()
        tag = found[2]
        if tag is None:
            at = _skipped(text, found)
        elif found[1]:
            at = _after(text, at, ">")
            if not how_often.get(tag):
                notes.count("end tags without a start: {}", 1)
                continue
            while (closed := open_tags.pop()) != tag:
                notes.count("tags that were never closed: {}")
                how_often[closed] -= 1
                end()
            how_often[tag] -= 1
            end()
        else:
            read = _read_tag(text, at, notes)
            at = read.end
            if not read.complete:
                notes.add("the file ends in the middle of a tag, which was left out")
                break
            cells = [word for pair in read.attributes.items() for word in pair]
            add(writer.layout(tuple(read.attributes)), [*cells, tag, ""])
            if places is not None and len(places) < len(writer.table.words):
                places.append(found.start())
            if read.empty:
                end()
            else:
                open_tags.append(tag)
                how_often[tag] = how_often.get(tag, 0) + 1
    if open_tags:
        notes.add("the file ends before its tree does: read up to there")


def attributes_at(text: str, at: int) -> dict[str, str]:
    """The attributes of the tag that begins at `at`."""
    found = _TAG.match(text, at)
    if found is None:
        return {}
    notes = Notes()
    tag = _read_tag(text, found.end(), notes)
    return dict(zip(tag.attributes, escapes.clean(list(tag.attributes.values()), notes), strict=True))


def _skipped(text: str, found: re.Match[str]) -> int:
    """The end of a comment, a section, a declaration or a document type; what these declare is ignored."""
    opening = found[0]
    if opening == "<!--":
        return _after(text, found.end(), "-->")
    if opening == "<![CDATA[":
        return _after(text, found.end(), "]]>")
    return _after(text, found.end(), ">")


def _after(text: str, at: int, mark: str) -> int:
    place = text.find(mark, at)
    return place + len(mark) if place >= 0 else len(text)


def _read_tag(text: str, at: int, notes: Notes) -> _Tag:
    """The attributes from `at` to the end of the tag. Of two with the same name the first counts."""
    if (plain := _PLAIN.match(text, at)) is not None and plain[1].isprintable():
        pairs = _PLAIN_ATTRIBUTE.findall(plain[1])
        if len(pairs) == len(dict(pairs)):
            return _Tag(dict(pairs), plain.end(), True, bool(plain[2]))
    attributes: dict[str, str] = {}
    while True:
        if (end := _TAG_END.match(text, at)) is not None:
            return _Tag(attributes, end.end(), True, bool(end[1]))
        found = _ATTRIBUTE.match(text, at)
        if found is None:
            junk = _NEXT.search(text, at + 1)
            if junk is None:
                return _Tag(attributes, len(text), False, True)
            if text[at : junk.start()].strip():
                notes.count("pieces of text inside tags: {}, ignored")
            at = junk.start()
            if text[at] == "<":  # the tag was never finished; another one begins
                notes.count("tags that were never finished: {}")
                return _Tag(attributes, at, True, True)
            continue
        name, quote = found[1], found[2]
        close = _VALUE_END[quote].search(text, found.end())
        if close is None:
            return _Tag(attributes, len(text), False, True)
        at = close.end()
        word = text[found.end() : close.start()]
        if name in attributes:
            notes.count("attributes given twice: {}, the first one counts")
        else:
            notes.count("values with an unescaped <: {}", "<" in word)
            attributes[name] = escapes.value(word, notes)
        if not close[0]:
            notes.count("values that were never closed: {}")
            return _Tag(attributes, at, True, True)
