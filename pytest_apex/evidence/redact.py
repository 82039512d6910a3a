"""Masking of secrets in everything that is written or printed, before it is."""

from __future__ import annotations

import dataclasses
import enum
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_apex.errors import ConfigError
from pytest_apex.evidence import blackout
from pytest_apex.evidence.forms import MIN_LENGTH, forms_of
from pytest_apex.evidence.plain import MASK
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Snapshot

#: Texts shorter than this are remembered with their masked form: a tree shows the same ones again and again.
_REMEMBERED_LENGTH = 200
_REMEMBERED = 4096
#: Names that the store and the run's folder make of hashes. A short secret ("1234") may stand in one by chance;
#: masking it would break the way to the file and hide nothing.
_MADE_OF_HASHES = re.compile(r"store/[0-9a-f]{32}\.\w+|[0-9a-f]{64}|tests/[\w.-]+-[0-9a-f]{8}/attempt-\d+")


class Redactor:
    """Knows what is secret, and masks it with `•••`.

    `patterns` are the values of `apex_redact`: an entry between slashes (`/sk_[a-z0-9]+/`) is a regular expression,
    any other the secret itself. A secret is found as it is and as JSON, Python, URL, XML and base64 have it; one
    shorter than four characters only as a whole word. Raises `ConfigError` for an expression that can't be read.
    """

    def __init__(self, patterns: Sequence[str] = ()) -> None:
        self._secrets: set[str] = set()
        self._fields: set[str] = set()
        self._forms: tuple[str, ...] = ()
        self._expressions: list[re.Pattern[str]] = []
        self._remembered: dict[str, str] = {}
        for pattern in patterns:
            if len(pattern) > 2 and pattern.startswith("/") and pattern.endswith("/"):
                self._expressions.append(_compiled(pattern))
            else:
                self.add_secret(pattern)

    def add_secret(self, value: str, *, field_id: str = "") -> None:
        """Mask `value` from now on. `field_id` is the identifier (or label) of the field it was typed into: what that
        field shows is masked too, whatever it is."""
        if field_id:
            self._fields.add(field_id)
        if value in self._secrets or not forms_of(value):
            return
        self._secrets.add(value)
        self._remembered.clear()
        if len(value) < MIN_LENGTH:
            self._expressions.append(re.compile(rf"(?<!\w){re.escape(value)}(?!\w)"))
        else:
            self._forms = tuple(sorted({*self._forms, *forms_of(value)}, key=lambda form: (-len(form), form)))

    @property
    def knows(self) -> int:
        """How much there is to mask beside password fields; it only grows."""
        return len(self._secrets) + len(self._expressions) + len(self._fields)

    @property
    def knows_any(self) -> bool:
        """Whether there is anything to mask beside password fields."""
        return self.knows > 0

    def text(self, text: str) -> str:
        """`text` with every secret in it masked; secrets that overlap are masked as one."""
        if not text or not (self._forms or self._expressions):
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
        spans = self._spans(text)
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
        """The same for every text inside dictionaries, lists, tuples, sets and dataclasses, and for a number that is
        a secret. Names of stored files stay."""
        if value is None or isinstance(value, enum.Enum | bool):
            return value
        if isinstance(value, str):
            made = _MADE_OF_HASHES.fullmatch(value) and value not in self._secrets
            return value if made else self.text(value)
        if isinstance(value, bytes):
            return self.data(value)
        if isinstance(value, int | float):
            shown = str(value)
            return MASK if len(shown) >= MIN_LENGTH and shown in self._secrets else value
        return self._inside(value)

    def _inside(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {self.value(key): self.value(item) for key, item in value.items()}
        if isinstance(value, tuple) and hasattr(value, "_make"):
            return value._make(self.value(item) for item in value)
        if isinstance(value, list | tuple | set | frozenset):
            return type(value)(self.value(item) for item in value)
        if isinstance(value, Snapshot):
            return self.snapshot(value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            old = {item.name: getattr(value, item.name) for item in dataclasses.fields(value) if item.init}
            new = {name: self.value(item) for name, item in old.items()}
            changed = {name: item for name, item in new.items() if item is not old[name] and item != old[name]}
            return dataclasses.replace(value, **changed) if changed else value
        return value

    def boxes(self, snapshot: Snapshot) -> list[Rect]:
        """Where the picture shows a secret, in the units of the tree: password fields with content or focus, controls
        whose texts hold a secret, fields that a secret was typed into."""
        return self._boxes(snapshot, self._rows(snapshot))

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

    def _spans(self, text: str) -> list[tuple[int, int]]:
        spans = []
        for form in self._forms:
            at = text.find(form)
            while at >= 0:
                spans.append((at, at + len(form)))
                at = text.find(form, at + 1)
        for expression in self._expressions:
            spans.extend(found.span() for found in expression.finditer(text) if found.end() > found.start())
        return spans


def _compiled(pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern[1:-1])
    except re.error as error:
        at = "" if error.pos is None else f" at column {error.pos + 2}"
        raise ConfigError(
            f"can't read the pattern {pattern} in apex_redact",
            seen=f"{error.msg}{at}",
            likely="what stands between slashes is a regular expression",
            cure="correct it, or leave out the slashes if the text itself is the secret",
        ) from error


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans in order, those that overlap as one."""
    merged: list[tuple[int, int]] = []
    for first, last in sorted(spans):
        if merged and first < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged
