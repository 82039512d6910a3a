"""What is sent arrives as it was meant: the servers' own rules play the payload again, and the track comes out."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, TypeAlias

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.gestures.humanize import PERSONAS, HumanizeConfig, humanize
from pytest_apex.gestures.w3c import to_w3c
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
from pytest_apex.model.geometry import Point

Payload: TypeAlias = Sequence[dict[str, Any]]
Touch: TypeAlias = list[tuple[int, float, float]]

ANDROID, IOS = RULES["android"], RULES["ios"]
SLOT = 20
HERE, THERE, MIDDLE = Point(300, 1500), Point(300, 600), Point(540, 1200)


class Misplayed(Exception):
    """The server would refuse it, or play something else."""


# --- the servers ----------------------------------------------------------------------------------------------------


def play_android(payload: Payload) -> list[Touch]:
    """As the UiAutomator2 server does it: 20 ms slots, durations rounded up, a MOVE in each slot of a move; an event
    names only the fingers that do something in its slot, the others have vanished."""
    touches: list[Touch] = []
    for source in payload:
        touches += pointer_on_android(source["actions"])
    for touch in touches:
        named = {t for t, _, _ in touch}
        for t in {t for other in touches for t, _, _ in other}:
            if touch[0][0] <= t <= touch[-1][0] and t not in named:
                raise Misplayed(f"a finger vanishes at {t}")
    return touches


def pointer_on_android(actions: Sequence[dict[str, Any]]) -> list[Touch]:
    touches: list[Touch] = []
    t, x, y, down, placed = 0, 0.0, 0.0, False, False
    for action in actions:
        kind, slots = action["type"], math.ceil(action.get("duration", 0) / SLOT)
        if kind == "pointerMove":
            dx, dy = action["x"] - x, action["y"] - y
            if placed and slots and not down:
                raise Misplayed("a move with no finger down")
            if down:
                touches[-1] += [(t + n * SLOT, x + dx * n / slots, y + dy * n / slots) for n in range(1, slots + 1)]
            x, y, placed = x + dx, y + dy, True
        elif kind == "pointerDown":
            if touches and touches[-1][0][0] == t:
                raise Misplayed(f"two downs at {t}")
            touches.append([(t, x, y)])
            down = True
        elif kind == "pointerUp":
            touches[-1].append((t, x, y))
            down = False
        t += slots * SLOT
    return touches


def play_wda(payload: Payload) -> list[Touch]:
    """As WebDriverAgent does it: whole milliseconds, a move is a point at its end, the first one opens the touch."""
    touches: list[Touch] = []
    for source in payload:
        first, second, *rest = source["actions"]
        if (first["type"], second["type"]) != ("pointerMove", "pointerDown"):
            raise Misplayed("the first move presses: the down has to follow at once")
        t, down = first["duration"], True
        touches.append([(t, first["x"], first["y"])])
        for action in rest:
            t += action.get("duration", 0)
            if action["type"] == "pointerMove":
                if not down:
                    raise Misplayed("a move lands on a finished touch")
                touches[-1].append((t, action["x"], action["y"]))
            elif action["type"] == "pause" and not action["duration"]:
                raise Misplayed("the driver strips a pause of no length")
            elif action["type"] != "pause":
                down = action["type"] == "pointerDown"
                spot = (t, *touches[-1][-1][1:])
                if down:
                    touches.append([spot])
                else:
                    touches[-1].append(spot)
    return touches


def play(payload: Payload, platform: str) -> list[Touch]:
    return play_android(payload) if platform == "android" else play_wda(payload)


def place(touch: Touch, t: float) -> tuple[float, float]:
    """Where a finger is at a time, on its way from point to point."""
    for (t1, x1, y1), (t2, x2, y2) in pairwise(touch):
        if t1 <= t <= t2 and t2 > t1:
            s = (t - t1) / (t2 - t1)
            return x1 + (x2 - x1) * s, y1 + (y2 - y1) * s
    return touch[-1][1:]


def arrived_as(touch: Touch, stroke: Stroke) -> bool:
    """Whether a touch begins and ends at a stroke's times, and is at all of its places, up to whole units."""
    return (touch[0][0], touch[-1][0]) == (stroke.samples[0].t_ms, stroke.samples[-1].t_ms) and all(
        abs(x - sample.x) <= 0.52 and abs(y - sample.y) <= 0.52
        for sample in stroke.samples
        for x, y in (place(touch, sample.t_ms),)
    )


def assert_arrives(track: Track, platform: str) -> None:
    """Each stroke has a touch of its own."""
    left = play(to_w3c(track, RULES[platform]), platform)
    for stroke in track.strokes:
        found = next((touch for touch in left if arrived_as(touch, stroke)), None)
        assert found is not None, stroke
        left.remove(found)
    assert left == []


