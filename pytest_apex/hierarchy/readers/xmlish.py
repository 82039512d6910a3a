"""XML as devices and shells leave it, into a table: `strict` reads what is as it should be, `tolerant` the rest.

Both know the five entities of XML and nothing of document types: no entity is declared, no file and no address named in
one is opened.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeVar

from pytest_apex.hierarchy.readers import strict, tolerant
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.hierarchy.readers.table import Full, Table, TableWriter, Wanted

#: How the trees of either platform begin.
_ANDROID = re.compile(r"<(?:hierarchy|displays)[\s/>]")
_APPLE = re.compile(r"<(?:AppiumAUT|XCUIElementType[A-Za-z]+)[\s/>]")
_AFTER_NAME = frozenset(" \t\r\n/>")
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Cut:
    """One tree out of a text."""

    text: str
    complete: bool


def last_tree(text: str, root: str, notes: Notes) -> Cut:
    """The last complete tree with this outermost element; if none is complete, the last one that was begun.

    Without any such element the whole text: a piece of a tree.
    """
    starts = list(_places(text, f"<{root}"))
    if not starts:
        notes.add(f"there is no element {root}: what there is of a tree is read")
        return Cut(text, False)
    stop = len(text)
    for start in reversed(starts):
        end = _end(text, root, start, stop)
        if end:
            _note_surroundings(text, starts, start, end, notes)
            return Cut(text[start:end], True)
        stop = start
    _note_surroundings(text, starts, starts[-1], len(text), notes)
    return Cut(text[starts[-1] :], False)


def _places(text: str, mark: str) -> Iterator[int]:
    """Where a tag that begins like `mark` stands."""
    at = text.find(mark)
    while at >= 0:
        if text[at + len(mark) : at + len(mark) + 1] in _AFTER_NAME:
            yield at
        at = text.find(mark, at + 1)


def _end(text: str, root: str, start: int, stop: int) -> int:
    """Where the tree that begins at `start` ends; 0 if it does not."""
    close = text.rfind(f"</{root}", start, stop)
    if close >= 0:
        end = text.find(">", close, stop) + 1
        return end if not text[close + len(root) + 2 : end - 1].strip() else 0
    empty = text.find(">", start, stop) + 1
    return empty if text[empty - 2 : empty] == "/>" else 0


def _note_surroundings(text: str, starts: Sequence[int], start: int, end: int, notes: Notes) -> None:
    if len(starts) > 1:
        which = "the last" if start == starts[-1] else "the last complete one"
        notes.add(f"there are {len(starts)} trees in the file: {which} is read")
    before, after = text[: starts[0]], text[end:]
    if "<!DOCTYPE" in before or "<!ENTITY" in before:
        notes.add("a document type was ignored, with all that it declares")
    ours = _APPLE if _APPLE.match(text, start) else _ANDROID
    others = _ANDROID if ours is _APPLE else _APPLE
    if others.search(before) or (start == starts[-1] and others.search(after)):
        notes.add("a tree of another platform is in the file too, left out")
    elif re.sub(r"<\?xml[^>]*>", "", before).strip() or (after.strip() and start == starts[-1]):
        notes.add("there is text around the tree, ignored")


def scan(cut: Cut, wanted: Wanted[K], notes: Notes) -> Table[K]:
    """A row per element inside the container; never fails."""
    writer, told = TableWriter(wanted), Notes()
    if cut.complete:
        with suppress(Full):
            if not strict.scan(cut.text, writer, told):
                writer, told = TableWriter(wanted), Notes()
                tolerant.scan(cut.text, writer, told)
    else:
        with suppress(Full):
            tolerant.scan(cut.text, writer, told)
    notes.take(told)
    table = writer.finish(notes)
    table.raw = _raw(cut.text, wanted.container)
    return table


def _raw(text: str, container: str) -> Callable[[int], Mapping[str, str]]:
    """All attributes of each row, read again from the text when somebody asks, which few ever do."""

    @lru_cache(maxsize=1)
    def places() -> Sequence[int]:
        found: list[int] = []
        with suppress(Full):
            tolerant.scan(text, TableWriter(Wanted(container, (), (), lambda _flags: None)), Notes(), found)
        return array("q", found)

    return lambda index: tolerant.attributes_at(text, places()[index])
