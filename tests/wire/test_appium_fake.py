"""Every gesture against a real Appium server and its fake driver, which keeps W3C actions word for word.

`pytest tests/wire/test_appium_fake.py --wire-servers=…` with `APEX_APPROVE=1` writes the stored payloads anew.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.connecting import connect
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.humanize import HumanizeConfig, humanize
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import (
    DoubleTap,
    Drag,
    Fingers,
    Fling,
    Frame,
    LongPress,
    Pinch,
    Pointer,
    Swipe,
    Tap,
    Twist,
)
from pytest_apex.model.geometry import Point
from pytest_apex.settings import Settings

from .servers.appium import AppiumServer

pytestmark = pytest.mark.bench

APPROVED = Path(__file__).parent / "approvals" / "appium_fake.json"
MIDDLE, ABOVE = Point(200, 600), Point(200, 200)
GESTURES: dict[str, Pointer] = {
    "tap": Tap(MIDDLE),
    "tap of 200 ms": Tap(MIDDLE, 200),
    "double tap": DoubleTap(MIDDLE),
    "long press": LongPress(MIDDLE),
    "swipe": Swipe(MIDDLE, ABOVE),
    "swipe by a way": Swipe(MIDDLE, ABOVE, 600, via=(Point(60, 400),)),
    "swipe and rest": Swipe(MIDDLE, ABOVE, 500, rest_ms=200),
    "fling": Fling(MIDDLE, ABOVE),
    "drag": Drag(MIDDLE, ABOVE),
    "pinch open": Pinch(MIDDLE, 2.0, 200),
    "pinch close": Pinch(MIDDLE, 0.5, 360),
    "twist": Twist(MIDDLE, 60, 240),
    "three fingers": Fingers(
        (Frame((MIDDLE, Point(250, 600), Point(300, 600)), 400), Frame((ABOVE, Point(250, 200), Point(300, 200)), 40))
    ),
}
HANDS = ("off", "on")


@pytest.fixture(scope="module")
def backend(appium_server: AppiumServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[AppiumBackend]:
    app = tmp_path_factory.mktemp("fake") / "app.xml"
    app.write_text('<app width="400" height="900"><MockButton id="b"/></app>')
    caps = {"platformName": "Fake", "automationName": "Fake", "app": str(app)}
    settings = Settings().changed("devices", {}, appium_url=appium_server.url, appium_caps=json.dumps(caps))
    made = connect("auto", settings)
    yield made
    made.close()


def played(backend: AppiumBackend, name: str, hand: str) -> Any:
    """What the driver got for a gesture, and that it was one request."""
    action = GESTURES[name]
    if hand == "off":
        track = compile_action(action, RULES["android"])
    else:
        track = humanize(action, HumanizeConfig(), random.Random(f"{name} by hand"))
    backend.drops_pauses = False  # it keeps actions and plays none
    before, requests = len(backend.raw.get_log("actions")), backend._connection.channel.requests
    backend.perform(track)
    assert backend._connection.channel.requests == requests + 1
    log = backend.raw.get_log("actions")
    assert len(log) == before + 1
    return log[-1]


def written(approved: dict[str, Any]) -> str:
    """JSON with a line for each action, so that a change of one shows as one."""
    text = json.dumps(approved, indent=1, sort_keys=True)
    return re.sub(r"\{\s+(\"(?:duration|button|pointerType)\"[^{}]*?)\s+\}", _on_one_line, text) + "\n"


def _on_one_line(found: re.Match[str]) -> str:
    return "{" + re.sub(r"\s+", " ", found[1]) + "}"


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("name", GESTURES)
def test_the_payload_is_the_approved_one(backend: AppiumBackend, name: str, hand: str) -> None:
    approved = json.loads(APPROVED.read_text()) if APPROVED.exists() else {}
    got = played(backend, name, hand)
    if os.environ.get("APEX_APPROVE"):
        approved.setdefault(name, {})[hand] = got
        APPROVED.parent.mkdir(exist_ok=True)
        APPROVED.write_text(written(approved))
    assert got == approved[name][hand]


def test_every_gesture_is_approved_and_no_other() -> None:
    assert {name: set(hands) for name, hands in json.loads(APPROVED.read_text()).items()} == {
        name: set(HANDS) for name in GESTURES
    }


@pytest.mark.parametrize("seed", range(3))
def test_a_hand_is_one_request_with_a_move_for_each_waypoint(backend: AppiumBackend, seed: int) -> None:
    track = humanize(GESTURES["swipe"], HumanizeConfig(), random.Random(seed))
    before = backend._connection.channel.requests
    backend.perform(track)
    assert backend._connection.channel.requests == before + 1
    (source,) = backend.raw.get_log("actions")[-1]
    moves = [action for action in source["actions"] if action["type"] == "pointerMove"]
    places = {(round(sample.x), round(sample.y)) for sample in track.strokes[0].samples}
    assert {(move["x"], move["y"]) for move in moves} <= places
    assert len(moves) >= 5
    assert sum(action.get("duration", 0) for action in source["actions"]) == track.duration_ms


def test_what_the_driver_has_not_is_known_before(backend: AppiumBackend) -> None:
    assert {"tap", "pinch", "multi_touch"} <= backend.capabilities
    assert not {"app_control", "press", "log"} & backend.capabilities
