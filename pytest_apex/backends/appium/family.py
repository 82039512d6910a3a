"""What the drivers can do: Appium's UiAutomator2, its XCUITest on each of Apple's platforms, and any other.

Names of buttons: WebDriverAgent `XCUIDevice+FBHelpers.m`; usages of keys: USB HID, consumer page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from pytest_apex.backends.uiautomator2.keys import KEYS
from pytest_apex.errors import ConfigError

_ONE_FINGER = frozenset({"tap", "double_tap", "long_press", "swipe", "fling", "drag"})
_FINGERS = _ONE_FINGER | {"pinch", "twist", "multi_touch"}
_APPS = frozenset({"app_control", "launch_arguments", "records", "log"})
#: What is there only where the driver has these scripts: it tells them itself.
_BY_SCRIPT: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "app_control": ("mobile: activateApp", "mobile: terminateApp", "mobile: queryAppState"),
        "clear_data": ("mobile: clearApp",),
        "open_url": ("mobile: deepLink",),
        "notifications": ("mobile: openNotifications",),
        "hide_keyboard": ("mobile: hideKeyboard",),
        "clipboard": ("mobile: getClipboard", "mobile: setClipboard"),
        "crown": ("mobile: rotateDigitalCrown",),
        "install": ("mobile: installApp", "mobile: removeApp", "mobile: isAppInstalled", "mobile: listApps"),
        "list_apps": ("mobile: listApps",),
        "files": ("mobile: pushFile", "mobile: pullFile"),
        "web": ("mobile: getContexts",),
        "shell": ("mobile: shell",),
        "network": ("mobile: getConnectivity", "mobile: setConnectivity"),
        "wake": ("mobile: lock", "mobile: unlock", "mobile: isLocked"),
    }
)
#: What is done by shell commands, which the server has to allow.
BY_SHELL = frozenset({"shell", "background"})

_SIMULATOR = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
#: Apple's buttons; of a phone, also what is typed.
_IOS_KEYS = frozenset({"home", "volume_up", "volume_down", "action", "enter", "delete", "tab", "space"})
_TV_KEYS = frozenset({"up", "down", "left", "right", "select", "menu", "playpause", "home", "page_up", "page_down"})
_WATCH_KEYS = frozenset({"home", "action", "crown", "hand_double_tap", "hand_flick"})
#: Gestures of the hand that wears the watch, done like keys.
HAND: Mapping[str, str] = MappingProxyType({"hand_double_tap": "doubleTap", "hand_flick": "flick"})
#: What a key types where there is no button for it.
TYPED: Mapping[str, str] = MappingProxyType({"enter": "\n", "delete": "\b", "tab": "\t", "space": " "})
#: HID usages of the consumer page (0x0C), for a button that is held.
USAGES: Mapping[str, int] = MappingProxyType({"home": 0x40, "volume_up": 0xE9, "volume_down": 0xEA})


@dataclass(frozen=True, slots=True)
class Family:
    """A driver on a platform. `touches`: it takes places on the screen, else elements at most; `points`: units of the
    tree are points."""

    driver: str
    platform: str
    capabilities: frozenset[str]
    keys: frozenset[str]
    points: bool = False
    touches: bool = True


_FAMILIES = (
    Family(
        "uiautomator2", "android",
        _FINGERS | _APPS | {"type", "press", "orientation", "permissions", "clear_data", "open_url", "notifications",
                            "hide_keyboard", "clipboard", "install", "list_apps", "files", "toast", "web", "shell",
                            "background", "network", "wake", "screen_recording"},
        frozenset(KEYS),
    ),
    Family(
        "xcuitest", "ios",
        _FINGERS | _APPS | {"type", "press", "press_hold", "orientation", "hide_keyboard", "open_url", "install",
                            "list_apps", "web", "wake", "permissions"},
        _IOS_KEYS, points=True,
    ),
    Family("xcuitest", "tvos", _APPS | {"type", "press", "press_hold", "remote"}, _TV_KEYS, points=True, touches=False),
    Family("xcuitest", "watchos", _APPS | {"tap", "press", "crown"}, _WATCH_KEYS, points=True, touches=False),
)  # fmt: skip


def family_of(told: Mapping[str, Any]) -> Family:
    """The family of a session, by the capabilities that its server told. Raises `ConfigError` for a platform that is
    none of ours but for drivers that take plain W3C actions, which are taken for Android."""
    platform = str(told.get("platformName", "")).lower()
    driver = str(told.get("appium:automationName") or told.get("automationName") or "").lower()
    for family in _FAMILIES:
        if family.platform == platform and driver in (family.driver, ""):
            return family
    if platform in ("ios", "tvos", "watchos"):
        raise ConfigError(
            f"no way to drive {platform} by the driver {driver!r}",
            seen=f"the session's appium:automationName is {driver!r}",
            cure="appium:automationName XCUITest",
        )
    return Family(driver or "webdriver", "android", _FINGERS | {"type"}, frozenset())


def is_simulator(udid: str) -> bool:
    """Whether an id of Apple's is a simulator's: a UUID, which no device has."""
    return _SIMULATOR.fullmatch(udid) is not None


def live(family: Family, scripts: Collection[str], told: Mapping[str, Any]) -> frozenset[str]:
    """What the connected driver can do: `scripts` are those that it told, none where it could not tell; `told` are the
    session's capabilities."""
    missing = set()
    if family.points and not is_simulator(str(told.get("appium:udid") or told.get("udid") or "")):
        missing.add("permissions")
    if not scripts:
        return family.capabilities - missing
    if told.get("appium:skipDeviceInitialization") or told.get("skipDeviceInitialization"):
        missing.add("clipboard")  # read by an app of Appium's that was not put on the phone
    missing |= {name for name, needed in _BY_SCRIPT.items() if not set(needed) <= set(scripts)}
    if (f"mobile: {'setPermission' if family.points else 'changePermissions'}") not in scripts:
        missing.add("permissions")
    if family.points and "mobile: performIoHidEvent" not in scripts and family.platform == "ios":
        missing.add("press_hold")
    return family.capabilities - missing
