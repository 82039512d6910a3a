"""Apple Watch and Apple TV on the WebDriverAgent wire, asked as Appium passes our requests on to it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import urllib3

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.session import Session
from pytest_apex.backends.appium.wire import Http, Reply, value_of
from pytest_apex.backends.virtual import demo_app
from pytest_apex.errors import ActionRefused, CapabilityMissing
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.humanize import HumanizeConfig, humanize
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import LongPress, Pointer, Swipe, Tap
from pytest_apex.model.geometry import Point
from pytest_apex.model.node import Node, NodeState
from pytest_apex.phone_wires.wda.serve import ServedWda, serve_wda

from .scripted import ELEMENT, IOS, Script, backend_on, picture, value

SOURCE = """<AppiumAUT><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Notes" label="Notes"
 enabled="true" visible="true" x="0" y="0" width="198" height="242" bundleId="com.example.notes"
 processId="41"><XCUIElementTypeWindow type="XCUIElementTypeWindow" enabled="true" visible="true" x="0" y="0"
 width="198" height="242">{}{}</XCUIElementTypeWindow></XCUIElementTypeApplication></AppiumAUT>"""
ROW = (
    '<XCUIElementTypeButton type="XCUIElementTypeButton" name="Delete" label="Delete" enabled="true" visible="true" '
    'x="10" y="{}" width="100" height="30"/>'
)
CAPABILITIES = {"alwaysMatch": {"bundleId": "com.example.notes"}}


@contextmanager
def on_wire(platform: str) -> Iterator[tuple[AppiumBackend, ServedWda, list[str]]]:
    with serve_wda([demo_app()], platform=platform) as served, urllib3.PoolManager() as pool:
        sent: list[str] = []
        http = Http(pool, served.url, {})

        def passed_on(method: str, path: str, body: bytes | None, timeout: float) -> Reply:
            sent.append(f"{method} /{path.split('/', 3)[-1]}")
            return http(method, path, body, timeout)

        opened: Any = value_of(http("POST", "/session", json.dumps({"capabilities": CAPABILITIES}).encode(), 10))
        session = Session(None, str(opened["sessionId"]), {**IOS, "platformName": platform}, passed_on)
        yield AppiumBackend(Connection(session, "watch", Limits(), None), "watch"), served, sent


def node_of(backend: AppiumBackend, *names: str) -> Node:
    nodes = backend.capture().nodes
    return next(node for node in nodes if {node.identifier, node.label, node.text} & set(names) and node.bounds.width)


def perform(backend: AppiumBackend, action: Pointer) -> Any:
    return backend.perform(compile_action(action, RULES["watchos"]))


def test_a_tap_on_a_watch_is_one_click_on_the_element() -> None:
    with on_wire("watchos") as (backend, served, sent):
        node = node_of(backend, "Sign in")
        sent.clear()
        served.journal.clear()
        receipt = perform(backend, Tap(node.bounds.center))
        assert [line.split("/", 1)[1].rpartition("/")[2] for line in sent if line.startswith("POST")] == [
            "elements", "click",
        ]  # fmt: skip
        assert [entry.name for entry in served.journal.touches] == ["down", "up"]
        assert "Sign in" in receipt.command


def test_a_tap_by_a_hand_is_the_same_click() -> None:
    with on_wire("watchos") as (backend, _, sent):
        tap = humanize(Tap(node_of(backend, "Sign in").bounds.center), HumanizeConfig(), random.Random(3))
        sent.clear()
        backend.perform(tap)
        assert [line for line in sent if line.endswith("/click")] == sent[-1:]


@pytest.mark.parametrize("action", [Swipe(Point(90, 150), Point(90, 40)), LongPress(Point(90, 100), 800)])
def test_other_gestures_on_a_watch_are_refused_by_name_and_nothing_is_touched(action: Pointer) -> None:
    with on_wire("watchos") as (backend, served, _):
        backend.capture()
        served.journal.clear()
        with pytest.raises(CapabilityMissing, match=r"can't do a (swipe|long press)"):
            perform(backend, action)
        assert not list(served.journal.touches)


def test_a_tap_beside_every_element_is_refused_by_name() -> None:
    with on_wire("watchos") as (backend, served, _):
        backend.capture()
        served.journal.clear()
        with pytest.raises(CapabilityMissing, match="can't be tapped at 900, 900"):
            perform(backend, Tap(Point(900, 900)))
        assert not list(served.journal.touches)


def test_an_element_that_is_gone_is_not_tapped() -> None:
    with on_wire("watchos") as (backend, served, _):
        at = node_of(backend, "Sign in").bounds.center
        backend._connection.act("/wda/homescreen", {}, "home")
        served.journal.clear()
        with pytest.raises(ActionRefused, match="is gone"):
            perform(backend, Tap(at))
        assert not list(served.journal.touches)


def test_an_apple_tv_types_into_the_field_with_the_focus() -> None:
    with on_wire("tvos") as (backend, _, _sent):
        connection = backend._connection
        told = connection.refused_or("/elements", {"using": "accessibility id", "value": "email"}, "finding the field")
        connection.act(f"/element/{told[0][ELEMENT]}/click", {}, "selecting it")
        assert node_of(backend, "email").has(NodeState.FOCUSED)
        backend.type_text("Grüße")
        assert "Grüße" in (node_of(backend, "email").text, node_of(backend, "email").value)


@pytest.mark.parametrize(("second", "clicked"), [(180, "e2"), (400, None)])
def test_of_several_elements_of_one_name_the_one_at_its_place_is_tapped(second: int, clicked: str | None) -> None:
    def rect(y: int) -> Reply:
        return value({"x": 10, "y": y, "width": 100, "height": 30})

    source = SOURCE.format(*(ROW.format(y) for y in (100, 180)))
    script = Script(
        {
            "/source": value(source), "/screenshot": value(picture(198, 242)), "/element/e2/click": value(None),
            "/window/rect": value({"x": 0, "y": 0, "width": 198, "height": 242}),
            "/elements": value([{ELEMENT: "e1"}, {ELEMENT: "e2"}]),
            "/element/e1/rect": rect(100), "/element/e2/rect": rect(second),
        }
    )  # fmt: skip
    backend = backend_on(script, {**IOS, "platformName": "watchOS"})
    tap = compile_action(Tap(Point(50, 190)), RULES["watchos"])
    if clicked is None:
        with pytest.raises(ActionRefused, match="Delete is gone"):
            backend.perform(tap)
    else:
        backend.perform(tap)
    clicks = [path for path in script.paths() if path.endswith("/click")]
    assert clicks == ([f"/element/{clicked}/click"] if clicked else [])
