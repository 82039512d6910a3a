"""Commands of the device: what it is, its keys, its clipboard, its shade."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from pytest_apex.phone_wires import keys
from pytest_apex.phone_wires.settings_store import sdk
from pytest_apex.phone_wires.uia2.command import ROUTES, Command
from pytest_apex.phone_wires.webdriver.faults import BadValue
from pytest_apex.phone_wires.webdriver.values import number, text

#: How long a key that is held sends its long press: there is no hold, only the flag.
_KEY_MOST = 1000


@ROUTES.add("GET", "/appium/device/info")
def info(command: Command) -> dict[str, Any]:
    handset = command.handset
    with handset.pace.held() as phone:
        screen, glass = phone.screen(), phone.stage.glass
        online = phone.machine.online
        return {
            "androidId": handset.settings["secure"]["android_id"],
            "apiVersion": str(sdk(phone.platform)),
            "bluetooth": None,
            "brand": handset.properties["ro.product.brand"],
            "carrierName": "",
            "displayDensity": round(160 * screen.density),
            "locale": "en_US",
            "manufacturer": handset.properties["ro.product.manufacturer"],
            "model": handset.properties["ro.product.model"],
            "networks": [{"type": 1, "typeName": "WIFI", "isConnected": online, "isAvailable": online}],
            "platformVersion": phone.platform.os_version,
            "realDisplaySize": f"{glass.width}x{glass.height}",
            "timeZone": "UTC",
        }


@ROUTES.add("GET", "/appium/device/pixel_ratio")
def pixel_ratio(command: Command) -> float:
    return command.ask(lambda phone: phone.screen().density)


@ROUTES.add("GET", "/appium/device/display_density")
def display_density(command: Command) -> int:
    return command.ask(lambda phone: round(160 * phone.screen().density))


@ROUTES.add("GET", "/appium/device/system_bars")
def system_bars(command: Command) -> dict[str, int]:
    return {"statusBar": command.ask(lambda phone: phone.stage.glass.px(phone.platform.bars[0]))}


@ROUTES.add("GET", "/appium/device/battery_info")
def battery_info(_command: Command) -> dict[str, Any]:
    """`status` 3: it discharges (`BatteryManager`)."""
    return {"level": 0.87, "status": 3}


@ROUTES.add("GET", "/appium/device/declared_orientation")
def declared_orientation(_command: Command) -> str:
    return "UNSPECIFIED"


@ROUTES.add("POST", "/appium/device/press_keycode")
def press_keycode(command: Command) -> None:
    code = number(command.body, "keycode")
    if not 0 <= code < _KEY_MOST or code != int(code):
        raise BadValue(f"no such key code: {code}")
    keys.press(command.handset, keys.CODES.get(int(code), ""), known=True)


@ROUTES.add("POST", "/appium/device/long_press_keycode")
def long_press_keycode(command: Command) -> None:
    """The flag of a long press is sent at once: the key is not held."""
    press_keycode(command)


@ROUTES.add("POST", "/back")
def back(command: Command) -> None:
    """What `driver.back()` asks for."""
    keys.press(command.handset, "back", known=True)


@ROUTES.add("POST", "/appium/device/open_notifications")
def open_notifications(command: Command) -> None:
    command.handset.pace.do(lambda phone: phone.machine.open_shade(True))


@ROUTES.add("POST", "/appium/device/get_clipboard")
def get_clipboard(command: Command) -> str:
    """Base64 of the text."""
    return base64.b64encode(command.ask(lambda phone: phone.machine.clipboard).encode()).decode()


@ROUTES.add("POST", "/appium/device/set_clipboard")
def set_clipboard(command: Command) -> None:
    if text(command.body, "contentType", "PLAINTEXT").upper() != "PLAINTEXT":
        raise BadValue("only plain text is supported")
    try:
        words = base64.b64decode(text(command.body, "content"), validate=True).decode()
    except (binascii.Error, ValueError) as error:
        raise BadValue("'content' must be text in base64") from error
    with command.handset.pace.held() as phone:
        phone.machine.clipboard = words


@ROUTES.add("POST", "/appium/reset_ax_cache")
def reset_cache(_command: Command) -> None:
    """Nothing is kept."""
