"""What is noted of a suite's own driver."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.backends.abilities import ActsOutside, NotesOutside
from pytest_apex.backends.appium.attached import AttachedBackend, attach_to
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.session import Session
from pytest_apex.device.looking.watch import Watch
from pytest_apex.errors import DriverDead

from .scripted import ANDROID, IOS, TREE, Script, failed, picture, value

APP = "com.example.notes"


class Driver:
    """As much of a client's driver as is asked."""

    def __init__(self) -> None:
        self.fails = False

    def execute(self, command: str, params: Any = None) -> Any:
        if self.fails:
            raise RuntimeError(command)
        return {"value": command, "params": params}


def beside(pid: int = 7, told: Any = IOS) -> tuple[AttachedBackend, Driver, Script]:
    script = Script(
        {
            "mobile: queryAppState": value(4),
            "mobile: activeAppInfo": value({"bundleId": APP, "pid": pid}),
            "/se/log": failed("unknown command", "none"),
        }
    )
    driver = Driver()
    connection = Connection(Session(driver, "s1", told, script), "R58M", Limits(look=0.3), None)
    return AttachedBackend(connection, "R58M", driver), driver, script


def mobile(driver: Driver, script: str, **arguments: Any) -> None:
    driver.execute("executeScript", {"script": f"mobile: {script}", "args": [arguments]})


def test_calls_are_told_with_selectors_apps_and_numbers_and_never_with_texts() -> None:
    backend, driver, _ = beside()
    driver.execute("findElement", {"using": "id", "value": "save"})
    driver.execute("sendKeysToElement", {"id": "e1", "text": "s3cret"})
    mobile(driver, "tap", x=10, y=20.5)
    mobile(driver, "terminateApp", bundleId=APP)
    assert isinstance(backend, NotesOutside)
    assert list(backend.outside()) == [
        "findElement id=save", "sendKeysToElement", "mobile: tap x=10 y=20.5", f"mobile: terminateApp {APP}",
    ]  # fmt: skip
    assert list(backend.outside()) == []


def test_what_the_suite_ended_and_started_did_not_crash() -> None:
    backend, driver, script = beside()
    watch = Watch(backend)
    watch.under_test(APP)
    mobile(driver, "terminateApp", bundleId=APP)
    mobile(driver, "activateApp", bundleId=APP)
    script.answers["mobile: activeAppInfo"] = value({"bundleId": APP, "pid": 8})
    assert watch.died() is None
    assert watch.pid == 8
    assert [(event.what, event.by_test) for event in watch.processes] == [
        ("seen", False), ("stopped", True), ("launched", True),
    ]  # fmt: skip


def test_what_died_by_itself_is_no_doing_of_the_suite() -> None:
    backend, driver, script = beside()
    watch = Watch(backend)
    watch.under_test(APP)
    script.answers["mobile: activeAppInfo"] = value({"bundleId": APP, "pid": 8})
    mobile(driver, "activateApp", bundleId=APP)  # it runs: nothing is started
    assert watch.died() is not None


def test_a_call_that_failed_did_nothing() -> None:
    backend, driver, _ = beside()
    assert isinstance(backend, ActsOutside)
    driver.fails = True
    with pytest.raises(RuntimeError):
        mobile(driver, "terminateApp", bundleId=APP)
    assert list(backend.apps_outside()) == []


def test_a_driver_that_the_suite_quit_is_not_called_dead() -> None:
    backend, driver, script = beside()
    driver.execute("quit")
    script.answers["/window/rect"] = failed("invalid session id", "no such session")
    with pytest.raises(DriverDead, match="the suite itself quit its driver of R58M"):
        backend.recover()


def test_a_driver_that_ended_by_itself_is_told_as_over() -> None:
    backend, driver, script = beside()
    driver.execute("findElement", {"using": "id", "value": "quit"})
    script.answers["/window/rect"] = failed("invalid session id", "no such session")
    with pytest.raises(DriverDead, match="the suite's own session on R58M is over"):
        backend.recover()


SCREEN = {
    "/source": value(TREE), "/screenshot": value(picture()), "/window/rect": value({"width": 400, "height": 800}),
}  # fmt: skip


def switched(script: Script) -> list[str]:
    return [told["name"] for _, path, told in script.sent if path == "/context" and told]


def test_a_look_leaves_the_suites_web_view_and_its_next_command_finds_it_again() -> None:
    backend, driver, script = beside(told=ANDROID)
    script.answers |= {"/context": value(None), **SCREEN}
    driver.execute("switchToContext", {"name": "WEBVIEW_notes"})
    assert switched(script) == []  # the suite's own switch
    backend.capture()
    backend.capture()
    assert switched(script) == ["NATIVE_APP"]
    driver.execute("findElement", {"using": "css selector", "value": "#save"})
    driver.execute("clickElement", {"id": "e1"})
    assert switched(script) == ["NATIVE_APP", "WEBVIEW_notes"]
    driver.execute("switchToContext", {"name": "NATIVE_APP"})
    backend.capture()
    driver.execute("findElement", {"using": "id", "value": "save"})
    assert switched(script) == ["NATIVE_APP", "WEBVIEW_notes"]


def test_a_web_view_that_is_gone_is_told_by_the_suites_own_command() -> None:
    backend, driver, script = beside(told=ANDROID)
    script.answers |= {"/context": value(None), **SCREEN}
    driver.execute("switchToContext", {"name": "WEBVIEW_notes"})
    backend.capture()
    script.answers["/context"] = failed("no such context", "gone")
    driver.fails = True
    with pytest.raises(RuntimeError, match="findElement"):
        driver.execute("findElement", {"using": "css selector", "value": "#save"})


def test_a_suite_may_be_in_a_web_view_when_it_is_attached(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script({"/context": value("WEBVIEW_notes")})
    session = Session(Driver(), "s1", ANDROID, script)
    monkeypatch.setattr("pytest_apex.backends.appium.attached.running_session", lambda _: session)
    backend = attach_to(session.driver)
    assert switched(script) == ["NATIVE_APP"]  # before anything is asked of the app itself
    session.driver.execute("clickElement", {"id": "e1"})
    assert switched(script) == ["NATIVE_APP", "WEBVIEW_notes"]
    backend.close()
