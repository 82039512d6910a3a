"""The benchmark of seeing is right in what it measures; `python tests/quality/bench_seeing.py` measures."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest

from pytest_apex.hierarchy import readers
from pytest_apex.hierarchy.diff import diff
from pytest_apex.hierarchy.state import index_state


@pytest.fixture(scope="module")
def bench(quality: Callable[[str], ModuleType]) -> ModuleType:
    return quality("bench_seeing")


def test_the_dump_has_the_nodes_and_controls_that_are_said(bench: ModuleType) -> None:
    snapshot = readers.read(bench.dump(402))
    assert len(snapshot) == 402
    assert len(index_state(snapshot).nodes) == 50 * 3 + 1
    assert bench.see(bench.dump(402)) == 50 * 3 + 1
    scrolled = diff(snapshot, readers.read(bench.dump(402, first=20)))
    assert scrolled.scrolled == ('"list" (list) down by 80',)


def test_what_is_not_held_is_told(bench: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    clock = bench.measure(202, 1)
    good = {"lxml": 1.0, "floor": 2.0, "read": 2.0, "see": 6.0, "our queries": 1.0, "their queries": 50.0,
            "their queries, parsed once": 5.0, "diff, words changed": 4.0}  # fmt: skip
    assert set(good) <= set(clock.least)
    clock.least = good
    assert bench.report(clock, 202, 1000) == []
    clock.least = {**good, "see": 6.1, "our queries": 1.1, "diff, words changed": 4.1}
    assert len(bench.report(clock, 202, 1000)) == 3
    assert capsys.readouterr().out.count("NOT HELD") == 3


def test_memory_is_counted_a_node(bench: ModuleType) -> None:
    alone, used = bench.memory(bench.dump(802))
    assert 100 < alone < used < 10_000
