"""The device as a whole: its screen and lock, recordings, networks, shell, and memory that runs short.

Sources: appium-android-driver `commands/{shell,network,lock,recordscreen}`, appium-adb `tools/lockmgmt` and
`tools/device-settings`, appium-xcuitest-driver `commands/lock`. `mobile: lock` of Android presses the power key, which
may turn a screen on as well: the keys for sleeping and waking do one thing each.
"""

from __future__ import annotations

import base64
import binascii
import re
import shlex

from pytest_apex.backends.abilities import ShellOutput
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.uiautomator2.shell import packed, unpacked
from pytest_apex.backends.uiautomator2.system import runs_over_wifi
from pytest_apex.errors import ActionRefused, CapabilityMissing, DriverDead, ScreenLocked

#: Beyond the time that a command of the shell may take, for the way there and back: seconds.
_WAY_S = 5.0
#: Beginning or ending a recording, with the way of the film to the server and here: seconds.
_FILM_S = 60.0
_SLEEP, _WAKE_UP = 223, 224
_UNLOCKS_S, _LOOK_S = 2.0, 0.1
#: What the server says of a command that it killed (teen_process).
_TOO_LONG = re.compile(r"timed out after", re.IGNORECASE)


class System:
    _connection: Connection
    #: Whether the screen may be off: each look asks then.
    _may_sleep = False
    _records = False

    # The screen

    def sleep(self) -> None:
        connection = self._connection
        if connection.family.points:
            connection.mobile("mobile: lock", {}, "locking the screen")
        else:
            connection.mobile("mobile: pressKey", {"keycode": _SLEEP}, "turning the screen off")
        self._may_sleep = True

    def wake(self) -> None:
        """Screen on, and the lock screen away. Raises `ScreenLocked` where it stays."""
        connection = self._connection
        if not connection.family.points:
            connection.mobile("mobile: pressKey", {"keycode": _WAKE_UP}, "turning the screen on")
        if self._is_locked():
            connection.mobile("mobile: unlock", {}, "unlocking the screen")
            started = connection.clock.now()
            while self._is_locked():
                if connection.clock.now() - started > _UNLOCKS_S:
                    raise ScreenLocked(
                        f"can't unlock the screen of {connection.channel.device}",
                        seen="the lock screen stays",
                        likely="it has a passcode, pattern or fingerprint",
                        cure="appium:unlockType and appium:unlockKey in --appium-caps (Android), or no screen lock",
                    )
                connection.clock.sleep(_LOOK_S)
        self._may_sleep = False

    def _is_awake(self) -> bool:
        """Asked only after the test turned the screen off, or may have: each answer costs a request."""
        if self._may_sleep:
            self._may_sleep = self._connection.ask_or(False, "mobile: isLocked") is True
        return not self._may_sleep

    def _is_locked(self) -> bool:
        return self._connection.ask("mobile: isLocked", tried="asking whether the screen is locked") is True

    # Recordings

    def start_recording(self) -> None:
        """Up to the driver's own limit of three minutes: a longer one is put together on the server by ffmpeg, where
        that is there."""
        connection = self._connection
        if self._records:
            raise ActionRefused("a recording is under way", cure="end it before another one begins")
        connection.act("/appium/start_recording_screen", {"options": {}}, "starting a recording", limit=_FILM_S)
        self._records = True

    def stop_recording(self) -> bytes:
        connection, self._records = self._connection, False
        told = connection.act("/appium/stop_recording_screen", {"options": {}}, "ending the recording", limit=_FILM_S)
        try:
            film = base64.b64decode(told if isinstance(told, str) else "", validate=False)
        except binascii.Error:
            film = b""
        if not film:
            raise ActionRefused(
                f"{connection.channel.device} recorded nothing",
                seen="the server sent no film",
                likely="no recording was under way, or the storage of the device is full",
                cure="begin one first",
            )
        return film

    # Networks

    def network(self) -> bool:
        told = self._connection.ask("mobile: getConnectivity", tried="asking for the networks")
        state = told if isinstance(told, dict) else {}
        return not state.get("airplaneMode") and bool(state.get("wifi") or state.get("data"))

    def set_network(self, on: bool) -> None:
        """By airplane mode, which gives each network back as it was."""
        connection = self._connection
        fact = connection.session.fact
        if not on and runs_over_wifi(fact("deviceUDID") or fact("udid")):
            raise ActionRefused(
                f"can't switch the networks of {connection.channel.device} off",
                seen="adb itself runs over its Wi-Fi",
                likely="the phone would be lost to this run",
                cure="plug it in by USB for this test",
            )
        words = f"switching the networks {'on' if on else 'off'}"
        connection.mobile("mobile: setConnectivity", {"airplaneMode": not on}, words)
        if on and not self.network():
            connection.mobile("mobile: setConnectivity", {"wifi": True, "data": True}, words)

    # The shell

    def shell(self, command: str, timeout: float = 30.0) -> ShellOutput:
        connection, words = self._connection, f"the shell command {command!r}"
        if not connection.may_shell:
            raise no_shell(connection, words)
        # A shell of its own, so that its exit code comes whatever it does: the driver tells none.
        asked = {"command": packed([f"sh -c {shlex.quote(command)} 2>&1"]), "timeout": round(timeout * 1000)}
        try:
            told = connection.mobile("mobile: shell", asked, words, limit=timeout + _WAY_S)
        except ActionRefused as error:
            if not _TOO_LONG.search(error.seen):
                raise
            raise DriverDead(
                f"{words} did not end within {timeout:g} s",
                seen=error.seen,
                likely="it waits for something, or the phone is busy",
                cure="a longer timeout, or a command that ends",
            ) from error
        (answer,) = unpacked(str(told or ""), 1)
        return ShellOutput(answer.text, answer.code)

    def kill_in_background(self, app: str) -> None:
        """`am kill` ends only what is not in front."""
        output = self.shell(f"am kill {shlex.quote(app)}")
        if output.exit_code:
            raise ActionRefused(f"{app} was not ended in the background", seen=output.text.strip())


def no_shell(connection: Connection, what: str) -> CapabilityMissing:
    return CapabilityMissing(
        f"{connection.channel.device} can't run {what}",
        seen="the server allows no shell commands, or its driver has none",
        likely="Appium leaves them off unless it is told otherwise",
        cure="start it with --allow-insecure=uiautomator2:adb_shell",
    )
