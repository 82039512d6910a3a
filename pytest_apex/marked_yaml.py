"""YAML whose values remember their place, and a reader that gathers every mistake of a file in one pass.

The only user of PyYAML. Plain data only: no tags, no merge keys, one document, at most `MAX_BYTES` of UTF-8. Words such
as `yes`, `off` or `12:30` stay text; only `true` and `false` are flags.

    reader = Reader("notes.yaml", AppFileError)
    root = reader.open(text)
    fields = root.fields("app", "name", required=("app",))
    name = fields.text("name")
    reader.finish()                    # raises AppFileError with all mistakes, each with line and column
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import yaml

from pytest_apex.errors import FileMistakes, Mistake

MAX_BYTES = 1_000_000
MAX_DEPTH = 60
MAX_ALIASES = 200
#: Nodes after every alias is followed; a few kilobytes of nested anchors can stand for billions.
MAX_NODES = 200_000

_INTEGER = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_CONSTANTS = {"": None, "~": None, "null": None, "true": True, "false": False}
#: What numbers and constants begin with; all else is text at first sight.
_NO_WORD = frozenset("0123456789+-.~ntf")
_KIND_NAMES = {"map": "a mapping", "list": "a list", "text": "text", "number": "a number", "flag": "true or false",
               "nothing": "nothing"}  # fmt: skip


@dataclass(slots=True)  # not frozen, which would make reading a file take half as long again
class Marked:
    """A value and where it stands; line and column count from 1. Nobody changes one.

    `kind` is `map` (value: dict of text to Marked), `list` (value: list of Marked), `text`, `number`, `flag` or
    `nothing`. `keys` holds the place of each key of a map. `size` counts this node and all below it.
    """

    kind: str
    value: Any
    line: int
    column: int
    size: int = 1
    keys: dict[str, tuple[int, int]] = field(default_factory=dict)

    @property
    def plain(self) -> Any:
        """The value without marks."""
        if self.kind == "map":
            return {key: item.plain for key, item in self.value.items()}
        if self.kind == "list":
            return [item.plain for item in self.value]
        return self.value

    @property
    def kind_name(self) -> str:
        return _KIND_NAMES[self.kind]


def nearest(word: str, known: Collection[str]) -> str:
    """` (did you mean "text"?)` for a word close to a known one, else a list of the known ones if it is short."""
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.65)
    if close:
        return f'; did you mean "{close[0]}"?'
    names = sorted(known)
    return f"; known: {', '.join(names)}" if names and len(names) <= 40 else ""


class _Stop(Exception):
    """Reading can't go on after this mistake."""

    def __init__(self, line: int, column: int, what: str) -> None:
        super().__init__(what)
        self.line, self.column, self.what = line, column, what


@dataclass(slots=True)
class _Frame:
    """A mapping or list that is still open."""

    kind: str
    line: int
    column: int
    anchor: str | None
    children: list[Marked] = field(default_factory=list)

    @property
    def awaits_key(self) -> bool:
        return self.kind == "map" and len(self.children) % 2 == 0


