"""A Selenium driver for a web view: chromedriver, which reaches the view's debugging socket over adb by itself.

As Appium's driver does it (`androidUseRunningApp`); the app runs on, before and after.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_apex.backends.abilities import WebPage
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.errors import ActionRefused, BackendMissing, CapabilityMissing, ConfigError, DriverDead

PROGRAM = "chromedriver"
_HERE = ("127.0.0.1", "localhost", "::1")
_ONLY = re.compile(r"only supports Chrome version (\d+)")
_CURRENT = re.compile(r"Current browser version is (\d+)")
#: How much of chromedriver's words is shown.
_SHOWN = 300


def drive(phone: Handset, page: WebPage, chromedriver: str, note: Callable[[str], None]) -> Any:
    """A plain Selenium driver on `page`; `note` gets each of its commands. Raises `BackendMissing` without a
    chromedriver, `ConfigError` for one of another version, `ActionRefused` when the page is gone."""
    from selenium import webdriver
    from selenium.common.exceptions import SessionNotCreatedException, WebDriverException
    from selenium.webdriver.chrome.service import Service

    program = _program(chromedriver)
    if phone.server.host not in _HERE:
        raise CapabilityMissing(
            "chromedriver can't reach the phone",
            seen=f"adb's server runs on {phone.server.host}, and chromedriver asks the one of its own machine alone",
            cure="run the tests where the phone is connected",
        )
    options = webdriver.ChromeOptions()
    for name, value in (
        ("androidPackage", page.app), ("androidUseRunningApp", True), ("androidDeviceSerial", phone.serial),
        ("androidDeviceSocket", page.socket),
    ):  # fmt: skip
        options.add_experimental_option(name, value)
    try:
        service = Service(program, service_args=[f"--adb-port={phone.server.port}"])
        driver = webdriver.Chrome(options=options, service=service)
    except SessionNotCreatedException as error:
        raise _no_session(program, page, str(error.msg)) from error
    except WebDriverException as error:
        raise DriverDead(
            f"{program} does not start", seen=_first(str(error.msg)), cure="try it by hand: chromedriver --version"
        ) from error
    _noted(driver, note)
    _show(driver, page)
    return driver


def quit_quietly(driver: Any) -> None:
    """End the session and its chromedriver; one that has ended already is fine."""
    from selenium.common.exceptions import WebDriverException
    from urllib3.exceptions import HTTPError

    try:
        driver.quit()
    except (WebDriverException, HTTPError, OSError):
        driver.service.stop()


def _program(named: str) -> str:
    found = shutil.which(named or PROGRAM)
    if found is None:
        raise BackendMissing(
            f"there is no {named or PROGRAM} on this machine",
            seen="no such program" if named else "none on the PATH",
            likely="" if named else "a web view is driven by the chromedriver of its own version",
            cure="put it on the PATH, or name it: device.web.driver(chromedriver=PATH)",
        )
    return str(Path(found))


def _no_session(program: str, page: WebPage, told: str) -> ConfigError | DriverDead:
    only, current = _ONLY.search(told), _CURRENT.search(told)
    if only is not None:
        here = f"version {current[1]}" if current is not None else "another version"
        return ConfigError(
            f"chromedriver {only[1]} can't drive the web view of {page.app}, which is of {here}",
            seen=f"{program}: {_first(told)}",
            likely="the phone's WebView was updated, or never was",
            cure=f"chromedriver of {here}: device.web.driver(chromedriver=PATH)",
        )
    return DriverDead(
        f"chromedriver opens no session with the web view of {page.app}",
        seen=_first(told),
        likely="the page was closed, or another debugger holds it",
        cure="look at device.web.pages()",
    )


def _noted(driver: Any, note: Callable[[str], None]) -> None:
    execute = driver.execute

    def noted(command: str, *more: Any, **others: Any) -> Any:
        note(f"web {command}")
        return execute(command, *more, **others)

    driver.execute = noted


def _show(driver: Any, page: WebPage) -> None:
    """Go to the window of the page: there is one for each."""
    seen = []
    for handle in driver.window_handles:
        driver.switch_to.window(handle)
        if driver.current_url == page.url:
            return
        seen.append(driver.current_url)
    quit_quietly(driver)
    raise ActionRefused(
        f"the page {page.url} is gone",
        seen=f"there is: {', '.join(seen) or 'none'}",
        likely="the app has gone to another page meanwhile",
        cure="look at device.web.pages() again",
    )


def _first(told: str) -> str:
    return told.strip().partition("\nStacktrace")[0][:_SHOWN].strip()
