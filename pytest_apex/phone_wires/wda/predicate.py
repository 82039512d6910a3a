"""Predicates (`label == "Save" AND visible == 1`): the part of NSPredicate that finds elements, read and tried."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pytest_apex.phone_wires.webdriver.faults import Fault

Attributes = Mapping[str, str | None]
Test = Callable[[Attributes], bool]
_TOKEN = re.compile(
    r"""\s*(?:("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(-?\d+(?:\.\d+)?)|(==|!=|<>|<=|>=|=|<|>|&&|\|\||!|[(){},])|([A-Za-z_]\w*)(\[[cdCD]{1,2}\])?)"""
)
_ESCAPE = re.compile(r"\\(.)")
_MOST_TOKENS, _MOST_DEPTH, _MOST_PATTERN, _MOST_TEXT = 500, 20, 500, 2000
#: Other names of attributes.
_ALIASES = {"isEnabled": "enabled", "isVisible": "visible", "isAccessible": "accessible", "wdName": "name",
            "wdLabel": "label", "wdValue": "value", "wdType": "type", "identifier": "name", "isFocused": "focused",
            "hasFocus": "focused", "elementType": "type"}  # fmt: skip
_KNOWN = frozenset(
    {"type", "value", "name", "label", "enabled", "visible", "accessible", "x", "y", "width", "height", "traits",
     "placeholderValue", "focused", "hittable", "selected", "index", "rect"}
)  # fmt: skip
_STRING_WORDS = frozenset({"BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "IN"})


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    options: str = ""


def read(text: str) -> Test:
    """Raises `Fault` for what is no predicate."""
    reader = _Reader(text)
    test = reader.any_of(0)
    if reader.peek() is not None:
        raise reader.wrong()
    return test


class _Reader:
    def __init__(self, text: str) -> None:
        self._text, self._at = text, 0
        self._tokens: list[_Token] = []
        at, text = 0, text.strip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if found is None or len(self._tokens) > _MOST_TOKENS:
                raise self.wrong()
            quoted, digits, sign, word, options = found.groups()
            if quoted is not None:
                self._tokens.append(_Token("text", _ESCAPE.sub(r"\1", quoted[1:-1])))
            elif digits is not None:
                self._tokens.append(_Token("number", digits))
            elif sign is not None:
                self._tokens.append(_Token("sign", sign))
            else:
                self._tokens.append(_Token("word", word, (options or "").lower()))
            at = found.end()

    def wrong(self) -> Fault:
        return Fault("invalid selector", f'Unable to parse the format string "{self._text[:200]}"')

    def peek(self) -> _Token | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> _Token:
        token = self.peek()
        if token is None:
            raise self.wrong()
        self._at += 1
        return token

    def _took(self, *words: str) -> bool:
        token = self.peek()
        if token is None or token.kind == "text" or token.text.upper() not in words:
            return False
        self._at += 1
        return True

    def any_of(self, depth: int) -> Test:
        if depth > _MOST_DEPTH:
            raise self.wrong()
        tests = [self._all_of(depth)]
        while self._took("OR", "||"):
            tests.append(self._all_of(depth))
        return lambda one: any(test(one) for test in tests)

    def _all_of(self, depth: int) -> Test:
        tests = [self._one(depth)]
        while self._took("AND", "&&"):
            tests.append(self._one(depth))
        return lambda one: all(test(one) for test in tests)

    def _one(self, depth: int) -> Test:
        if self._took("NOT", "!"):
            inner = self._one(depth + 1) if depth < _MOST_DEPTH else None
            if inner is None:
                raise self.wrong()
            return lambda one: not inner(one)
        if self._took("("):
            found = self.any_of(depth + 1)
            if not self._took(")"):
                raise self.wrong()
            return found
        if self._took("TRUEPREDICATE"):
            return lambda _one: True
        return self._comparison()

    def _comparison(self) -> Test:
        name = self._next()
        attribute = _ALIASES.get(name.text, name.text)
        if name.kind != "word" or attribute not in _KNOWN:
            known = ", ".join(sorted(_KNOWN))
            raise Fault("invalid selector", f"The attribute '{name.text[:50]}' is unknown. Known: {known}")
        sign = self._next()
        operator = sign.text.upper()
        if operator == "IN":
            values = self._list()
            return lambda one: (one.get(attribute) or "") in values
        value = self._value()
        if operator in _STRING_WORDS and value is not None:
            return _string_test(attribute, operator, value, "c" in sign.options)
        return self._plain(attribute, operator, value, "c" in sign.options)

    def _plain(self, attribute: str, operator: str, value: str | None, fold: bool) -> Test:
        if operator in ("==", "=", "!=", "<>"):
            same = operator in ("==", "=")
            return lambda one: _equal(one.get(attribute), value, fold) is same
        compare = {"<": lambda a, b: a < b, ">": lambda a, b: a > b, "<=": lambda a, b: a <= b,
                   ">=": lambda a, b: a >= b}.get(operator)  # fmt: skip
        number = _number(value)
        if compare is None or number is None:
            raise self.wrong()

        def test(one: Attributes) -> bool:
            told = _number(one.get(attribute))
            return told is not None and bool(compare(told, number))

        return test

    def _value(self) -> str | None:
        token = self._next()
        if token.kind in ("text", "number"):
            return token.text
        plain = {"TRUE": "true", "YES": "true", "FALSE": "false", "NO": "false"}
        if token.kind == "word" and token.text.upper() in plain:
            return plain[token.text.upper()]
        if token.kind == "word" and token.text.upper() in ("NIL", "NULL"):
            return None
        raise self.wrong()

    def _list(self) -> list[str]:
        if not self._took("{"):
            raise self.wrong()
        values = [self._value() or ""]
        while self._took(","):
            values.append(self._value() or "")
        if not self._took("}"):
            raise self.wrong()
        return values


def _equal(told: str | None, wanted: str | None, fold: bool) -> bool:
    if wanted is None or told is None:
        return told is wanted
    if told in ("true", "false"):  # booleans are numbers too
        return told == {"1": "true", "0": "false"}.get(wanted, wanted)
    return told.lower() == wanted.lower() if fold else told == wanted


def _number(value: str | None) -> float | None:
    try:
        return float(value) if value is not None else None
    except ValueError:
        return None


def _string_test(attribute: str, operator: str, value: str, fold: bool) -> Test:
    wanted = value.lower() if fold else value
    pattern = _pattern(wanted, operator) if operator in ("LIKE", "MATCHES") else None

    def test(one: Attributes) -> bool:
        told = one.get(attribute)
        if told is None:
            return False
        told = told.lower() if fold else told
        if pattern is not None:
            return pattern.fullmatch(told[:_MOST_TEXT]) is not None
        if operator == "CONTAINS":
            return wanted in told
        return told.startswith(wanted) if operator == "BEGINSWITH" else told.endswith(wanted)

    return test


def _pattern(text: str, operator: str) -> re.Pattern[str]:
    if operator == "LIKE":
        text = "".join({"*": ".*", "?": "."}.get(letter, re.escape(letter)) for letter in text)
    if len(text) > _MOST_PATTERN:
        raise Fault("invalid selector", "the pattern is too long")
    try:
        return re.compile(text, re.DOTALL)
    except (re.error, RecursionError, OverflowError) as error:
        raise Fault("invalid selector", f"Can't do regex matching, reason: {error}") from error
