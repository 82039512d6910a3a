"""How Appium's server on Android carries out W3C actions and its own gestures."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest

from pytest_apex.model.action import Sample, Stroke
from pytest_apex.model.geometry import Rect
from pytest_apex.phone_wires.uia2 import gestures
from pytest_apex.phone_wires.uia2.action_calls import slots, strokes_of, timeline
from pytest_apex.phone_wires.webdriver.faults import Fault

from .appium_client import DOWN, UP, move, pause, pointer


def strokes(*chains: dict[str, Any]) -> list[tuple[int, list[tuple[float, float, float]]]]:
    lines = [timeline(chain, lambda _name: (50, 60)) for chain in chains]
    return [(one.finger, [(s.t_ms, s.x, s.y) for s in one.samples]) for one in strokes_of(lines)]


@pytest.mark.parametrize(("asked", "got"), [(0, 0), (1, 20), (19, 20), (20, 20), (21, 40), (250, 260)])
def test_durations_are_whole_slots(asked: int, got: int) -> None:
    assert slots(asked) == got


def test_a_first_move_only_delays() -> None:
    assert strokes(pointer(move(10, 10, 250), DOWN, pause(50), UP)) == [(0, [(260, 10, 10), (320, 10, 10)])]


def test_a_later_move_without_duration_touches_nothing_on_its_way() -> None:
    assert strokes(pointer(move(10, 10), DOWN, move(90, 10), pause(20), UP)) == [(0, [(0, 10, 10), (20, 90, 10)])]
    moved = strokes(pointer(move(10, 10), DOWN, move(90, 10, 40), UP))
    assert moved == [(0, [(0, 10, 10), (20, 50, 10), (40, 90, 10), (40, 90, 10)])]


def test_a_dense_curve_is_stretched() -> None:
    chain = pointer(move(0, 0), DOWN, *(move(n, 0, 16) for n in range(1, 31)), UP)
    assert strokes(chain)[0][1][-1] == (600, 30, 0)


def test_two_touches_need_a_pause_between() -> None:
    with pytest.raises(Fault, match="put a pause between"):
        timeline(pointer(move(1, 1), DOWN, UP, DOWN, UP), lambda _name: (0, 0))
    assert len(strokes(pointer(move(1, 1), DOWN, pause(20), UP, pause(80), DOWN, pause(20), UP))) == 2


def test_a_finger_that_rests_while_another_moves_is_gone() -> None:
    resting = pointer(move(10, 10), DOWN, pause(40), UP)
    other = pointer(move(50, 10), DOWN, move(90, 10, 40), UP, finger="finger2")
    assert strokes(resting, other)[0] == (0, [(0, 10, 10), (20, 10, 10)])
    holding = pointer(move(10, 10), DOWN, move(10, 10, 40), UP)
    assert strokes(holding, other)[0][1][-1] == (40, 10, 10)


@pytest.mark.parametrize(
    ("actions", "why"),
    [
        ([DOWN], "without a pointerMove"),
        ([move(1, 1, origin="pointer")], "can't be relative"),
        ([move(1, 1), UP], "can't follow"),
        ([move(1, 1), DOWN, DOWN], "can't follow"),
        ([move(1, 1, -5)], "0 to 600000"),
        ([move(1, 1), pause(600_000), pause(20)], "too long"),
        ([{"type": "pointerCancel"}], "not supported"),
        ([{"type": "jump"}], "unknown action"),
        ([{"type": "pointerMove", "x": "1", "y": 0}], "must be a number"),
        ([move(float("nan"), 1)], "must be"),
    ],
)
def test_no_chain(actions: list[Any], why: str) -> None:
    with pytest.raises(Fault, match=why):
        timeline(pointer(*actions), lambda _name: (0, 0))


# Gestures of its own

AREA = Rect(100, 200, 300, 600)


@pytest.mark.parametrize(
    ("direction", "start", "end"),
    [
        ("up", (200, 600), (200, 400)),
        ("down", (200, 200), (200, 400)),
        ("left", (300, 400), (200, 400)),
        ("right", (100, 400), (200, 400)),
    ],
)
def test_a_swipe_begins_on_the_edge_and_goes_by_speed(
    direction: str, start: tuple[float, float], end: tuple[float, float]
) -> None:
    (stroke,) = gestures.swipe(AREA, direction, 0.5, 1000).strokes
    assert ends(stroke) == (start, end)
    assert stroke.samples[-1].t_ms == dist(start, end)


def ends(stroke: Stroke) -> tuple[tuple[float, float], tuple[float, float]]:
    first, last = stroke.samples[0], stroke.samples[-1]
    return (first.x, first.y), (last.x, last.y)


def test_a_drag_presses_first() -> None:
    (stroke,) = gestures.drag((10, 10), (10, 110), 100).strokes
    assert stroke.samples[:2] == (Sample(0, 10, 10), Sample(500, 10, 10))
    assert stroke.samples[-1].t_ms == 1500


def test_two_taps_half_a_time_out_apart() -> None:
    first, second = gestures.double_press((5, 5)).strokes
    assert second.samples[0].t_ms - first.samples[-1].t_ms == 150


def test_a_pinch_goes_along_the_diagonal() -> None:
    opened = gestures.pinch(AREA, 0.5, 1000, opens=True).strokes
    closed = gestures.pinch(AREA, 0.5, 1000, opens=False).strokes
    assert [ends(stroke) for stroke in opened] == [((150, 500), (100, 600)), ((250, 300), (300, 200))]
    assert [ends(stroke) for stroke in closed] == [((100, 600), (150, 500)), ((300, 200), (250, 300))]
    assert closed[0].samples[-1].t_ms == pytest.approx(opened[0].samples[-1].t_ms + 250)
