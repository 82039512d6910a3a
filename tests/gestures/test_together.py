"""A hand with several fingers, paths point by point, and the convenience of it all: `humanize(action, config, rng)`."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pytest_apex
from pytest_apex.errors import ConfigError
from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.gestures.humanize import PERSONAS, HumanizeConfig, humanize, humanize_track
from pytest_apex.model.action import (
    DoubleTap,
    Drag,
    Fingers,
    Fling,
    Frame,
    LongPress,
    Pinch,
    Pointer,
    Stroke,
    Swipe,
    Tap,
    Track,
    Twist,
)
from pytest_apex.model.geometry import Point, Rect

ANDROID, IOS = RULES["android"], RULES["ios"]
SCREEN = Rect(0, 0, 1080, 2400)
MIDDLE = Point(540, 1200)
ON = HumanizeConfig()
A, B, C, D = Point(200, 900), Point(500, 900), Point(800, 900), Point(500, 1500)
KEYS = Fingers(
    (
        Frame((A, B, C), 300),
        Frame((A, D, C), 200),
        Frame((A, None, C), 200),
        Frame((B, D, C), 100),
        Frame((B, D, A), 60),
    )
)
GESTURES: list[Pointer] = [
    Tap(MIDDLE), DoubleTap(MIDDLE), LongPress(MIDDLE), Swipe(A, D), Swipe(A, C, 700, (B, D)), Fling(D, B), Drag(A, D),
    Pinch(MIDDLE, 2, 200), Pinch(MIDDLE, 0.5, 400), Twist(MIDDLE, 90, 300), KEYS,
]  # fmt: skip

law = settings(max_examples=100, derandomize=True, deadline=None)
seeds = st.integers(0, 2**32)
platforms = st.sampled_from(("android", "ios"))
configs = st.one_of(
    st.sampled_from((ON, *PERSONAS.values())),
    st.builds(
        HumanizeConfig,
        radius=st.floats(0, 100),
        curvature=st.floats(0, 0.2),
        waypoints=st.integers(0, 100),
        spread=st.floats(0, 0.5),
    ),
)


def human(
    action: Pointer,
    seed: int,
    config: HumanizeConfig = ON,
    platform: str = "android",
    area: Rect | None = SCREEN,
    bounds: Rect | None = None,
) -> Track:
    rules = RULES[platform]
    exact = compile_action(action, rules)
    rng = random.Random(seed)
    return humanize_track(exact, area=area, end_area=area, config=config, rules=rules, rng=rng, bounds=bounds)


def times(stroke: Stroke) -> list[float]:
    return [sample.t_ms for sample in stroke.samples]


def points(stroke: Stroke) -> list[Point]:
    return [Point(sample.x, sample.y) for sample in stroke.samples]


def spans(track: Track) -> list[float]:
    return [a.distance(b) for a, b in zip(points(track.strokes[0]), points(track.strokes[1]), strict=True)]


def angles(track: Track) -> list[float]:
    a, b = (points(stroke) for stroke in track.strokes)
    return [math.degrees(math.atan2(q.y - p.y, q.x - p.x)) for p, q in zip(a, b, strict=True)]


# --- several fingers ------------------------------------------------------------------------------------------------

several = st.sampled_from((Pinch(MIDDLE, 2, 200), Pinch(MIDDLE, 0.5, 400), Twist(MIDDLE, 90, 300), KEYS))


@law
@given(several, configs, platforms, seeds)
def test_all_fingers_keep_one_timeline_on_the_grid(
    action: Pointer, config: HumanizeConfig, platform: str, seed: int
) -> None:
    track, exact = human(action, seed, config, platform), compile_action(action, RULES[platform])
    assert [stroke.finger for stroke in track.strokes] == [stroke.finger for stroke in exact.strokes]
    ticks = {t for stroke in track.strokes for t in times(stroke)}
    assert all(isinstance(t, int) and t % RULES[platform].slot_ms == 0 for t in ticks)
    for stroke in track.strokes:
        begins, ends = times(stroke)[0], times(stroke)[-1]
        assert times(stroke) == sorted(t for t in ticks if begins <= t <= ends)


@law
@given(several, configs, platforms, seeds)
def test_what_begins_or_ends_together_still_does(
    action: Pointer, config: HumanizeConfig, platform: str, seed: int
) -> None:
    track, exact = human(action, seed, config, platform), compile_action(action, RULES[platform])
    moments: dict[float, set[float]] = {}
    for stroke, meant in zip(track.strokes, exact.strokes, strict=True):
        for n in (0, -1):
            moments.setdefault(times(meant)[n], set()).add(times(stroke)[n])
    assert all(len(found) == 1 for found in moments.values())


@law
@given(several, configs, platforms, seeds)
def test_each_finger_misses_its_place_by_no_more_than_the_radius(
    action: Pointer, config: HumanizeConfig, platform: str, seed: int
) -> None:
    track, exact = human(action, seed, config, platform), compile_action(action, RULES[platform])
    for stroke, meant in zip(track.strokes, exact.strokes, strict=True):
        for n in (0, -1):
            assert points(stroke)[n].distance(points(meant)[n]) <= config.radius + 0.02


@law
@given(several, configs, seeds)
def test_they_stay_in_their_area_to_its_edges(action: Pointer, config: HumanizeConfig, seed: int) -> None:
    exact = compile_action(action, ANDROID)
    xs, ys = [p.x for p in exact.points], [p.y for p in exact.points]
    tight = Rect(math.floor(min(xs)), math.floor(min(ys)), math.floor(max(xs)) + 2, math.floor(max(ys)) + 2)
    for point in human(action, seed, config, area=tight).points:
        assert tight.contains(point)
        assert tight.contains(Point(round(point.x), round(point.y)))


@law
@given(st.floats(0.5, 3), configs, platforms, seeds)
def test_a_pinch_does_not_twist(scale: float, config: HumanizeConfig, platform: str, seed: int) -> None:
    if abs(scale - 1) < 0.2:
        return
    track = human(Pinch(MIDDLE, scale, 400), seed, config, platform)
    found = spans(track)
    assert found[0] == pytest.approx(400, abs=5)
    assert found[-1] == pytest.approx(400 * scale, abs=5)
    # The way along the circle around their middle stays below the slop.
    for angle, span in zip(angles(track), found, strict=True):
        assert abs(math.radians(angle - angles(track)[0])) * span / 2 < RULES[platform].touch_slop


@law
@given(st.sampled_from((90, -45, 30)), configs, platforms, seeds)
def test_a_twist_does_not_pinch(degrees: float, config: HumanizeConfig, platform: str, seed: int) -> None:
    track = human(Twist(MIDDLE, degrees, 300), seed, config, platform)
    found = angles(track)
    turned = sum((b - a + 180) % 360 - 180 for a, b in pairwise(found))
    assert turned == pytest.approx(degrees, abs=3)
    assert all(abs(span - spans(track)[0]) < RULES[platform].span_slop for span in spans(track))


def test_a_pinch_from_close_to_wide_does_not_twist_either() -> None:
    """What is off by little between fingers close to each other is off by much once they are apart."""
    for seed in range(200):
        track = human(Pinch(MIDDLE, 12, 70), seed, PERSONAS["unsteady"], "ios")
        first = angles(track)[0]
        for angle, span in zip(angles(track), spans(track), strict=True):
            assert abs(math.radians(angle - first)) * span / 2 < IOS.touch_slop


def test_a_twist_goes_off_slowly_over_quickly_and_in_slowly() -> None:
    for seed in range(50):
        found = angles(human(Twist(MIDDLE, 120, 300, 800), seed, HumanizeConfig(curvature=0.0)))
        turns = [(b - a + 180) % 360 - 180 for a, b in pairwise(found)]
        assert max(turns) / (sum(turns) / len(turns)) == pytest.approx(1.87, abs=0.05)


def test_a_finger_that_rests_stays_where_it_is() -> None:
    for seed in range(30):
        resting = human(KEYS, seed).strokes[2]
        before = [point for point, t in zip(points(resting), times(resting), strict=True) if t <= 500]
        assert max(a.distance(b) for a, b in pairwise(before)) < 0.2


def test_fingers_go_off_slowly_over_quickly_and_in_slowly() -> None:
    for seed in range(50):
        stroke = human(Pinch(MIDDLE, 3, 200, 800), seed, HumanizeConfig(curvature=0.0)).strokes[0]
        steps = [a.distance(b) for a, b in pairwise(points(stroke))]
        assert max(steps) / (sum(steps) / len(steps)) == pytest.approx(1.87, abs=0.05)


def test_nothing_known_around_them_means_exact_ends() -> None:
    for action in (Pinch(MIDDLE, 2, 200), Twist(MIDDLE, 90, 300), KEYS):
        track, exact = human(action, 4, area=None), compile_action(action, ANDROID)
        for stroke, meant in zip(track.strokes, exact.strokes, strict=True):
            assert points(stroke)[0].distance(points(meant)[0]) < 0.01
            assert points(stroke)[-1].distance(points(meant)[-1]) < 0.01


# --- a path, point by point -----------------------------------------------------------------------------------------


@law
@given(configs, platforms, seeds)
def test_a_path_is_missed_by_no_more_than_a_touch_is(config: HumanizeConfig, platform: str, seed: int) -> None:
    via = (B, D, C)
    track = human(Swipe(A, MIDDLE, 1500, via), seed, config, platform, bounds=SCREEN)
    for corner in via:
        nearest = min(track.points, key=corner.distance)
        assert nearest.distance(corner) <= config.radius + 0.02


# --- humanize(action, config, rng) ----------------------------------------------------------------------------------


def test_it_is_public() -> None:
    assert pytest_apex.humanize is humanize
    assert pytest_apex.HumanizeConfig is HumanizeConfig


@pytest.mark.parametrize("action", GESTURES, ids=lambda action: action.verb)
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_every_gesture_becomes_a_track_of_its_own(action: Pointer, platform: str) -> None:
    tracks = [humanize(action, ON, random.Random(seed), platform=platform) for seed in (1, 1, 2)]
    assert tracks[0] == tracks[1] != tracks[2]
    assert (tracks[0].verb, tracks[0].humanized) == (action.verb, True)
    exact = compile_action(action, RULES[platform])
    assert tracks[0].points[0].distance(exact.points[0]) <= ON.radius * math.sqrt(2)


@pytest.mark.parametrize("action", GESTURES, ids=lambda action: action.verb)
def test_without_a_hand_it_is_the_exact_track(action: Pointer) -> None:
    off = HumanizeConfig(enabled=False)
    assert humanize(action, off, random.Random(1)) == compile_action(action, ANDROID)


def test_it_stays_in_the_area_it_is_given() -> None:
    narrow = Rect(539, 1190, 542, 1210)
    for seed in range(50):
        assert all(
            narrow.contains(point) for point in humanize(Tap(MIDDLE), ON, random.Random(seed), area=narrow).points
        )


def test_a_platform_without_touch_rules_is_refused() -> None:
    with pytest.raises(ConfigError, match="'symbian'") as caught:
        humanize(Tap(MIDDLE), ON, random.Random(1), platform="symbian")
    assert "android" in caught.value.cure


def test_the_note_of_a_thinned_path_stays() -> None:
    dense = Swipe(A, D, 200, tuple(Point(200 + n, 900 + n * 2 + n % 2) for n in range(1, 60)))
    assert "is thinned" in humanize(dense, ON, random.Random(1)).note
