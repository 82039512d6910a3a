"""What `--device` names: which device that is, the session, and the connected backend."""

from __future__ import annotations

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.capabilities import read_capabilities, wanted
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.limits import Limits
from pytest_apex.backends.appium.session import Session, need_server, open_session, place_of
from pytest_apex.settings import Settings


def connect(spec: str, settings: Settings) -> AppiumBackend:
    """A session on the device that one entry of `--device` names: a serial, a UDID, or `auto` for whichever the server
    gives. Raises `ConfigError` or `DeviceProblem`."""
    asked = wanted(spec, read_capabilities(settings.devices.appium_caps))
    limits = Limits.of(settings.timeouts)

    def open_one() -> Session:
        return open_session(settings.devices.appium_url, asked, limits)

    return AppiumBackend(Connection(open_one(), spec, limits, open_one), spec, settings.app.id)


def identify(spec: str, settings: Settings) -> tuple[str, ...]:
    """The id that is asked for, with the server where that is another machine; nothing where the server chooses. Raises
    `ConfigError` for wrong capabilities, and where there is no server."""
    url = settings.devices.appium_url
    device = wanted(spec, read_capabilities(settings.devices.appium_caps)).get("appium:udid")
    need_server(url, Limits.of(settings.timeouts))
    place = place_of(url)
    return (f"{device} at {place}" if place else str(device),) if device else ()
