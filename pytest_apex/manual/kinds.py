"""What a field may hold. Each kind reads a value, noting mistakes at its place, and tells the JSON Schema of it: one
table of fields serves both, so that reader and schema can't disagree.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Protocol, TypeAlias

from pytest_apex.errors import ManualError, Mistake
from pytest_apex.manual.lookup import usual
from pytest_apex.marked_yaml import At, Reader
from pytest_apex.model.geometry import Rect
from pytest_apex.model.manual import Place

Schema: TypeAlias = dict[str, Any]
#: What a record was given, by the names of its keys; a key that was left out has its default.
Got: TypeAlias = Mapping[str, Any]


class Kind(Protocol):
    """A kind of value."""

    def read(self, at: At) -> Any:
        """The value; a mistake is noted and gives an empty one."""

    def schema(self) -> Schema: ...


class ManualReader(Reader):
    """Gathers the mistakes of one manual. `later` holds names that must be declared somewhere in the file: the noun,
    the word, and where it stands."""

    def __init__(self, source: str) -> None:
        super().__init__(source, ManualError)
        self.later: list[tuple[str, str, At]] = []


def place_of(at: At) -> Place:
    return Place(at.reader.name, at.node.line, at.node.column)


def note(at: At, where: Place, what: str) -> None:
    """Note a mistake at another place of the same file than `at`, whose path it has."""
    at.reader.mistakes.append(Mistake(where.file, where.line, where.column, at.path, what))


def text_of(at: At) -> str:
    """Text as it stands. Numbers are refused: 0123 and 1.40 would arrive as 123 and 1.4."""
    if at.is_a("number"):
        at.mistake("expected text, got a number; put it in quotes")
        return ""
    return at.text()


def complain(at: At, what: str) -> None:
    """Note what is wrong with a value as a whole, unless something in it is wrong already: one slip, one mistake. What
    is in it has been read just before, so that its mistakes are the last."""
    last = at.reader.mistakes[-1].path if at.reader.mistakes else None
    if last is None or not (last == at.path or last.startswith((f"{at.path}.", f"{at.path}["))):
        at.mistake(what)


class Word:
    """Text that is not empty."""

    def read(self, at: At) -> str:
        word = text_of(at).strip()
        if not word and at.is_a("text"):
            at.mistake("expected text, got an empty one")
        return word

    def schema(self) -> Schema:
        return {"type": "string", "pattern": r"\S"}


@dataclass(frozen=True, slots=True)
class NameOf:
    """The name of something that the file declares: a `screen`, a `flow`."""

    noun: str

    def read(self, at: At) -> str:
        word = Word().read(at)
        if word and isinstance(at.reader, ManualReader):
            at.reader.later.append((self.noun, word, at))
        return word

    def schema(self) -> Schema:
        return Word().schema()


@dataclass(frozen=True, slots=True)
class Number:
    low: float
    high: float

    def read(self, at: At) -> float:
        return at.number(self.low, self.high)

    def schema(self) -> Schema:
        return {"type": "number", "minimum": self.low, "maximum": self.high}


class Flag:
    def read(self, at: At) -> bool:
        return at.flag()

    def schema(self) -> Schema:
        return {"type": "boolean"}


@dataclass(frozen=True, slots=True)
class Choice:
    known: Collection[str]
    noun: str

    def read(self, at: At) -> str:
        return at.choice(self.known, self.noun)

    def schema(self) -> Schema:
        return {"enum": sorted(self.known)}


@dataclass(frozen=True, slots=True)
class Many:
    """One value of a kind, or a list of them that is not empty; read as a tuple."""

    kind: Kind

    def read(self, at: At) -> tuple[Any, ...]:
        items = at.one_or_many()
        if not items and at.is_a("list"):
            at.mistake("expected at least one, got an empty list")
        return tuple(value for item in items if (value := self.kind.read(item)))

    def schema(self) -> Schema:
        one = self.kind.schema()
        return {"anyOf": [one, {"type": "array", "items": one, "minItems": 1}]}


class Region:
    """`[x, y, width, height]` in thousandths of the window."""

    def read(self, at: At) -> Rect | None:
        if not at.is_a("list"):
            at.mistake(f"expected [x, y, width, height] in thousandths of the window, got {at.node.kind_name}")
            return None
        numbers = [item.number(0, 1000) for item in at.items()]
        return region_of(numbers, at)

    def schema(self) -> Schema:
        numbers = {"type": "number", "minimum": 0, "maximum": 1000}
        return {"type": "array", "items": numbers, "minItems": 4, "maxItems": 4}


def region_of(numbers: list[float], at: At) -> Rect | None:
    """The part of the window that four numbers mean; a mistake is noted at `at`."""
    if len(numbers) != 4:
        at.mistake(f"expected four numbers (x, y, width, height), got {len(numbers)}")
        return None
    rect = Rect.from_size(*numbers)
    if rect.is_empty:
        at.mistake("expected a width and a height above 0")
    elif rect.right > 1000 or rect.bottom > 1000:
        shown = f"{rect.right:g}, {rect.bottom:g}"
        at.mistake(f"reaches to {shown}, out of the window, which ends at 1000, 1000 (given is x, y, width, height)")
    else:
        return rect
    return None


class Day:
    """A day, `2027-01-31`."""

    _FORM = r"\d{4}-\d{2}-\d{2}"

    def read(self, at: At) -> date | None:
        word = at.text()
        try:
            if re.fullmatch(self._FORM, word, re.ASCII):
                return date.fromisoformat(word)
        except ValueError:  # no day of the calendar, as any other text is none
            pass
        if at.is_a("text") or at.is_a("number"):
            at.mistake(f'expected a day such as 2027-01-31, got "{word}"')
        return None

    def schema(self) -> Schema:
        return {"type": "string", "pattern": f"^{self._FORM}$"}


@dataclass(frozen=True, slots=True)
class Key:
    """One key of a record; `about` goes into the schema. `default` is what it stands for when it is left out."""

    name: str
    kind: Kind
    about: str
    required: bool = False
    default: Any = None


#: Makes the value of a record: its name ("" if it has none), its place, what it was given.
Make: TypeAlias = Callable[[str, At, Got, Place], Any]


@dataclass(frozen=True, slots=True)
class Record:
    """A mapping of known keys. Anything but a mapping is taken for the one key `short`, if there is one. With `loose`,
    neither case, `_` and `-`, nor a plural s of a key matters. `ref` names what the schema defines once for all its
    uses."""

    make: Make
    keys: tuple[Key, ...]
    short: str = ""
    loose: bool = False
    ref: str = ""
    by_name: dict[str, Key] = field(init=False, repr=False, compare=False)
    _required: tuple[str, ...] = field(init=False, repr=False, compare=False)
    _defaults: dict[str, Any] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_name", {key.name: key for key in self.keys})
        object.__setattr__(self, "_required", tuple(key.name for key in self.keys if key.required))
        object.__setattr__(self, "_defaults", {key.name: key.default for key in self.keys})

    def read(self, at: At) -> Any:
        return self.read_named("", at, place_of(at))

    def read_named(self, name: str, at: At, where: Place) -> Any:
        """The value; None when it is no mapping at all."""
        given = self._given(at)
        if given is None:
            return None
        got = dict(self._defaults)
        for key, value in given.items():
            if key in got:  # an unknown one has been noted
                got[key] = self.by_name[key].kind.read(value)
        return self.make(name, at, got, where)

    def _given(self, at: At) -> dict[str, At] | None:
        if not at.is_a("map"):
            if "region" in self.by_name and _has_numbers(at):
                at.mistake("expected a mapping, got a list; a region is written {region: [x, y, width, height]}")
                return {}
            if self.short:
                return {self.short: at}
            at.mistake(f"expected a mapping with {_listed(self.by_name)}, got {at.node.kind_name}")
            return None
        return self._loosely(at) if self.loose else at.fields(*self._defaults, required=self._required).found

    def _loosely(self, at: At) -> dict[str, At]:
        usual = {_bare(name): name for name in self.by_name}
        spelt = {key: usual[_bare(key)] for key in at.node.value if _bare(key) in usual}
        found: dict[str, At] = {}
        for key, value in at.fields(*spelt, *self.by_name).found.items():
            name = spelt.get(key)
            if name in found:
                value.mistake(f'"{key}" is another way of writing "{name}", which stands here already')
            elif name is not None:
                found[name] = value
        return found

    def schema(self) -> Schema:
        return {"$ref": f"#/$defs/{self.ref}"} if self.ref else self.definition()

    def definition(self) -> Schema:
        keys = {key.name: {**key.kind.schema(), "description": key.about} for key in self.keys}
        mapping: Schema = {"type": "object", "additionalProperties": False}
        mapping["properties"] = keys
        if self.loose:
            mapping["patternProperties"] = {_any_spelling(name): one for name, one in keys.items()}
        if self._required:
            mapping["required"] = list(self._required)
        if not self.short:
            return mapping
        return {"anyOf": [mapping, self.by_name[self.short].kind.schema()]}


@dataclass(frozen=True, slots=True)
class Named:
    """A mapping of names, which people choose, to records; read as a tuple in the file's order."""

    record: Record

    def read(self, at: At) -> tuple[Any, ...]:
        found = []
        for name, value in at.pairs():
            line, column = at.node.keys[name]
            if not usual(name):
                value.mistake("expected a name before the colon, got an empty one")
            found.append(self.record.read_named(name.strip(), value, Place(at.reader.name, line, column)))
        return tuple(one for one in found if one is not None)

    def schema(self) -> Schema:
        return {"type": "object", "additionalProperties": self.record.schema()}


def _has_numbers(at: At) -> bool:
    return at.is_a("list") and any(item.kind == "number" for item in at.node.value)


def _listed(names: Collection[str]) -> str:
    return ", ".join(names)


def _bare(key: str) -> str:
    word = re.sub(r"[-_ ]", "", key).casefold()
    return word.removesuffix("s")


def _any_spelling(name: str) -> str:
    """A pattern for a key written loosely; JSON Schema knows no flag for case."""
    letters = (f"[{letter.upper()}{letter.lower()}]" for letter in _bare(name))
    return f"^{'[-_ ]*'.join(letters)}[sS]?$"
