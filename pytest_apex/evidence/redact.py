"""Masking of secrets in everything that is written or printed, before it is."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_apex.evidence import blackout, own_words
from pytest_apex.evidence.expressions import expression_of, is_expression
from pytest_apex.evidence.finder import Finder
from pytest_apex.evidence.plain import MASK
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Snapshot

#: Texts shorter than this are remembered with their masked form: a tree shows the same ones again and again.
_REMEMBERED_LENGTH = 200
_REMEMBERED = 4096
#: A single letter is no secret, nor are two that are typed after others: the field's content is.
_MIN_CONTENT = 2
_MIN_PIECE = 3


class Redactor:
    """Knows what is secret, and masks it with `•••`.

    `patterns` are the values of `apex_redact`: an entry between slashes (`/sk_[a-z0-9]+/`) is a regular expression,
    any other the secret itself. A secret is found as it is and as JSON, Python, URL, XML and base64 have it, and when
    it was cut or broken over lines; from six characters on in capitals and small letters alike; one shorter than four
    only as a whole word. Raises `ConfigError` for an expression that can't be read, or that would mask everything.
    """

    def __init__(self, patterns: Sequence[str] = ()) -> None:
        self._secrets: set[str] = set()
        self._fields: set[str] = set()
        self._typed: dict[str, tuple[str, ...]] = {}
        self._finder = Finder()
        self._expressions = 0
        self._remembered: dict[str, str] = {}
        for pattern in patterns:
            if is_expression(pattern):
                self._finder.add_expression(expression_of(pattern))
                self._expressions += 1
            else:
                self.add_secret(pattern)

    def add_secret(self, value: str, *, field_id: str | None = None, empty: bool = False) -> None:
        """Mask `value` from now on. `field_id` is the identifier (or label) of the field it is typed into: what that
        field shows is masked too, whatever it is. What is typed into one field piece by piece is a secret as a whole;
        `empty` says that the field looks empty, so that this may be a new beginning."""
        if field_id is None:
            self._learn(value)
            return
        if field_id:
            self._fields.add(field_id)
        # Some platforms never show what a password field holds, so what looks like a new beginning may be none.
        before = self._typed.get(field_id, ())[: 1 if empty else 2] or ("",)
        if empty and before != ("",):
            before = (*before, "")
        self._typed[field_id] = tuple(content + value for content in before)
        for begun in before:
            for piece in (value, begun + value):
                if len(piece) >= (_MIN_PIECE if begun else _MIN_CONTENT):
                    self._learn(piece)

    def field_cleared(self, field_id: str) -> None:
        """What is typed into the field from now on is a new content."""
        self._typed.pop(field_id, None)

    def _learn(self, secret: str) -> None:
        if secret in self._secrets or not secret.strip():
            return
        self._secrets.add(secret)
        self._remembered.clear()
        self._finder.add(secret)

    @property
    def knows(self) -> int:
        """How much there is to mask beside password fields; it only grows."""
        return len(self._secrets) + self._expressions + len(self._fields)

    @property
    def knows_any(self) -> bool:
        """Whether there is anything to mask beside password fields."""
        return self.knows > 0

    def text(self, text: str) -> str:
        """`text` with every secret in it masked; secrets that overlap are masked as one."""
        if not text or not (self._secrets or self._expressions):
            return text
        known = self._remembered.get(text)
        if known is not None:
            return known
        masked = self._masked(text)
        if len(text) < _REMEMBERED_LENGTH:
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.clear()
            self._remembered[text] = masked
        return masked

    def _masked(self, text: str) -> str:
        spans = self._finder.spans(text)
        if not spans:
            return text
        parts: list[str] = []
        end = 0
        for first, last in _merged(spans):
            parts.extend((text[end:first], MASK))
            end = last
        return "".join((*parts, text[end:]))

    def data(self, data: bytes) -> bytes:
        """The same for a text in bytes; a picture or other binary data comes back as it is."""
        if b"\0" in data:
            return data
        text = data.decode("utf-8", "surrogateescape")
        masked = self.text(text)
        return data if masked == text else masked.encode("utf-8", "surrogateescape")

    def value(self, value: Any) -> Any:
        """The same for every text inside dictionaries, lists, tuples, sets and dataclasses. Keys, numbers and words of
        our own (kinds, outcomes, names of files) stay: programs read them, and nobody types them in."""
        if value is None or isinstance(value, enum.Enum | bool | int | float):
            return value
        if isinstance(value, str):
            made = own_words.is_made(value) and value not in self._secrets
            return value if made else self.text(value)
        if isinstance(value, bytes):
            return self.data(value)
        return self._inside(value)

    def _named(self, name: object, value: Any) -> Any:
        if not isinstance(value, str):
            return self.value(value)
        if name in own_words.FIELDS:
            return value
        return self.test_id(value) if name in own_words.TESTS else self.value(value)

    def test_id(self, nodeid: str) -> str:
        """The id of a test with its parameters masked: the rest is names in source code."""
        name, bracket, parameters = nodeid.partition("[")
        return f"{name}{bracket}{self.text(parameters[:-1])}{parameters[-1:]}" if bracket else nodeid

    def _inside(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {key: self._named(key, item) for key, item in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_make"):
            return value._make(self.value(item) for item in value)
        if isinstance(value, list | tuple | set | frozenset):
            return type(value)(self.value(item) for item in value)
        if isinstance(value, Snapshot):
            return self.snapshot(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            old = {item.name: getattr(value, item.name) for item in dataclasses.fields(value) if item.init}
            new = {name: self._named(name, item) for name, item in old.items()}
            changed = {name: item for name, item in new.items() if item is not old[name] and item != old[name]}
            return dataclasses.replace(value, **changed) if changed else value
        return value

    def boxes(self, snapshot: Snapshot) -> list[Rect]:
        """Where the picture shows a secret, in the units of the tree: password fields with content or focus, controls
        whose texts hold a secret, fields that a secret was typed into."""
        return self._boxes(snapshot, self._rows(snapshot))

    def texts(self, snapshot: Snapshot) -> Snapshot:
        """The snapshot with texts masked, its picture as it is; the same object when there is nothing to hide."""
        return blackout.mask_texts(snapshot, self.text, self._rows(snapshot).sealed)

    def snapshot(self, snapshot: Snapshot, extra: Sequence[Rect] = ()) -> Snapshot:
        """The snapshot with texts masked and the picture blacked out there and in `extra` (units of the tree); the
        same object when there is nothing to hide."""
        rows = self._rows(snapshot)
        masked = blackout.mask_texts(snapshot, self.text, rows.sealed)
        return blackout.black_out(masked, (*self._boxes(snapshot, rows), *extra))

    def _rows(self, snapshot: Snapshot) -> blackout.SecretRows:
        return blackout.secret_rows(snapshot.tree, self.text, frozenset(self._fields), frozenset(self._secrets))

    @staticmethod
    def _boxes(snapshot: Snapshot, rows: blackout.SecretRows) -> list[Rect]:
        return [box for box in (snapshot.tree.rect(row) for row in sorted(rows.boxed)) if not box.is_empty]


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order, those that overlap as one."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
