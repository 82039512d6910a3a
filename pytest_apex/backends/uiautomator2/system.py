"""The phone as a whole: screen and lock, networks, links, recordings."""

from __future__ import annotations

import re
import shlex

from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.intents import start_error
from pytest_apex.backends.uiautomator2.trouble import found_on_wifi, is_address
from pytest_apex.clock import Clock
from pytest_apex.errors import ActionRefused, ScreenLocked

ASK_LOCK = "dumpsys window policy | grep -E 'showing=|secure=|mShowingLockscreen=|isKeyguardShowing='"
_SHOWN = re.compile(r"\b(?:showing|mShowingLockscreen|isKeyguardShowing)=true")
_SECURE = re.compile(r"\bsecure=true")
_UNLOCKS_S, _LOOK_S = 2.0, 0.1

#: `svc` and the settings that tell what came of it.
_ASK_NETWORK = (
    "settings get global airplane_mode_on",
    "settings get global wifi_on",
    "settings get global mobile_data",
)


def is_locked(text: str) -> bool:
    """Whether the lock screen is shown, from `ASK_LOCK`."""
    return bool(_SHOWN.search(text))


def unlock(phone: Handset, clock: Clock) -> None:
    """Take the lock screen away, if it is shown. Raises `ScreenLocked` where it has a passcode."""
    (told,) = phone.ask([ASK_LOCK])
    if not is_locked(told.text):
        return
    phone.ask(["input keyevent 224", "wm dismiss-keyguard"])
    started = clock.now()
    while is_locked(text := phone.ask([ASK_LOCK])[0].text):
        if _SECURE.search(text) or clock.now() - started > _UNLOCKS_S:
            raise ScreenLocked(
                f"can't unlock the screen of {phone.serial}",
                seen="the lock screen stays",
                likely="it has a passcode, pattern or fingerprint",
                cure="unlock it by hand, or set the screen lock of a test phone to none",
            )
        clock.sleep(_LOOK_S)


class System:
    def __init__(self, phone: Handset, clock: Clock) -> None:
        self._phone = phone
        self._clock = clock

    def wake(self) -> None:
        """Screen on, and the lock screen away. Raises `ScreenLocked` where it has a passcode."""
        self._phone.run("input keyevent 224")
        unlock(self._phone, self._clock)

    def sleep(self) -> None:
        self._phone.run("input keyevent 223")

    def open_url(self, url: str, app: str) -> None:
        command = f"am start -a android.intent.action.VIEW -d {shlex.quote(url)} {shlex.quote(app) if app else ''}"
        told = self._phone.run(command.strip())
        wrong = start_error(told.text) or ("" if not told.code else told.text.strip())
        if wrong:
            raise ActionRefused(
                f"nobody on the phone opens {url}" if not app else f"{app} does not open {url}",
                seen=wrong,
                likely="no app on it claims this link, or the app is not installed",
                cure="see the intent filters in the app's manifest",
            )

    def network(self) -> bool:
        airplane, wifi, data = (answer.line for answer in self._phone.ask(_ASK_NETWORK))
        return airplane != "1" and ("1" in (wifi, data) or "2" in (wifi, data) or wifi == data == "null")

    def set_network(self, on: bool) -> None:
        if not on and runs_over_wifi(self._phone.serial):
            raise ActionRefused(
                f"can't switch the networks of {self._phone.serial} off",
                seen="adb itself runs over its Wi-Fi",
                likely="the phone would be lost to this run",
                cure="plug it in by USB for this test",
            )
        verb = "enable" if on else "disable"
        self._phone.ask([f"svc wifi {verb}", f"svc data {verb}"])
        if on and self._phone.run("settings get global airplane_mode_on").line == "1":
            self._phone.run("cmd connectivity airplane-mode disable")


def runs_over_wifi(serial: str) -> bool:
    """Whether adb reaches the phone over its network: by address, or found there by itself. An address of this machine
    is an emulator, or a cable with a forwarded port."""
    if found_on_wifi(serial):
        return True
    return is_address(serial) and serial.rpartition(":")[0] not in ("127.0.0.1", "localhost", "[::1]")
