"""The table of commands."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.appium.commands import MATRIX, SCRIPTS, Actions, Native, as_markdown, plan
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.humanize import HumanizeConfig, humanize
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import DoubleTap, Drag, Fling, LongPress, Pinch, Pointer, Swipe, Tap, Twist
from pytest_apex.model.geometry import Point

DOCS = Path(__file__).parents[3] / "docs" / "appium.md"
A, B = Point(200, 600), Point(200, 200)
NATIVE: list[tuple[str, Pointer, str, dict[str, Any]]] = [
    ("android", Tap(A), "mobile: clickGesture", {"x": 200, "y": 600}),
    ("android", Tap(A, 200), "mobile: longClickGesture", {"x": 200, "y": 600, "duration": 200}),
    ("android", LongPress(A, 1200), "mobile: longClickGesture", {"x": 200, "y": 600, "duration": 1200}),
    ("android", Drag(A, B, 800, 1000), "mobile: dragGesture",
     {"startX": 200, "startY": 600, "endX": 200, "endY": 200, "speed": 400}),
    ("ios", Tap(A), "mobile: tap", {"x": 200, "y": 600}),
    ("ios", Tap(A, 200), "mobile: touchAndHold", {"x": 200, "y": 600, "duration": 0.2}),
    ("ios", LongPress(A, 1200), "mobile: touchAndHold", {"x": 200, "y": 600, "duration": 1.2}),
    ("ios", Drag(A, B, 800, 1000), "mobile: dragFromToWithVelocity",
     {"fromX": 200, "fromY": 600, "toX": 200, "toY": 200, "pressDuration": 0.8, "velocity": 400.0,
      "holdDuration": 0.1}),
]  # fmt: skip
W3C: list[Pointer] = [
    DoubleTap(A), Swipe(A, B), Fling(A, B), Pinch(A, 2.0, 200), Twist(A, 60, 240),
    Swipe(A, B, 600, via=(Point(60, 400),)),
]  # fmt: skip


@pytest.mark.parametrize(("platform", "action", "script", "arguments"), NATIVE)
def test_an_exact_gesture_is_the_platforms_own_command(
    platform: str, action: Pointer, script: str, arguments: dict[str, Any]
) -> None:
    rules = RULES[platform]
    assert plan(compile_action(action, rules), rules, SCRIPTS) == Native(script, arguments)


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize("action", W3C)
def test_what_no_command_carries_is_w3c_actions(platform: str, action: Pointer) -> None:
    rules = RULES[platform]
    assert isinstance(plan(compile_action(action, rules), rules, SCRIPTS), Actions)


def test_a_longer_hold_than_the_phones_own_is_kept() -> None:
    rules = RULES["android"]
    assert isinstance(plan(compile_action(Drag(A, B, 1500, 1000), rules), rules, SCRIPTS), Actions)


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize("action", [Tap(A), LongPress(A), Drag(A, B), DoubleTap(A), Swipe(A, B)])
def test_a_hand_is_always_w3c_actions(platform: str, action: Pointer) -> None:
    rules = RULES[platform]
    track = humanize(action, HumanizeConfig(), random.Random(3))
    assert isinstance(plan(track, rules, SCRIPTS), Actions)


@pytest.mark.parametrize(("platform", "action", "script", "arguments"), NATIVE)
def test_a_driver_without_the_command_gets_w3c_actions(
    platform: str, action: Pointer, script: str, arguments: dict[str, Any]
) -> None:
    rules = RULES[platform]
    got = plan(compile_action(action, rules), rules, SCRIPTS - {script})
    assert isinstance(got, Actions) or got.script != script
    assert arguments


def test_every_gesture_stands_in_the_table() -> None:
    verbs = {"tap", "double_tap", "long_press", "swipe", "fling", "drag", "pinch", "twist"}
    for platform in ("android", "ios"):
        assert {row.verb for row in MATRIX if row.platform == platform} == verbs
    assert all(row.why or (row.script and row.when) for row in MATRIX)


def test_the_documentation_has_the_table_as_the_code_goes_by_it() -> None:
    assert as_markdown() in DOCS.read_text("utf-8")
