"""Apps on the phone: started, stopped, asked about, put on and taken off."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from pytest_apex.backends.abilities import Progress
from pytest_apex.backends.base import AppState
from pytest_apex.backends.uiautomator2 import apk, front, helper, intents
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.install_errors import refused
from pytest_apex.backends.uiautomator2.system import unlock
from pytest_apex.clock import Clock
from pytest_apex.errors import ActionRefused, ConfigError, DriverDead, StorageFull

_STAGED = "/data/local/tmp/apex-install.apk"
_VERSION = re.compile(r"versionName=(\S+)")
_RUNTIME = re.compile(r"^\s+([\w.]+): granted=(true|false)(?:, flags=\[([^\]]*)\])?", re.MULTILINE)
_NAME = re.compile(r"[A-Za-z]\w*(?:\.\w+)+")
#: How long a process may take to appear after it was asked for, and how often to look.
_APPEARS_S, _LOOK_S = 10.0, 0.05


class Apps:
    def __init__(self, phone: Handset, clock: Clock, sdk: int) -> None:
        self._phone = phone
        self._clock = clock
        self._ask_front = front.ask_front(sdk)
        self._components: dict[str, str] = {}
        self._versions: dict[str, str] = {}
        self._pids: dict[str, int] = {}

    # Started and stopped

    def launch(self, app: str, args: Sequence[str], env: Mapping[str, str] | None) -> int:
        """Start it; its pid as soon as it has one. Raises `ActionRefused` when Android does not start it, and
        `ScreenLocked`."""
        self._start(app, args, env)
        started = self._clock.now()
        while self._clock.now() - started < _APPEARS_S:
            pid = self.pid(app)
            if pid:
                return pid
            self._clock.sleep(_LOOK_S)
        return 0  # it ended before it could be seen, and its records tell why

    def activate(self, app: str) -> None:
        self._start(app, (), None)

    def _start(self, app: str, args: Sequence[str], env: Mapping[str, str] | None) -> None:
        component = self._component(app)
        unlock(self._phone, self._clock)  # else it runs behind the lock screen, and nothing tells why it is not seen
        told = self._phone.run(intents.start_command(component, args, env))
        wrong = intents.start_error(told.text) or ("" if not told.code else told.text.strip())
        if wrong:
            self._components.pop(app, None)
            raise ActionRefused(
                f"Android does not start {app}",
                seen=wrong,
                likely="its activity is not exported, or it was just replaced",
                cure=f"try it by hand: adb shell am start -n {component}",
            )

    def _component(self, app: str) -> str:
        found = self._components.get(app, "")
        if not found:
            found = intents.read_component(self._phone.run(intents.ask_component(_checked(app))).text)
            if not found:
                installed = self._is_installed(app)
                raise ActionRefused(
                    f"can't start the app {app}",
                    seen="it has no activity that a launcher could start" if installed else "it is not installed",
                    likely="it has no icon, or is disabled" if installed else "another id, or another phone",
                    cure="adb shell pm list packages shows all ids" if not installed else "name an app with an icon",
                )
            self._components[app] = found
        return found

    def stop(self, app: str) -> None:
        self._phone.run(f"am force-stop {_checked(app)}")
        self._pids.pop(app, None)

    def kill(self, app: str) -> None:
        """As the system does to an app in the background: its task stays."""
        self._phone.run(f"am kill {_checked(app)}")
        self._pids.pop(app, None)

    def clear_data(self, app: str) -> None:
        told = self._phone.run(f"pm clear {_checked(app)}")
        self._pids.pop(app, None)
        if "Success" not in told.text:
            raise ActionRefused(
                f"Android does not clear the data of {app}",
                seen=told.text.strip() or "it said nothing",
                likely="it is not installed, or protected by the phone's owner",
                cure="adb shell pm list packages shows all ids",
            )

    # Asked about

    def pid(self, app: str) -> int:
        return self._remember(app, self._phone.run(f"pidof {_checked(app)}").text)

    def state(self, app: str) -> AppState:
        told = self._phone.ask([f"pidof {_checked(app)}", self._ask_front])
        pid = self._remember(app, told[0].text)
        if pid:
            seen = front.read_front(told[1].text)
            return AppState(app, "foreground" if app in (seen.app, seen.under) else "background", pid)
        return AppState(app, "not_running" if self._is_installed(app) else "not_installed", 0)

    def in_front(self) -> str:
        """Id of the app in front; that of a system dialog's owner where one lies over it."""
        seen = front.read_front(self._phone.ask([self._ask_front])[0].text)
        return seen.app or seen.under

    def ids(self) -> list[str]:
        """Ids of what was installed on the phone, its own apps left out."""
        told = self._phone.run("pm list packages -3").text
        return sorted(
            line.removeprefix("package:").strip() for line in told.splitlines() if line.startswith("package:")
        )

    def known_pid(self, app: str) -> int:
        """The pid as it was last seen; asked for when it never was."""
        if app and _NAME.fullmatch(app) and app not in self._pids:
            self.pid(app)
        return self._pids.get(app, 0)

    def version(self, app: str) -> str:
        if app not in self._versions and _NAME.fullmatch(app):
            found = _VERSION.search(self._phone.run(f"dumpsys package {_checked(app)}").text)
            self._versions[app] = found[1] if found is not None and found[1] != "null" else ""
        return self._versions.get(app, "")

    def forget(self) -> None:
        """What was seen of processes and packages: the phone may have started anew."""
        self._pids.clear()
        self._components.clear()
        self._versions.clear()

    def _remember(self, app: str, told: str) -> int:
        words = told.split()
        pid = int(words[0]) if words and words[0].isdecimal() else 0
        self._pids[app] = pid
        return pid

    def _is_installed(self, app: str) -> bool:
        return "package:" in self._phone.run(f"pm path {_checked(app)}").text

    # Permissions

    def set_permission(self, app: str, permission: str, grant: bool) -> None:
        """Grant or revoke; a bare name is one of `android.permission`. `*`: all that it asks for and a user decides."""
        _checked(app)
        names = [permission if "." in permission else f"android.permission.{permission.upper()}"]
        if permission == "*":
            names = permissions_of(self._phone.run(f"dumpsys package {app}").text)
            if not names:
                return
        verb = "grant" if grant else "revoke"
        commands = [f"pm {verb} {app} {shlex.quote(name)}" for name in names]
        for name, answer in zip(names, self._phone.ask(commands), strict=True):
            wrong = _permission_error(answer.text)
            if wrong and permission != "*":
                raise ActionRefused(
                    f"Android does not {verb} {name} to {app}",
                    seen=wrong,
                    likely="the app does not ask for it in its manifest, or no user can decide it",
                    cure=f"adb shell dumpsys package {app} lists what it asks for",
                )

    def permissions(self, app: str) -> Mapping[str, bool]:
        """What was granted or denied so far."""
        return decided_permissions(self._phone.run(f"dumpsys package {_checked(app)}").text)

    def restore_permissions(self, app: str, before: Mapping[str, bool]) -> None:
        """As they were; what nobody had answered is asked for again."""
        dump = self._phone.run(f"dumpsys package {_checked(app)}").text
        now, commands = decided_permissions(dump), []
        for name in permissions_of(dump):
            if now.get(name) == before.get(name):
                continue
            commands.append(f"pm {'grant' if before.get(name) else 'revoke'} {app} {shlex.quote(name)}")
            if name not in before:
                commands.append(f"pm clear-permission-flags {app} {shlex.quote(name)} user-set user-fixed")
        if commands:
            self._phone.ask(commands)

    # Put on and taken off

    def install(self, package: Path, keep_data: bool, progress: Progress | None) -> str:
        app = apk.app_id(package)
        if not keep_data and self._is_installed(app):
            self.uninstall(app)
        try:
            with package.open("rb") as file:
                self._phone.push(file, package.stat().st_size, _STAGED, progress)
            told = self._phone.run(f"pm install -r -t {_STAGED}", self._phone.limits.install)
        except (ActionRefused, StorageFull, DriverDead):  # a part of it would take the room that is missing
            self._phone.run(f"rm -f {_STAGED}")
            raise
        self._phone.run(f"rm -f {_STAGED}")
        self.forget()
        if "Success" not in told.text:
            raise refused(f"Android does not install {package.name} ({app})", told.text)
        return app

    def uninstall(self, app: str) -> None:
        if not self._is_installed(app):
            return
        told = self._phone.run(f"pm uninstall {_checked(app)}", self._phone.limits.install)
        self.forget()
        if "Success" not in told.text:
            raise refused(f"Android does not uninstall {app}", told.text)

    def installed_digest(self, app: str) -> str:
        path = self._phone.run(f"pm path {_checked(app)}").line.removeprefix("package:").strip()
        if not path:
            return ""
        told = self._phone.run(f"md5sum {shlex.quote(path)}")
        digest = told.text.partition(" ")[0].strip()
        return digest if not told.code and re.fullmatch(r"[0-9a-f]{32}", digest) else ""

    def package_digest(self, package: Path) -> str:
        try:
            return helper.digest(package)
        except OSError as error:
            raise ConfigError(
                f"can't read the package {package}", seen=error.strerror or str(error), cure="name another file"
            ) from error


