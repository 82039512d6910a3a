"""The exact track of each gesture, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.errors import ConfigError
from pytest_apex.gestures.compile import END_HOLD_MS, FRAME_MS, RULES, compile_action, rules_for
from pytest_apex.model.action import DoubleTap, Drag, LongPress, Pointer, Swipe, Tap, Track
from pytest_apex.model.geometry import Point, Size
from pytest_apex.model.screen import PLATFORMS, DeviceInfo, Screen

ANDROID, IOS = RULES["android"], RULES["ios"]
HERE, THERE = Point(200, 300), Point(200, 900)

law = settings(max_examples=150, derandomize=True, deadline=None)
platforms = st.sampled_from(PLATFORMS)
places = st.builds(Point, st.integers(0, 1080), st.integers(0, 2400))


def times(track: Track) -> list[list[float]]:
    return [[sample.t_ms for sample in stroke.samples] for stroke in track.strokes]


def test_a_tap_is_one_short_touch() -> None:
    track = compile_action(Tap(HERE), ANDROID)
    assert (track.verb, track.humanized, times(track)) == ("tap", False, [[0, 60]])
    assert set(track.points) == {HERE}


def test_a_tap_with_a_hold_lasts_that_long() -> None:
    assert compile_action(Tap(HERE, hold_ms=2000), ANDROID).duration_ms == 2000
    assert compile_action(Tap(HERE, hold_ms=150), IOS).duration_ms == 150


def test_a_double_tap_is_two_touches_in_one_track_with_the_pause_asked_for() -> None:
    track = compile_action(DoubleTap(HERE, interval_ms=80), ANDROID)
    assert (track.verb, times(track)) == ("double_tap", [[0, 60], [140, 200]])
    assert {stroke.finger for stroke in track.strokes} == {0}


def test_a_long_press_lasts_what_it_says() -> None:
    assert times(compile_action(LongPress(HERE), ANDROID)) == [[0, 1200]]
    assert times(compile_action(LongPress(HERE, duration_ms=777), IOS)) == [[0, 777]]


def test_a_swipe_goes_straight_at_an_even_pace_from_end_to_end() -> None:
    (stroke,) = compile_action(Swipe(HERE, THERE), ANDROID).strokes
    assert [sample.t_ms for sample in stroke.samples] == list(range(0, 501, 20))
    assert [sample.y for sample in stroke.samples] == pytest.approx([300 + 24 * i for i in range(26)])
    assert {sample.x for sample in stroke.samples} == {200}


def test_a_drag_holds_moves_and_comes_to_rest_before_it_lets_go() -> None:
    (stroke,) = compile_action(Drag(HERE, THERE, hold_ms=800, move_ms=1000), ANDROID).strokes
    assert (stroke.samples[0].t_ms, stroke.samples[1].t_ms) == (0, 800)
    assert stroke.samples[0].y == stroke.samples[1].y == 300
    assert [(sample.t_ms, sample.y) for sample in stroke.samples[-2:]] == [(1800, 900), (1800 + END_HOLD_MS, 900)]


def test_a_drag_without_a_hold_moves_at_once() -> None:
    (stroke,) = compile_action(Drag(HERE, THERE, hold_ms=0, move_ms=200), ANDROID).strokes
    assert stroke.samples[0].y == 300
    assert stroke.samples[1].y > 300


def test_times_are_rounded_up_to_slots_as_the_driver_does() -> None:
    assert compile_action(Swipe(HERE, THERE, duration_ms=501), ANDROID).duration_ms == 520
    assert compile_action(Swipe(HERE, THERE, duration_ms=501), IOS).duration_ms == 501


def test_distances_are_scaled_to_the_device() -> None:
    device = DeviceInfo("a", "android", "Phone", "14", Screen(Size(1080, 2400)), dp=2.625)
    assert rules_for(device).touch_slop == 21
    assert rules_for(device).long_press_ms == 400


def actions() -> st.SearchStrategy[Pointer]:
    # Far enough to be gone from its start before that makes a long press, however slowly.
    path = st.tuples(places, places).filter(lambda ends: ends[0].distance(ends[1]) > 100)
    return st.one_of(
        st.builds(Tap, places, st.one_of(st.integers(0, 380), st.integers(520, 5000))),
        st.builds(DoubleTap, places, st.integers(60, 220)),
        st.builds(LongPress, places, st.integers(520, 5000)),
        st.builds(lambda ends, ms: Swipe(ends[0], ends[1], ms), path, st.integers(1, 3000)),
        st.builds(
            lambda ends, hold, ms: Drag(ends[0], ends[1], hold, ms),
            path,
            st.sampled_from((0, 200, 800)),
            st.integers(1, 3000),
        ),
    )


@law
@given(actions(), platforms)
def test_every_track_is_on_the_grid_in_order_and_ends_where_it_should(action: Pointer, platform: str) -> None:
    rules = RULES[platform]
    track = compile_action(action, rules)
    ticks = [sample.t_ms for stroke in track.strokes for sample in stroke.samples]
    assert ticks == sorted(set(ticks))
    assert ticks[0] == 0
    assert all(isinstance(t, int) and t % rules.slot_ms == 0 for t in ticks)
    ends = (action.start, action.end) if isinstance(action, (Swipe, Drag)) else (action.at, action.at)
    assert (track.points[0], track.points[-1]) == ends


@law
@given(st.integers(1, 5000), platforms)
def test_no_move_is_denser_than_the_device_can_carry(duration: int, platform: str) -> None:
    rules = RULES[platform]
    (stroke,) = compile_action(Swipe(HERE, THERE, duration), rules).strokes
    assert len(stroke.samples) - 1 <= max(stroke.samples[-1].t_ms / max(rules.slot_ms, FRAME_MS), 1)


@law
@given(st.integers(0, 3000), platforms)
def test_a_hold_is_surely_a_tap_or_surely_a_press_or_refused(hold: int, platform: str) -> None:
    rules = RULES[platform]
    try:
        held = compile_action(Tap(HERE, hold), rules).duration_ms
    except ConfigError:
        assert abs(hold - rules.long_press_ms) < rules.slot_ms
    else:
        assert abs(held - rules.long_press_ms) >= rules.slot_ms


@law
@given(st.integers(0, 500), platforms)
def test_a_double_tap_stays_a_slot_inside_the_window_from_first_up_and_from_first_down(
    pause: int, platform: str
) -> None:
    rules = RULES[platform]
    try:
        first, second = compile_action(DoubleTap(HERE, pause), rules).strokes
    except ConfigError:
        assert not rules.double_tap_min_ms + rules.slot_ms <= pause <= rules.double_tap_max_ms - rules.slot_ms - 60
    else:
        assert second.samples[0].t_ms - first.samples[-1].t_ms >= rules.double_tap_min_ms + rules.slot_ms
        assert second.samples[0].t_ms <= rules.double_tap_max_ms - rules.slot_ms


REFUSED: list[tuple[str, Callable[[], Pointer], str]] = [
    ("negative hold", lambda: Tap(HERE, -1), "hold_ms=-1"),
    ("hold that may be either", lambda: Tap(HERE, 400), "400 ms"),
    ("hold that is no number", lambda: Tap(HERE, math.nan), "hold_ms=nan"),  # type: ignore[arg-type]
    ("hold as text", lambda: Tap(HERE, "60"), "hold_ms='60'"),  # type: ignore[arg-type]
    ("a place that is no number", lambda: Tap(Point(math.nan, 3)), "nan"),
    ("an endless place", lambda: Swipe(HERE, Point(3, math.inf)), "inf"),
    ("long press below the limit", lambda: LongPress(HERE, 419), "419 ms"),
    ("negative long press", lambda: LongPress(HERE, -1200), "duration_ms=-1200"),
    ("double tap too fast", lambda: DoubleTap(HERE, 59), "59 ms"),
    ("double tap too slow", lambda: DoubleTap(HERE, 221), "221 ms"),
    ("swipe without a way", lambda: Swipe(HERE, HERE), "0.0 long"),
    ("swipe within the slop", lambda: Swipe(HERE, Point(200, 308)), "8.0 long"),
    ("swipe without time", lambda: Swipe(HERE, THERE, 0), "duration_ms=0"),
    ("swipe back in time", lambda: Swipe(HERE, THERE, -500), "duration_ms=-500"),
    ("drag without a way", lambda: Drag(HERE, HERE), "0.0 long"),
    ("drag without time", lambda: Drag(HERE, THERE, 800, 0), "move_ms=0"),
    ("drag with a hold that may be either", lambda: Drag(HERE, THERE, 390), "390 ms"),
]


@pytest.mark.parametrize(("make", "named"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_cannot_arrive_as_meant_is_refused_in_four_parts(make: Callable[[], Pointer], named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        compile_action(make(), ANDROID)
    error = caught.value
    assert named in str(error)
    assert all((error.tried, error.seen, error.likely, error.cure))


NEARLY: list[Any] = [
    Tap(HERE, 380),
    Tap(HERE, 420),
    LongPress(HERE, 420),
    DoubleTap(HERE, 60),
    DoubleTap(HERE, 220),
    Swipe(HERE, Point(200, 309), 300),
    Swipe(HERE, THERE, 1),
    Drag(HERE, THERE, 0, 1),
]


@pytest.mark.parametrize("action", NEARLY, ids=repr)
def test_what_just_arrives_is_not_refused(action: Pointer) -> None:
    assert compile_action(action, ANDROID).strokes
