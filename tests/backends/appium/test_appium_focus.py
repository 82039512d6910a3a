"""The focused field of an iPhone, which its tree does not tell."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.device.looking.living import living_boxes
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState

from .scripted import ELEMENT, IOS, Script, backend_on, failed, picture, value

TREE = """<?xml version="1.0"?><AppiumAUT><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Notes"
 label="Notes" enabled="true" visible="true" x="0" y="0" width="200" height="400" bundleId="com.example.notes"
 processId="41"><XCUIElementTypeWindow type="XCUIElementTypeWindow" enabled="true" visible="true" x="0" y="0"
 width="200" height="400">{fields}</XCUIElementTypeWindow></XCUIElementTypeApplication></AppiumAUT>"""
FIELD = (
    '<XCUIElementTypeTextField type="XCUIElementTypeTextField" name="{name}" enabled="true" visible="true" x="10" '
    'y="{y}" width="180" height="30"/>'
)
TWO = FIELD.format(name="email", y=50) + FIELD.format(name="password", y=100)


def answers(fields: str, **more: Any) -> Script:
    return Script(
        {
            "/source": value(TREE.format(fields=fields)), "/screenshot": value(picture(400, 800)),
            "/window/rect": value({"x": 0, "y": 0, "width": 200, "height": 400}), **more,
        }
    )  # fmt: skip


def focused(script: Script) -> list[str]:
    nodes = backend_on(script, IOS).capture().nodes
    return [node.identifier for node in nodes if node.states & NodeState.FOCUSED]


def test_the_field_with_the_focus_is_marked_and_no_other() -> None:
    rect = value({"x": 10.3, "y": 100.2, "width": 179.5, "height": 29.6})
    script = answers(TWO, **{"/element/active": value({ELEMENT: "e1"}), "/element/e1/rect": rect})
    assert focused(script) == ["password"]


@pytest.mark.parametrize("rect", [{"x": 0, "y": 0, "width": 200, "height": 400}, {"x": 1}, None, "text"])
def test_a_focus_elsewhere_marks_none(rect: Any) -> None:
    script = answers(TWO, **{"/element/active": value({ELEMENT: "e1"}), "/element/e1/rect": value(rect)})
    assert focused(script) == []


def test_no_focus_marks_none() -> None:
    assert focused(answers(TWO, **{"/element/active": failed("no such element", "none", 404)})) == []


def test_a_screen_without_a_field_is_not_asked() -> None:
    script = answers("")
    assert focused(script) == []
    assert not any(path.startswith("/element") for path in script.paths("GET"))


def test_points_and_pixels_by_their_sizes() -> None:
    seen = backend_on(answers(""), IOS).capture()
    assert (seen.screen.scale, seen.screen.size.width, seen.app.id, seen.app.pid) == (2.0, 200, "com.example.notes", 41)


@pytest.mark.parametrize(
    ("told", "top"),
    [({"height": 44, "width": 200}, 44), ({"height": 0}, 0), ({"height": "44"}, 0), (None, 0), ("44", 0)],
)
def test_the_status_bar_is_known_though_it_is_not_in_the_tree(told: Any, top: float) -> None:
    """Its clock would else be an effect of whatever was done in that minute."""
    screen = value({"scale": 2, "statusBarSize": told})
    seen = backend_on(answers("", **{"mobile: deviceScreenInfo": screen}), IOS).capture()
    assert seen.screen.insets.top == top
    strip = Rect(0, 0, 200, top)
    assert (strip in living_boxes(seen)) is bool(top)
