"""`new UiSelector().text("…")`: the Java that testers write, read as text."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.uiautomator.selectors import NotASelector, check, test_of
from pytest_apex.phone_wires.webdriver.faults import Fault

_TOKEN = re.compile(r"""\s*(?:(new\b)|([A-Za-z_]\w*)|("(?:[^"\\]|\\.)*")|(-?\d+)|([().,;]))""")
_ESCAPE = re.compile(r"\\(.)")
_MOST_TOKENS, _MOST_DEPTH = 500, 10
_CHILDREN = {"childSelector": "child", "fromParent": "sibling"}


@dataclass(frozen=True, slots=True)
class Chosen:
    """A selector, and the ones that lead from what it finds to others (`child` or `sibling`)."""

    words: Mapping[str, Any]
    then: tuple[tuple[str, Chosen], ...] = ()


class _Reader:
    """The tokens of one expression, from the first on."""

    def __init__(self, text: str) -> None:
        self._tokens: list[str] = []
        at = 0
        text = text.strip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or len(self._tokens) > _MOST_TOKENS:
                raise _wrong(text)
            self._tokens.append(found[0].strip())
            at = found.end()
        self._text, self._at = text, 0

    def peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def next(self) -> str:
        token = self.peek()
        self._at += 1
        return token

    def expect(self, token: str) -> None:
        if self.next() != token:
            raise _wrong(self._text)

    def selector(self, depth: int = 0) -> Chosen:
        if depth > _MOST_DEPTH:
            raise _wrong(self._text)
        if self.peek() == "new":
            self.next()
        if self.next() != "UiSelector":
            raise _wrong(self._text)
        self.expect("(")
        self.expect(")")
        words: dict[str, Any] = {}
        then: list[tuple[str, Chosen]] = []
        while self.peek() == ".":
            self.next()
            name = self.next()
            self.expect("(")
            if name in _CHILDREN:
                then.append((_CHILDREN[name], self.selector(depth + 1)))
            else:
                words[name] = self.value()
            self.expect(")")
        return Chosen(self._checked(words), tuple(then))

    def _checked(self, words: dict[str, Any]) -> Mapping[str, Any]:
        try:
            return check(words)
        except NotASelector as error:
            raise _wrong(self._text) from error

    def value(self) -> Any:
        token = self.next()
        if token.startswith('"'):
            return _ESCAPE.sub(r"\1", token[1:-1])
        if token in ("true", "false"):
            return token == "true"
        if re.fullmatch(r"-?\d{1,9}", token):
            return int(token)
        raise _wrong(self._text)

    def number(self) -> int:
        value = self.value()
        if not isinstance(value, int):
            raise _wrong(self._text)
        return value

    def text_of_selector(self) -> str:
        """The next selector as it stands."""
        begin = self._at
        self.selector()
        return " ".join(self._tokens[begin : self._at])

    def end(self) -> None:
        if self.peek() == ";":
            self.next()
        if self.peek():
            raise _wrong(self._text)


def _wrong(text: str) -> Fault:
    return Fault("invalid selector", f"Could not parse expression `{text[:200]}`")


def read(text: str) -> Chosen:
    """Raises `Fault` for anything that is no UiSelector."""
    reader = _Reader(text)
    found = reader.selector()
    reader.end()
    return found


SCROLLABLE = "UiScrollable"
#: What is looked for, by the name of the call; `%s` is its text.
_LOOKS = {"scrollTextIntoView": "text", "scrollDescriptionIntoView": "description"}


@dataclass(frozen=True, slots=True)
class Scrollable:
    """What is scrolled, and what for: both are selectors. `swipes` are the most."""

    box: str
    target: str
    swipes: int = 30


def read_scrollable(text: str) -> Scrollable:
    """`new UiScrollable(SELECTOR).scrollIntoView(SELECTOR)`, and the like. Raises `Fault` for anything else."""
    reader = _Reader(text)
    if reader.peek() == "new":
        reader.next()
    reader.expect(SCROLLABLE)
    reader.expect("(")
    box, target, swipes = reader.text_of_selector(), "", 30
    reader.expect(")")
    while reader.peek() == ".":
        reader.next()
        name = reader.next()
        reader.expect("(")
        if name == "scrollIntoView":
            target = reader.text_of_selector()
        elif name in _LOOKS:
            words = str(reader.value()).replace("\\", "\\\\").replace('"', '\\"')
            target = f'new UiSelector().{_LOOKS[name]}("{words}")'
        elif name == "setMaxSearchSwipes":
            swipes = reader.number()
        elif name != "setAsVerticalList":
            raise _wrong(text)
        reader.expect(")")
    reader.end()
    if not target:
        raise _wrong(text)
    return Scrollable(box, target, swipes)


def find_by(text: str, every: Sequence[Seen]) -> Sequence[Seen]:
    """Those of `every` that fit, in document order."""
    return _find(read(text), every)


def _find(chosen: Chosen, every: Sequence[Seen]) -> list[Seen]:
    try:
        fits = test_of(chosen.words)
        found = [seen for seen in every if fits(seen)]
    except NotASelector as error:
        raise Fault("invalid selector", str(error)) from error
    number = chosen.words.get("instance")
    if number is not None:
        found = found[number : number + 1] if number >= 0 else []
    for kind, inner in chosen.then:
        below: dict[int, Seen] = {}
        for seen in found[:1] if number is None else found:
            for other in _find(inner, _around(seen, kind, every)):
                below.setdefault(other.node.index, other)
        found = list(below.values())
    return found


def _around(seen: Seen, kind: str, every: Sequence[Seen]) -> list[Seen]:
    """Its descendants, or those of its parent; itself is not among them."""
    top = seen.node if kind == "child" else seen.node.parent
    if top is None:
        return []
    return [other for other in every if other.node.is_inside(top) and other.node != top and other.node != seen.node]