def permissions_of(dump: str) -> list[str]:
    """The permissions that a user decides, from `dumpsys package`: those listed as granted or not at run time."""
    return [name for name, _, _ in _runtime(dump)]


def decided_permissions(dump: str) -> dict[str, bool]:
    """Those of them that were granted or denied; what was never answered has no flag of the user's."""
    return {name: given for name, given, flags in _runtime(dump) if given or "USER_SET" in flags or "FIXED" in flags}


def _runtime(dump: str) -> list[tuple[str, bool, str]]:
    found: dict[str, tuple[str, bool, str]] = {}
    for name, given, flags in _RUNTIME.findall(dump.partition("runtime permissions:")[2]):
        found.setdefault(name, (name, given == "true", flags))
    return list(found.values())


def _permission_error(text: str) -> str:
    """`pm grant` says nothing when it worked."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    named = [line for line in lines if "Exception" in line or line.startswith(("Error", "Unknown", "Bad"))]
    return named[-1] if named else ""


def _checked(app: str) -> str:
    """An id that may stand in a command line. Raises `ConfigError`."""
    if not _NAME.fullmatch(app):
        raise ConfigError(
            f"{app!r} is no application id",
            seen="Android's ids are letters, digits and _, in parts joined by dots",
            cure="com.example.notes, for instance",
        )
    return app
