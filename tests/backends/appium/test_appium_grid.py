"""A grid that has nothing for a request says so in its status."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.backends.appium.grid import slots, why_no_slot_fits

ANDROID = {"platformName": "ANDROID", "appium:automationName": "UiAutomator2"}
ASKED = {"platformName": "Android", "appium:automationName": "UiAutomator2", "appium:newCommandTimeout": 60}


def grid(*stereotypes: dict[str, Any]) -> dict[str, Any]:
    return {"ready": True, "nodes": [{"slots": [{"stereotype": one} for one in stereotypes]}]}


@pytest.mark.parametrize(
    ("stereotypes", "asked", "words"),
    [
        ([ANDROID], {"appium:platformVersion": "16"}, "no appium:platformVersion, and 16 is asked for"),
        ([{**ANDROID, "appium:platformVersion": "15"}], {"appium:platformVersion": "16"}, "appium:platformVersion 15"),
        ([{"platformName": "iOS"}], {}, "platformName iOS, and Android is asked for"),
        ([{**ANDROID, "appium:automationName": "Espresso"}], {}, "Espresso"),
    ],
)
def test_what_fits_no_slot_is_told(stereotypes: list[Any], asked: dict[str, Any], words: str) -> None:
    assert words in why_no_slot_fits(grid(*stereotypes), {**ASKED, **asked})


@pytest.mark.parametrize(
    ("status", "asked"),
    [
        (grid(ANDROID), {}),
        (grid({"platformName": "iOS"}, ANDROID), {}),
        (grid({**ANDROID, "appium:platformVersion": "16"}), {"appium:platformVersion": "16"}),
        (grid({**ANDROID, "appium:platformVersion": "16"}), {}),
        (grid(), {"appium:platformVersion": "16"}),
        ({"ready": True, "build": {"version": "3.8.0"}}, {"appium:platformVersion": "16"}),
        (None, {}),
    ],
)
def test_what_fits_or_can_not_be_known_is_let_be(status: Any, asked: dict[str, Any]) -> None:
    assert why_no_slot_fits(status, {**ASKED, **asked}) == ""


@pytest.mark.parametrize("status", ["up", {"nodes": 3}, {"nodes": [None, {"slots": [3, {"stereotype": "x"}]}, {}]}])
def test_a_status_of_another_shape_has_no_slots(status: Any) -> None:
    assert list(slots(status)) == []
