"""`UiSelector` and `UiScrollable` as text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pytest_apex.phone.app import load_app
from pytest_apex.phone_wires.serve import Served, serve_phone
from pytest_apex.phone_wires.uia2.ui_selector import read, read_scrollable
from pytest_apex.phone_wires.webdriver.faults import Fault

from .appium_client import Refused, Uia2Session
from .client import AdbClient, StepClock

ROWS = "\n".join(f'          - {{role: text, text: "Row {number}", padding: 16}}' for number in range(1, 41))
APP = f"""app: com.example.rows
name: Rows
version: 1.0.0
start: main
screens:
  main:
    title: Rows
    controls:
{ROWS.replace("          - ", "      - ")}
"""


def test_what_is_read() -> None:
    chosen = read(
        'new UiSelector().text("a \\"b\\"").enabled(true).instance(2).childSelector(new UiSelector().index(1));'
    )
    assert chosen.words == {"text": 'a "b"', "enabled": True, "instance": 2}
    ((kind, inner),) = chosen.then
    assert (kind, inner.words) == ("child", {"index": 1})


@pytest.mark.parametrize(
    "text",
    [
        "",
        "new UiSelector()!",
        "new UiSelector().text(",
        "new UiSelector().text()",
        "new UiSelector().colour(1)",
        "new UiSelector().text(1)",
        "new UiSelector() new UiSelector()",
        "new UiSelector().childSelector(" * 20,
        "new UiSelector()" + ".index(1)" * 500,
        "new UiScrollable(new UiSelector()).fling()",
        "new UiScrollable(new UiSelector()).setMaxSearchSwipes(true)",
        "new UiScrollable(new UiSelector())",
    ],
)
def test_what_is_not(text: str) -> None:
    with pytest.raises(Fault) as caught:
        read_scrollable(text) if "UiScrollable" in text else read(text)
    assert caught.value.code == "invalid selector"


@pytest.fixture
def rows() -> Iterator[tuple[Served, Uia2Session]]:
    clock = StepClock()
    with serve_phone([load_app(APP.encode(), "rows.yaml")], clock=clock) as served:
        with served.pace.held() as phone:
            phone.launch("com.example.rows")
        clock.sleep(2)
        with AdbClient(served.port) as adb, AdbClient(served.port) as life:
            yield served, Uia2Session(served.port, adb, life)


@pytest.mark.parametrize(
    "look",
    [
        'scrollIntoView(new UiSelector().text("Row 40"))',
        'scrollTextIntoView("Row 40")',
        'setAsVerticalList().setMaxSearchSwipes(20).scrollIntoView(new UiSelector().textMatches("Row 4."))',
    ],
)
def test_swipes_until_it_shows(look: str, rows: tuple[Served, Uia2Session]) -> None:
    served, session = rows
    name = session.find("-android uiautomator", f"new UiScrollable(new UiSelector().scrollable(true)).{look}")
    assert session.get(f"/element/{name}/text") == "Row 40"
    assert served.journal.touches


def test_what_never_shows(rows: tuple[Served, Uia2Session]) -> None:
    _, session = rows
    with pytest.raises(Refused) as caught:
        session.find(
            "-android uiautomator", 'new UiScrollable(new UiSelector().scrollable(true)).scrollTextIntoView("x")'
        )
    assert caught.value.error == "no such element"
    session.post(
        "/gestures/scroll_to",
        params={"strategy": "-android uiautomator", "selector": 'new UiSelector().text("Row 40")'},
    )


def test_scroll_tells_whether_it_can_go_on(rows: tuple[Served, Uia2Session]) -> None:
    _, session = rows
    area = {"left": 50, "top": 200, "width": 400, "height": 800}
    assert session.post("/appium/gestures/scroll", area=area, direction="down", percent=0.5) is True
    assert session.post("/appium/gestures/scroll", area=area, direction="down", percent=20) is False
    assert session.post("/appium/gestures/fling", area=area, direction="up", speed=12000) is True
    with pytest.raises(Refused, match="minimum fling velocity"):
        session.post("/appium/gestures/fling", area=area, direction="up", speed=1)
