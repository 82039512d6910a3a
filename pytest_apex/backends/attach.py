"""A driver that a suite has already, as a backend."""

from __future__ import annotations

from typing import Any

from pytest_apex.backends.base import Backend
from pytest_apex.errors import ConfigError


def attach(driver: Any) -> Backend:
    """The device of a running `uiautomator2.Device` or Appium driver, as a backend: evidence and verdicts for a suite
    whose calls stay as they are. Its own connection is made beside; `device.raw` is `driver`, and what goes through it
    is noted as "outside". A backend is given back as it is. Raises `ConfigError` for anything else, `DeviceProblem`
    when the device can't be reached.
    """
    makers = {kind.__module__.partition(".")[0] for kind in type(driver).__mro__}
    if "uiautomator2" in makers:
        from pytest_apex.backends.uiautomator2.attached import attach_to

        return attach_to(driver)
    if "appium" in makers:
        from pytest_apex.backends.appium.attached import attach_to as attach_to_appium

        return attach_to_appium(driver)
    # Last: before Python 3.12 it reads each attribute, and some of a driver's raise (Selenium's `name`: KeyError).
    if isinstance(driver, Backend):
        return driver
    raise ConfigError(
        f"can't attach to a {type(driver).__module__}.{type(driver).__name__}",
        seen="it is neither a uiautomator2.Device nor an Appium driver nor a backend",
        cure="give what uiautomator2.connect() or appium.webdriver.Remote() returned",
    )
