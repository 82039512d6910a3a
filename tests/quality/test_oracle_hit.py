"""Hit points against pixels, short; `python tests/quality/oracle_hit.py` is the long one."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType

import pytest

from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Hit, Obscured


@pytest.fixture(scope="module")
def oracle(quality: Callable[[str], ModuleType]) -> ModuleType:
    return quality("oracle_hit")


@pytest.mark.parametrize("seed", range(8))
def test_the_point_is_on_the_target_and_obscured_means_no_pixel_left(oracle: ModuleType, seed: int) -> None:
    answers, mistakes = oracle.run(50, random.Random(seed))
    assert mistakes == []
    assert answers["hit"] > 20
    assert answers["covered"] > 3


def test_the_oracle_sees_what_is_wrong(oracle: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def corner(snapshot: object, node: object) -> Hit:
        return Hit(node, Point(0, 0), Rect(0, 0, 1, 1))

    monkeypatch.setattr(oracle, "find_hit", corner)
    assert len(oracle.run(20, random.Random(1))[1]) > 20
    monkeypatch.setattr(oracle, "find_hit", lambda snapshot, node: Obscured(node, "covered"))
    assert len(oracle.run(20, random.Random(1))[1]) > 5
