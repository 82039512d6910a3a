"""What the servers' errors mean, by the words that their sources write.

- appium-uiautomator2-driver `uiautomator2-server/core.ts`: "instrumentation process is not running".
- @appium/base-driver `jsonwp-proxy/proxy.ts`: "Could not proxy command to the remote server. Original error: …".
- appium-adb: "device '…' not found", "device offline", "device unauthorized".
- appium-xcuitest-driver: "Unknown device or simulator UDID", "was not in the list of connected devices".
- appium-ios-device `usbmux/index.ts`: "Could not find the expected device".
- WebDriverAgent `FBSession.m`: "The application under test … is not running, possibly crashed".
"""

from __future__ import annotations

import re

from pytest_apex.backends.appium.wire import Refused
from pytest_apex.errors import ActionRefused, AppDied, CapabilityMissing, DeviceLost, DeviceProblem, DriverDead

_SERVER_DIED = re.compile(
    r"instrumentation process is not running|cannot be proxied|could not proxy command|ECONNREFUSED|ECONNRESET"
    r"|socket hang up|UiAutomation not connected|DeadObjectException|WebDriverAgent (?:is|has) not",
    re.IGNORECASE,
)
_DEVICE_GONE = re.compile(
    r"device '?[^'\n]{0,80}'? (?:not found|offline|unauthorized|was not in the list)|device (?:offline|unauthorized)"
    r"|could not find a connected|no devices? (?:connected|found)|unknown device or simulator"
    r"|not in the list of connected|could not find the expected device",
    re.IGNORECASE,
)
_APP_DIED = re.compile(r"is not running, possibly crashed", re.IGNORECASE)
_BUNDLE = re.compile(r"bundle id '([^'\s]+)' is not running")
_NO_SESSION = frozenset({"invalid session id", "no such driver"})
_UNKNOWN = frozenset({"unknown command", "unknown method"})


def says_session_gone(error: Refused) -> bool:
    """Whether the server has no such session any more: nothing was done."""
    return error.code in _NO_SESSION


def says_device_server_dead(error: Refused) -> bool:
    """Whether Appium answers and what it started on the device does not: the request may have been done."""
    return _SERVER_DIED.search(error.message) is not None


def says_not_up_yet(words: str) -> bool:
    """Whether a server's words mean that the device, or what runs on it, is not there: it may be in a moment."""
    return says_device_gone(words) or _SERVER_DIED.search(words) is not None


def says_device_gone(words: str) -> bool:
    """Whether a server's words mean that its machine does not see the device."""
    return _DEVICE_GONE.search(words) is not None


def app_that_died(error: Refused) -> str:
    """The app that WebDriverAgent misses, "" where the error is another."""
    found = _BUNDLE.search(error.message)
    return found[1] if found else ""


def named(device: str, error: Refused, tried: str) -> DeviceProblem | ActionRefused | AppDied:
    """The error that `error` is, for whoever looks."""
    told = _first_lines(error)
    if says_session_gone(error):
        return session_gone(device, told)
    if says_device_gone(error.message):
        return DeviceLost(
            f"the device {device} is gone: {tried}",
            seen=told,
            likely="it was unplugged or switched off, or the server no longer sees it",
            cure="plug it in; adb devices, or idevice_id -l, on the machine of the server tell what it sees",
        )
    if says_device_server_dead(error):
        return device_server_dead(device, told, tried)
    if _APP_DIED.search(error.message):
        return AppDied(
            f"the app in front of {device} is not running: {tried}",
            seen=told,
            likely="it crashed, or was ended from outside",
            cure="see its crash report",
        )
    if error.code in _UNKNOWN:
        return CapabilityMissing(
            f"the driver of {device} can't do that: {tried}",
            seen=told,
            likely="another driver, or an older version of it, runs there",
            cure="appium driver update, or mark the test with gestures(…) so that it is skipped here",
        )
    return ActionRefused(
        f"{device} refuses: {tried}",
        seen=told,
        likely="the system or the app does not allow it now",
        cure="see what the server says",
    )


def session_gone(device: str, seen: str) -> DriverDead:
    return DriverDead(
        f"the session on {device} is over",
        seen=seen,
        likely="nothing was asked of it for longer than appium:newCommandTimeout, or somebody ended it",
        cure="a new one is opened once; a longer appium:newCommandTimeout in --appium-caps keeps it",
    )


def device_server_dead(device: str, seen: str, tried: str) -> DriverDead:
    return DriverDead(
        f"Appium answers, and what it runs on {device} does not: {tried}",
        seen=seen,
        likely="the UiAutomator2 server or WebDriverAgent on the device crashed or was ended",
        cure="a new session is opened once, which starts it anew",
    )


def _first_lines(error: Refused) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return " ".join(lines[:3])[:400]
