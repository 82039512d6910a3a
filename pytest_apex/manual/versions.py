"""Ranges of app versions: `>=1.4, <2`, `==3`, `1.4`.

Apps call their versions as they like (`2026.10.1-rc (build 7)`), so that only the numbers up to the first other word
count. As with `requires(os=…)`, `==1.4` compares as far as it goes: 1.4.2 is one.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable
from itertools import zip_longest

#: Characters of a range.
LONGEST = 200

_PART = re.compile(r"\s*(>=|<=|==|!=|>|<)?\s*(\d{1,9}(?:\.\d{1,9}){0,7})\s*", re.ASCII)
_NUMBERS = re.compile(r"\d{1,9}(?:\.\d{1,9})*", re.ASCII)
_COMPARE = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
_Part = tuple[str, tuple[int, ...]]


def parts_of(text: str) -> tuple[_Part, ...] | None:
    """The conditions of a range, all of which must hold; None for a text that is no range."""
    parts = [_PART.fullmatch(part) for part in text.split(",")] if len(text) <= LONGEST else [None]
    if not all(parts):
        return None
    return tuple((part[1] or "==", _numbers(part[2])) for part in parts if part is not None)


def fits(version_range: str, version: str) -> bool | None:
    """Whether a version is in the range. An empty range has all. None where the version tells no number."""
    if not version_range:
        return True
    found = _NUMBERS.search(version)
    return _fits(parts_of(version_range) or (), _numbers(found.group())) if found else None


def overlap(one: str, other: str) -> bool:
    """Whether some version is in both ranges."""
    parts = tuple(part for text in (one, other) if text for part in parts_of(text) or ())
    return any(_fits(parts, version) for version in _tellers(number for _, number in parts))


def _tellers(bounds: Iterable[tuple[int, ...]]) -> Iterable[tuple[int, ...]]:
    """Versions at, just above and just below each bound: if any version is in all conditions, one of these is."""
    yield (0,)
    for bound in bounds:
        yield bound
        yield (*bound, 0, 0, 0, 0, 0, 0, 0, 1)
        yield (*bound[:-1], bound[-1] + 1)
        if any(bound):
            yield _below(bound)


def _below(bound: tuple[int, ...]) -> tuple[int, ...]:
    last = max(at for at, number in enumerate(bound) if number)
    return (*bound[:last], bound[last] - 1, 10**9)


def _fits(parts: Iterable[_Part], version: tuple[int, ...]) -> bool:
    return all(_holds(compare, number, version) for compare, number in parts)


def _holds(compare: str, number: tuple[int, ...], version: tuple[int, ...]) -> bool:
    if compare in ("==", "!="):
        padded = version + (0,) * (len(number) - len(version))
        return (padded[: len(number)] == number) is (compare == "==")
    pairs = list(zip_longest(version, number, fillvalue=0))
    have, want = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return bool(_COMPARE[compare](have, want))


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split(".")))
