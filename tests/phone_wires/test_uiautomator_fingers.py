"""What UI Automator's gestures are sample by sample, by the lines of `InteractionController`."""

from __future__ import annotations

import pytest

from pytest_apex.phone_wires.uiautomator import fingers


def test_a_press_is_held_as_long_as_asked() -> None:
    (stroke,) = fingers.press(10, 20, 100).strokes
    assert [(sample.t_ms, sample.x, sample.y) for sample in stroke.samples] == [(0, 10, 20), (100, 10, 20)]


@pytest.mark.parametrize(("steps", "took"), [(0, 0), (1, 0), (2, 5), (55, 270), (100, 495)])
def test_a_swipe_takes_five_milliseconds_a_step_but_for_the_last(steps: int, took: int) -> None:
    (stroke,) = fingers.swipe((0, 0), (100, 50), steps).strokes
    assert stroke.samples[-1].t_ms == took
    assert (stroke.samples[-1].x, stroke.samples[-1].y) == (100, 50)
    assert [sample.t_ms for sample in stroke.samples] == sorted(sample.t_ms for sample in stroke.samples)


def test_moves_are_cut_to_whole_pixels() -> None:
    (stroke,) = fingers.swipe((0, 0), (-10, 10), 4).strokes
    assert [(sample.x, sample.y) for sample in stroke.samples] == [(0, 0), (-2, 2), (-5, 5), (-7, 7), (-10, 10)]


def test_a_drag_rests_first_and_last() -> None:
    (stroke,) = fingers.swipe((0, 0), (100, 0), 10, drag=True).strokes
    assert stroke.samples[1].t_ms == 600
    assert stroke.samples[-1].t_ms - stroke.samples[-2].t_ms == 105
    assert stroke.samples[-1].t_ms == 600 + 45 + 100


def test_a_path_does_not_quite_reach_its_corners() -> None:
    (stroke,) = fingers.swipe_points([(0, 0), (100, 0), (100, 100)], 10).strokes
    places = [(sample.x, sample.y) for sample in stroke.samples]
    assert (90, 0) in places
    assert (100, 0) not in places
    assert places[-1] == (100, 100)
    assert stroke.samples[-1].t_ms == 2 * 9 * 5


def test_a_pinch_goes_along_the_middle() -> None:
    track = fingers.pinch((100, 100, 300, 200), 50, 20, opens=True)
    assert track is not None
    left, right = track.strokes
    assert ((left.samples[0].x, left.samples[0].y), (right.samples[0].x, right.samples[0].y)) == (
        (180, 150),
        (220, 150),
    )
    assert (left.samples[-1].x, right.samples[-1].x) == (150, 250)
    assert left.samples[-1].t_ms == 100
    assert fingers.pinch((0, 0, 40, 40), 50, 20, opens=False) is None
