"""iOS, tvOS and watchOS behind Appium's XCUITest driver and its WebDriverAgent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_apex.backends.appium.android import number, window_size
from pytest_apex.backends.appium.beside import Beside
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.family import HAND, TYPED, USAGES, is_simulator
from pytest_apex.backends.appium.logs import DeviceLog
from pytest_apex.backends.base import AppState
from pytest_apex.errors import ActionRefused, CapabilityMissing, DeviceProblem
from pytest_apex.model.geometry import Insets
from pytest_apex.model.screen import DeviceInfo, Screen

#: `mobile: queryAppState` (appium-xcuitest-driver `commands/enum.ts`, XCUIApplicationState).
_STATES = {0: "not_running", 1: "not_running", 2: "background", 3: "background", 4: "foreground"}
#: What a simulator has permissions for (appium-ios-simulator `extensions/permissions`).
SERVICES = (
    "calendar", "camera", "contacts", "faceid", "health", "homekit", "location", "medialibrary", "microphone", "motion",
    "photos", "reminders", "siri", "speech", "usertracking",
)  # fmt: skip
_CONSUMER_PAGE = 0x0C
_STARTS_S, _LOOK_S = 5.0, 0.05
#: The driver has logs of the system alone (`commands/log`).
_NO_OUTPUT = "not available: the log is the system's (syslog)"
_BUTTONS = {
    "volume_up": "volumeUp", "volume_down": "volumeDown", "page_up": "pageUp", "page_down": "pageDown",
    "playpause": "playPause",
}  # fmt: skip
_ORIENTATIONS = {"portrait": "PORTRAIT", "landscape_left": "LANDSCAPE"}


def _status_bar(told: Any) -> float:
    """How high it is, in points: it is no part of the app, so the tree has it not."""
    size = told.get("statusBarSize") if isinstance(told, dict) else None
    height = size.get("height") if isinstance(size, dict) else None
    return float(height) if isinstance(height, (int, float)) and height > 0 else 0.0


class Apple:
    log_types = ("syslog", "crashlog")

    def __init__(self, connection: Connection, log: DeviceLog, beside: Beside) -> None:
        self._connection = connection
        self._beside = beside
        self._log = log
        self._pids: dict[str, int] = {}

    def info(self) -> DeviceInfo:
        connection, fact = self._connection, self._connection.session.fact
        screen = connection.ask_or({}, "mobile: deviceScreenInfo")
        scale = (number(screen.get("scale")) if isinstance(screen, dict) else 0.0) or 1.0
        size = window_size(connection)
        return DeviceInfo(
            id=fact("udid") or connection.family.platform,
            platform=connection.family.platform,
            model=fact("deviceName") or "Apple device",
            os_version=fact("platformVersion"),
            screen=Screen(
                size=size,
                density=scale,
                scale=scale,
                insets=Insets(0, _status_bar(screen), 0, 0),
                orientation="portrait" if size.height >= size.width else "landscape_left",
            ),
            dp=1.0,
            facts={"driver": "Appium XCUITest", "standard output": _NO_OUTPUT},
        )

    # Apps

    def launch(self, app: str, args: Sequence[str], env: Mapping[str, str]) -> int:
        """What runs already takes neither arguments nor environment, so it is ended first."""
        if self.state(app).state in ("background", "foreground"):
            self.stop(app)
        asked: dict[str, Any] = {"bundleId": app}
        if args:
            asked["arguments"] = list(args)
        if env:
            asked["environment"] = dict(env)
        self._connection.mobile("mobile: launchApp", asked, f"launch {app}", limit=self._connection.limits.app)
        self._beside.came(app)
        started = self._connection.clock.now()
        while not (pid := self._pid_in_front(app)):
            if self._connection.clock.now() - started > _STARTS_S:
                return 0
            self._connection.clock.sleep(_LOOK_S)
        return pid

    def activate(self, app: str) -> None:
        self._connection.mobile(
            "mobile: activateApp", {"bundleId": app}, f"activate {app}", limit=self._connection.limits.app
        )
        self._beside.came(app)

    def stop(self, app: str) -> None:
        self._connection.mobile(
            "mobile: terminateApp", {"bundleId": app}, f"stop {app}", limit=self._connection.limits.app
        )
        self._pids.pop(app, None)
        self._beside.left(app)

    def clear_data(self, app: str) -> None:
        self._connection.mobile("mobile: clearApp", {"bundleId": app}, f"clear the data of {app}")

    def state(self, app: str) -> AppState:
        try:
            told = self._connection.ask("mobile: queryAppState", {"bundleId": app}, f"asking for the state of {app}")
        except ActionRefused:  # the driver has no number for an app that is not installed
            return AppState(app, "not_installed")
        state = _STATES.get(told if isinstance(told, int) else 0, "not_running")
        if state == "not_running":
            self._pids.pop(app, None)
            installed = told != 1 or self._is_installed(app)
            return AppState(app, state if installed else "not_installed")
        if state == "foreground":
            self._pid_in_front(app)
        return AppState(app, state, self._pids.get(app, 0))

    def _is_installed(self, app: str) -> bool:
        try:
            return self._connection.ask("mobile: isAppInstalled", {"bundleId": app}) is not False
        except (ActionRefused, DeviceProblem):
            return True

    def in_front(self) -> str:
        told = self._connection.ask("mobile: activeAppInfo", tried="asking for the app in front")
        return self._beside.in_front_of(str(told.get("bundleId") or "") if isinstance(told, dict) else "")

    def known_pid(self, app: str) -> int:
        return self._pids.get(app, 0)

    def _pid_in_front(self, app: str) -> int:
        pid = self._told_pid(app)
        if not pid and self._beside.may_be_beside(app):
            with self._beside.telling(app):
                pid = self._told_pid(app)
        if pid:
            self._pids[app] = pid
        return pid

    def _told_pid(self, app: str) -> int:
        told = self._connection.ask_or({}, "mobile: activeAppInfo")
        mine = isinstance(told, dict) and told.get("bundleId") == app
        return told["pid"] if mine and isinstance(told.get("pid"), int) else 0

    def set_permission(self, app: str, permission: str, grant: bool) -> None:
        connection, words = self._connection, f"{'grant' if grant else 'revoke'} {permission} of {app}"
        if not is_simulator(connection.session.fact("udid")):
            raise CapabilityMissing(
                f"{connection.channel.device} can't {words}",
                seen="XCUITest sets permissions on a simulator only",
                cure="--apex-permissions=allow or deny answers the dialogs",
            )
        names = SERVICES if permission == "*" else (permission.lower(),)
        access = dict.fromkeys(names, "yes" if grant else "no")
        connection.mobile("mobile: setPermission", {"bundleId": app, "access": access}, words)

    # Keys and turning

    def press(self, key: str, hold_ms: int) -> None:
        connection, words = self._connection, f"press {key}"
        if key in TYPED and connection.family.platform == "ios":
            connection.mobile("mobile: keys", {"keys": [TYPED[key]]}, words)
        elif key in HAND:
            connection.mobile("mobile: performHandGesture", {"name": HAND[key]}, words)
        elif key == "crown":
            connection.mobile("mobile: pressButton", {"name": "home"}, words)
        elif hold_ms and connection.family.platform == "ios":
            if key not in USAGES:
                raise CapabilityMissing(f"{connection.channel.device} can't hold the button {key!r}",
                                        seen=f"it can hold: {', '.join(sorted(USAGES))}")  # fmt: skip
            asked = {"page": _CONSUMER_PAGE, "usage": USAGES[key], "durationSeconds": hold_ms / 1000}
            connection.mobile("mobile: performIoHidEvent", asked, words, lasting_ms=hold_ms)
        else:
            button: dict[str, Any] = {"name": _BUTTONS.get(key, key)}
            if hold_ms:
                button["durationSeconds"] = hold_ms / 1000
            connection.mobile("mobile: pressButton", button, words, lasting_ms=hold_ms)

    def turn(self, name: str) -> None:
        word = _ORIENTATIONS.get(name)
        if word is None:
            raise CapabilityMissing(
                f"{self._connection.channel.device} can't be turned to {name.replace('_', ' ')}",
                seen=f"the driver turns to {', '.join(sorted(_ORIENTATIONS))}",
                cure="one of these",
            )
        self._connection.act("/orientation", {"orientation": word}, f"orientation {name}")
