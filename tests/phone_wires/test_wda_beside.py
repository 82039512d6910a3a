"""Two apps beside each other on the WebDriverAgent wire: one is told, both are drawn, each takes its touches."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pytest_apex.backends.virtual import read_app
from pytest_apex.model.geometry import Size
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.stage import SystemDialog
from pytest_apex.phone_wires.wda.serve import ServedWda, serve_wda
from pytest_apex.vision.image import from_png

from .appium_client import DOWN, UP, WdaSession, move, pointer, touches
from .client import StepClock

LEFT, RIGHT = "com.example.notes", "com.example.contract"
CONTRACT = Path(__file__).parents[2] / "fixtures/virtual_apps/contract.yaml"


@pytest.fixture
def served(app: AppFile, clock: StepClock) -> Iterator[ServedWda]:
    with serve_wda([app], clock=clock, beside=[read_app(CONTRACT)]) as phone:
        yield phone


@pytest.fixture
def session(served: ServedWda) -> Iterator[WdaSession]:
    made = WdaSession(served.port, bundleId=LEFT)
    made.post("/wda/apps/launch", bundleId=RIGHT)
    served.journal.clear()
    yield made
    made.connection.close()


def told(session: WdaSession) -> ElementTree.Element:
    return ElementTree.fromstring(session.get("/source?format=xml&scope=AppiumAUT"))[0]


def turn_to(session: WdaSession, app: str) -> None:
    session.post("/appium/settings", settings={"defaultActiveApplication": app})


def test_both_are_in_the_foreground_and_the_tested_one_is_told_or_the_one_of_the_setting(session: WdaSession) -> None:
    assert [session.post("/wda/apps/state", bundleId=app) for app in (LEFT, RIGHT)] == [4, 4]
    assert (told(session).get("bundleId"), told(session).get("x")) == (LEFT, "0")
    turn_to(session, RIGHT)
    assert (told(session).get("bundleId"), told(session).get("x")) == (RIGHT, "360")
    turn_to(session, "auto")
    assert told(session).get("bundleId") == LEFT


def test_one_picture_shows_both_and_the_device_is_no_phone(session: WdaSession) -> None:
    picture = from_png(base64.b64decode(session.get("/screenshot")))
    height = int(told(session).get("height") or 0)
    assert picture.size == Size(2 * 720, 2 * height)
    assert session.get("/wda/screen")["screenSize"] == {"width": 720, "height": height}
    assert session.get("/wda/device/info")["userInterfaceIdiom"] == 1


@pytest.mark.parametrize("turned", ["auto", RIGHT])
def test_a_place_counts_from_the_corner_of_the_app_that_is_told(
    session: WdaSession, served: ServedWda, turned: str
) -> None:
    turn_to(session, turned)
    corner = 0 if turned == "auto" else 360
    session.post("/wda/tap", x=500 - corner, y=300)
    session.post("/actions", actions=[pointer(move(100 - corner, 600), DOWN, UP)])
    places = [(name, x, y) for name, x, y in touches(served.journal) if name == "down"]
    assert places == [("down", 500, 300), ("down", 100, 600)]


def test_an_element_of_the_right_half_is_touched_there(session: WdaSession, served: ServedWda) -> None:
    turn_to(session, RIGHT)
    button = session.find("accessibility id", "Keep it")
    assert session.get(f"/element/{button}/rect")["x"] >= 360
    session.post(f"/element/{button}/click")
    assert any(node.get("label") == "It is kept" for node in told(session).iter())
    assert all(x >= 360 for _, x, _y in touches(served.journal))


def test_the_journal_has_touches_on_the_app_that_is_not_the_active_one(session: WdaSession, served: ServedWda) -> None:
    session.post("/wda/tap", x=500, y=300)
    assert not served.journal.entries("inactive")
    session.post("/wda/tap", x=100, y=700)
    assert [(entry.name, entry.args) for entry in served.journal.entries("inactive")] == [(LEFT, (RIGHT,))]
    session.post("/wda/apps/activate", bundleId=LEFT)
    session.post("/wda/tap", x=100, y=700)
    assert len(served.journal.entries("inactive")) == 1


@pytest.mark.parametrize("half", [0, 1])
def test_an_alert_of_the_system_is_told_before_both(session: WdaSession, served: ServedWda, half: int) -> None:
    session.post("/appium/settings", settings={"respectSystemAlerts": True})
    with served.device.parts[half].pace.held() as phone:
        phone.machine.dialog = SystemDialog("permission", phone.machine.apps[0], "camera")
        phone.machine.version += 1
    assert told(session).get("bundleId") == "com.apple.springboard"
    x = int(next(node.get("x") or 0 for node in told(session).iter("XCUIElementTypeAlert")))
    assert (x >= 360) == (half == 1)
    session.post("/alert/accept")
    assert told(session).get("bundleId") == LEFT
    assert not served.journal.entries("inactive")
