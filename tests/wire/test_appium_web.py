"""The web view of an app through a real Appium and its chromedriver, with Chromium behind the app's socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.connecting import connect
from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.virtual import demo_app
from pytest_apex.errors import ActionRefused, ConfigError
from pytest_apex.phone_wires.serve import Served, serve_phone

from .android import APP, own_adb
from .servers.appium import AppiumServer
from .test_appium_backend import settings_for
from .web_view import web_view

pytestmark = pytest.mark.bench

PAGE = """<title>Terms</title><h1>Terms of use</h1><button onclick="this.textContent = 'Thanks'">Agree</button>"""


@pytest.fixture
def served() -> Iterator[tuple[Served, AdbServer]]:
    with own_adb() as adb, serve_phone([demo_app()]) as phone:
        adb.connect(phone.serial, 5.0)
        yield phone, adb


@pytest.fixture
def backend(
    appium_server: AppiumServer, served: tuple[Served, AdbServer], program: Callable[[str], str]
) -> Iterator[AppiumBackend]:
    phone, adb = served
    more = {
        "chromedriverExecutable": program("chromedriver"),
        "chromedriverDisableBuildCheck": True,
        # A real web view tells whose it is; Chromium on a computer does not.
        "chromeOptions": {"androidPackage": APP},
    }
    made = connect(phone.serial, settings_for(appium_server, adb, **more))
    yield made
    made.close()


def test_a_page_is_driven_and_the_app_is_there_again(
    backend: AppiumBackend, served: tuple[Served, AdbServer], program: Callable[[str], str], tmp_path: Path
) -> None:
    file = tmp_path / "terms.html"
    file.write_text(PAGE, "utf-8")
    pid = backend.launch(APP)
    with web_view(served[0], pid, program("chromium"), file.as_uri(), tmp_path):
        for _ in range(100):
            if [page.title for page in backend.web_pages(APP)] == ["Terms"]:
                break
            backend.clock.sleep(0.1)
        (page,) = backend.web_pages(APP)
        assert (page.url, page.app) == (file.as_uri(), APP)
        with pytest.raises(ActionRefused, match="can't drive the page"):
            backend.web_driver(replace(page, url="file:///other.html"))
        with pytest.raises(ConfigError, match="started by the Appium server"):
            backend.web_driver(page, "/usr/bin/chromedriver")
        driver = backend.web_driver(page)
        driver.find_element(By.CSS_SELECTOR, "button").click()
        assert driver.find_element(By.CSS_SELECTOR, "button").text == "Thanks"
        assert any(node.window.app == APP for node in backend.capture().nodes)  # a look is one at the app
        assert driver.current_context == "NATIVE_APP"
        backend.end_web_driver(driver)
