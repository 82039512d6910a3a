"""What a scan of XML yields: a row per element, in document order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Generic, TypeAlias, TypeVar

from pytest_apex.hierarchy.readers.escapes import clean
from pytest_apex.hierarchy.readers.limits import MAX_DEPTH, MAX_NODES
from pytest_apex.hierarchy.readers.notes import Notes

Row: TypeAlias = tuple[str, ...]
K = TypeVar("K")

#: Different sets of attribute names, and of flags with each, that are remembered. Real sources have some dozens,
#: hostile ones another for each node.
_MOST_LAYOUTS = 1000
_MOST_KINDS = 1000


@dataclass(frozen=True, slots=True)
class Wanted(Generic[K]):
    """What to take of each element: `words` as they are, and what `kind` makes of the attributes named in `flags`
    (and of "tag"), which is worked out once for all elements with the same ones."""

    container: str
    words: Sequence[str]
    flags: Sequence[str]
    kind: Callable[[Mapping[str, str]], K]


@dataclass(slots=True)
class Table(Generic[K]):
    """`words` begin with the tag; "" stands for an attribute that is not there.

    `container` are the attributes of the outermost element, if that is none of the nodes. `names` are all attribute
    names that occurred; `raw` gives all the attributes of a row.
    """

    words: list[Row] = field(default_factory=list)
    kinds: list[K] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    container: dict[str, str] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)
    raw: Callable[[int], Mapping[str, str]] = lambda _index: {}

    def columns(self, width: int, notes: Notes) -> list[list[str]]:
        """The words as columns: the tags, and `width` more. Control characters are taken out."""
        found = [clean(list(column), notes) for column in zip(*self.words, strict=True)]
        return found[:-1] or [[] for _ in range(width + 1)]


class Full(Exception):
    """The table has all the nodes it may have; raised out of a parser, caught where the parser was started."""


class Layout(Generic[K]):
    """How to read the elements with one set of attribute names out of their cells: name, value, name, value … tag, "".

    (The names in the cells are not looked at.)
    """

    def __init__(self, names: Row, wanted: Wanted[K]) -> None:
        self.names = names
        places = {name: at * 2 + 1 for at, name in enumerate(names)}
        tag = len(names) * 2
        # An itemgetter gives a tuple only for two places or more, so that one more is asked for, which is "".
        self.words: Callable[[list[str]], Row] = itemgetter(
            tag, *(places.get(name, tag + 1) for name in wanted.words), tag + 1
        )
        self._flags = ("tag", *(name for name in wanted.flags if name in places))
        self.flags: Callable[[list[str]], Row] = itemgetter(tag, *(places[name] for name in self._flags[1:]), tag + 1)
        self._absent = dict.fromkeys(wanted.flags, "")
        self._kind = wanted.kind
        self.known: dict[Row, K] = {}

    def kind(self, key: Row) -> K:
        """For a key that is not known yet."""
        kind = self._kind({**self._absent, **dict(zip(self._flags, key, strict=False))})
        if len(self.known) < _MOST_KINDS:
            self.known[key] = kind
        return kind


class TableWriter(Generic[K]):
    """Makes a table of start and end tags, and keeps the limits on depth and number of nodes."""

    def __init__(self, wanted: Wanted[K]) -> None:
        self.table: Table[K] = Table()
        self.wanted = wanted
        self._layouts: dict[Row, Layout[K]] = {}
        self._too_deep = 0
        self._open = [-1]

    def layout(self, names: Row) -> Layout[K]:
        """The layout of elements with these attributes; each name occurs once."""
        found = self._layouts.get(names)
        if found is None:
            self.table.names.update(names)
            found = Layout(names, self.wanted)
            if len(self._layouts) < _MOST_LAYOUTS:
                self._layouts[names] = found
        return found

    def handlers(self) -> tuple[Callable[[Layout[K], list[str]], None], Callable[[], None]]:
        """What to call at each start tag, with its layout and cells, and at each end tag.

        These two are where much of the time of reading a large tree goes: nothing is looked up that need not be.
        """
        table, container, opened = self.table, self.wanted.container, self._open
        words, kinds, parents, ends = table.words, table.kinds, table.parents, table.ends
        deeper = 0

        def add(layout: Layout[K], cells: list[str]) -> None:
            nonlocal deeper
            index = len(words)
            if not index and cells[-2] == container:
                table.container = dict(zip(layout.names, cells[1::2], strict=False))
                return
            if len(opened) > MAX_DEPTH:
                deeper += 1
                self._too_deep += 1
                return
            if index >= MAX_NODES:
                raise Full
            words.append(layout.words(cells))
            key = layout.flags(cells)
            kinds.append(layout.known[key] if key in layout.known else layout.kind(key))
            parents.append(opened[-1])
            ends.append(0)
            opened.append(index)

        def end() -> None:
            nonlocal deeper
            if deeper:
                deeper -= 1
            elif len(opened) > 1:
                ends[opened.pop()] = len(words)

        return add, end

    def finish(self, notes: Notes) -> Table[K]:
        """The table, with what is still open closed."""
        table = self.table
        for index in self._open[1:]:
            table.ends[index] = len(table.words)
        del self._open[1:]
        notes.count(f"nodes deeper than {MAX_DEPTH} levels: {{}}, left out", self._too_deep)
        if len(table.words) >= MAX_NODES:
            notes.add(f"the tree has {MAX_NODES} nodes or more: the rest was left out")
        return table
