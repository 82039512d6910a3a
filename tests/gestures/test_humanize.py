"""A human hand keeps the laws of the platform and of what it touches."""

from __future__ import annotations

import math
import random
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.gestures.compile import END_HOLD_MS, RULES, TouchRules, compile_action
from pytest_apex.gestures.curves import minimum_jerk
from pytest_apex.gestures.humanize import (
    PERSONAS,
    HumanizeConfig,
    humanize_track,
    jitter_duration,
    jitter_interval,
    jitter_point,
    swipe_waypoints,
)
from pytest_apex.model.action import DoubleTap, Drag, LongPress, Pointer, Stroke, Swipe, Tap, Track
from pytest_apex.model.geometry import Point, Rect

ANDROID, IOS = RULES["android"], RULES["ios"]
SCREEN = Rect(0, 0, 1080, 2400)
ON = HumanizeConfig()

law = settings(max_examples=100, derandomize=True, deadline=None)
seeds = st.integers(0, 2**32)
rules_of = st.sampled_from((ANDROID, IOS))
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


@st.composite
def areas(draw: st.DrawFn) -> Rect:
    """A control somewhere on the screen, from a hair's breadth to all of it."""
    left, top = draw(st.floats(0, 1000)), draw(st.floats(0, 2300))
    width, height = draw(st.floats(1, 1080)), draw(st.floats(1, 2400))
    return Rect(left, top, min(left + width, 1080), min(top + height, 2400))


def human(
    action: Pointer,
    seed: int,
    area: Rect | None = SCREEN,
    end_area: Rect | None = SCREEN,
    config: HumanizeConfig = ON,
    rules: TouchRules = ANDROID,
    bounds: Rect | None = None,
) -> Track:
    track = compile_action(action, rules)
    return humanize_track(
        track,
        area=area,
        end_area=end_area,
        config=config,
        rules=rules,
        rng=random.Random(seed),
        bounds=bounds,
    )


def lasts(stroke: Stroke) -> float:
    return stroke.samples[-1].t_ms - stroke.samples[0].t_ms


def arrives_inside(point: Point, area: Rect) -> bool:
    """Whether it is inside however a driver makes whole units of it: as it is, cut, or rounded."""
    ways = (point, Point(int(point.x), int(point.y)), Point(round(point.x), round(point.y)))
    return all(area.contains(way) for way in ways)


def holds_a_unit(area: Rect) -> bool:
    return math.ceil(area.left) < area.right and math.ceil(area.top) < area.bottom


# --- the pure functions ---------------------------------------------------------------------------------------------


@law
@given(st.floats(-2000, 2000), st.floats(-2000, 2000), st.floats(0, 300), seeds)
def test_a_jittered_point_is_never_further_away_than_the_radius(x: float, y: float, radius: float, seed: int) -> None:
    point = jitter_point(x, y, radius=radius, rng=random.Random(seed))
    assert point.distance(Point(x, y)) <= radius + 1e-6


def test_jittered_points_are_a_gaussian_cloud_cut_at_the_radius() -> None:
    rng = random.Random(1)
    points = [jitter_point(0, 0, radius=5.0, rng=rng) for _ in range(10_000)]
    for axis in ([point.x for point in points], [point.y for point in points]):
        assert sum(axis) / len(axis) == pytest.approx(0, abs=0.1)
    # Of an uncut Gaussian with σ = radius / 2, 39.3 % lie within σ; cut, 39.3 / 86.5.
    within = sum(point.distance(Point(0, 0)) <= 2.5 for point in points) / len(points)
    assert within == pytest.approx(0.455, abs=0.02)
    assert max(point.distance(Point(0, 0)) for point in points) > 4.9


def test_without_a_radius_the_point_is_exact() -> None:
    assert jitter_point(3.5, 4.5, radius=0, rng=random.Random(1)) == Point(3.5, 4.5)


@law
@given(st.integers(0, 40), st.floats(0, 0.2), seeds)
def test_waypoints_start_and_end_exactly_and_stay_near_the_line(n: int, curvature: float, seed: int) -> None:
    start, end = Point(100, 200), Point(700, 1000)
    points = swipe_waypoints(start, end, curvature=curvature, n=n, rng=random.Random(seed))
    assert len(points) == n + 2
    assert (points[0], points[-1]) == (start, end)
    for i, point in enumerate(points):
        s = i / (n + 1)
        assert point.distance(Point(100 + 600 * s, 200 + 800 * s)) <= curvature * 1000 + 1e-6


def test_waypoints_take_pairs_too() -> None:
    points = swipe_waypoints((0, 0), (10, 0), curvature=0.0, n=1, rng=random.Random(1))
    assert [tuple(point) for point in points] == [(0, 0), (5, 0), (10, 0)]


