"""Keys of Android: their codes and names, and what they do on the phone."""

from __future__ import annotations

import string
from collections.abc import Mapping

from pytest_apex.phone_wires.handset import Handset

#: `android.view.KeyEvent`: code → name, as far as the phone knows it by name. Letters, digits and space type.
CODES: Mapping[int, str] = {
    3: "home", 4: "back", 5: "call", 6: "endcall", 19: "up", 20: "down", 21: "left", 22: "right", 23: "center",
    24: "volume_up", 25: "volume_down", 26: "power", 27: "camera", 61: "tab", 62: "space", 66: "enter", 67: "delete",
    82: "menu", 83: "notification", 84: "search", 85: "media_play_pause", 111: "escape", 112: "forward_del",
    122: "move_home", 123: "move_end", 164: "volume_mute", 187: "app_switch", 223: "sleep", 224: "wakeup",
    **{7 + number: str(number) for number in range(10)},
    **{29 + number: letter for number, letter in enumerate(string.ascii_lowercase)},
}  # fmt: skip
#: What `input keyevent` calls them after KEYCODE_ where it is another word.
_KEYCODE_NAMES = {
    "DPAD_UP": "up", "DPAD_DOWN": "down", "DPAD_LEFT": "left", "DPAD_RIGHT": "right", "DPAD_CENTER": "center",
    "DEL": "delete",
}  # fmt: skip
#: What `pressKey` of uiautomator2's server takes; any other name does nothing.
UIAUTOMATOR_NAMES: Mapping[str, str] = {
    **{
        name: name
        for name in (
            "home", "back", "left", "right", "up", "down", "center", "menu", "search", "enter", "delete", "volume_up",
            "volume_down", "volume_mute", "camera", "power",
        )
    },
    "del": "delete",
    "recent": "app_switch",
}  # fmt: skip
_NAMES = frozenset(CODES.values())


def key_of(text: str) -> str | None:
    """What `input keyevent` takes: a code, `KEYCODE_BACK` or `BACK`; None for what it does not know, "" for a key that
    does nothing here."""
    if text.isdecimal():
        return CODES.get(int(text), "") if len(text) < 5 else None
    name = text.upper().removeprefix("KEYCODE_")
    found = _KEYCODE_NAMES.get(name, name.lower())
    return found if found in _NAMES else None


def press(handset: Handset, key: str, hold_ms: float = 0, *, known: bool = False) -> bool:
    """Press a key; False for one that has no name and is not `known` to be a key all the same."""
    if not key:
        return known
    if key in ("power", "wakeup", "sleep"):
        handset.wake(key == "wakeup" or (key == "power" and not handset.awake))
    elif handset.lock or not handset.awake:
        return True
    elif key == "space" or len(key) == 1:
        handset.pace.do(lambda phone: phone.type_text(" " if key == "space" else key))
    elif key == "notification":
        handset.pace.do(lambda phone: phone.machine.open_shade(True))
    else:
        with handset.pace.held() as phone:
            has = key in phone.platform.keys
        if has:
            handset.pace.do(lambda phone: phone.press(key, hold_ms))
    return True
