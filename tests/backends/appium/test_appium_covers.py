"""What lies over a control of an iPhone and takes its touches, which its tree does not tell."""

from __future__ import annotations

import pytest

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.model.node import NodeState

from .scripted import ELEMENT, IOS, Script, backend_on, failed, picture, value

TREE = """<?xml version="1.0"?><AppiumAUT><XCUIElementTypeApplication type="XCUIElementTypeApplication" name="Notes"
 label="Notes" enabled="true" visible="true" x="0" y="0" width="200" height="400" bundleId="com.example.notes"
 processId="41"><XCUIElementTypeWindow type="XCUIElementTypeWindow" enabled="true" visible="true" x="0" y="0"
 width="200" height="400"><XCUIElementTypeButton type="XCUIElementTypeButton" name="send" label="Send" enabled="true"
 visible="true" x="10" y="50" width="180" height="40"/>{over}</XCUIElementTypeWindow></XCUIElementTypeApplication>
</AppiumAUT>"""
OVER = (
    '<XCUIElementTypeOther type="XCUIElementTypeOther" enabled="true" visible="true" {name}x="{x}" y="50" width="180" '
    'height="40"/>'
)
COVER, BESIDE, NAMED = OVER.format(name="", x=10), OVER.format(name="", x=60), OVER.format(name='name="veil" ', x=10)


def on(over: str, hittable: object) -> tuple[AppiumBackend, Script]:
    script = Script(
        {
            "/source": value(TREE.format(over=over)), "/screenshot": value(picture(400, 800)),
            "/window/rect": value({"x": 0, "y": 0, "width": 200, "height": 400}),
            "/elements": value([{ELEMENT: "e1"}]), "/element/e1/attribute/hittable": hittable,
        }
    )  # fmt: skip
    return backend_on(script, IOS), script


def covers(backend: AppiumBackend) -> list[bool]:
    return [node.has(NodeState.CLICKABLE) for node in backend.capture().nodes if node.role == "other"]


def asked(script: Script) -> int:
    return sum(path.endswith("/hittable") for path in script.paths("GET"))


def test_a_view_that_takes_the_touches_is_marked_and_its_twin_that_lets_them_through_is_not() -> None:
    assert covers(on(COVER, value("false"))[0]) == [True]
    assert covers(on(COVER, value("true"))[0]) == [False]


def test_it_is_asked_once_while_the_screen_stays_the_same() -> None:
    backend, script = on(COVER, value("false"))
    assert [covers(backend) for _ in range(3)] == [[True]] * 3
    assert asked(script) == 1


@pytest.mark.parametrize("over", ["", BESIDE, NAMED])
def test_where_nothing_unnamed_lies_over_a_control_nobody_is_asked(over: str) -> None:
    backend, script = on(over, value("false"))
    assert not any(covers(backend))
    assert asked(script) == 0


def test_a_driver_that_can_not_tell() -> None:
    assert covers(on(COVER, failed("unknown error", "no snapshot"))[0]) == [False]


def test_more_views_than_may_be_asked_for() -> None:
    backend, script = on(COVER * 8, value("true"))
    covers(backend)
    assert asked(script) == 3
