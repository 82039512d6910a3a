"""A small, seeded part of `tests/quality/fuzz_language.py`, and whether its check can fail."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType

import pytest

from pytest_apex.gestures.language import parse_commands


@pytest.fixture(scope="module")
def fuzz(quality: Callable[[str], ModuleType]) -> ModuleType:
    return quality("fuzz_language")


@pytest.mark.parametrize("first", range(0, 4000, 1000))
def test_no_input_breaks_the_promise(fuzz: ModuleType, first: int) -> None:
    report = fuzz.run(1000, seed=7, first=first)
    assert report.failures == []
    assert report.outcomes["right: read"] > 300
    assert report.outcomes["broken: read"] > 30
    assert report.outcomes["broken: refused"] > 100


def test_the_same_seed_gives_the_same_inputs(fuzz: ModuleType) -> None:
    for kind in fuzz.KINDS:
        assert [kind(random.Random(n)) for n in range(20)] == [kind(random.Random(n)) for n in range(20)]


def test_right_inputs_hold_every_command(fuzz: ModuleType) -> None:
    verbs = {action.verb for n in range(300) for action in parse_commands(fuzz.right(random.Random(n)))}
    assert verbs == {
        "tap", "double_tap", "swipe", "drag", "multi_touch", "press", "type", "wait", "orientation", "crown", "remote",
    }  # fmt: skip


def test_a_writer_that_loses_something_is_found(fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "format_commands", lambda actions: "")
    with pytest.raises(AssertionError, match="something else"):
        fuzz.check("w 1")
    assert fuzz.check("") == "read"


def test_a_reader_that_breaks_is_found(fuzz: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "parse_commands", int)
    report = fuzz.run(30, seed=1)
    assert len(report.failures) >= 20
    assert "ValueError" in report.failures[0]
