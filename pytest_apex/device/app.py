"""The app under test, and other apps of the device."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from pytest_apex.backends.abilities import Backgrounds, Installs, ListsApps
from pytest_apex.device import arguments
from pytest_apex.device.acting import act, guarding, keys, launching
from pytest_apex.device.context import Context
from pytest_apex.device.doors import door
from pytest_apex.device.sealed import Sealed
from pytest_apex.errors import ActionRefused, ConfigError
from pytest_apex.model.action import Receipt
from pytest_apex.model.step import Step

#: How long an app may take to leave the front, or to end, and how often that is looked at.
_LEAVE_S, _LOOK_S = 3.0, 0.1


class AppFacet(Sealed):
    """An app of the device: `device.app` is the one under test, `device.apps["com.example.other"]` another one."""

    def __init__(self, context: Context, app: str = "") -> None:
        self._ctx = context
        self._app = app

    def __repr__(self) -> str:
        return f"<app {self.id or '(none)'}>"

    @property
    def id(self) -> str:
        """Package or bundle id; empty when none is under test."""
        return self._app or self._ctx.watch.app

    # What it is

    @property
    def state(self) -> str:
        """`not_installed`, `not_running`, `background` or `foreground`."""
        self._ctx.read_since_act = True
        return self._ctx.backend.app_state(self._need_id()).state

    @property
    def pid(self) -> int:
        """Process id, 0 without a process."""
        self._ctx.read_since_act = True
        return self._ctx.backend.app_state(self._need_id()).pid

    @property
    def version(self) -> str:
        """The installed version as people read it; empty if it is not installed."""
        installer = door(self._ctx, Installs, "install", "tell versions of apps")
        self._ctx.read_since_act = True
        return installer.app_version(self._need_id())

    @property
    def log(self) -> str:
        """The device's log, secrets masked."""
        self._ctx.read_since_act = True
        return self._ctx.recorder.redactor.text(self._ctx.backend.log().text)

    # Its package

    def install(self, path: str | os.PathLike[str], keep_data: bool = True) -> Step:
        """Install a package, or upgrade the one that is there, its data kept or not. A running app is ended, which is
        the test's own doing; it is not started again.

        `ConfigError` for a file that is not there, or the package of another app. With no app under test, its app is.
        """
        return _install(self._ctx, path, arguments.flag(keep_data, "keep_data="), self.id)

    def uninstall(self) -> Step:
        """Remove it and all that it stored; nothing happens if it is not installed."""
        app, installer = self._need_id(), door(self._ctx, Installs, "install", "uninstall apps")

        def do() -> None:
            self._ctx.watch.stopped(app)
            self._ctx.eyes.through(lambda: installer.uninstall(app))

        return self._send("uninstall", do)

    def clear_data(self) -> Step:
        """Stop it and forget all that it stored."""
        app = self._need_id()
        self._ctx.need("clear_data", "forget what an app stored")

        def do() -> None:
            self._ctx.watch.stopped(app)
            self._ctx.eyes.through(lambda: self._ctx.backend.clear_data(app))

        return self._send("clear_data", do, f"clear the data of {app}")

    # Its life

    def launch(self, *, args: Sequence[str] | None = None, env: Mapping[str, str] | None = None) -> Step:
        """Start it anew (a running one is stopped first) and wait until its own window shows something."""
        return launching.launch(self._ctx, self._need_id(), args, env)

    def stop(self) -> Step:
        """End its processes; that is the test's own doing and never a crash."""
        app = self._need_id()

        def do() -> None:
            self._ctx.watch.stopped(app)
            self._ctx.eyes.through(lambda: self._ctx.backend.stop(app))

        return self._send("stop", do)

    def activate(self) -> Step:
        """Bring it to the front, as it is; started if it does not run."""
        return launching.activate(self._ctx, self._need_id())

    def background(self, seconds: float | None = None) -> Step:
        """Send it to the background by the home key and bring it back after `seconds`; without them it stays there.

        That the system ends it there for its memory is no crash; `ActionRefused` if it does not run.
        """
        app = self._need_id()
        keys.need_key(self._ctx, "home")
        if seconds is not None:
            arguments.seconds(seconds, "background()")
        guarding.of_key(self._ctx, "home", f"{app} in the background")

        def do() -> None:
            _leave(self._ctx, app)
            if seconds is not None:
                self._ctx.backend.clock.sleep(seconds)
                launching.bring(self._ctx, app)

        lasts = f" for {seconds:g} s" if seconds is not None else ""
        return self._send("background", do, f"{app} in the background{lasts}")

    def kill_in_background(self) -> Step:
        """End its process as the system does when memory is short: its task and saved state stay, and `activate()`
        brings it back. An app in front is sent to the background first, by the home key.

        `ActionRefused` if it does not run, or the system keeps it alive.
        """
        app, killer = self._need_id(), door(self._ctx, Backgrounds, "background", "end an app in the background")
        guarding.of_key(self._ctx, "home", f"{app} in the background")

        def do() -> None:
            pid = _leave(self._ctx, app)
            self._ctx.watch.stopped(app)
            killer.kill_in_background(app)
            if not _wait(self._ctx, lambda: self._ctx.backend.app_state(app).pid != pid):
                self._ctx.watch.lives(app, pid)
                raise ActionRefused(
                    f"{app} was not ended in the background",
                    seen=f"pid {pid} still lives",
                    likely="it does something that the system keeps it alive for, such as playing music",
                    cure="end that first, or device.app.stop(), which does not keep its state",
                )

        return self._send("kill_in_background", do, f"kill {app} in the background")

    def _send(self, verb: str, do: Callable[[], None], named: str = "") -> Step:
        return _send(self._ctx, verb, do, named or f"{verb.replace('_', ' ')} {self._need_id()}")

    def _need_id(self) -> str:
        if not self.id:
            raise ConfigError(
                "no app is under test",
                cure='name one: --apex-app ID, apex_app in the ini file, or @pytest.mark.app("ID")',
            )
        return self.id


