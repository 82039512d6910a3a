"""Android behind Appium's UiAutomator2 driver.

Appium tells whether an app runs, and not as which process: `mobile: shell` does, where the server was started with
`--allow-insecure=uiautomator2:adb_shell`; else the log does, which has a line for each process that Android starts.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.logs import DeviceLog
from pytest_apex.backends.base import AppState
from pytest_apex.backends.uiautomator2 import turning
from pytest_apex.backends.uiautomator2.intents import ARGUMENTS, extras, start_error
from pytest_apex.backends.uiautomator2.keys import KEYS
from pytest_apex.errors import ActionRefused, CapabilityMissing
from pytest_apex.model.geometry import Size
from pytest_apex.model.screen import DeviceInfo, Screen

#: `mobile: queryAppState` (appium-android-driver `commands/app-management.ts`).
_STATES = {0: "not_installed", 1: "not_running", 2: "background", 3: "background", 4: "foreground"}
_MAIN, _LAUNCHER = "android.intent.action.MAIN", "android.intent.category.LAUNCHER"
#: As a launcher starts apps: `FLAG_ACTIVITY_NEW_TASK | FLAG_ACTIVITY_RESET_TASK_IF_NEEDED`.
_LAUNCHER_FLAGS = "0x10200000"
#: How long a started app's process may take to show, and a stopped one's to go: seconds.
_STARTS_S, _LOOK_S = 5.0, 0.05
_STOPS_MS = 5000


class Android:
    log_types = ("logcat",)

    def __init__(self, connection: Connection, log: DeviceLog) -> None:
        self._connection = connection
        self._log = log
        self._pids: dict[str, int] = {}
        self._components: dict[str, str] = {}
        package, activity = connection.session.fact("appPackage"), connection.session.fact("appActivity")
        if package and activity:
            self._components[package] = f"{package}/{activity}"

    def info(self) -> DeviceInfo:
        connection = self._connection
        told = connection.ask_or({}, "mobile: deviceInfo")
        facts: dict[str, Any] = told if isinstance(told, dict) else {}
        size = window_size(connection)
        density = number(facts.get("displayDensity")) / 160 or 1.0
        rotation, fact = self._rotation(), connection.session.fact
        return DeviceInfo(
            id=fact("udid", "deviceUDID") or "android",
            platform="android",
            model=str(facts.get("model") or fact("deviceModel") or "Android"),
            os_version=str(facts.get("platformVersion") or fact("platformVersion")),
            screen=Screen(
                size=size,
                density=density,
                rotation=rotation,
                orientation=turning.orientation_of(size, rotation),
                locale=str(facts.get("locale") or "en-US").replace("_", "-"),
            ),
            dp=density,
            facts={"driver": "Appium UiAutomator2", "android": _version(facts)},
        )

    # Apps

    def launch(self, app: str, args: Sequence[str], env: Mapping[str, str]) -> int:
        self._pids.pop(app, None)
        self._log.fetch()
        since = self._log.count
        if args or env:
            self._start(app, args, env)
        else:
            self.activate(app)
        started = self._connection.clock.now()
        while not (pid := self._pid(app, since)):
            if self._connection.clock.now() - started > _STARTS_S:
                return 0
            self._connection.clock.sleep(_LOOK_S)
        return pid

    def _start(self, app: str, args: Sequence[str], env: Mapping[str, str]) -> None:
        words, component = extras(args, env), self._component(app)
        # adb joins its words with spaces, and the driver leaves them bare: the phone's shell would read them.
        given = [["s", name, shlex.quote(value)] for name, value in env.items()]
        if args:
            given.append(["sa", ARGUMENTS, shlex.quote(words[-1])])
        told = self._connection.mobile(
            "mobile: startActivity",
            {
                "action": _MAIN,
                "categories": [_LAUNCHER],
                "component": component,
                "flags": _LAUNCHER_FLAGS,
                "extras": given,
            },
            f"launch {app}",
            limit=self._connection.limits.app,
        )
        wrong = start_error(told) if isinstance(told, str) else ""
        if wrong:
            raise ActionRefused(
                f"{app} can't be started",
                seen=wrong,
                likely="it is not installed, or has no activity for a launcher",
                cure="--apex-app-path installs it; adb shell pm list packages tells what there is",
            )

    def _component(self, app: str) -> str:
        """The activity that a launcher would start. Appium's driver finds it itself where it starts an app without
        extras, so the app is started that way once, and ended again."""
        if app not in self._components:
            self.activate(app)
            told = self._connection.ask("mobile: getCurrentActivity", tried=f"asking for the activity of {app}")
            self._components[app] = f"{app}/{told}"
            self.stop(app)
        return self._components[app]

    def activate(self, app: str) -> None:
        self._connection.mobile(
            "mobile: activateApp", {"appId": app}, f"activate {app}", limit=self._connection.limits.app
        )

    def stop(self, app: str) -> None:
        self._connection.mobile("mobile: terminateApp", {"appId": app, "timeout": _STOPS_MS}, f"stop {app}",
                                limit=self._connection.limits.app)  # fmt: skip
        self._pids.pop(app, None)

    def clear_data(self, app: str) -> None:
        self._connection.mobile("mobile: clearApp", {"appId": app}, f"clear the data of {app}",
                                limit=self._connection.limits.app)  # fmt: skip

    def state(self, app: str) -> AppState:
        told = self._connection.ask("mobile: queryAppState", {"appId": app}, f"asking for the state of {app}")
        state = _STATES.get(told if isinstance(told, int) else -1, "not_running")
        return AppState(app, state, self._pid(app) if state in ("background", "foreground") else 0)

    def in_front(self) -> str:
        return str(self._connection.ask("mobile: getCurrentPackage", tried="asking for the app in front") or "")

    def set_permission(self, app: str, permission: str, grant: bool) -> None:
        names: Any = "all" if permission == "*" else [_permission(permission)]
        self._connection.mobile(
            "mobile: changePermissions",
            {"permissions": names, "appPackage": app, "action": "grant" if grant else "revoke"},
            f"permission {permission} of {app}",
        )

    # Processes

    def known_pid(self, app: str) -> int:
        return self._pids.get(app, 0)

    def _pid(self, app: str, since: int = 0) -> int:
        if self._connection.may_shell:
            return self._pid_by_shell(app)
        self._log.fetch()
        started = re.compile(rf"Start proc (\d+):{re.escape(app)}/")
        for line in self._log.lines(since):
            if found := started.search(line):
                self._pids[app] = int(found[1])
        return self._pids.get(app, 0)

    def _pid_by_shell(self, app: str) -> int:
        asked = {"command": "pidof", "args": [app]}
        try:
            told = str(self._connection.ask("mobile: shell", asked, f"asking for the pid of {app}") or "").split()
        except ActionRefused:  # it fails where there is no process
            told = []
        self._pids[app] = int(told[0]) if told and told[0].isdecimal() else 0
        return self._pids[app]

    # Keys and turning

    def press(self, key: str, hold_ms: int) -> None:
        if hold_ms:
            raise CapabilityMissing(
                f"Appium can't hold the key {key!r} for {hold_ms / 1000:g} s",
                seen="mobile: pressKey knows a long press without a time",
                cure="--apex-backend=uiautomator2, or mark the test with gestures('press_hold')",
            )
        self._connection.mobile("mobile: pressKey", {"keycode": KEYS[key]}, f"press {key}")

    def turn(self, name: str) -> None:
        size, rotation = window_size(self._connection), self._rotation()
        wanted = turning.rotation_for(name, size, rotation)
        self._connection.act("/rotation", {"x": 0, "y": 0, "z": wanted * 90}, f"orientation {name}")

    def _rotation(self) -> int:
        try:
            told = self._connection.look("/rotation", "asking for the rotation")
        except (ActionRefused, CapabilityMissing):  # a driver that knows no turning
            return 0
        z = told.get("z", 0) if isinstance(told, dict) else 0
        return int(number(z)) // 90 % 4


def window_size(connection: Connection) -> Size:
    """The window as the driver tells it. Raises `ActionRefused` for one without a size."""
    told = connection.look("/window/rect", "asking for the size of the screen")
    size = Size(number(told.get("width")), number(told.get("height"))) if isinstance(told, dict) else Size(0, 0)
    if size.width <= 0 or size.height <= 0:
        raise ActionRefused(
            f"{connection.channel.device} tells no size of its screen",
            seen=str(told)[:100],
            likely="the session is no native one, or the screen is off",
            cure="appium:automationName UiAutomator2 or XCUITest",
        )
    return size


def number(value: object) -> float:
    """A number that a server told; 0 for what is none, or no finite one."""
    try:
        told = float(str(value))
    except ValueError:
        return 0.0
    return told if isfinite(told) else 0.0


def _version(facts: Mapping[str, Any]) -> str:
    return f"{facts.get('platformVersion', '?')} (API {facts.get('apiVersion', '?')})"


def _permission(name: str) -> str:
    return name if "." in name else f"android.permission.{name.upper()}"
