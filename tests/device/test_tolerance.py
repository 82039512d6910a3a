"""How far a picture may be from its approved one, and what of a difference is but the caret."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.device.checking.differing import caret, named
from pytest_apex.device.checking.picture_key import picture_key
from pytest_apex.device.checking.tolerance import Tolerance
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import DeviceInfo, Screen
from pytest_apex.vision.match import ImageComparison


def found(count: int, window: int = 1, *, complete: bool = True) -> ImageComparison:
    return ImageComparison(Size(100, 100), count, count / 10_000, count, (), count, window, complete)


@pytest.mark.parametrize(
    ("tolerance", "allowed"),
    [
        (Tolerance(), 0),
        (Tolerance(pixels=5), 5),
        (Tolerance(ratio=0.07), 700),
        (Tolerance(ratio=0.0007), 7),
        (Tolerance(ratio=0.00009), 0),
        (Tolerance(pixels=5, ratio=0.07), 5),
        (Tolerance(pixels=5000, ratio=0.07), 700),
        (Tolerance(ratio=1.0), 10_000),
    ],
)
def test_exactly_as_many_as_allowed_may_differ(tolerance: Tolerance, allowed: int) -> None:
    assert tolerance.allowed(10_000) == allowed
    assert not tolerance.exceeded(found(allowed), 10_000)
    assert f"{allowed + 1:,} of 10,000 pixels differ" in tolerance.exceeded(found(allowed + 1), 10_000)


def test_the_window_counts_where_anything_may_differ() -> None:
    assert not Tolerance(ratio=0.5).exceeded(found(500, 128), 10_000)
    assert "129 pixels differ in one window" in Tolerance(ratio=0.5).exceeded(found(500, 129), 10_000)
    assert not Tolerance(ratio=0.5, window=1024).exceeded(found(2000, 1024), 10_000)
    assert "(max_window_pixels)" in Tolerance(ratio=0.5, window=3).exceeded(found(500, 4), 10_000)


def test_an_early_end_says_at_least() -> None:
    assert Tolerance(pixels=5).exceeded(found(60, complete=False), 10_000).startswith("at least 60 of")


def test_the_key_names_what_pictures_depend_on() -> None:
    screen = Screen(Size(390, 844), density=3.0, scale=3.0, locale="pt_BR", dark=True, font_scale=1.15)
    info = DeviceInfo("id", "ios", "iPhone 17 Pro", "27.0.1", screen)
    key = picture_key(info, screen)
    assert key == "ios-27.iphone-17-pro.1170x2532@3.dark.font-1.15.pt-br.portrait"
    turned = replace(screen, size=Size(844, 390))
    assert picture_key(info, turned) == "ios-27.iphone-17-pro.2532x1170@3.dark.font-1.15.pt-br.landscape"
    odd = replace(info, model="../…", os_version="")
    assert picture_key(odd, screen).startswith("ios-0.any.1170x2532")


@pytest.fixture
def form(part: Any, as_snapshot: Any) -> Any:
    states = int(NodeState.ENABLED | NodeState.VISIBLE | NodeState.EDITABLE)
    return as_snapshot(
        [
            part("text_field", (10, 10, 190, 40), "Ada", states=states | int(NodeState.FOCUSED)),
            part("text_field", (10, 60, 190, 90), "Bergen", states=states),
            part("button", (10, 120, 190, 150), "Save"),
        ]
    )


CARET = Rect(50, 15, 52, 35)


def test_a_slim_box_in_the_focused_field_may_be_the_caret(form: Any) -> None:
    assert caret(form, [CARET]) == CARET
    assert caret(form, [Rect(10, 120, 190, 150), CARET]) == CARET


@pytest.mark.parametrize(
    "boxes",
    [
        [],
        [CARET, Rect(90, 15, 92, 35)],
        [Rect(50, 15, 54, 35)],
        [Rect(50, 15, 52, 20)],
        [CARET.moved(0, 50)],
        [CARET.moved(0, 105)],
    ],
    ids=["nothing", "two", "wide", "low", "another field", "a button"],
)
def test_what_is_none(form: Any, boxes: list[Rect]) -> None:
    assert caret(form, boxes) is None


def test_the_innermost_controls_are_named_and_the_largest_places_first(form: Any) -> None:
    lines = named(form, [Rect(20, 130, 30, 140), Rect(0, 50, 200, 130), Rect(3, 300, 4, 301)])
    assert lines[0].startswith("[0,50][200,130]: ")
    assert "Bergen" in lines[0]
    assert "Save" in lines[0]
    assert lines[1].startswith("[20,130][30,140]: ")
    assert "Save" in lines[1]
    assert "Bergen" not in lines[1]
    assert "window" in lines[2]
    many = [Rect(0, 10 * n, 5, 10 * n + 5) for n in range(9)]
    assert named(form, many)[-1] == "3 more places"
