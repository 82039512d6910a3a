"""The web view of an app, over a real adb, by a real chromedriver, and Chromium behind the app's debugging socket."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from pytest_apex.backends.uiautomator2.backend import Uiautomator2Backend
from pytest_apex.backends.uiautomator2.connecting import connect
from pytest_apex.device.device import Device
from pytest_apex.errors import ActionRefused, BackendMissing, ConfigError
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.phone_wires.serve import Served
from pytest_apex.settings import Settings

from .android import APP
from .web_view import web_view

pytestmark = pytest.mark.bench

PAGE = """<title>Terms</title><h1>Terms of use</h1><button onclick="this.textContent = 'Thanks'">Agree</button>"""


@pytest.fixture
def backend(served: Served) -> Iterator[Uiautomator2Backend]:
    made = connect(served.serial, Settings())
    yield made
    made.close()


@pytest.fixture
def device(backend: Uiautomator2Backend, tmp_path: Path) -> Iterator[Device]:
    recorder = Recorder(tmp_path, Store(tmp_path), Redactor(), "always")
    made = Device(backend, Settings(), recorder, test="web")
    made.start(APP)
    yield made
    made.finish()
    recorder.close(failed=False)


@pytest.fixture
def page(device: Device, served: Served, program: Callable[[str], str], tmp_path: Path) -> Iterator[str]:
    """The app shows the page; its address."""
    file = tmp_path / "terms.html"
    file.write_text(PAGE, "utf-8")
    with web_view(served, device.app.pid, program("chromium"), file.as_uri(), tmp_path):
        for _ in range(100):
            if [shown.title for shown in device.web.pages()] == ["Terms"]:
                break
            device.context.backend.clock.sleep(0.05)
        yield file.as_uri()


def test_a_page_is_driven_and_the_driver_ends_with_the_test(
    device: Device, backend: Uiautomator2Backend, page: str, program: Callable[[str], str]
) -> None:
    program("chromedriver")
    (shown,) = device.web.pages()
    assert (shown.title, shown.url, shown.app) == ("Terms", page, APP)
    driver = device.web.driver()
    driver.find_element(By.CSS_SELECTOR, "button").click()
    assert driver.find_element(By.CSS_SELECTOR, "button").text == "Thanks"
    assert "web clickElement" in backend.outside()
    assert device.app.pid
    process = driver.service.process
    device.finish()
    assert process.poll() is not None


def test_no_chromedriver_is_named(device: Device, page: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BackendMissing, match="there is no chromedriver on this machine") as error:
        device.web.driver()
    assert "chromedriver=PATH" in error.value.cure
    with pytest.raises(BackendMissing, match="/nowhere/chromedriver"):
        device.web.driver(chromedriver="/nowhere/chromedriver")


def test_a_page_that_is_gone(device: Device, page: str, program: Callable[[str], str]) -> None:
    program("chromedriver")
    (shown,) = device.web.pages()
    with pytest.raises(ActionRefused, match="is gone"):
        device.web.driver(replace(shown, url="file:///other.html"))


def test_an_app_that_does_not_let_itself_be_debugged(
    device: Device, backend: Uiautomator2Backend, monkeypatch: pytest.MonkeyPatch
) -> None:
    look = backend._connection.look()
    tree = Snapshot.from_source(
        '<hierarchy rotation="0"><node class="android.webkit.WebView" package="com.example.notes" '
        'bounds="[0,0][540,1200]" text="" /></hierarchy>'
    )
    monkeypatch.setattr(backend._connection, "look", lambda: replace(look, snapshot=tree))
    with pytest.raises(ActionRefused, match="can't be debugged") as error:
        device.web.driver()
    assert "WebView.setWebContentsDebuggingEnabled(true)" in error.value.cure


def test_no_page(device: Device) -> None:
    assert device.web.pages() == ()
    with pytest.raises(ActionRefused, match="there are none"):
        device.web.driver()
    with pytest.raises(ConfigError, match="takes a page"):
        device.web.driver("Terms")  # type: ignore[arg-type]
