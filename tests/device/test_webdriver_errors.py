"""Errors of Appium's client, where a suite uses its driver itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from appium.webdriver.common.appiumby import AppiumBy
from appium.webdriver.locator_converter import AppiumLocatorConverter
from selenium.common import exceptions
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support import expected_conditions
from selenium.webdriver.support.ui import WebDriverWait

from pytest_apex.device.examining.failure import failure_of

MISSING = "An element could not be located on the page using the given search parameters."


class Driver(WebDriver):
    """The client's own driver, whose server answers with an error, or not at all."""

    def __init__(self, error: Exception) -> None:
        self._error = error
        self.locator_converter = AppiumLocatorConverter()

    def execute(self, driver_command: str, params: Any = None) -> Any:
        raise self._error


def failed(act: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(Exception) as caught:
        act()
    failure = failure_of(caught.value)
    return failure.type, failure.message


def test_an_element_that_is_not_there_is_told_by_its_selector() -> None:
    driver = Driver(exceptions.NoSuchElementException(MISSING, stacktrace=["NoSuchElementError: …"]))
    selector = "no control fits id=com.example.notes:id/save"
    assert failed(lambda: driver.find_element(AppiumBy.ID, "com.example.notes:id/save"))[0] == "target_not_found"
    assert failed(lambda: driver.find_element(AppiumBy.ID, "com.example.notes:id/save"))[1] == selector


def test_what_was_waited_for_in_vain() -> None:
    driver = Driver(exceptions.NoSuchElementException(MISSING, stacktrace=["NoSuchElementError: …"]))
    located = expected_conditions.visibility_of_element_located((By.ID, "save"))
    wait: Any = WebDriverWait(driver, 0.01, poll_frequency=0.01)
    assert failed(lambda: wait.until(located)) == ("target_not_found", "no control fits id=save")
    kind, words = failed(lambda: wait.until(lambda _: False, "no row"))
    assert kind == "assertion"
    assert words == "WebDriverWait: what was waited for did not hold within 0.01 s: no row"


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (exceptions.InvalidSessionIdException("A session is either terminated or not started"), "driver_dead"),
        (exceptions.WebDriverException("the instrumentation process is not running (probably crashed)"), "driver_dead"),
        (exceptions.WebDriverException("adb: device 'R58M' not found"), "device_lost"),
        (exceptions.WebDriverException("The application under test with bundle id 'com.example.notes' is not running, "
                                       "possibly crashed"), "app_died"),
        (exceptions.TimeoutException("the page did not load"), "error"),
        (exceptions.StaleElementReferenceException("it is stale"), "error"),
        (exceptions.InvalidSelectorException("no such strategy"), "error"),
    ],
)  # fmt: skip
def test_what_the_server_says_is_what_it_is_for_us(error: Exception, kind: str) -> None:
    assert failed(lambda: Driver(error).find_element(By.ID, "x"))[0] == kind


def test_a_server_that_is_gone_is_no_fault_of_the_test_but_the_tests_own_sockets_are() -> None:
    from appium import webdriver
    from appium.options.common.base import AppiumOptions

    options = AppiumOptions().load_capabilities({"platformName": "Android"})
    assert failed(lambda: webdriver.Remote("http://127.0.0.1:1", options=options))[0] == "driver_dead"
    import urllib3

    own = urllib3.PoolManager(retries=False)
    assert failed(lambda: own.request("GET", "http://127.0.0.1:1"))[0] == "error"


def test_what_selenium_adds_is_not_told() -> None:
    kind, words = failed(lambda: Driver(exceptions.StaleElementReferenceException("it is stale")).find_element("x"))
    assert (kind, words) == ("error", "StaleElementReferenceException: it is stale")
