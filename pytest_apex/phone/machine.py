"""What runs on the phone: apps, their processes, permissions, dialogs of the system, the keyboard, the log.

It knows nothing of pixels; `phone.Phone` shows it and touches it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_apex.errors import ConfigError
from pytest_apex.phone import parts
from pytest_apex.phone.android_log import AndroidLog
from pytest_apex.phone.apple_log import AppleLog
from pytest_apex.phone.boxes import Scope
from pytest_apex.phone.fault import Elsewhere, Fault, Outage
from pytest_apex.phone.log import Log, Who
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.platforms import Platform
from pytest_apex.phone.process import Process
from pytest_apex.phone.stage import SystemDialog, ease
from pytest_apex.phone.timeline import Timeline

#: How long the keyboard takes to come or go.
KEYBOARD_S = 0.25
#: Time without an answer to a touch after which the system tells of it (AOSP: DEFAULT_DISPATCHING_TIMEOUT, 5 s).
ANR_S = 5.0
#: Traces of a stopped process that come late come after this time.
LATE_S = 1.5
_FIRST_UID = 10123


@dataclass(slots=True)
class Driver:
    """The program on the phone that looks and touches for the tools. `lasts`: once dead, it can't be started again."""

    alive: bool = True
    lasts: bool = False


@dataclass(frozen=True, slots=True)
class _Question:
    """A permission that is being asked for."""

    process: Process
    effect: parts.Ask
    scope: Scope


