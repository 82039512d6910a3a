"""One criterion of a target, as a test of a word."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import TypeAlias

from pytest_apex.errors import ConfigError
from pytest_apex.hierarchy.names import short_id
from pytest_apex.model.node import ROLES, NodeState
from pytest_apex.model.snapshot import Tree
from pytest_apex.model.target import By

Accept: TypeAlias = Callable[[str], bool]

_EDITABLE = int(NodeState.EDITABLE)
_PASSWORD = int(NodeState.PASSWORD)


def accepts(by: By, exact: bool) -> Accept:
    """The test that a word has to pass; the empty word never does. Raises `ConfigError` for an impossible criterion."""
    value = by.value
    if isinstance(value, re.Pattern):
        pattern = value
        return lambda word: bool(word) and pattern.search(word) is not None
    if not isinstance(value, str) or not value:
        raise ConfigError(
            f"{by.kind} has to be a text that is not empty, or a compiled pattern",
            seen=f"{value!r} ({type(value).__name__})",
        )
    if by.kind == "role":
        return _role(value)
    if not exact:
        wanted = value.casefold()
        return lambda word: wanted in word.casefold()
    if by.kind == "id":
        return lambda word: word == value or short_id(word) == value
    return lambda word: word == value


def _role(value: str) -> Accept:
    if value not in ROLES:
        near = get_close_matches(value.lower(), ROLES, n=3)
        raise ConfigError(
            f"there is no role {value!r}",
            likely=f"{' or '.join(map(repr, near))} is meant" if near else "",
            cure=f"roles: {', '.join(sorted(ROLES))}",
        )
    return lambda word: word == value


def find_words(tree: Tree, accept: Accept, candidates: Sequence[int]) -> list[int]:
    """The candidates with the words on them: texts, else labels, else placeholders of text fields.

    What was typed into a password field is no name for it.
    """
    states = tree.states
    texts = tree.texts
    found = [index for index in candidates if accept(texts[index]) and not states[index] & _PASSWORD]
    if not found:
        labels = tree.labels
        found = [index for index in candidates if accept(labels[index])]
    if not found:
        hints = tree.hints
        found = [index for index in candidates if accept(hints[index]) and states[index] & _EDITABLE]
    return found