class _Composer:
    """Makes one tree of Marked from parse events, without recursion."""

    def __init__(self, name: str, mistakes: list[Mistake]) -> None:
        self._name = name
        self._mistakes = mistakes
        self._open: list[_Frame] = []
        self._anchors: dict[str, Marked] = {}
        self._aliases = 0
        self._documents = 0
        self.root: Marked | None = None

    def read(self, loader: Any) -> None:
        """All events of a document. Told apart by their exact types, and the most frequent first: most of a file's time
        goes here."""
        next_event = loader.get_event
        while (event := next_event()) is not None:
            kind = type(event)
            if kind is yaml.MappingEndEvent or kind is yaml.SequenceEndEvent:
                self._close()
                continue
            mark = event.start_mark
            line, column = mark.line + 1, mark.column + 1
            if kind is yaml.ScalarEvent:
                if event.tag is not None:
                    self._refuse_tag(event, line, column)
                # A key is text as it stands: `1`, `0123` and `true` are three names.
                is_key = self._open and self._open[-1].awaits_key and event.anchor is None
                node = Marked("text", event.value, line, column) if is_key else _scalar(event, line, column)
                self._add(node, event.anchor)
            elif kind is yaml.MappingStartEvent:
                self._begin("map", event, line, column)
            elif kind is yaml.SequenceStartEvent:
                self._begin("list", event, line, column)
            elif kind is yaml.AliasEvent:
                self._add(self._follow(event.anchor or "", line, column), None)
            elif kind is yaml.DocumentStartEvent:
                self._documents += 1
                if self._documents > 1:
                    raise _Stop(line, column, "a second document begins here; one file holds one")

    def _begin(self, kind: str, event: Any, line: int, column: int) -> None:
        if event.tag is not None:
            self._refuse_tag(event, line, column)
        if len(self._open) >= MAX_DEPTH:
            raise _Stop(line, column, f"nested more than {MAX_DEPTH} levels deep")
        self._open.append(_Frame(kind, line, column, event.anchor))

    def _refuse_tag(self, event: Any, line: int, column: int) -> None:
        if event.tag not in (None, "!"):
            raise _Stop(line, column, f"the tag {event.tag!r} is refused: plain data only")

    def _follow(self, anchor: str, line: int, column: int) -> Marked:
        self._aliases += 1
        if self._aliases > MAX_ALIASES:
            raise _Stop(line, column, f"more than {MAX_ALIASES} aliases")
        if anchor not in self._anchors:
            raise _Stop(line, column, f"the alias *{anchor} stands for nothing that is complete above it")
        return self._anchors[anchor]

    def _add(self, node: Marked, anchor: str | None) -> None:
        if node.size > MAX_NODES:
            raise _Stop(
                node.line, node.column, f"stands for more than {MAX_NODES} values once its aliases are followed"
            )
        if anchor:
            self._anchors[anchor] = node
        if self._open:
            self._open[-1].children.append(node)
        elif self.root is None:
            self.root = node

    def _close(self) -> None:
        frame = self._open.pop()
        size = 1
        for child in frame.children:
            size += child.size
        if frame.kind == "list":
            node = Marked("list", frame.children, frame.line, frame.column, size)
        else:
            pairs, keys = self._pairs(frame.children)
            node = Marked("map", pairs, frame.line, frame.column, size, keys)
        self._add(node, frame.anchor)

    def _pairs(self, children: list[Marked]) -> tuple[dict[str, Marked], dict[str, tuple[int, int]]]:
        pairs: dict[str, Marked] = {}
        keys: dict[str, tuple[int, int]] = {}
        for key, value in zip(children[::2], children[1::2], strict=True):
            word = key.value
            if key.kind != "text":
                self._note(key, f"a key must be text, got {key.kind_name}")
            elif word == "<<":
                self._note(key, "merge keys (<<) are not read; write the values out")
            elif word in pairs:
                self._note(key, f'the key "{word}" stands here twice (first in line {keys[word][0]})')
            else:
                pairs[word], keys[word] = value, (key.line, key.column)
        return pairs, keys

    def _note(self, at: Marked, what: str) -> None:
        self._mistakes.append(Mistake(self._name, at.line, at.column, "", what))


def _scalar(event: Any, line: int, column: int) -> Marked:
    word = event.value
    if not event.implicit[0] or (word and word[0] not in _NO_WORD):
        return Marked("text", word, line, column)
    if word in _CONSTANTS:
        value = _CONSTANTS[word]
        return Marked("nothing" if value is None else "flag", value, line, column)
    if _INTEGER.fullmatch(word) and len(word) < 20:
        return Marked("number", int(word), line, column)
    if _FLOAT.fullmatch(word) and len(word) < 40:
        return Marked("number", float(word), line, column)
    return Marked("text", word, line, column)


def _decode(source: str | bytes) -> str:
    data = source.encode("utf-8", "surrogatepass") if isinstance(source, str) else source
    if len(data) > MAX_BYTES:
        raise _Stop(1, 1, f"{len(data):,} bytes; at most {MAX_BYTES:,} are read")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _Stop(line, 1, f"not UTF-8: byte {data[error.start]:#04x} at offset {error.start}") from error


def _compose(source: str | bytes, name: str, mistakes: list[Mistake]) -> Marked | None:
    composer = _Composer(name, mistakes)
    make_loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        composer.read(make_loader(_decode(source)))
    except _Stop as stop:
        mistakes.append(Mistake(name, stop.line, stop.column, "", stop.what))
        return None
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        at = (mark.line + 1, mark.column + 1) if mark else (1, 1)
        words = " ".join(part for part in (error.context, error.problem) if part)
        mistakes.append(Mistake(name, *at, "", f"not YAML: {words}"))
        return None
    except yaml.YAMLError as error:
        mistakes.append(Mistake(name, 1, 1, "", f"not YAML: {error}".splitlines()[0]))
        return None
    return composer.root or Marked("nothing", None, 1, 1)


class Reader:
    """Gathers the mistakes of one file; `finish` raises them all together."""

    def __init__(self, name: str, error: type[FileMistakes] = FileMistakes) -> None:
        self.name = name
        self.mistakes: list[Mistake] = []
        self._error = error

    def open(self, source: str | bytes) -> At:
        """The root of the document. Raises at once when the text can't be read as YAML at all."""
        root = _compose(source, self.name, self.mistakes)
        if root is None:
            raise self._error(self.name, self.mistakes)
        return At(root, "", self)

    def finish(self, cure: str = "") -> None:
        """Raise the error of this file if there was any mistake."""
        if self.mistakes:
            raise self._error(self.name, self.mistakes, cure=cure)


