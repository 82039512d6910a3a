"""The words of a command text, one after the other, with the column of each."""

from __future__ import annotations

import re

from pytest_apex.errors import CommandError
from pytest_apex.gestures.spelling import MAX_NUMBER, MAX_SECONDS, Misspelt, read_ms, read_number, read_text
from pytest_apex.model.geometry import Point

#: Characters of a command text.
MAX_CHARS = 1_000_000

#: Brackets and commas stand for themselves, with or without spaces around them.
_WORD = re.compile(r" *([\[\],]|[^ \[\],]*)")
_BEGINS_NUMBERS = frozenset("+-.0123456789")
#: Characters of a word that an error shows.
_SHOWN = 24


class Reader:
    """Reads a text from left to right, each character once. All its errors are `CommandError`."""

    word: str
    """The next word; empty at the end."""

    def __init__(self, text: str) -> None:
        self._text = _checked(text)
        self._passed: list[str] = []  # what could stand here as well, but does not
        self._start = self._end = 0
        self._look(0)

    def _look(self, at: int) -> None:
        self._before = at  # the end of the word taken last
        found = _WORD.match(self._text, at)
        assert found is not None  # it matches nothing, too
        self.word, self._start, self._end = found[1], found.start(1), found.end()

    def take(self) -> str:
        """The next word."""
        word = self.word
        self._passed.clear()
        self._look(self._end)
        return word

    def take_if(self, word: str) -> bool:
        """Take the next word if it is this one."""
        if self.word == word:
            self.take()
            return True
        self._passed.append(word)
        return False

    def take_one_of(self, words: tuple[str, ...]) -> str:
        """The next word, which has to be one of these."""
        if self.word not in words:
            raise self.wrong(" or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0])
        return self.take()

    def number(self, name: str) -> float:
        value = read_number(self.word)
        if value is None:
            raise self.wrong(f"{name} (a decimal number, up to {MAX_NUMBER})")
        self.take()
        return value

    def point(self, x: str = "X", y: str = "Y") -> Point:
        return Point(self.number(x), self.number(y))

    def time(self, name: str, *, least: int = 0) -> int:
        """Seconds, as milliseconds, at least so many."""
        ms = read_ms(self.word)
        if ms is None or ms < least:
            limits = f"over 0, up to {MAX_SECONDS}" if least else f"0 to {MAX_SECONDS}"
            raise self.wrong(f"{name} (seconds, {limits}, at most 3 decimals)")
        self.take()
        return ms

    def time_if(self, name: str, *, least: int = 0) -> int | None:
        """A time, if the next word looks like a number."""
        if self.word[:1] in _BEGINS_NUMBERS:
            return self.time(name, least=least)
        self._passed.append(f"{name} (seconds)")
        return None

    def rest(self, name: str) -> str:
        """All that follows the last word and one space, as text; nothing is left to read then."""
        begins = self._before + 1
        if begins >= len(self._text) or self._text[self._before] != " ":
            raise CommandError(self._text, self._before + 1, f"a space and {name}", self._shown())
        try:
            text = read_text(self._text[begins:])
        except Misspelt as error:
            raise CommandError(self._text, begins + error.offset + 1, error.expected, error.found) from None
        self._look(len(self._text))
        return text

    def wrong(self, expected: str) -> CommandError:
        """The error of the next word, which is not what was expected."""
        return CommandError(self._text, self._start + 1, " or ".join([*self._passed, expected]), self._shown())

    def _shown(self) -> str:
        if not self.word:
            return "the end"
        return repr(self.word if len(self.word) <= _SHOWN else f"{self.word[:_SHOWN]}…")


def _checked(text: object) -> str:
    if not isinstance(text, str):
        raise CommandError("", 1, "a text", f"a {type(text).__name__}")
    if len(text) > MAX_CHARS:
        raise CommandError(text, MAX_CHARS + 1, f"the end, after {MAX_CHARS} characters", f"{len(text)} characters")
    return text
