"""Where secrets stand in a text: whole, in any of their forms, or what is left of one that was cut or wrapped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pytest_apex.evidence.forms import MIN_LENGTH, forms_of

#: Secrets from this length on are found in capitals and small letters alike.
_ANY_CASE = 6
#: What is left of a secret is masked from this length on: beside an ellipsis, and at the very end of a long text, which
#: is where texts are cut without one.
_LEFT_OVER = 4
_LEFT_OVER_AT_END = 6
_LONG_TEXT = 40

_ELLIPSIS = re.compile(r"\.{3,}|…")
#: pytest's note that it cut the lines of a difference, and those lines: what is cut ends or begins the text in them.
_SKIPPED = re.compile(r"Skipping \d+ identical (?:leading|trailing)", re.IGNORECASE)
_OF_DIFFERENCE = re.compile(r"^(?:E\s+)?[-+] ['\"]?(.*?)['\"]?$", re.MULTILINE | re.IGNORECASE)
#: Between two words of a secret: white space of any kind, or where a long text is broken over lines of a difference.
_GAP = r"[\s'\"+\-E]{1,80}"

Span = tuple[int, int]


class Finder:
    """Finds secrets and what patterns match in texts."""

    def __init__(self) -> None:
        self._exact: tuple[str, ...] = ()
        self._folded: tuple[str, ...] = ()
        self._expressions: list[re.Pattern[str]] = []

    def add(self, secret: str) -> None:
        """Find `secret` from now on; one shorter than four characters as a whole word only."""
        if len(secret) < MIN_LENGTH:
            self._expressions.append(re.compile(rf"(?<!\w){re.escape(secret)}(?!\w)"))
            return
        forms = forms_of(secret)
        if len(secret) < _ANY_CASE:
            self._exact = _longest_first((*self._exact, *forms))
            return
        self._folded = _longest_first((*self._folded, *map(_fold, forms)))
        words = secret.split()
        if len(words) > 1:
            self._expressions.append(re.compile(_GAP.join(map(re.escape, words)), re.IGNORECASE))

    def add_expression(self, expression: re.Pattern[str]) -> None:
        self._expressions.append(expression)

    def spans(self, text: str) -> list[Span]:
        """Where to mask, in no order; they may overlap."""
        found = [span for one in self._expressions for span in _matched(one, text)]
        for forms, searched in ((self._exact, text), (self._folded, _fold(text) if self._folded else text)):
            for form in forms:
                found.extend(_occurrences(searched, form))
            if forms:
                found.extend(_left_overs(searched, forms))
        return found


def _longest_first(forms: Sequence[str]) -> tuple[str, ...]:
    return tuple(sorted(set(forms), key=lambda form: (-len(form), form)))


def _fold(text: str) -> str:
    """In small letters, each character one character."""
    lower = text.lower()
    if len(lower) == len(text) and "ς" not in lower:
        return lower
    return "".join(small if len(small := character.lower()) == 1 else character for character in text)


def _matched(expression: re.Pattern[str], text: str) -> Iterator[Span]:
    return (match.span() for match in expression.finditer(text) if match.end() > match.start())


def _occurrences(text: str, form: str) -> Iterator[Span]:
    at = text.find(form)
    while at >= 0:
        yield at, at + len(form)
        at = text.find(form, at + 1)


def _left_overs(text: str, forms: Sequence[str]) -> Iterator[Span]:
    """The beginning of a secret before a cut, its end behind one."""
    for cut in _ELLIPSIS.finditer(text):
        yield from _beginning(text, cut.start(), forms, _LEFT_OVER)
        yield from _ending(text, cut.end(), forms, _LEFT_OVER)
    if len(text) >= _LONG_TEXT:
        yield from _beginning(text, len(text), forms, _LEFT_OVER_AT_END)
    if _SKIPPED.search(text):
        for line in _OF_DIFFERENCE.finditer(text):
            yield from _ending(text, line.start(1), forms, _LEFT_OVER)
            yield from _beginning(text, line.end(1), forms, _LEFT_OVER)


def _beginning(text: str, end: int, forms: Sequence[str], least: int) -> Iterator[Span]:
    """The longest beginning of a form that `text` has just before `end`."""
    last = text[max(0, end - least) : end]
    if len(last) < least:
        return
    longest = 0
    for form in forms:
        at = form.rfind(last)
        while at >= 0 and at + least > longest:
            if text.endswith(form[:at], 0, end - least):
                longest = at + least
                break
            at = form.rfind(last, 0, at + least - 1)
    if longest:
        yield end - longest, end


def _ending(text: str, start: int, forms: Sequence[str], least: int) -> Iterator[Span]:
    """The longest end of a form that `text` has at `start`."""
    first = text[start : start + least]
    if len(first) < least:
        return
    longest = 0
    for form in forms:
        at = form.find(first)
        while at >= 0 and len(form) - at > longest:
            if text.startswith(form[at:], start):
                longest = len(form) - at
                break
            at = form.find(first, at + 1)
    if longest:
        yield start, start + longest
