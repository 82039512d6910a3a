"""A small, seeded part of `tests/quality/fuzz_readers.py`, and whether its check can fail."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import ModuleType

import pytest

from pytest_apex.hierarchy.readers import read


@pytest.fixture(scope="module")
def fuzz(quality: Callable[[str], ModuleType]) -> ModuleType:
    return quality("fuzz_readers")


@pytest.mark.parametrize("first", range(0, 120, 30))
def test_mutated_hierarchies_raise_nothing_but_our_error(fuzz: ModuleType, first: int) -> None:
    report = fuzz.run(30, seed=7, first=first, measure_every=15)
    assert report.failures == []
    assert report.outcomes["read"] > 10


def test_the_same_seed_gives_the_same_inputs(fuzz: ModuleType) -> None:
    known = fuzz.sources()
    assert [fuzz.mutated(3, n, known) for n in range(20)] == [fuzz.mutated(3, n, known) for n in range(20)]


def test_the_check_finds_trees_that_are_not_whole(fuzz: ModuleType) -> None:
    snapshot = read('<hierarchy><node bounds="[0,0][9,9]"><node text="a" bounds="[0,0][9,9]"/></node></hierarchy>')
    fuzz.check(snapshot)
    for wrong in (
        {"parents": (-1, 1)},
        {"ends": (1, 2)},
        {"texts": ("", "\x1b")},
        {"texts": ("", "\ud800")},
        {"window_of": (0, 1)},
        {"roles": ("other",)},
    ):
        with pytest.raises((AssertionError, UnicodeEncodeError)):
            fuzz.check(replace(snapshot, tree=replace(snapshot.tree, **wrong)))
