"""Which control is meant, before anyone has looked for it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from pytest_apex.model.geometry import Point
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot

#: What a control can be found by. `text` is the plain word of a test: text, then label, then the manual's name.
CRITERIA = ("text", "id", "label", "role", "xpath", "image", "point", "index")


def _printable(text: str) -> str:
    """With controls and halves of a pair escaped: no terminal shows them, not every file or wire takes them."""
    odd = (letter not in "\t\n" and unicodedata.category(letter) in ("Cc", "Cs") for letter in text)
    return "".join(repr(letter)[1:-1] if is_odd else letter for letter, is_odd in zip(text, odd, strict=True))


@dataclass(frozen=True, slots=True)
class Pinned:
    """One control of an earlier look, by its index in the tree; `words` is what it is called."""

    look: Snapshot = field(repr=False)
    index: int
    words: str


@dataclass(frozen=True, slots=True)
class By:
    """One criterion: `By("id", "login")`, `By("text", re.compile("^Log"))`, `By("point", Point(10, 20))`, or the same
    control as earlier: `By("control", Pinned(…))`."""

    kind: str
    value: str | re.Pattern[str] | Point | int | Pinned

    def __str__(self) -> str:
        if isinstance(self.value, Pinned) or self.kind == "control":
            return self.value.words if isinstance(self.value, Pinned) else str(self.value)
        if isinstance(self.value, re.Pattern):
            shown = _printable(f"/{self.value.pattern}/")
        elif isinstance(self.value, str) and len(self.value) > 80:
            shown = _printable(f'"{" ".join(self.value[:79].split())}…"')
        elif isinstance(self.value, str):
            shown = _printable(f'"{self.value}"') if self.kind == "text" else repr(self.value)
        else:
            shown = str(self.value)
        return shown if self.kind == "text" else f"{self.kind}={shown}"


class Names(Protocol):
    """What people call the controls of an app, besides what the screen shows: its manual."""

    def called(self, snapshot: Snapshot, word: str) -> Sequence[Node]:
        """The controls on this screen that have this name."""

    def tells(self, snapshot: Snapshot, word: str) -> str:
        """What is known of a name that nothing on this screen has; "" if it is no name."""

    def at(self, snapshot: Snapshot, point: Point) -> Node | None:
        """The control that is meant by a point."""


@dataclass(frozen=True, slots=True)
class Target:
    """All of `by` must hold, inside `within` if given; `nth` picks one of several, counted from 0, -1 is the last.
    A text may also be one of `names`."""

    by: tuple[By, ...]
    within: Target | None = None
    nth: int | None = None
    exact: bool = True
    names: Names | None = field(default=None, repr=False, compare=False)

    def pick(self, nth: int) -> Target:
        return replace(self, nth=nth)

    def told(self) -> Target:
        """The same for a record: a control of an earlier look in words alone, without that look; no names."""
        within = self.within.told() if self.within is not None else None
        by = tuple(By(by.kind, by.value.words) if isinstance(by.value, Pinned) else by for by in self.by)
        if by == self.by and within is self.within and self.names is None:
            return self
        return replace(self, by=by, within=within, names=None)

    def __str__(self) -> str:
        words = ", ".join(str(by) for by in self.by)
        if not self.exact:
            words += " (part of it)"
        if self.nth is not None:
            words += f", number {self.nth + 1}" if self.nth >= 0 else ", the last"
        return f"{words} within {self.within}" if self.within is not None else words
