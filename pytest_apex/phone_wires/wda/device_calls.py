"""Commands of the device: what it is, its buttons, its lock, its pasteboard, its keyboard, the crown of a watch."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from pytest_apex.phone_wires.wda.command import ROUTES, Command
from pytest_apex.phone_wires.wda.element_calls import typed
from pytest_apex.phone_wires.webdriver.faults import BadValue, Fault
from pytest_apex.phone_wires.webdriver.values import number, text

#: Button of WebDriverAgent → key of the phone (`XCUIDevice+FBHelpers.m`).
_BUTTONS = {
    "ios": {"home": "home", "volumeup": "volume_up", "volumedown": "volume_down"},
    "tvos": {name: name for name in ("up", "down", "left", "right", "select", "menu", "playpause", "home")},
    "watchos": {"home": "home", "action": "action"},
}
#: HID usages of page 0x0C (`IOHIDUsageTables.h`) → key of the phone.
_CONSUMER = {0x40: "home", 0xE9: "volume_up", 0xEA: "volume_down", 0x30: "lock"}
_MOST_HOLD_S = 60.0


@ROUTES.add("GET", "/wda/device/info")
def info(command: Command) -> dict[str, Any]:
    device, shared = command.device, len(command.device.parts) > 1
    return {
        "timeZone": "GMT",
        "currentLocale": "en_US",
        "model": "iPad" if shared else {"iphone": "iPhone", "tv": "Apple TV", "watch": "Apple Watch"}[device.kind],
        "uuid": device.udid,
        "userInterfaceIdiom": 1 if shared else {"iphone": 0, "tv": 2, "watch": 4}[device.kind],
        "userInterfaceStyle": "light",
        "name": device.name,
        "isSimulator": False,
        "thermalState": "0",
    }


@ROUTES.add("GET", "/wda/batteryInfo")
def battery(_command: Command) -> dict[str, Any]:
    """`state` 1: it is not being charged."""
    return {"level": 0.87, "state": 1}


@ROUTES.add("POST", "/wda/pressButton")
def press_button(command: Command) -> None:
    """A hold counts on tvOS only."""
    platform, name = command.device.platform.name, text(command.body, "name")
    buttons = _BUTTONS[platform]
    key = buttons.get(name.lower())
    if key is None:
        known = ", ".join(buttons)
        raise BadValue(f"The button '{name[:50]}' is unknown. Only these are supported: {known}")
    hold = number(command.body, "duration", 0) if platform == "tvos" else 0
    _press(command, key, hold)


@ROUTES.add("POST", "/wda/performIoHidEvent")
def io_hid(command: Command) -> None:
    page, usage = int(number(command.body, "page")), int(number(command.body, "usage"))
    key = _CONSUMER.get(usage) if page == 0x0C else None
    if key is None:
        return  # a key that does nothing here
    hold = number(command.body, "duration", 0.005)
    if key == "lock":
        command.device.locked = not command.device.locked
    elif key in command.device.platform.keys:
        _press(command, key, hold)


def _press(command: Command, key: str, seconds: float) -> None:
    if not 0 <= seconds <= _MOST_HOLD_S:
        raise BadValue(f"a button is held 0 to {_MOST_HOLD_S:g} s")
    command.device.pace.do(lambda phone: phone.press(key, seconds * 1000))


@ROUTES.add("POST", "/wda/homescreen")
def home(command: Command) -> None:
    _press(command, "home", 0)


@ROUTES.add("POST", "/wda/lock")
def lock(command: Command) -> None:
    command.device.locked = True


@ROUTES.add("POST", "/wda/unlock")
def unlock(command: Command) -> None:
    command.device.locked = False


@ROUTES.add("GET", "/wda/locked")
def locked(command: Command) -> bool:
    return command.device.locked


@ROUTES.add("POST", "/wda/setPasteboard")
def set_pasteboard(command: Command) -> None:
    _has_pasteboard(command)
    if text(command.body, "contentType", "plaintext") != "plaintext":
        raise BadValue("only plain text is supported")
    try:
        words = base64.b64decode(text(command.body, "content"), validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise BadValue("Cannot decode the pasteboard content from base64") from error
    with command.device.pace.held() as phone:
        phone.machine.clipboard = words


@ROUTES.add("POST", "/wda/getPasteboard")
def get_pasteboard(command: Command) -> str:
    _has_pasteboard(command)
    return base64.b64encode(command.ask(lambda phone: phone.machine.clipboard).encode()).decode()


def _has_pasteboard(command: Command) -> None:
    if command.device.platform.name != "ios":
        raise Fault("unknown command", "There is no pasteboard on this platform")


@ROUTES.add("POST", "/wda/keyboard/dismiss")
def dismiss_keyboard(command: Command) -> None:
    def hide(phone: Any) -> None:
        if not phone.machine.keyboard_up:
            raise Fault("invalid element state", "Error: There is no keyboard to dismiss")
        phone.hide_keyboard()

    command.device.pace.do(hide)


@ROUTES.add("POST", "/wda/element/{element}/keyboardInput")
def keyboard_input(command: Command, _name: str) -> None:
    keys = command.body.get("keys")
    if not isinstance(keys, list) or len(keys) > 1000:
        raise BadValue("'keys' must be a list")
    words = typed({"value": [key.get("key", "") if isinstance(key, dict) else key for key in keys]})
    command.device.pace.do(lambda phone: phone.type_text(words))


@ROUTES.add("POST", "/wda/touch_id")
def touch_id(_command: Command) -> None:
    """Nobody waits for a finger here."""


@ROUTES.add("POST", "/wda/rotateDigitalCrown")
def crown(command: Command) -> None:
    """`delta` in full turns."""
    if command.device.platform.name != "watchos":
        raise Fault("unknown command", "There is no crown on this platform")
    turns = number(command.body, "delta")
    if not -100 <= turns <= 100:
        raise BadValue("'delta' must be -100 to 100")
    command.device.pace.do(lambda phone: phone.turn_crown(turns))


@ROUTES.add("POST", "/wda/performHandGesture")
def hand_gesture(command: Command) -> None:
    """What it does is the app's business; the built-in apps listen to none."""
    if command.device.platform.name != "watchos":
        raise Fault("unknown command", "There are no hand gestures on this platform")
    if text(command.body, "name").lower() not in ("doubletap", "flick"):
        raise BadValue("'name' must be one of doubleTap, flick")
