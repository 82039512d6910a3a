"""The built-in Android phone under a real Appium, its real UiAutomator2 driver and a real adb: a plain Appium script
does on it what it does on a phone."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from xml.etree import ElementTree

import pytest
from appium import webdriver
from appium.options.android import UiAutomator2Options
from selenium.common.exceptions import InvalidSessionIdException, WebDriverException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.virtual import demo_app
from pytest_apex.phone_wires.serve import Served, serve_phone

from .android import APP
from .conftest import quit_quietly
from .servers.appium import AppiumServer, free_port

pytestmark = pytest.mark.bench

SKIPPED = {
    "appium:skipServerInstallation": True,
    "appium:skipDeviceInitialization": True,
    "appium:skipUnlock": True,
    "appium:skipLogcatCapture": True,
}


@pytest.fixture
def served(adb: AdbServer) -> Iterator[Served]:
    with serve_phone([demo_app()]) as phone:
        adb.connect(phone.serial, 5.0)
        yield phone
        adb.disconnect(phone.serial)


Open = Callable[..., webdriver.Remote]


@pytest.fixture
def open_session(appium_server: AppiumServer, adb: AdbServer, served: Served) -> Iterator[Open]:
    with ExitStack() as stack:

        def start(**more: Any) -> webdriver.Remote:
            wanted = {
                "appium:udid": served.serial, "appium:adbPort": adb.port, "appium:systemPort": free_port(),
                "appium:noReset": True, "appium:suppressKillServer": True, "appium:appPackage": APP,
                "appium:appActivity": ".MainActivity", **more,
            }  # fmt: skip
            driver = webdriver.Remote(appium_server.url, options=UiAutomator2Options().load_capabilities(wanted))
            stack.callback(quit_quietly, driver)
            return driver

        yield start


@pytest.fixture
def driver(open_session: Open) -> webdriver.Remote:
    return open_session(**SKIPPED)


def test_source_and_screenshot(driver: webdriver.Remote) -> None:
    root = ElementTree.fromstring(driver.page_source)
    assert next(root.iter("android.widget.EditText")).get("resource-id") == f"{APP}:id/email"
    assert base64.b64decode(driver.get_screenshot_as_base64()).startswith(b"\x89PNG")
    assert driver.get_window_size() == {"width": 540, "height": 1200}


def test_a_tap_lands_and_text_is_typed(driver: webdriver.Remote, served: Served) -> None:
    field = driver.find_element("id", f"{APP}:id/email")
    field.click()
    down = served.journal.touches[-2]
    assert down.args == (0, 270, 440)
    field.send_keys("ada@example.com")
    assert driver.find_element("xpath", "//android.widget.EditText[1]").text == "ada@example.com"
    assert driver.is_keyboard_shown()


def test_actions_arrive_as_the_server_moves(driver: webdriver.Remote, served: Served) -> None:
    finger = PointerInput("touch", "finger1")
    actions = ActionBuilder(driver, mouse=finger, duration=0)
    finger.create_pointer_move(duration=0, x=100, y=900, origin="viewport")
    finger.create_pointer_down(button=0)
    finger.create_pointer_move(duration=90, x=100, y=400, origin="viewport")
    finger.create_pointer_up(button=0)
    actions.perform()
    touches = served.journal.touches
    assert [entry.name for entry in touches] == ["down", *["move"] * 5, "up"]
    assert touches[-1].at - touches[0].at == pytest.approx(0.1)
    assert touches[-1].args == (0, 100, 400)


@pytest.mark.parametrize(
    ("name", "arguments", "lasts"),
    [
        ("clickGesture", {"x": 100, "y": 700}, 0.0),
        ("longClickGesture", {"x": 100, "y": 700, "duration": 700}, 0.7),
        ("doubleClickGesture", {"x": 100, "y": 700}, 0.15),
        ("dragGesture", {"startX": 100, "startY": 700, "endX": 100, "endY": 300, "speed": 400}, 1.5),
        ("swipeGesture", {"left": 100, "top": 300, "width": 50, "height": 400, "direction": "up", "percent": 1.0,
                          "speed": 800}, 0.5),
    ],
)  # fmt: skip
def test_gestures_of_the_server(
    name: str, arguments: dict[str, Any], lasts: float, driver: webdriver.Remote, served: Served
) -> None:
    driver.execute_script(f"mobile: {name}", arguments)
    touches = served.journal.touches
    assert touches[0].args == (0, 100 if name != "swipeGesture" else 125, 700)
    assert touches[-1].at - touches[0].at == pytest.approx(lasts, abs=0.001)


def test_a_pinch_has_two_fingers(driver: webdriver.Remote, served: Served) -> None:
    area = {"left": 100, "top": 300, "width": 200, "height": 200}
    driver.execute_script("mobile: pinchOpenGesture", {**area, "percent": 0.5, "speed": 400})
    assert {entry.args[0] for entry in served.journal.touches} == {0, 1}


def test_apps_and_the_device(driver: webdriver.Remote) -> None:
    assert (driver.current_package, driver.query_app_state(APP)) == (APP, 4)
    driver.terminate_app(APP)
    assert driver.query_app_state(APP) == 1
    driver.activate_app(APP)
    assert driver.query_app_state(APP) == 4
    driver.orientation = "LANDSCAPE"
    assert driver.get_window_size()["width"] == 1200
    driver.orientation = "PORTRAIT"
    assert driver.get_system_bars()["statusBar"]["height"] == 36
    assert driver.execute_script("mobile: deviceInfo")["realDisplaySize"] == "540x1200"


def test_nothing_has_to_be_skipped(open_session: Open, served: Served) -> None:
    """The driver installs its helper app and its server, and starts them."""
    driver = open_session()
    assert "Notes" in driver.page_source
    assert {"io.appium.settings", "io.appium.uiautomator2.server"} <= served.handset.packages.keys()
    assert any("logcat" in line for line in served.journal.shell)


def test_the_server_dies(driver: webdriver.Remote, served: Served) -> None:
    served.switch_on("driver_killed")
    said = ""
    for _ in range(50):  # at first it is only a connection that ends; the driver hears of the end of the process later
        with pytest.raises(WebDriverException) as caught:
            _ = driver.page_source
        said = str(caught.value)
        if "socket hang up" not in said:
            break
        served.pace.nap(0.1)
    assert "instrumentation process is not running (probably crashed)" in said


def test_the_session_is_gone(driver: webdriver.Remote, served: Served) -> None:
    served.switch_on("session_expired")
    with pytest.raises(InvalidSessionIdException):
        _ = driver.page_source
