"""How fast a finger lifts, and that no hand lifts backwards."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.gestures.curves import lifting, minimum_jerk, throwing
from pytest_apex.gestures.humanize import PERSONAS, HumanizeConfig, humanize
from pytest_apex.gestures.velocity import fitted_velocity, recent_places
from pytest_apex.model.action import Fling, Swipe, Track
from pytest_apex.model.geometry import Point

law = settings(max_examples=150, derandomize=True, deadline=None)
HANDS = {"off": HumanizeConfig(enabled=False), "default": HumanizeConfig(), **PERSONAS}


def speed(track: Track) -> tuple[float, float]:
    samples = track.strokes[-1].samples
    return fitted_velocity(recent_places([(sample.t_ms, sample.x, sample.y) for sample in samples]))


@law
@given(st.lists(st.floats(-900, 900), min_size=3, max_size=9), st.sampled_from((8, 16, 20)))
def test_it_is_the_slope_of_the_best_parabola(xs: list[float], step: int) -> None:
    places = [(n * step, x, -2 * x) for n, x in enumerate(xs)]
    t = np.array([place[0] - places[-1][0] for place in places]) / 1000
    slope = float(np.polyfit(t, np.array(xs), 2)[1])
    vx, vy = fitted_velocity(places)
    assert vx == pytest.approx(slope, rel=1e-6, abs=1e-3)
    assert vy == pytest.approx(-2 * slope, rel=1e-6, abs=1e-3)


def test_an_even_pace_is_its_speed() -> None:
    assert fitted_velocity([(n * 20, 3.0 * n, -5.0 * n) for n in range(6)]) == pytest.approx((150, -250))
    assert fitted_velocity([(0, 0, 0), (20, 3, 4)]) == pytest.approx((150, 200))


@pytest.mark.parametrize("places", [[], [(0, 1, 2)], [(5, 1, 2), (5, 9, 9)], [(5, 1, 2), (5, 3, 3), (5, 9, 9)]])
def test_too_little_is_no_speed(places: list[tuple[float, float, float]]) -> None:
    assert fitted_velocity(places) == (0, 0)


def test_only_the_last_100_ms_count() -> None:
    trail = [(n * 20, n, 0) for n in range(20)]
    assert [place[0] for place in recent_places(trail)] == [280, 300, 320, 340, 360, 380]


@pytest.mark.parametrize(("gap", "kept"), [(40, 4), (41, 2)])
def test_a_finger_that_says_nothing_for_more_than_40_ms_has_stopped(gap: int, kept: int) -> None:
    trail = [(0, 0, 0), (10, 1, 0), (10 + gap, 2, 0), (20 + gap, 3, 0)]
    assert len(recent_places(trail)) == kept


def test_a_reach_that_ends_at_rest_seems_to_go_backwards() -> None:
    """Why a hand lifts while it is on its way."""
    places = [(t, 0.0, 600 * minimum_jerk(t / 500)) for t in range(0, 501, 20)]
    assert fitted_velocity(recent_places(places))[1] < -100
    lifted = [(t, 0.0, 600 * lifting(t / 500)) for t in range(0, 501, 20)]
    assert fitted_velocity(recent_places(lifted))[1] > 100


@law
@given(st.floats(0, 1), st.floats(0, 1))
def test_the_ways_of_a_hand_never_go_back_and_end_where_they_should(a: float, b: float) -> None:
    for profile in (minimum_jerk, lifting, throwing):
        assert profile(min(a, b)) <= profile(max(a, b)) + 1e-9
        assert (profile(0), profile(1)) == (0, pytest.approx(1))


def test_a_hand_lifts_as_fast_as_it_should() -> None:
    h = 1e-6
    assert (lifting(1) - lifting(1 - h)) / h == pytest.approx(0.3, abs=1e-3)
    assert max((lifting(x / 1000 + h) - lifting(x / 1000)) / h for x in range(1000)) == pytest.approx(1.84, abs=0.01)
    assert (throwing(1) - throwing(1 - h)) / h == pytest.approx(1.875, abs=1e-3)


@law
@given(
    st.floats(30, 2000),
    st.floats(0, 2 * math.pi),
    st.integers(60, 3000),
    st.sampled_from(("android", "ios")),
    st.sampled_from(sorted(HANDS)),
    st.integers(0, 2**32),
)
def test_a_swipe_lifts_forwards_as_fast_as_a_fling_if_it_is_one(
    length: float, angle: float, ms: int, platform: str, hand: str, seed: int
) -> None:
    rules = RULES[platform]
    ms = min(ms, round(length / rules.fling_min * 900))
    start, way = Point(500, 500), (math.cos(angle), math.sin(angle))
    swipe = Swipe(start, start.moved(length * way[0], length * way[1]), ms)
    if ms * rules.touch_slop / length > 340:
        return  # so slow that it has to become a long press
    vx, vy = speed(humanize(swipe, HANDS[hand], random.Random(seed), platform=platform))
    assert vx * way[0] + vy * way[1] >= rules.fling_min * 0.98


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize("hand", HANDS)
def test_a_fling_is_faster_at_the_end_than_on_the_whole(hand: str, platform: str) -> None:
    for seed in range(50):
        for ms in (60, 100, 300):
            track = humanize(
                Fling(Point(300, 1500), Point(300, 800), ms), HANDS[hand], random.Random(seed), platform=platform
            )
            mean = track.points[0].distance(track.points[-1]) / track.duration_ms * 1000
            assert -speed(track)[1] >= mean * (0.99 if hand == "off" else 1.2)


@pytest.mark.parametrize("hand", HANDS)
def test_a_swipe_that_rests_leaves_nothing_moving(hand: str) -> None:
    track = humanize(Swipe(Point(300, 1500), Point(300, 800), rest_ms=100), HANDS[hand], random.Random(1))
    assert speed(track) == (0, 0)


def test_an_exact_swipe_is_as_fast_as_it_is_long() -> None:
    assert speed(compile_action(Swipe(Point(0, 0), Point(300, 400), 500), RULES["android"])) == pytest.approx(
        (600, 800)
    )
