"""What a new session is asked for: `--device`, `--appium-caps`, and what is sensible where they say nothing."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pytest_apex.errors import ConfigError

#: Names of the WebDriver standard, which take no prefix.
_STANDARD = frozenset(
    {
        "platformName", "browserName", "browserVersion", "acceptInsecureCerts", "pageLoadStrategy", "proxy",
        "setWindowRect", "timeouts", "strictFileInteractability", "unhandledPromptBehavior", "webSocketUrl",
    }
)  # fmt: skip
#: What differs between devices, by their ids: two iPhones on one server need a port each.
_EACH = "apex:devices"
#: A phone of Apple's: 40 hexadecimal digits, or 8 and 16 of them; a simulator: a UUID.
_APPLE_UDID = re.compile(
    r"[0-9a-f]{40}|[0-9a-f]{8}-[0-9a-f]{16}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE
)
_DRIVERS = {"android": "UiAutomator2", "ios": "XCUITest", "tvos": "XCUITest", "watchos": "XCUITest"}
#: Seconds that a session may be left alone while a test computes, or waits in a debugger.
_KEPT_S = 3600

#: Settings of the driver on the device: our own look waits until the screen is at rest, so the driver does not wait
#: once more; all windows are told, not the active one alone; trees are not cut where they need not be; frames come as
#: they are, not in whole points alone; a dialog of the system over the app is seen.
_SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "uiautomator2": {
        "waitForIdleTimeout": 0, "snapshotMaxDepth": 500, "enableMultiWindows": True, "ignoreUnimportantViews": False,
    },
    "xcuitest": {
        "waitForIdleTimeout": 0, "animationCoolOffTimeout": 0, "snapshotMaxDepth": 62,
        "includeNativeFrameInPageSource": True, "respectSystemAlerts": True,
    },
}  # fmt: skip


def read_capabilities(text: str) -> dict[str, Any]:
    """`--appium-caps`: a JSON object, or the path of a file that holds one; names without a prefix get `appium:`.
    Raises `ConfigError`."""
    text = text.strip()
    if not text:
        return {}
    source = text if text[:1] in ("{", "[") else _file(Path(text))
    try:
        given = json.loads(source)
    except ValueError as error:
        raise ConfigError(
            "can't read --appium-caps", seen=f"not JSON: {error}", cure='{"platformName": "iOS", …}, or a file of that'
        ) from error
    if not isinstance(given, dict):
        raise ConfigError("can't read --appium-caps", seen="JSON, and no object", cure='{"platformName": "iOS", …}')
    return _prefixed(given)


def _file(path: Path) -> str:
    try:
        return path.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise ConfigError(
            f"can't read --appium-caps {path}",
            seen=str(getattr(error, "strerror", "") or error),
            cure="the path of a JSON file, or the JSON itself",
        ) from error


def wanted(device: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """The capabilities of a session on `device`: what was given wins, and first of all what stands under
    `apex:devices` for this very one. Raises `ConfigError` for what contradicts `--device`, or names no platform."""
    given = of_device(device, given)
    named = "" if device in ("", "auto", "appium") else device
    other = given.get("appium:udid")
    if named and other is not None and str(other) != named:
        raise ConfigError(
            f"--device={named}, and --appium-caps names another one",
            seen=f"appium:udid {other}",
            cure="one of the two: --device=auto leaves it to the capabilities",
        )
    platform = given.get("platformName") or ("iOS" if _APPLE_UDID.fullmatch(device) else "Android")
    if not isinstance(platform, str):
        raise ConfigError(
            "can't read --appium-caps", seen=f"platformName {platform!r}", cure='{"platformName": "iOS", …}'
        )
    asked: dict[str, Any] = {"platformName": platform, "appium:newCommandTimeout": _KEPT_S}
    driver = _DRIVERS.get(platform.lower())
    if driver is not None:
        asked |= {"appium:automationName": driver, "appium:noReset": True}
    if named:
        asked["appium:udid"] = named
    for name, value in _SETTINGS.get((driver or "").lower(), {}).items():
        asked[f"appium:settings[{name}]"] = value
    return asked | dict(given)


def named_in(given: Mapping[str, Any]) -> tuple[str, ...]:
    """The devices that capabilities of their own were given for."""
    each = given.get(_EACH)
    return tuple(each) if isinstance(each, dict) else ()


def of_device(device: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """What was given for all devices, and for this one. Raises `ConfigError` for what can't be read."""
    each = given.get(_EACH, {})
    if not isinstance(each, dict) or not all(isinstance(own, dict) for own in each.values()):
        raise ConfigError(
            "can't read --appium-caps", seen=f"{_EACH} {each!r}"[:120], cure=f'{{"{_EACH}": {{"UDID": {{…}}}}}}'
        )
    return {name: value for name, value in given.items() if name != _EACH} | _prefixed(each.get(device, {}))


def _prefixed(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name if ":" in name or name in _STANDARD else f"appium:{name}": value for name, value in given.items()}