class AppsFacet(Sealed):
    """All apps of the device: `device.apps["com.example.other"].activate()`, `"com.example.other" in device.apps`."""

    def __init__(self, context: Context) -> None:
        self._ctx = context

    def __repr__(self) -> str:
        return f"<apps of {self._ctx.info.id}>"

    def __getitem__(self, app: str) -> AppFacet:
        return AppFacet(self._ctx, arguments.text(app, "device.apps[…]", empty=False))

    def __contains__(self, app: object) -> bool:
        """Whether it is installed."""
        return isinstance(app, str) and self[app].state != "not_installed"

    def __iter__(self) -> Iterator[str]:
        """Ids of those that are installed, those of the system left out; `CapabilityMissing` where it can't be told."""
        return iter(door(self._ctx, ListsApps, "list_apps", "list its apps").app_ids())

    def install(self, path: str | os.PathLike[str], keep_data: bool = True) -> Step:
        """Install a package of any app."""
        return _install(self._ctx, path, arguments.flag(keep_data, "keep_data="))


def _install(ctx: Context, path: str | os.PathLike[str], keep_data: bool, expected: str = "") -> Step:
    package = Path(arguments.path(path, "install()"))
    installer = door(ctx, Installs, "install", "install apps")
    if not package.is_file():
        raise ConfigError(f"can't install {package}", seen="there is no such file", cure="give the path of a package")

    def do() -> None:
        app = ctx.eyes.through(lambda: installer.install(package, keep_data=keep_data))
        if app == ctx.watch.app:
            ctx.watch.stopped(app)
        elif expected and app != expected:
            raise ConfigError(
                f"{package.name} was installed, but it is another app", seen=f"it is {app}, not {expected}",
                cure=f"device.apps.install(…), or device.apps[{app!r}].install(…)",
            )  # fmt: skip
        elif not ctx.watch.app:
            ctx.watch.under_test(app)

    return _send(ctx, "install", do, f"install {package.name}")


def _leave(ctx: Context, app: str) -> int:
    """Send a running app to the background, if it is not there; its pid."""
    state = ctx.backend.app_state(app)
    if not state.pid:
        raise ActionRefused(
            f"{app} can't be in the background",
            seen=f"it is {state.state.replace('_', ' ')}",
            cure="launch it first: device.launch()",
        )
    if app == ctx.watch.app:
        ctx.watch.sent_away()
    if state.state == "foreground":
        ctx.backend.press("home")
        if not _wait(ctx, lambda: ctx.backend.app_state(app).state != "foreground"):
            raise ActionRefused(
                f"{app} did not leave the front", seen=f"it is still there, {_LEAVE_S:g} s after the home key",
                likely="it keeps people in, as a kiosk does", cure="end that mode first",
            )  # fmt: skip
    return state.pid


def _wait(ctx: Context, holds: Callable[[], bool]) -> bool:
    """Wait a moment for something to hold."""
    clock = ctx.backend.clock
    started = clock.now()
    while not holds():
        if clock.now() - started >= _LEAVE_S:
            return False
        clock.sleep(_LOOK_S)
    return True


def _send(ctx: Context, verb: str, do: Callable[[], None], named: str) -> Step:
    def timed() -> Receipt:
        started = ctx.backend.clock.now()
        do()
        return Receipt(started, ctx.backend.clock.now(), named)

    return act.send(ctx, verb, timed, named=named)