@dataclass(slots=True)  # as `Marked`
class At:
    """A value, its path, and the reader that hears of mistakes. Each reading method notes a wrong type as a mistake and
    returns an empty value, so that reading goes on."""

    node: Marked
    path: str
    reader: Reader = field(repr=False)

    def mistake(self, what: str) -> None:
        node = self.node
        self.reader.mistakes.append(Mistake(self.reader.name, node.line, node.column, self.path, what))

    def is_a(self, kind: str) -> bool:
        return self.node.kind == kind

    def _expect(self, kind: str, words: str) -> bool:
        if self.node.kind == kind:
            return True
        self.mistake(f"expected {words}, got {self.node.kind_name}")
        return False

    def text(self) -> str:
        """Text; numbers are taken as they are written plainly (`version: 14`)."""
        if self.node.kind == "number":
            return str(self.node.value)
        return self.node.value if self._expect("text", "text") else ""

    def number(self, low: float | None = None, high: float | None = None) -> float:
        if not self._expect("number", "a number"):
            return 0.0
        value: float = self.node.value
        if (low is not None and value < low) or (high is not None and value > high):
            limits = f"at least {low:g}" if high is None else f"from {low or 0:g} to {high:g}"
            self.mistake(f"{value:g} is out of range: {limits}")
        return value

    def integer(self, low: float | None = None, high: float | None = None) -> int:
        if self.node.kind == "number" and not isinstance(self.node.value, int):
            self.mistake(f"expected a whole number, got {self.node.value:g}")
            return 0
        return int(self.number(low, high))

    def flag(self) -> bool:
        return bool(self.node.value) if self._expect("flag", "true or false") else False

    def choice(self, known: Collection[str], noun: str = "") -> str:
        """One of `known`; the empty text after a mistake."""
        word = self.text()
        if self.node.kind in ("text", "number") and word not in known:
            self.mistake(f'unknown {noun + " " if noun else ""}"{word}"{nearest(word, known)}')
            return ""
        return word

    def items(self) -> list[At]:
        if not self._expect("list", "a list"):
            return []
        return [At(node, f"{self.path}[{index}]", self.reader) for index, node in enumerate(self.node.value)]

    def one_or_many(self) -> list[At]:
        """The items of a list, or the single value as a list of one."""
        return self.items() if self.node.kind == "list" else [self]

    def pairs(self) -> list[tuple[str, At]]:
        if not self._expect("map", "a mapping"):
            return []
        return [(key, self._child(key)) for key in self.node.value]

    def _child(self, key: str) -> At:
        return At(self.node.value[key], f"{self.path}.{key}" if self.path else key, self.reader)

    def fields(self, *known: str, required: Sequence[str] = ()) -> Fields:
        """The mapping as named fields; notes unknown keys (with the nearest known one) and missing ones."""
        if not self._expect("map", "a mapping"):
            return Fields(self, {})
        found = {key: self._child(key) for key in self.node.value}
        for key in found:
            if key not in known:
                line, column = self.node.keys[key]
                what = f'unknown key "{key}"{nearest(key, known)}'
                self.reader.mistakes.append(Mistake(self.reader.name, line, column, self.path, what))
        for key in required:
            if key not in found:
                self.mistake(f'the key "{key}" is missing')
        return Fields(self, found)


@dataclass(frozen=True, slots=True)
class Fields:
    """Named fields of a mapping. A missing one gives the default; a wrong one is noted and gives the default, too."""

    at: At
    found: dict[str, At]

    def __contains__(self, name: str) -> bool:
        return name in self.found

    def __iter__(self) -> Iterator[str]:
        return iter(self.found)

    def get(self, name: str) -> At | None:
        return self.found.get(name)

    def text(self, name: str, default: str = "") -> str:
        at = self.found.get(name)
        return at.text() if at is not None else default

    def number(self, name: str, default: float = 0.0, low: float | None = None, high: float | None = None) -> float:
        at = self.found.get(name)
        return at.number(low, high) if at is not None else default

    def integer(self, name: str, default: int = 0, low: float | None = None, high: float | None = None) -> int:
        at = self.found.get(name)
        return at.integer(low, high) if at is not None else default

    def flag(self, name: str, default: bool = False) -> bool:
        at = self.found.get(name)
        return at.flag() if at is not None else default

    def choice(self, name: str, known: Collection[str], default: str = "", noun: str = "") -> str:
        at = self.found.get(name)
        return (at.choice(known, noun) or default) if at is not None else default

    def items(self, name: str) -> list[At]:
        at = self.found.get(name)
        return at.items() if at is not None else []

    def pairs(self, name: str) -> list[tuple[str, At]]:
        at = self.found.get(name)
        return at.pairs() if at is not None else []