@law
@given(st.integers(0, 10_000), st.floats(0, 0.5), seeds)
def test_durations_and_intervals_stay_in_their_spread(value: int, spread: float, seed: int) -> None:
    duration = jitter_duration(value, spread=spread, rng=random.Random(seed))
    interval = jitter_interval(value, spread=spread, rng=random.Random(seed))
    assert isinstance(duration, int)
    assert abs(duration - value) <= value * spread + 0.5
    assert interval == max(duration, 1)


def test_durations_are_spread_to_both_sides() -> None:
    rng = random.Random(2)
    drawn = [jitter_duration(500, spread=0.15, rng=rng) for _ in range(10_000)]
    assert sum(drawn) / len(drawn) == pytest.approx(500, abs=2)
    assert min(drawn) < 440
    assert max(drawn) > 560


# --- whole tracks ---------------------------------------------------------------------------------------------------


def test_off_is_the_very_same_track() -> None:
    track = compile_action(Swipe(Point(1, 2), Point(500, 600)), ANDROID)
    off = HumanizeConfig(enabled=False)
    assert humanize_track(track, area=SCREEN, end_area=None, config=off, rules=ANDROID, rng=random.Random(1)) is track


@law
@given(st.sampled_from((Tap(Point(200, 300)), DoubleTap(Point(200, 300)), LongPress(Point(200, 300)))), seeds)
def test_the_same_seed_is_the_same_touch_byte_for_byte(action: Pointer, seed: int) -> None:
    assert repr(human(action, seed)) == repr(human(action, seed))


def test_the_same_seed_is_the_same_path_and_another_seed_another() -> None:
    swipe = Swipe(Point(500, 1800), Point(500, 600))
    assert repr(human(swipe, 7)) == repr(human(swipe, 7))
    assert len({repr(human(swipe, seed)) for seed in range(200)}) == 200


def test_a_human_track_says_so_and_keeps_its_verb() -> None:
    track = human(Swipe(Point(500, 1800), Point(500, 600)), 7)
    assert (track.humanized, track.verb) == (True, "swipe")


@law
@given(areas(), st.floats(0, 1), st.floats(0, 1), configs, rules_of, seeds)
def test_touches_stay_on_the_visible_uncovered_part(
    area: Rect, u: float, v: float, config: HumanizeConfig, rules: TouchRules, seed: int
) -> None:
    at = Point(area.left + area.width * u * 0.999, area.top + area.height * v * 0.999)
    for action in (Tap(at), DoubleTap(at), LongPress(at)):
        for point in human(action, seed, area, None, config, rules).points:
            assert arrives_inside(point, area) or not holds_a_unit(area)


@law
@given(st.integers(0, 380), configs, rules_of, seeds)
def test_a_tap_stays_shorter_than_a_long_press(hold: int, config: HumanizeConfig, rules: TouchRules, seed: int) -> None:
    track = human(Tap(Point(9, 9), hold), seed, config=config, rules=rules)
    assert 0 < track.duration_ms <= rules.long_press_ms - rules.slot_ms


@law
@given(st.integers(520, 3000), configs, rules_of, seeds)
def test_a_long_press_stays_longer_than_a_tap(hold: int, config: HumanizeConfig, rules: TouchRules, seed: int) -> None:
    for action in (LongPress(Point(9, 9), hold), Tap(Point(9, 9), hold)):
        track = human(action, seed, config=config, rules=rules)
        assert track.duration_ms >= rules.long_press_ms + rules.slot_ms
        assert len(set(track.points)) == 1


@law
@given(st.integers(60, 220), configs, rules_of, seeds)
def test_a_double_tap_stays_one(pause: int, config: HumanizeConfig, rules: TouchRules, seed: int) -> None:
    first, second = human(DoubleTap(Point(300, 300), pause), seed, config=config, rules=rules).strokes
    assert second.samples[0].t_ms - first.samples[-1].t_ms >= rules.double_tap_min_ms + rules.slot_ms
    assert second.samples[0].t_ms <= rules.double_tap_max_ms - rules.slot_ms
    assert max(lasts(first), lasts(second)) < rules.long_press_ms
    a, b = (Point(stroke.samples[0].x, stroke.samples[0].y) for stroke in (first, second))
    # Android allows 100 dp between the two, UIKit some 45 points; both are far more than twice the slop.
    assert a.distance(b) <= 2 * rules.touch_slop + 0.02


