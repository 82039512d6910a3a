"""The built-in iPhone and Apple TV under a real Appium and its real XCUITest driver, on a computer without Xcode: a
plain Appium script does on them what it does on a device."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from appium import webdriver
from appium.options.ios import XCUITestOptions
from selenium.common.exceptions import InvalidElementStateException, WebDriverException
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput

from pytest_apex.backends.virtual import demo_app
from pytest_apex.phone_wires.wda.serve import ServedWda, serve_wda

from .conftest import not_run, quit_quietly
from .servers import appium

pytestmark = pytest.mark.bench

APP = "com.example.notes"
Open = Callable[..., tuple[webdriver.Remote, ServedWda]]


@pytest.fixture(scope="module")
def usbmux() -> int:
    return appium.free_port()


@pytest.fixture(scope="module")
def server(
    pytestconfig: pytest.Config, program: Callable[[str], str], usbmux: int, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[appium.AppiumServer]:
    """A server of our own: the driver reads where usbmuxd is when it starts."""
    program("node")
    folder = Path(pytestconfig.getoption("wire_servers"))
    if not (folder / "node_modules" / "appium").is_dir():
        not_run(f"Appium is not installed in {folder}: npm ci there")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("USBMUXD_SOCKET_ADDRESS", f"127.0.0.1:{usbmux}")
        made = appium.start(folder, tmp_path_factory.mktemp("appium") / "server.log")
    yield made
    made.stop()


@pytest.fixture
def open_session(server: appium.AppiumServer, usbmux: int) -> Iterator[Open]:
    with ExitStack() as stack:

        def start(platform: str = "ios", **more: Any) -> tuple[webdriver.Remote, ServedWda]:
            served = stack.enter_context(serve_wda([demo_app()], platform=platform, usbmux=usbmux, os_version="17.5"))
            wanted = {
                "platformName": {"ios": "iOS", "tvos": "tvOS"}[platform], "appium:udid": served.udid,
                "appium:platformVersion": "17.5", "appium:webDriverAgentUrl": served.url, "appium:bundleId": APP,
                **more,
            }  # fmt: skip
            driver = webdriver.Remote(server.url, options=XCUITestOptions().load_capabilities(wanted))
            stack.callback(quit_quietly, driver)
            return driver, served

        yield start


def test_an_iphone(open_session: Open) -> None:
    driver, served = open_session()
    root = ElementTree.fromstring(driver.page_source)
    assert (root.tag, root[0].get("bundleId")) == ("AppiumAUT", APP)
    picture = base64.b64decode(driver.get_screenshot_as_base64())
    assert int.from_bytes(picture[16:20], "big") == 2 * driver.get_window_size()["width"]
    field = driver.find_element("accessibility id", "email")
    field.send_keys("ada@example.com")
    assert field.text == "ada@example.com"
    down = served.journal.touches[0]
    assert down.args == (0, 180, 313)
    assert driver.find_element("-ios predicate string", 'label == "Log in"').rect["y"] == 429
    assert driver.find_element("-ios class chain", "**/XCUIElementTypeButton[1]").get_attribute("name") == "log_in"


def test_touches_of_an_iphone(open_session: Open) -> None:
    driver, served = open_session()
    finger = PointerInput("touch", "finger1")
    actions = ActionBuilder(driver, mouse=finger, duration=0)
    finger.create_pointer_move(duration=0, x=100, y=600, origin="viewport")
    finger.create_pointer_down(button=0)
    finger.create_pointer_move(duration=300, x=100, y=300, origin="viewport")
    finger.create_pointer_up(button=0)
    actions.perform()
    touches = served.journal.touches
    assert (touches[0].args, touches[-1].args) == ((0, 100, 600), (0, 100, 300))
    assert touches[-1].at - touches[0].at == pytest.approx(0.3)
    served.journal.clear()
    driver.execute_script("mobile: touchAndHold", {"x": 50, "y": 200, "duration": 0.8})
    down, up = served.journal.touches
    assert (down.args, up.at - down.at) == ((0, 50, 200), pytest.approx(0.8))


def test_apps_of_an_iphone(open_session: Open) -> None:
    driver, _ = open_session()
    assert driver.query_app_state(APP) == 4
    assert driver.terminate_app(APP)
    driver.execute_script("mobile: launchApp", {"bundleId": APP, "arguments": ["-x"], "environment": {"A": "b"}})
    info = driver.execute_script("mobile: activeAppInfo")
    assert (info["bundleId"], info["processArguments"]) == (APP, {"args": ["-x"], "env": {"A": "b"}})
    assert APP in driver.execute_script("mobile: listApps")
    assert driver.is_app_installed("com.nope") is False
    assert driver.execute_script("mobile: deviceInfo")["lockdownInfo"]["ProductVersion"] == "17.5"
    assert any("Bootstrap success" in line["message"] for line in driver.get_log("syslog"))


def test_an_app_that_is_not_there(open_session: Open) -> None:
    with pytest.raises(WebDriverException, match=r"com\.nope"):
        open_session(**{"appium:bundleId": "com.nope"})


def test_an_iphones_app_ends(open_session: Open) -> None:
    driver, served = open_session()
    with served.pace.held() as phone:
        phone.stop(APP)
    with pytest.raises(InvalidElementStateException, match="possibly crashed"):
        _ = driver.page_source


def test_an_apple_tv(open_session: Open) -> None:
    driver, served = open_session("tvos")
    driver.execute_script("mobile: pressButton", {"name": "down", "durationSeconds": 0.1})
    assert driver.switch_to.active_element.get_attribute("focused") == "true"
    driver.find_element("accessibility id", "forgot").click()
    assert driver.switch_to.alert.text.startswith("Forgot your password?")
    with pytest.raises(WebDriverException, match="not on tvOS"):
        driver.execute_script("mobile: tap", {"x": 1, "y": 1})
    assert not served.journal.touches


def test_the_server_dies(open_session: Open) -> None:
    driver, served = open_session()
    served.switch_on("driver_killed")
    with pytest.raises(WebDriverException, match="Could not proxy command"):
        _ = driver.page_source
