"""Real servers for the tests of the wires: each started once a session, ended with all that it started.

What is missing is said: the test is skipped as "not run" with the reason, and fails where CI is at work (`CI=true`),
since `.ci/servers` installs everything.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NoReturn

import pytest
from appium import webdriver
from selenium.common.exceptions import WebDriverException

from pytest_apex.backends.uiautomator2 import helper
from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.virtual import demo_app
from pytest_apex.phone_wires.serve import Served, serve_phone

from .android import own_adb
from .chromium import TouchPage, touch_page
from .servers import appium

TABLE = pytest.StashKey[list[str]]()


def not_run(reason: str) -> NoReturn:
    """The end of a test whose counterpart is not here."""
    if os.environ.get("CI", "").lower() in ("1", "true"):
        pytest.fail(f"not run, and it should on CI: {reason}; .ci/servers installs all of it", pytrace=False)
    pytest.skip(f"not run: {reason}")


def quit_quietly(driver: webdriver.Remote) -> None:
    try:
        driver.quit()
    except WebDriverException:
        return  # the test has ended its session, or the device


@pytest.fixture(scope="session")
def program() -> Callable[[str], str]:
    """`program(name)` is the path of a program that has to be installed."""

    def find(name: str) -> str:
        path = shutil.which(name)
        return path or not_run(f"there is no {name} on the PATH")

    return find


@pytest.fixture(scope="module")
def adb() -> Iterator[AdbServer]:
    """An adb server of the module's own, for all that asks the environment."""
    with own_adb() as server:
        yield server


@pytest.fixture
def served(adb: AdbServer) -> Iterator[Served]:
    """The built-in phone with the demo app, and uiautomator2's server on it: pushing that takes a second each time."""
    with serve_phone([demo_app()]) as phone:
        phone.handset.files.write(helper.TARGET, helper.jar().read_bytes())
        yield phone
        adb.disconnect(phone.serial)


@pytest.fixture(scope="session")
def appium_server(
    pytestconfig: pytest.Config, program: Callable[[str], str], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[appium.AppiumServer]:
    """The Appium server with its drivers for Chromium, Android, iOS and tests."""
    program("node")
    folder = Path(pytestconfig.getoption("wire_servers"))
    if not (folder / "node_modules" / "appium").is_dir():
        not_run(f"Appium is not installed in {folder}: npm ci there")
    server = appium.start(folder, tmp_path_factory.mktemp("appium") / "server.log")
    yield server
    server.stop()


# Of one module: the server ends a session that nobody has used for a minute.
@pytest.fixture(scope="module")
def _page(appium_server: appium.AppiumServer, program: Callable[[str], str]) -> Iterator[TouchPage]:
    with touch_page(appium_server.url, program("chromium"), program("chromedriver")) as page:
        yield page


@pytest.fixture
def page(_page: TouchPage) -> TouchPage:
    """The page that keeps its touches, newly loaded."""
    _page.open()
    return _page


@pytest.fixture
def table(pytestconfig: pytest.Config) -> list[str]:
    """Lines for the end of the run: what was asked, and what arrived."""
    return pytestconfig.stash.setdefault(TABLE, [])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for n, line in enumerate(sorted(config.stash.get(TABLE, []))):
        if n == 0:
            terminalreporter.section("touches in Chromium, asked and arrived (ms)")
        terminalreporter.line(line)
