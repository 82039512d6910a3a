"""WebDriverAgent's own languages: predicates, class chains, W3C actions, gestures."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.model.geometry import Rect
from pytest_apex.phone_wires.wda import class_chain, gestures, predicate
from pytest_apex.phone_wires.wda.action_calls import paths
from pytest_apex.phone_wires.webdriver.faults import Fault

from .appium_client import DOWN, UP, move, pause, pointer

SAVE = {"type": "XCUIElementTypeButton", "name": "save", "label": "Save it", "value": None, "visible": "true",
        "enabled": "false", "width": "80"}  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        'name == "save"',
        "name = 'save'",
        'name != "other"',
        'label CONTAINS "ave" AND visible == 1',
        "visible == TRUE && enabled == NO",
        'label BEGINSWITH[c] "SAVE"',
        'label ENDSWITH "it" OR name == "x"',
        'label LIKE "S*?t"',
        'label MATCHES "Save .."',
        'name IN {"a", "save"}',
        "value == nil",
        "NOT (width < 80) AND width >= 80",
        '!(name == "x") AND (name == "x" OR name == "save")',
        "TRUEPREDICATE",
    ],
)
def test_predicates_that_hold(text: str) -> None:
    assert predicate.read(text)(SAVE)


@pytest.mark.parametrize(
    "text",
    ['name == "Save"', "visible == 0", 'label BEGINSWITH "SAVE"', 'name IN {"a"}', "width > 80", 'value CONTAINS "x"'],
)
def test_predicates_that_do_not(text: str) -> None:
    assert not predicate.read(text)(SAVE)


@pytest.mark.parametrize(
    "text",
    [
        "", "name", "name ==", 'colour == "red"', 'name == "a" AND', '(name == "a"', 'name == "a")', "width < big",
        'label MATCHES "("', "name == " + "(" * 50, "NOT " * 50 + "name == 1", "name == 'a' OR " * 300 + "name == 1",
    ],
)  # fmt: skip
def test_no_predicates(text: str) -> None:
    with pytest.raises(Fault) as caught:
        predicate.read(text)
    assert caught.value.code == "invalid selector"


def test_class_chains_are_read() -> None:
    deep, plain = class_chain.read('**/XCUIElementTypeCell[`name == "a/b"`][2]/button[-1]')
    assert (deep.deep, deep.kind, len(deep.own), deep.place) == (True, "XCUIElementTypeCell", 1, 2)
    assert (plain.deep, plain.kind, plain.place) == (False, "XCUIElementTypeButton", -1)


@pytest.mark.parametrize("text", ["", "**/", "a/", "a[0", "a[`name ==`]", "/".join(["a"] * 40), "a b"])
def test_no_class_chains(text: str) -> None:
    with pytest.raises(Fault):
        class_chain.read(text)


# Actions


def told(*actions: dict[str, Any]) -> list[list[tuple[float, float, float]]]:
    found = paths(pointer(*actions), 0, lambda _name: (50, 60))
    return [[(one.t_ms, one.x, one.y) for one in stroke.samples] for stroke in found]


def test_the_first_move_opens_the_touch_at_the_end_of_its_time() -> None:
    assert told(move(10, 10, 250), pause(100), DOWN, pause(50), UP) == [[(250, 10, 10), (400, 10, 10)]]


def test_each_later_down_is_a_touch_of_its_own() -> None:
    taps = told(move(10, 10), DOWN, pause(50), UP, pause(100), DOWN, pause(50), UP)
    assert [(tap[0], tap[-1]) for tap in taps] == [((0, 10, 10), (50, 10, 10)), ((150, 10, 10), (200, 10, 10))]


def test_a_move_is_a_point_at_its_end_and_the_way_there_is_smooth() -> None:
    (stroke,) = told(move(0, 0), DOWN, move(90, 0, 50), UP)
    assert stroke == [(0, 0, 0), pytest.approx((50 / 3, 30, 0)), pytest.approx((100 / 3, 60, 0)),
                      pytest.approx((50, 90, 0)), (50, 90, 0)]  # fmt: skip


def test_origins() -> None:
    element = {"element-6066-11e4-a52e-4f735466cecf": "x"}
    (stroke,) = told(move(1, 2, origin=element), DOWN, move(5, 5, 10, origin="pointer"), UP)
    assert (stroke[0][1:], stroke[-1][1:]) == ((51, 62), (56, 67))


@pytest.mark.parametrize("actions", [[DOWN], [move(1, 1), UP, UP], [{"type": "jump"}], [move(1, 1, -1)], [5]])
def test_no_actions(actions: list[Any]) -> None:
    with pytest.raises(Fault):
        paths(pointer(*actions), 0, lambda _name: (0, 0))


# Gestures


def test_a_pinch_ends_with_the_scale_that_was_asked_for() -> None:
    for scale, velocity in ((2.0, 1.0), (0.5, -1.0)):
        first, second = gestures.pinch(Rect(0, 0, 300, 300), scale, velocity).strokes
        before = abs(first.samples[0].x - second.samples[0].x)
        after = abs(first.samples[-1].x - second.samples[-1].x)
        assert after / before == pytest.approx(scale)
        assert first.samples[-1].t_ms == pytest.approx(abs(scale - 1) * 1000)


def test_a_turn_stays_on_its_circle() -> None:
    first, _ = gestures.rotate(Rect(0, 0, 200, 200), 1.5708, 3.1416).strokes
    assert all((one.x - 100) ** 2 + (one.y - 100) ** 2 == pytest.approx(80**2, rel=0.01) for one in first.samples)
    assert (first.samples[-1].t_ms, first.samples[-1].y) == (pytest.approx(500, abs=1), pytest.approx(180, abs=0.1))