def test_a_double_tap_stays_one_where_the_window_is_narrow() -> None:
    narrow = TouchRules("android", 20, 60, 400, 40, 150, 8.0)
    for seed in range(300):
        track = human(DoubleTap(Point(300, 300), 60), seed, config=HumanizeConfig(spread=0.5), rules=narrow)
        first, second = track.strokes
        assert second.samples[0].t_ms - first.samples[-1].t_ms >= 60
        assert second.samples[0].t_ms <= 130


@law
@given(areas(), areas(), configs, rules_of, st.integers(1, 2000), seeds)
def test_a_path_starts_and_ends_on_its_areas_and_stays_a_move(
    area: Rect, end_area: Rect, config: HumanizeConfig, rules: TouchRules, ms: int, seed: int
) -> None:
    start, end = area.center, end_area.center
    if start.distance(end) <= rules.touch_slop * max(ms / 300, 1):
        return  # no way, or a long press before it is gone
    for action in (Swipe(start, end, ms), Drag(start, end, 800, ms)):
        track = human(action, seed, area, end_area, config, rules)
        first, last = track.points[0], track.points[-1]
        assert arrives_inside(first, area) or not holds_a_unit(area)
        assert arrives_inside(last, end_area) or not holds_a_unit(end_area)
        assert first.distance(last) > rules.touch_slop


@law
@given(areas(), areas(), configs, seeds)
def test_a_path_never_leaves_the_room_it_has(area: Rect, end_area: Rect, config: HumanizeConfig, seed: int) -> None:
    start, end = area.center, end_area.center
    if start.distance(end) <= 2 * ANDROID.touch_slop:
        return
    box = Rect(
        min(area.left, end_area.left),
        min(area.top, end_area.top),
        max(area.right, end_area.right),
        max(area.bottom, end_area.bottom),
    )
    for bounds, room in ((None, box), (SCREEN, SCREEN)):
        for point in human(Swipe(start, end), seed, area, end_area, config, bounds=bounds).points:
            assert room.left <= point.x <= room.right
            assert room.top <= point.y <= room.bottom


def test_a_path_along_the_edge_of_the_screen_is_flattened_not_cut() -> None:
    edge = Rect(0, 0, 40, 2400)
    wild = HumanizeConfig(curvature=0.2)
    for seed in range(50):
        track = human(Swipe(Point(6, 2000), Point(6, 200)), seed, edge, edge, wild)
        xs = [point.x for point in track.points]
        assert 0 <= min(xs) <= max(xs) < 40
        assert zigzags(track) <= 3


def test_nothing_known_around_it_means_exact_ends() -> None:
    tap = human(Tap(Point(200, 300)), 3, area=None)
    assert set(tap.points) == {Point(200, 300)}
    swipe = human(Swipe(Point(500, 1800), Point(900, 600)), 3, area=None, end_area=None)
    assert (swipe.points[0], swipe.points[-1]) == (Point(500, 1800), Point(900, 600))


@law
@given(configs, rules_of, st.integers(100, 3000), seeds)
def test_times_are_whole_slots_in_order(config: HumanizeConfig, rules: TouchRules, ms: int, seed: int) -> None:
    start, end = Point(100, 1800), Point(900, 600)
    for action in (Swipe(start, end, ms), Drag(start, end, 800, ms), DoubleTap(start), LongPress(start), Tap(start)):
        track = human(action, seed, config=config, rules=rules)
        ticks = [sample.t_ms for stroke in track.strokes for sample in stroke.samples]
        assert ticks == sorted(set(ticks))
        assert ticks[0] == 0
        assert all(isinstance(t, int) and t % rules.slot_ms == 0 for t in ticks)


def test_a_drag_still_holds_and_comes_to_rest() -> None:
    for seed in range(100):
        (stroke,) = human(Drag(Point(100, 1800), Point(900, 600)), seed).strokes
        first, second, *_, before, last = stroke.samples
        assert (first.x, first.y) == (second.x, second.y)
        assert second.t_ms - first.t_ms >= ANDROID.long_press_ms + ANDROID.slot_ms
        assert (before.x, before.y) == (last.x, last.y)
        assert last.t_ms - before.t_ms >= END_HOLD_MS


def speed_ratio(track: Track) -> float:
    """Top speed over mean speed."""
    samples = track.strokes[0].samples
    pieces = [(math.hypot(b.x - a.x, b.y - a.y), b.t_ms - a.t_ms) for a, b in pairwise(samples)]
    return max(d / t for d, t in pieces) / (sum(d for d, _ in pieces) / sum(t for _, t in pieces))


def zigzags(track: Track) -> int:
    """How often the path changes the side it turns to; half a unit of turn is rounding."""
    points = track.points
    start, end = points[0], points[-1]
    length = start.distance(end)
    beside = [((p.x - start.x) * (end.y - start.y) - (p.y - start.y) * (end.x - start.x)) / length for p in points]
    turns = [b - a for a, b in pairwise(beside) if abs(b - a) > 0.5]
    return sum(a * b < 0 for a, b in pairwise(turns))


