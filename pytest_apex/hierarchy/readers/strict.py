"""Reading XML that is as it should be, and as tools write it: double quotes, no comments, no sections.

There a `<` begins a tag and nothing else, and a quote belongs to an attribute, so that the text falls into its parts by
splitting it: in less than half of the time that expat takes. Whatever is not so is left to `tolerant`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from pytest_apex.hierarchy.readers import escapes
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.hierarchy.readers.table import Layout, TableWriter

K = TypeVar("K")
V = TypeVar("V")

_NAME = r"[A-Za-z_][\w.:$-]{0,199}"
#: What stands before the quote of the first attribute, and of each other one; a tag without any; an end tag.
_FIRST = re.compile(rf"({_NAME})\s+({_NAME})\s*=\s*")
_OTHER = re.compile(rf"\s+({_NAME})\s*=\s*")
_BARE = re.compile(rf"({_NAME})\s*(/?)>")
_CLOSE = re.compile(rf"/({_NAME})\s*>")
#: What stands behind the last quote, and the text after it.
_TAIL = re.compile(r"\s*(/?)>")

#: Different pieces that are remembered. Real sources have a few dozen, hostile ones another for each node.
_MOST_SHAPES = 1000


class Odd(Exception):
    """Something is not as it should be."""


class _Memory(dict[str, V], Generic[V]):
    """What pieces of a text mean; the same few come again and again."""

    def __init__(self, read: Callable[[str], V]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, piece: str) -> V:
        found = self._read(piece)
        if len(self) < _MOST_SHAPES:
            self[piece] = found
        return found


def scan(text: str, writer: TableWriter[K], notes: Notes) -> bool:
    """Give all the tags of a text to `writer`; False if it is not as it should be, and has to be read otherwise."""
    pieces = iter(text.split("<"))
    next(pieces)
    try:
        _scan(pieces, writer, notes, "\n" in text or "\t" in text)
    except Odd:
        return False
    return True


def _scan(pieces: Iterator[str], writer: TableWriter[K], notes: Notes, spaced: bool) -> None:
    add, end = writer.handlers()
    closing, bare, empty = _Memory(_closed), _Memory(_bare), _Memory(_is_empty)
    shapes: dict[tuple[str, ...], tuple[str, Layout[K]]] = {}
    known: list[str] = []
    tag, layout, plain = "", writer.layout(()), writer.layout(())
    opened: list[str] = []
    for piece in pieces:
        if piece.startswith("/"):
            if not opened or opened.pop() != closing[piece]:
                raise Odd
            end()
            continue
        parts = piece.split('"')
        tail = parts.pop()
        if not parts:
            word, is_empty = bare[tail]
            add(plain, [word, ""])
        else:
            names = parts[::2]
            if names != known:
                key = tuple(names)
                tag, layout = shapes.get(key) or _shape(key, shapes, writer)
                known = names
            if len(parts) % 2:
                raise Odd
            if "&" in piece or (spaced and (piece.count("\n") > tail.count("\n") or "\t" in piece)):
                parts[1::2] = [escapes.value(value, notes) for value in parts[1::2]]
            parts += (tag, "")
            add(layout, parts)
            word, is_empty = tag, empty[tail]
        if is_empty:
            end()
        else:
            opened.append(word)
    if opened:
        raise Odd


def _shape(
    pieces: tuple[str, ...], shapes: dict[tuple[str, ...], tuple[str, Layout[K]]], writer: TableWriter[K]
) -> tuple[str, Layout[K]]:
    """Tag and attribute names in what stands between the values."""
    first = _FIRST.fullmatch(pieces[0])
    others = [_OTHER.fullmatch(piece) for piece in pieces[1:]]
    if first is None or None in others:
        raise Odd
    names = (first[2], *(found[1] for found in others if found is not None))
    if len(set(names)) < len(names):
        raise Odd
    shape = first[1], writer.layout(names)
    if len(shapes) < _MOST_SHAPES:
        shapes[pieces] = shape
    return shape


def _closed(piece: str) -> str:
    """The tag that an end tag closes."""
    return _matched(_CLOSE, piece)[1]


def _bare(piece: str) -> tuple[str, bool]:
    """The tag of an element without attributes, and whether it has no children."""
    found = _matched(_BARE, piece)
    return found[1], bool(found[2])


def _is_empty(tail: str) -> bool:
    """Whether a tag has no children, by what stands behind its last value."""
    return bool(_matched(_TAIL, tail)[1])


def _matched(pattern: re.Pattern[str], piece: str) -> re.Match[str]:
    found = pattern.match(piece)
    if found is None:
        raise Odd
    return found