# --- what is sent ---------------------------------------------------------------------------------------------------

GESTURES: dict[str, Pointer] = {
    "tap": Tap(HERE),
    "tap with hold": Tap(HERE, 1500),
    "double tap": DoubleTap(HERE),
    "long press": LongPress(HERE),
    "swipe": Swipe(HERE, THERE),
    "swipe that rests": Swipe(HERE, THERE, rest_ms=100),
    "swipe along a path": Swipe(HERE, THERE, 900, via=(Point(500, 1200), Point(200, 900), Point(400, 700))),
    "fling": Fling(HERE, THERE),
    "drag": Drag(HERE, THERE),
    "pinch open": Pinch(MIDDLE, 2.0, 200),
    "pinch close": Pinch(MIDDLE, 0.5, 500),
    "twist": Twist(MIDDLE, 90, 300),
    "three fingers": Fingers(
        (
            Frame((Point(100, 800), Point(300, 800), Point(500, 800)), 300),
            Frame((Point(100, 500), Point(300, 800), Point(500, 600)), 200),
            Frame((Point(100, 500), Point(300, 700)), 300),
            Frame((None, Point(300, 700), Point(700, 700)), 120),
            Frame((Point(150, 500), Point(300, 700), Point(700, 900)), 60),
        )
    ),
}
HANDS = {"off": HumanizeConfig(enabled=False), "default": HumanizeConfig(), **PERSONAS}
everywhere = pytest.mark.parametrize("platform", ["android", "ios"])
each = pytest.mark.parametrize("name", GESTURES)


@everywhere
@each
@pytest.mark.parametrize("hand", HANDS)
def test_a_gesture_arrives_as_it_was_meant(name: str, hand: str, platform: str) -> None:
    for seed in range(20 if hand != "off" else 1):
        track = humanize(GESTURES[name], HANDS[hand], random.Random(seed), platform=platform)
        assert_arrives(track, platform)


places = st.builds(Point, st.integers(0, 1080), st.integers(0, 2400))
slots = st.one_of(st.none(), places)
frames = st.lists(st.builds(Frame, st.lists(slots, max_size=4).map(tuple), st.integers(1, 400)), min_size=1, max_size=6)
ways = st.lists(places, min_size=2, max_size=60).filter(lambda way: way[0].distance(way[-1]) > 200)


@settings(max_examples=200, derandomize=True, deadline=None)
@given(
    st.one_of(
        frames.filter(lambda some: any(point for frame in some for point in frame.points)).map(
            lambda some: Fingers(tuple(some))
        ),
        st.builds(lambda way, ms: Swipe(way[0], way[-1], ms, tuple(way[1:-1])), ways, st.integers(1, 2000)),
    ),
    st.sampled_from(("android", "ios")),
    st.sampled_from(sorted(HANDS)),
    st.integers(0, 2**32),
)
def test_whatever_fingers_do_arrives(action: Pointer, platform: str, hand: str, seed: int) -> None:
    assert_arrives(humanize(action, HANDS[hand], random.Random(seed), platform=platform), platform)


@everywhere
@each
def test_what_is_sent_is_whole_numbers_of_one_pointer_type(name: str, platform: str) -> None:
    track = humanize(GESTURES[name], HumanizeConfig(), random.Random(3), platform=platform)
    payload = to_w3c(track, RULES[platform])
    assert len({source["id"] for source in payload}) == len(payload)
    for source in payload:
        assert (source["type"], source["parameters"]) == ("pointer", {"pointerType": "touch"})
        assert source["actions"][0] | {"x": 0, "y": 0, "duration": 0} == {
            "type": "pointerMove", "duration": 0, "x": 0, "y": 0, "origin": "viewport",
        }  # fmt: skip
        numbers = [value for action in source["actions"] for value in action.values() if not isinstance(value, str)]
        assert all(type(value) is int for value in numbers)


@everywhere
@each
def test_no_duration_is_left_to_the_client_and_none_says_nothing(name: str, platform: str) -> None:
    for source in to_w3c(compile_action(GESTURES[name], RULES[platform]), RULES[platform]):
        down = False
        for action in source["actions"]:
            down = down if action["type"] in ("pointerMove", "pause") else action["type"] == "pointerDown"
            if action["type"] in ("pointerMove", "pause"):
                assert "duration" in action
            if down and action["type"] in ("pointerMove", "pause"):
                assert action["duration"] > 0
            if platform == "android":
                assert action.get("duration", 0) % SLOT == 0