class Machine:
    """Processes and system of one phone. `version` grows with every change of its own that may show."""

    def __init__(self, apps: Sequence[AppFile], platform: Platform, fault: Fault, seed: int) -> None:
        self.apps = tuple(apps)
        self.platform = platform
        self.fault = fault
        self.timeline = Timeline()
        self.log: Log = AppleLog() if platform.points else AndroidLog()
        self.connected = True
        self.driver = Driver()
        self.front: Process | None = None
        self.dialog: SystemDialog | None = None
        self.keyboard_up = False
        self.awake = True
        self.version = 0
        self._question: _Question | None = None
        self._keyboard_since = -KEYBOARD_S
        self._random = random.Random(seed)
        self._used_pids: set[int] = set()
        self._processes: dict[str, Process] = {}
        self._permissions: dict[tuple[str, str], bool] = {}
        self._stored: dict[str, dict[str, Any]] = {}

    @property
    def _now(self) -> float:
        return self.timeline.now()

    # Apps from outside

    def find_app(self, app_id: str) -> AppFile:
        for app in self.apps:
            if app.id == app_id:
                return app
        raise ConfigError(
            f"the app {app_id!r} is not installed on the built-in phone",
            seen=f"installed: {', '.join(app.id for app in self.apps)}",
            cure="name one of them, or add its app file: --device='virtual?with=APP.yaml'",
        )

    def launch(self, app_id: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:
        """Start an app, or bring it to the front if it runs; its pid at once."""
        app = self.find_app(app_id)
        process = self._processes.get(app_id)
        if process is None:
            uid = _FIRST_UID + self.apps.index(app)
            stored = self._stored.get(app_id)
            process = Process(app, self._new_pid(), uid, self, args=args, env=env, stored=stored)
            self._processes[app_id] = process
            self.log.started(self._now, process.who)
            process.after(app.launch_ms / 1000, process.begin)
        self.bring(process)
        return process.pid

    def _new_pid(self) -> int:
        """A process id that was never used before."""
        pid = self._random.randrange(2000, 32000)
        while pid in self._used_pids:
            pid = self._random.randrange(2000, 2_000_000)
        self._used_pids.add(pid)
        return pid

    def bring(self, process: Process | None) -> None:
        """To the front; None: the home screen."""
        if process is not self.front:
            self.front = process
            self.show_keyboard(False)
            self.version += 1

    def stop(self, app_id: str) -> None:
        """End the app from outside, as `am force-stop` does; nothing happens if it does not run."""
        self.find_app(app_id)
        process = self._processes.get(app_id)
        if process is None:
            return
        self._end(process)
        self.log.stopped(self._now, process.who)
        if self.fault.late_traces:
            self.timeline.after(LATE_S, lambda: self.log.died(self._now, process.who))

    def _end(self, process: Process) -> None:
        self._stored[process.app.id] = process.stored
        process.end()
        del self._processes[process.app.id]
        if self.dialog is not None and self.dialog.app is process.app:
            self.dialog = self._question = None
        if self.front is process:
            self.bring(None)
        self.version += 1

    def clear_data(self, app_id: str) -> None:
        """Stop the app and forget its stored variables and permissions."""
        self.stop(app_id)
        self._stored.pop(app_id, None)
        self._permissions = {key: value for key, value in self._permissions.items() if key[0] != app_id}

    def set_permission(self, app_id: str, permission: str, grant: bool) -> None:
        """Grant or deny; `*` means every permission."""
        self.find_app(app_id)
        if permission == "*":
            self._permissions = {key: value for key, value in self._permissions.items() if key[0] != app_id}
        self._permissions[app_id, permission] = grant

    def app_state(self, app_id: str) -> tuple[str, int]:
        """`not_installed`, `not_running`, `background` or `foreground`, and the pid (0 without a process)."""
        if all(app.id != app_id for app in self.apps):
            return "not_installed", 0
        process = self._processes.get(app_id)
        if process is None:
            return "not_running", 0
        return ("foreground" if process is self.front else "background"), process.pid

    # What processes ask for (`process.Host`)

    def write_log(self, process: Process, level: str, tag: str, text: str) -> None:
        self.log.write(self._now, process.who, level, tag, text)

    def shown(self, process: Process) -> None:
        self.log.shown(self._now, process.who, (self._now - process.started) * 1000)

    def ask(self, process: Process, effect: parts.Ask, scope: Scope) -> None:
        app = process.app
        answer = self._permissions.get((app.id, effect.permission), self._permissions.get((app.id, "*")))
        if answer is not None:
            process.run(effect.then if answer else effect.denied, scope)
            return
        self._question = _Question(process, effect, scope)
        self.dialog = SystemDialog("permission", app, effect.permission)
        self.version += 1

    def open_app(self, process: Process, app_id: str) -> None:
        """Bring another app to the front; one that is not installed crashes who asked for it, as on Android."""
        if any(app.id == app_id for app in self.apps):
            self.launch(app_id)
        else:
            self.crash(process, "android.content.ActivityNotFoundException", f"No Activity found to handle {app_id}")

    def crash(self, process: Process, exception: str, message: str) -> None:
        app, page = process.app, process.page
        screen = f"{(page.part.name if page else 'main').title().replace('_', '')}Screen"
        self._end(process)
        self.log.crashed(self._now, process.who, exception, message, screen)
        self._tell("crash", app)

    def fatal_signal(self, process: Process) -> None:
        self._end(process)
        self.log.signalled(self._now, process.who)
        self._tell("crash", process.app)

    def reclaim(self, process: Process) -> None:
        """The system takes the memory of a process: it is gone without a word on the screen."""
        adj = 0 if process is self.front else 900
        self._end(process)
        self.log.reclaimed(self._now, process.who, adj)

    def _tell(self, kind: str, app: AppFile) -> None:
        """A dialog of the system, where it has any."""
        if self.platform.tells_of_crashes:
            self.dialog = SystemDialog(kind, app)
            self.version += 1

    def trouble_elsewhere(self, event: Elsewhere) -> None:
        """Another app crashes or freezes in the background."""
        app = AppFile(event.app, event.name, "1.0", "", {})
        who = Who(app.id, app.name, app.activity, self._new_pid(), _FIRST_UID + 50)
        if event.kind == "crash":
            self.log.crashed(self._now, who, "java.lang.IllegalStateException", "not attached", "Main")
        else:
            self.log.froze(self._now, who)
        if self.dialog is None:
            self._tell(event.kind, app)

    def hang(self, process: Process) -> None:
        process.blocked_at = self._now
        self.timeline.after(ANR_S, lambda: self._tell_frozen(process), process)

    def unanswered_touch(self, process: Process) -> None:
        """A frozen app was touched again: the system tells of it again, in a while."""
        if self.dialog is None and not self.timeline.has_plans(process):
            self.timeline.after(ANR_S, lambda: self._tell_frozen(process), process)

    def _tell_frozen(self, process: Process) -> None:
        if self.platform.tells_of_crashes:
            self.log.froze(self._now, process.who)
            if not self.fault.hides_dialogs:
                self._tell("frozen", process.app)

    def exit(self, process: Process, status: int) -> None:
        self._end(process)
        self.log.exited(self._now, process.who, status)

    def leave(self, process: Process) -> None:
        if self.front is process:
            self.bring(None)

    def screen_opened(self, screen: str) -> None:
        event = self.fault.screen_opened(screen)
        if isinstance(event, Elsewhere):
            self.timeline.after(event.after_s, lambda: self.trouble_elsewhere(event))
        elif event is not None:
            self._disconnect(event)

    def _disconnect(self, outage: Outage) -> None:
        if outage.driver:
            self.driver = Driver(alive=False, lasts=outage.seconds is None)
            return
        self.connected = False
        if outage.seconds is not None:
            self.timeline.after(outage.seconds, self._reconnect)

    def _reconnect(self) -> None:
        self.connected = True

    def focus_changed(self, process: Process) -> None:
        self.show_keyboard(bool(process.focus) and process is self.front)

    # Power, keyboard and dialogs

    def set_awake(self, awake: bool) -> None:
        """Switch the screen on or off. What runs goes on."""
        self.awake = awake
        self.version += 1

    def show_keyboard(self, up: bool) -> None:
        if up != self.keyboard_up and self.platform.keyboard:
            self.keyboard_up = up
            self._keyboard_since = self._now

    @property
    def keyboard_share(self) -> float:
        """How much of the keyboard is up, 0 to 1."""
        share = ease((self._now - self._keyboard_since) / KEYBOARD_S)
        return share if self.keyboard_up else 1.0 - share

    def answer(self, control: str) -> None:
        """A button of the system's dialog was tapped, by its id; "" leaves the dialog."""
        dialog, question = self.dialog, self._question
        self.dialog = self._question = None
        self.version += 1
        if dialog is None:
            return
        process = self._processes.get(dialog.app.id)
        if question is not None:
            granted = control.endswith("allow_button") or control == "allow"
            self._permissions[dialog.app.id, dialog.permission] = granted
            if question.process.alive:
                question.process.run(question.effect.then if granted else question.effect.denied, question.scope)
        elif dialog.kind == "frozen" and process is not None and control.endswith("aerr_close"):
            self._end(process)
            self.log.killed_frozen(self._now, process.who)