def test_a_hand_is_nearly_twice_as_fast_in_the_middle_a_machine_is_not() -> None:
    swipe = Swipe(Point(500, 1900), Point(520, 500))
    ratios = [speed_ratio(human(swipe, seed, rules=rules)) for seed in range(300) for rules in (ANDROID, IOS)]
    assert sum(ratios) / len(ratios) == pytest.approx(1.84, abs=0.03)
    assert 1.7 < min(ratios) <= max(ratios) < 2.1
    assert speed_ratio(compile_action(swipe, ANDROID)) == pytest.approx(1.0)


@law
@given(st.floats(60, 400), st.integers(500, 6000), configs, rules_of, seeds)
def test_a_slow_swipe_is_on_its_way_before_it_becomes_a_long_press(
    length: float, ms: int, config: HumanizeConfig, rules: TouchRules, seed: int
) -> None:
    if ms * rules.touch_slop / length > rules.longest_tap_ms - 40:
        return  # refused, or nearly
    for action in (
        Swipe(Point(500, 1000), Point(500, 1000 + length), ms),
        Drag(Point(9, 9), Point(9, 9 + length), 0, ms),
    ):
        track = human(action, seed, config=config, rules=rules)
        early = [sample for sample in track.strokes[0].samples if sample.t_ms <= rules.longest_tap_ms]
        start = track.points[0]
        assert max(start.distance(Point(sample.x, sample.y)) for sample in early) > rules.touch_slop


def test_a_hand_that_comes_to_rest_goes_by_minimum_jerk() -> None:
    scroll = Swipe(Point(500, 1900), Point(520, 500), rest_ms=100)
    for seed in range(50):
        (stroke,) = human(scroll, seed, config=HumanizeConfig(curvature=0.0)).strokes
        moving = stroke.samples[:-1]
        length = moving[-1].t_ms
        whole = math.hypot(moving[-1].x - moving[0].x, moving[-1].y - moving[0].y)
        for sample in moving:
            share = math.hypot(sample.x - moving[0].x, sample.y - moving[0].y) / whole
            assert share == pytest.approx(minimum_jerk(sample.t_ms / length), abs=1e-4)
        assert speed_ratio(Track("swipe", (Stroke(0, moving),))) == pytest.approx(1.875, abs=0.02)
        assert stroke.samples[-1].t_ms - moving[-1].t_ms >= END_HOLD_MS


def test_the_path_is_curved_and_never_zigzags() -> None:
    swipe = Swipe(Point(500, 1900), Point(500, 500))
    tracks = [human(swipe, seed) for seed in range(300)]
    assert max(map(zigzags, tracks)) <= 3
    widest = [max(abs(point.x - 500) for point in track.points) for track in tracks]
    # A curvature of 0.15 allows 210 beside the line; in the middle of all draws it is some 40.
    assert 25 < sorted(widest)[150] < 60
    assert max(widest) <= 0.15 * 1400 + 5


def test_a_path_leaves_towards_its_end() -> None:
    """Whatever is drawn, a vertical swipe is seen as vertical when it passes the slop: it is less than 15° off."""
    unsteady = PERSONAS["unsteady"]
    for seed in range(300):
        track = human(Swipe(Point(500, 1900), Point(500, 500)), seed, config=unsteady)
        past = next(point for point in track.points if point.distance(track.points[0]) > ANDROID.touch_slop)
        assert abs(past.x - track.points[0].x) < abs(past.y - track.points[0].y) * math.tan(math.radians(15))


@law
@given(st.floats(8.5, 120), st.floats(0, 2 * math.pi), configs, seeds)
def test_a_short_swipe_stays_a_swipe_in_its_direction(
    length: float, angle: float, config: HumanizeConfig, seed: int
) -> None:
    start = Point(500, 1000)
    end = start.moved(length * math.cos(angle), length * math.sin(angle))
    track = human(Swipe(start, end, 300), seed, config=config)
    first, last = track.points[0], track.points[-1]
    assert first.distance(last) > ANDROID.touch_slop
    turned = math.atan2(last.y - first.y, last.x - first.x) - angle
    assert abs(math.degrees(math.atan2(math.sin(turned), math.cos(turned)))) < 8


def test_humanized_swipes_have_different_lengths_in_time() -> None:
    tracks = [human(Swipe(Point(500, 1900), Point(500, 500)), seed) for seed in range(200)]
    durations = {track.duration_ms for track in tracks}
    assert min(durations) >= 420
    assert max(durations) <= 580
    assert len(durations) > 4
