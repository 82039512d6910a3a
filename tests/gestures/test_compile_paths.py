"""Flings, paths, pinches, twists and key frames as exact tracks."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.errors import ConfigError
from pytest_apex.gestures.compile import RULES, compile_action, rules_for
from pytest_apex.gestures.paths import along_way, corners
from pytest_apex.model.action import Drag, Fingers, Fling, Frame, Pinch, Pointer, Stroke, Swipe, Track, Twist
from pytest_apex.model.geometry import Point, Size
from pytest_apex.model.screen import DeviceInfo, Screen

ANDROID, IOS = RULES["android"], RULES["ios"]
HERE, THERE, MIDDLE = Point(200, 300), Point(200, 900), Point(540, 1200)

law = settings(max_examples=150, derandomize=True, deadline=None)
platforms = st.sampled_from(("android", "ios"))
places = st.builds(Point, st.integers(0, 1080), st.integers(0, 2400))


def points(stroke: Stroke) -> list[Point]:
    return [Point(sample.x, sample.y) for sample in stroke.samples]


def times(stroke: Stroke) -> list[float]:
    return [sample.t_ms for sample in stroke.samples]


# --- paths ----------------------------------------------------------------------------------------------------------


def test_a_path_goes_through_the_points_it_was_given() -> None:
    via = (Point(400, 300), Point(400, 600), Point(100, 600))
    (stroke,) = compile_action(Swipe(HERE, THERE, 500, via), ANDROID).strokes
    there = points(stroke)
    assert [there.index(point) for point in (HERE, *via, THERE)] == sorted(
        there.index(point) for point in (HERE, *via, THERE)
    )
    assert stroke.samples[-1].t_ms == 500


def test_a_path_keeps_an_even_pace_but_for_what_its_corners_take() -> None:
    (stroke,) = compile_action(Swipe(HERE, THERE, 1000, (Point(500, 300), Point(500, 900))), ANDROID).strokes
    steps = [a.distance(b) for a, b in pairwise(points(stroke))]
    # 300 + 600 + 300 in 50 slots are 24 each; a corner may come half a slot early or late.
    assert all(12 <= step <= 36.1 for step in steps)
    assert sum(steps) == pytest.approx(1200, abs=24)


def circle(n: int) -> list[Point]:
    return [
        Point(540 + 300 * math.cos(2 * math.pi * i / n), 1200 + 300 * math.sin(2 * math.pi * i / n)) for i in range(n)
    ]


@pytest.mark.parametrize(("platform", "carried"), [("android", 26), ("ios", 32)])
def test_a_path_denser_than_the_device_is_thinned_in_the_same_time_and_says_so(platform: str, carried: int) -> None:
    dense = circle(120)
    track = compile_action(Swipe(dense[0], dense[-1], 500, tuple(dense[1:-1])), RULES[platform])
    (stroke,) = track.strokes
    assert (len(stroke.samples), track.duration_ms) == (carried, 500)
    missed = 118 - (carried - 2)
    assert track.note == (
        f"the path is thinned: {missed} of its 120 points fall between the {carried} that {platform} carries in 500 ms"
    )
    # What is left is still the circle, but for its chords.
    assert all(abs(point.distance(MIDDLE) - 300) < 0.2 for point in points(stroke))


def test_a_path_that_the_device_carries_has_no_note() -> None:
    few = circle(12)
    track = compile_action(Swipe(few[0], few[-1], 500, tuple(few[1:-1])), ANDROID)
    assert track.note == ""
    assert set(few) <= set(track.points)


def test_a_path_may_end_where_it_began() -> None:
    track = compile_action(Swipe(HERE, HERE, 500, (Point(500, 300), Point(500, 600))), ANDROID)
    assert track.points[0] == track.points[-1] == HERE


def test_a_swipe_may_rest_before_it_lifts() -> None:
    (stroke,) = compile_action(Swipe(HERE, THERE, 500, rest_ms=90), ANDROID).strokes
    assert times(stroke)[-2:] == [500, 600]
    assert points(stroke)[-2:] == [THERE, THERE]


ways = st.lists(places, min_size=2, max_size=40, unique=True)


@law
@given(ways, st.integers(1, 60))
def test_the_points_of_a_way_lie_on_it_in_order(way: list[Point], n: int) -> None:
    shares = [i / n for i in range(n + 1)]
    there, missed = along_way(way, shares)
    assert len(there) == n + 1
    assert (there[0], there[-1]) == (way[0], way[-1])
    assert 0 <= missed <= len(way) - 2
    assert sum(point in there[1:-1] for point in way[1:-1]) >= len(way) - 2 - missed
    for point in there:
        assert min(distance_to_leg(point, a, b) for a, b in pairwise(way)) < 1e-6


def distance_to_leg(point: Point, a: Point, b: Point) -> float:
    length = a.distance(b)
    s = ((point.x - a.x) * (b.x - a.x) + (point.y - a.y) * (b.y - a.y)) / length**2
    s = min(max(s, 0.0), 1.0)
    return point.distance(Point(a.x + (b.x - a.x) * s, a.y + (b.y - a.y) * s))


def test_corners_are_what_is_left_of_a_straight_line() -> None:
    line = [Point(x, 2 * x) for x in range(9)]
    assert corners(line) == [line[0], line[-1]]
    assert corners([*line, Point(8, 0), Point(8, -4)]) == [line[0], line[-1], Point(8, -4)]
    # Back along the same line is a turn.
    assert corners([Point(0, 0), Point(9, 0), Point(4, 0)]) == [Point(0, 0), Point(9, 0), Point(4, 0)]
    assert corners([Point(1, 1), Point(1, 1)]) == [Point(1, 1)]


# --- a fling --------------------------------------------------------------------------------------------------------


def test_a_fling_is_over_at_full_speed() -> None:
    track = compile_action(Fling(THERE, HERE), ANDROID)
    (stroke,) = track.strokes
    assert (track.verb, track.duration_ms) == ("fling", 100)
    assert stroke.samples[-2].y - stroke.samples[-1].y == pytest.approx(120)


# --- two fingers ----------------------------------------------------------------------------------------------------


def span(track: Track, n: int) -> float:
    a, b = track.strokes
    return points(a)[n].distance(points(b)[n])


@pytest.mark.parametrize(("scale", "start"), [(2.0, 200), (0.4, 500), (1.2, 300)])
@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_pinch_opens_or_closes_around_its_centre(platform: str, scale: float, start: float) -> None:
    track = compile_action(Pinch(MIDDLE, scale, start, 600, angle=30), RULES[platform])
    a, b = track.strokes
    assert times(a) == times(b)
    assert (a.finger, b.finger, track.duration_ms) == (0, 1, 600)
    assert (span(track, 0), span(track, -1)) == (pytest.approx(start), pytest.approx(start * scale))
    for one, other in zip(points(a), points(b), strict=True):
        assert Point((one.x + other.x) / 2, (one.y + other.y) / 2).distance(MIDDLE) < 1e-9
        assert math.degrees(math.atan2(one.y - other.y, one.x - other.x)) == pytest.approx(30)


@pytest.mark.parametrize("degrees", [90, -45, 360, 720])
def test_a_twist_turns_around_its_centre_clockwise_as_on_the_screen(degrees: float) -> None:
    track = compile_action(Twist(MIDDLE, degrees, 300), ANDROID)
    a, b = track.strokes
    assert times(a) == times(b)
    assert all(span(track, n) == pytest.approx(300) for n in range(len(a.samples)))
    turned = 0.0
    for before, after in pairwise(points(a)):
        angles = [math.atan2(point.y - MIDDLE.y, point.x - MIDDLE.x) for point in (before, after)]
        turned += (math.degrees(angles[1] - angles[0]) + 180) % 360 - 180
    assert turned == pytest.approx(degrees)
    assert (points(a)[1].y > MIDDLE.y) is (degrees > 0)


def test_distances_are_those_of_the_device() -> None:
    device = DeviceInfo("a", "android", "Phone", "14", Screen(Size(1080, 2400)), dp=2.625)
    rules = rules_for(device)
    assert (rules.touch_slop, rules.span_slop, rules.span_min, rules.fling_min) == (21, 42, 446.25, 131.25)


# --- key frames -----------------------------------------------------------------------------------------------------

A, B, C, D = Point(100, 100), Point(300, 100), Point(500, 100), Point(300, 700)


def frames(*rows: tuple[Sequence[Point | None], int]) -> Fingers:
    return Fingers(tuple(Frame(tuple(row), ms) for row, ms in rows))


def spans(track: Track) -> list[tuple[int, float, float]]:
    return [(stroke.finger, stroke.samples[0].t_ms, stroke.samples[-1].t_ms) for stroke in track.strokes]


def test_fingers_are_where_the_frames_say_at_their_times_and_straight_between() -> None:
    track = compile_action(frames(((A, B), 200), ((A, D), 100)), ANDROID)
    assert spans(track) == [(0, 0, 300), (1, 0, 300)]
    resting, moving = track.strokes
    assert set(points(resting)) == {A}
    assert [sample.y for sample in moving.samples if sample.t_ms in (0, 100, 200, 300)] == [100, 400, 700, 700]


def test_all_fingers_that_are_down_are_told_of_at_the_same_times() -> None:
    track = compile_action(frames(((A, B, C), 310), ((B, B, D), 170), ((B, A, D), 60)), IOS)
    assert len({tuple(times(stroke)) for stroke in track.strokes}) == 1


def test_an_empty_slot_and_a_shorter_frame_lift_a_finger_and_one_that_comes_back_is_a_new_touch() -> None:
    track = compile_action(frames(((A, B, C), 200), ((None, B), 200), ((D, B), 100)), ANDROID)
    assert spans(track) == [(0, 0, 200), (1, 0, 500), (2, 0, 200), (0, 400, 500)]
    assert set(points(track.strokes[3])) == {D}


def test_a_finger_that_comes_late_does() -> None:
    assert spans(compile_action(frames(((A,), 200), ((A, B), 100)), ANDROID)) == [(0, 0, 300), (1, 200, 300)]


def test_many_short_frames_take_no_longer_than_they_say() -> None:
    dense = compile_action(frames(*(((Point(100 + n, 100),), 30) for n in range(20)), ((D,), 60)), ANDROID)
    assert dense.duration_ms == pytest.approx(20 * 30 + 60, abs=20)


def test_the_last_time_is_the_hold_before_lifting() -> None:
    assert compile_action(frames(((A,), 100), ((B,), 0)), ANDROID).duration_ms == 100
    assert compile_action(frames(((A,), 100), ((B,), 500)), ANDROID).duration_ms == 600


slots = st.one_of(st.none(), places)
some_frames = st.lists(
    st.builds(Frame, st.lists(slots, max_size=5).map(tuple), st.integers(1, 500)), min_size=1, max_size=8
).filter(lambda found: any(point for frame in found for point in frame.points))


@law
@given(some_frames, platforms)
def test_whatever_the_frames_each_contact_is_in_order_on_the_grid_and_as_long_as_it_should(
    found: list[Frame], platform: str
) -> None:
    rules = RULES[platform]
    track = compile_action(Fingers(tuple(found)), rules)
    total = sum(frame.to_next_ms for frame in found)
    assert track.duration_ms <= total + rules.slot_ms * (len(found) + 1)
    for stroke in track.strokes:
        assert times(stroke) == sorted(set(times(stroke)))
        assert all(isinstance(t, int) and t % rules.slot_ms == 0 for t in times(stroke))
    for a in track.strokes:
        for b in track.strokes:
            begins, ends = max(times(a)[0], times(b)[0]), min(times(a)[-1], times(b)[-1])
            together = [t for t in times(a) if begins <= t <= ends]
            assert together == [t for t in times(b) if begins <= t <= ends]


# --- what can't be --------------------------------------------------------------------------------------------------

REFUSED: list[tuple[str, Callable[[], Pointer], str]] = [
    ("a slow swipe over a short way", lambda: Swipe(HERE, Point(200, 312), 2000), "2000 ms for so short a way"),
    ("a slow drag that moves at once", lambda: Drag(HERE, Point(200, 312), 0, 2000), "so short a way"),
    ("a path within the slop", lambda: Swipe(HERE, HERE, 500, (Point(203, 303),)), "4.2 long"),
    ("a path of nan", lambda: Swipe(HERE, THERE, 500, (Point(math.nan, 1),)), "nan"),
    ("a negative rest", lambda: Swipe(HERE, THERE, 500, rest_ms=-1), "rest_ms=-1"),
    ("a fling that is a scroll", lambda: Fling(HERE, Point(200, 320), 500), "fling 20 in 500 ms"),
    ("a fling without a way", lambda: Fling(HERE, HERE), "0.0 long"),
    ("a fling without time", lambda: Fling(HERE, THERE, 0), "duration_ms=0"),
    ("a pinch by nothing", lambda: Pinch(MIDDLE, 1.05, 200), "from 200 to 210"),
    ("a pinch by less than nothing", lambda: Pinch(MIDDLE, -2, 200), "scale=-2"),
    ("a pinch to a point", lambda: Pinch(MIDDLE, 0, 200), "scale=0"),
    ("a pinch too narrow to be seen", lambda: Pinch(MIDDLE, 2, 100), "from 100 to 200"),
    ("a pinch that ends too narrow", lambda: Pinch(MIDDLE, 0.5, 300), "from 300 to 150"),
    ("a pinch of no size", lambda: Pinch(MIDDLE, 2, math.nan), "span=nan"),
    ("a pinch without time", lambda: Pinch(MIDDLE, 2, 200, 0), "duration_ms=0"),
    ("a pinch nowhere", lambda: Pinch(Point(math.nan, 1), 2, 200), "nan"),
    ("a twist by nothing", lambda: Twist(MIDDLE, 5, 200), "5 degrees"),
    ("a twist of no size", lambda: Twist(MIDDLE, 90, 0), "span=0"),
    ("a twist of many turns", lambda: Twist(MIDDLE, 1e9, 200), "1e+09 degrees in so short a time"),
    ("a twist of nan", lambda: Twist(MIDDLE, math.nan, 200), "degrees=nan"),
    ("frames without a finger", lambda: frames(((), 100), ((None,), 100)), "without a finger"),
    ("no frames", lambda: frames(), "without a finger"),
    ("frames at one time", lambda: frames(((A,), 0), ((B,), 60)), "to_next_ms=0"),
    ("frames back in time", lambda: frames(((A,), -5), ((B,), 60)), "to_next_ms=-5"),
    ("a touch of no length", lambda: frames(((A,), 0)), "0 ms"),
    ("a late touch of no length", lambda: frames(((A,), 100), ((A, B), 0)), "0 ms"),
    ("eleven fingers", lambda: frames(((A,) * 11, 100)), "11"),
    ("a frame of nan", lambda: frames(((Point(1, math.inf),), 100)), "inf"),
]


@pytest.mark.parametrize(("make", "named"), [row[1:] for row in REFUSED], ids=[row[0] for row in REFUSED])
def test_what_cannot_arrive_as_meant_is_refused_in_four_parts(make: Callable[[], Pointer], named: str) -> None:
    with pytest.raises(ConfigError) as caught:
        compile_action(make(), ANDROID)
    error = caught.value
    assert named in str(error)
    assert all((error.tried, error.seen, error.likely, error.cure))


NEARLY: list[Pointer] = [
    Swipe(HERE, Point(200, 312), 400),
    Drag(HERE, Point(200, 312), 800, 2000),
    Fling(HERE, Point(200, 320), 360),
    Pinch(MIDDLE, 1.2, 200),
    Pinch(MIDDLE, 0.5, 360),
    Twist(MIDDLE, 10, 200),
    frames(((A,), 1), ((B,), 0)),
    frames(((A,) * 10, 100)),
]


@pytest.mark.parametrize("action", NEARLY, ids=repr)
def test_what_just_arrives_is_not_refused(action: Pointer) -> None:
    assert compile_action(action, ANDROID).strokes
