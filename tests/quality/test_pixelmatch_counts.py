"""A part of the recorded counts; `python tests/quality/exact_counts.py` compares all."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def command(quality: Callable[[str], ModuleType]) -> ModuleType:
    return quality("exact_counts")


def test_each_kind_of_change_counts_as_recorded(command: ModuleType) -> None:
    assert command.wrong(range(60, 67)) == []


def test_all_pairs_are_recorded_and_they_differ(command: ModuleType) -> None:
    table = command.recorded()
    assert table["pixelmatch"] == "7.2.0"
    assert len(table["counts"]) == command.picture_pairs.PAIRS == 300
    assert {name.rpartition(", ")[2] for name, *_ in table["counts"]} == {
        "clock", "block", "edges", "moved", "inverted", "lighter", "specks"
    }  # fmt: skip
    assert len({key for _, key, *_ in table["counts"]}) > 290, "a page without anything below gives a pair twice"
    assert sum(1 for row in table["counts"] if row[2] != row[4]) > 150, "smoothed edges are in most of them"


def test_a_wrong_count_is_told(command: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    right = command.recorded()
    name, key, *counts = right["counts"][61]
    right["counts"][61] = [name, key, counts[0] + 1, *counts[1:]]
    monkeypatch.setattr(command, "recorded", lambda: right)
    (line,) = command.wrong(range(60, 63))
    assert line.startswith(f"61 ({name}), usual: ")
    right["counts"][61] = [name, "another", *counts]
    assert command.wrong(range(61, 62)) == [f"61 ({name}): not the recorded pair: record it anew"]