def words(source: dict[str, Any]) -> list[str]:
    short = {"pointerMove": "move", "pointerDown": "down", "pointerUp": "up", "pause": "pause"}
    return [f"{short[action['type']]} {action.get('duration', '')}".strip() for action in source["actions"]]


@everywhere
def test_a_double_tap_is_one_request_of_one_pointer_without_a_move_in_between(platform: str) -> None:
    (source,) = to_w3c(compile_action(DoubleTap(HERE), RULES[platform]), RULES[platform])
    assert words(source) == ["move 0", "down", "pause 60", "up", "pause 80", "down", "pause 60", "up"]


def test_a_straight_swipe_is_one_plain_move_where_the_server_draws_the_line() -> None:
    (source,) = to_w3c(compile_action(Swipe(HERE, THERE), ANDROID), ANDROID)
    assert words(source) == ["move 0", "down", "move 500", "up"]


def test_a_second_touch_at_another_place() -> None:
    """Android: where the next one comes down. WebDriverAgent: a pointer of its own, with its delay before the touch."""
    seed = next(
        seed
        for seed in range(50)
        if len(
            {(round(p.x), round(p.y)) for p in humanize(DoubleTap(HERE), HumanizeConfig(), random.Random(seed)).points}
        )
        > 1
    )
    android = humanize(DoubleTap(HERE), HumanizeConfig(), random.Random(seed))
    (source,) = to_w3c(android, ANDROID)
    assert [word.split()[0] for word in words(source)] == [
        "move",
        "down",
        "pause",
        "up",
        "pause",
        "move",
        "down",
        "pause",
        "up",
    ]
    assert source["actions"][5]["duration"] == 0
    ios = humanize(DoubleTap(HERE), HumanizeConfig(), random.Random(seed), platform="ios")
    sources = to_w3c(ios, IOS)
    assert [word.split()[0] for source in sources for word in words(source)] == ["move", "down", "pause", "up"] * 2
    assert sources[1]["actions"][0]["duration"] == ios.strokes[1].samples[0].t_ms


def test_a_finger_that_rests_beside_a_moving_one_moves_to_its_own_place() -> None:
    track = compile_action(
        Fingers((Frame((HERE, THERE), 200), Frame((HERE, MIDDLE), 100))),
        ANDROID,
    )
    resting, _moving = to_w3c(track, ANDROID)
    assert words(resting) == ["move 0", "down", "move 300", "up"]
    assert resting["actions"][2]["x"] == resting["actions"][0]["x"]


# --- the servers tell right from wrong ------------------------------------------------------------------------------


def source(*actions: Any) -> dict[str, Any]:
    made = []
    for word, *values in actions:
        if word == "move":
            made.append({"type": "pointerMove", "x": values[0], "y": values[1], "duration": values[2]})
        elif word == "pause":
            made.append({"type": "pause", "duration": values[0]})
        else:
            made.append({"type": f"pointer{word.title()}", "button": 0})
    return {"actions": made}


def test_a_path_without_durations_is_a_teleport_on_android() -> None:
    (touch,) = play_android([source(("move", 0, 0, 0), ("down",), ("move", 0, 50, 0), ("move", 0, 90, 0), ("up",))])
    assert touch == [(0, 0, 0), (0, 0, 90)]


def test_durations_are_rounded_up_on_android() -> None:
    moves = [("move", 0, n, 16) for n in range(1, 31)]
    (touch,) = play_android([source(("move", 0, 0, 0), ("down",), *moves, ("up",))])
    assert touch[-1] == (600, 0, 30)


def test_a_paused_finger_vanishes_on_android_and_rests_on_ios() -> None:
    moving = source(("move", 0, 0, 0), ("down",), ("move", 0, 90, 100), ("up",))
    paused = source(("move", 50, 0, 0), ("down",), ("pause", 100), ("up",))
    with pytest.raises(Misplayed, match="vanishes"):
        play_android([moving, paused])
    assert len(play_wda([moving, paused])) == 2


def test_a_move_between_two_touches_is_lost_on_ios() -> None:
    twice = source(
        ("move", 0, 0, 0), ("down",), ("pause", 50), ("up",), ("pause", 80), ("move", 9, 9, 0), ("down",), ("up",)
    )
    with pytest.raises(Misplayed, match="finished"):
        play_wda([twice])
    assert [touch[0] for touch in play_android([twice])] == [(0, 0, 0), (140, 9, 9)]


def test_two_touches_at_one_time_are_refused_on_android() -> None:
    with pytest.raises(Misplayed, match="two downs"):
        play_android([source(("move", 0, 0, 0), ("down",), ("up",), ("down",), ("up",))])
