"""Answers of hooks: many, or one that stands alone."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeVar

_T = TypeVar("_T")


def all_of(answers: Iterable[_T | Iterable[_T]]) -> Iterator[_T]:
    """Each thing that was answered; an answer may be a list or a single one."""
    for answer in answers:
        if isinstance(answer, Iterable):
            yield from answer
        else:
            yield answer
