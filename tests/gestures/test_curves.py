"""The mathematics of a moving hand."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.gestures.curves import along, bell, minimum_jerk, wander
from pytest_apex.model.geometry import Point

law = settings(max_examples=150, derandomize=True, deadline=None)
shares = st.floats(0, 1, allow_nan=False)
seeds = st.integers(0, 2**32)


def test_minimum_jerk_is_the_reaching_hands_polynomial() -> None:
    assert [minimum_jerk(x) for x in (0, 0.5, 1)] == [0, 0.5, 1]
    assert minimum_jerk(0.25) == pytest.approx(0.103515625)
    assert minimum_jerk(-1) == 0
    assert minimum_jerk(2) == 1


def test_minimum_jerk_is_1_875_times_as_fast_in_the_middle_as_in_the_mean() -> None:
    h = 1e-6
    assert (minimum_jerk(0.5 + h) - minimum_jerk(0.5 - h)) / (2 * h) == pytest.approx(1.875, abs=1e-3)
    assert minimum_jerk(h) / h == pytest.approx(0, abs=1e-3)


@law
@given(shares, shares)
def test_minimum_jerk_never_goes_back(a: float, b: float) -> None:
    assert minimum_jerk(min(a, b)) <= minimum_jerk(max(a, b)) + 1e-12


@law
@given(seeds, shares, shares)
def test_wander_is_smooth_bounded_and_ends_at_zero_level(seed: int, s: float, other: float) -> None:
    value = wander(random.Random(seed))
    assert value(0) == pytest.approx(0, abs=1e-12)
    assert value(1) == pytest.approx(0, abs=1e-12)
    assert abs(value(1e-3)) + abs(value(1 - 1e-3)) < 1e-4
    assert abs(value(s)) <= 1
    # Never steeper than stated, so neighbours belong together.
    assert abs(value(s) - value(other)) <= 1.5 * 3.1416 * abs(s - other) + 1e-9


class Extreme(random.Random):
    """Draws the greatest number each time: the widest wander there is."""

    def random(self) -> float:
        return 1.0


def test_the_widest_wander_fills_its_bounds_no_further() -> None:
    value = wander(Extreme())
    assert 0.5 < max(value(i / 1000) for i in range(1001)) <= 1
    # 5 % on its way, it is at most 3 % of its bounds to the side.
    assert value(0.05) < 0.03


def test_wander_differs_from_seed_to_seed() -> None:
    assert len({wander(random.Random(seed))(0.4) for seed in range(50)}) == 50


def test_bell_is_a_bell() -> None:
    rng = random.Random(4)
    drawn = [bell(rng) for _ in range(20_000)]
    assert max(map(abs, drawn)) <= 1
    assert sum(drawn) / len(drawn) == pytest.approx(0, abs=0.01)
    assert sum(x * x for x in drawn) / len(drawn) == pytest.approx(1 / 9, rel=0.03)


@law
@given(st.lists(st.tuples(st.integers(-999, 999), st.integers(-999, 999)), min_size=2, max_size=9))
def test_a_curve_goes_through_its_points(pairs: list[tuple[int, int]]) -> None:
    points = [Point(x, y) for x, y in pairs]
    for i, point in enumerate(points):
        assert along(points, i / (len(points) - 1)).distance(point) < 1e-6


@law
@given(shares, st.integers(2, 12))
def test_a_curve_through_evenly_spaced_points_of_a_line_is_the_line_at_an_even_pace(s: float, n: int) -> None:
    points = [Point(300 * i / (n - 1), 40 + 90 * i / (n - 1)) for i in range(n)]
    assert along(points, s).distance(Point(300 * s, 40 + 90 * s)) < 1e-6
