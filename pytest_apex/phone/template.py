"""Texts with variables in them (`Welcome, {email|name}`) and the conditions under which a control shows."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

#: Looks up the first name of a path: `Lookup("note")` for `{note.title}`.
Lookup: TypeAlias = Callable[[str], Any]

_PART = re.compile(r"\{\{|\}\}|\{([^{}]*)\}|[{}]")
_PATH = re.compile(r"[A-Za-z_][\w-]*(\.[\w-]+)*")


def _clock(value: Any) -> str:
    seconds = int(value)
    return f"{seconds // 3600 % 24:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


FILTERS: dict[str, Callable[[Any], str]] = {
    "count": lambda value: str(len(value)),
    "name": lambda value: as_text(value).partition("@")[0].capitalize(),
    "upper": lambda value: as_text(value).upper(),
    "lower": lambda value: as_text(value).lower(),
    "clock": _clock,
}


class TemplateError(ValueError):
    """A text whose braces do not make sense."""


def as_text(value: Any) -> str:
    """A variable's value as it shows on the screen."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list):
        return " ".join(as_text(item) for item in value)
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value)


def look_up(path: str, lookup: Lookup) -> Any:
    """The value at `note.title`; None where there is nothing."""
    first, _, rest = path.partition(".")
    value = lookup(first)
    for name in rest.split(".") if rest else ():
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


@dataclass(frozen=True, slots=True)
class Ref:
    """A variable in a text."""

    path: str
    filter: str = ""

    def value(self, lookup: Lookup) -> Any:
        value = look_up(self.path, lookup)
        return FILTERS[self.filter](value) if self.filter else value


@dataclass(frozen=True, slots=True)
class Template:
    """A text in pieces: plain ones and references."""

    pieces: tuple[str | Ref, ...]

    @property
    def paths(self) -> tuple[str, ...]:
        return tuple(piece.path for piece in self.pieces if isinstance(piece, Ref))

    def render(self, lookup: Lookup) -> str:
        return "".join(piece if isinstance(piece, str) else as_text(piece.value(lookup)) for piece in self.pieces)

    def value(self, lookup: Lookup) -> Any:
        """The variable itself where the text is nothing but one reference, else the text."""
        if len(self.pieces) == 1 and isinstance(self.pieces[0], Ref):
            return self.pieces[0].value(lookup)
        return self.render(lookup)


def plain(text: str) -> Template:
    """A template without references, braces taken as they are."""
    return Template((text,) if text else ())


def parse(text: str) -> Template:
    """Read `{path}`, `{path|filter}`; `{{` and `}}` are braces. Raises `TemplateError`."""
    pieces: list[str | Ref] = []
    end = 0
    for match in _PART.finditer(text):
        pieces.append(text[end : match.start()])
        end = match.end()
        if match.group() in ("{{", "}}"):
            pieces.append(match.group()[0])
        elif match.group(1) is None:
            raise TemplateError(
                f'a single "{match.group()}" at character {match.start() + 1}; write it twice for a brace'
            )
        else:
            pieces.append(_reference(match.group(1)))
    pieces.append(text[end:])
    return Template(tuple(_joined(pieces)))


def _reference(inside: str) -> Ref:
    path, bar, name = (part.strip() for part in inside.partition("|"))
    if not _PATH.fullmatch(path):
        raise TemplateError(f'"{{{inside}}}" does not name a variable')
    if bar and name not in FILTERS:
        raise TemplateError(f'unknown filter "{name}"; known: {", ".join(sorted(FILTERS))}')
    return Ref(path, name)


def _joined(pieces: list[str | Ref]) -> list[str | Ref]:
    """Neighbouring plain pieces made one, empty ones left out."""
    joined: list[str | Ref] = []
    for piece in pieces:
        if piece == "":
            continue
        last = joined[-1] if joined else None
        if isinstance(piece, str) and isinstance(last, str):
            joined[-1] = last + piece
        else:
            joined.append(piece)
    return joined


@dataclass(frozen=True, slots=True)
class Condition:
    """Holds when all named variables are filled, or empty, or equal to a text, or not. An empty list, an empty text,
    false and nothing are empty."""

    filled: tuple[str, ...] = ()
    empty: tuple[str, ...] = ()
    equal: tuple[tuple[str, Template], ...] = ()
    unequal: tuple[tuple[str, Template], ...] = ()

    @property
    def paths(self) -> tuple[str, ...]:
        pairs = (*self.equal, *self.unequal)
        return (*self.filled, *self.empty, *(path for path, _ in pairs), *(p for _, text in pairs for p in text.paths))

    def holds(self, lookup: Lookup) -> bool:
        return (
            all(look_up(path, lookup) for path in self.filled)
            and not any(look_up(path, lookup) for path in self.empty)
            and all(as_text(look_up(path, lookup)) == text.render(lookup) for path, text in self.equal)
            and all(as_text(look_up(path, lookup)) != text.render(lookup) for path, text in self.unequal)
        )
