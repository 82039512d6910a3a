"""What runs on the phone: apps, their processes, permissions, dialogs of the system, the keyboard, the log.

It knows nothing of pixels; `phone.Phone` shows it and touches it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from pytest_apex.phone import parts
from pytest_apex.phone.android_log import AndroidLog
from pytest_apex.phone.apple_log import AppleLog
from pytest_apex.phone.boxes import Scope
from pytest_apex.phone.fault import Elsewhere, Fault, Outage, Stranger
from pytest_apex.phone.links import open_link
from pytest_apex.phone.log import Log, Who
from pytest_apex.phone.packages import FIRST_UID, Packages
from pytest_apex.phone.parts import AppFile, Effect
from pytest_apex.phone.platforms import Platform
from pytest_apex.phone.process import Process
from pytest_apex.phone.shade import Shade, ShownToast
from pytest_apex.phone.stage import SystemDialog, ease
from pytest_apex.phone.timeline import Timeline

#: How long the keyboard takes to come or go.
KEYBOARD_S = 0.25
#: Time without an answer to a touch after which the system tells of it (AOSP: DEFAULT_DISPATCHING_TIMEOUT, 5 s).
ANR_S = 5.0
#: Time after which the watchdog of an iPhone ends an app that does not take an update of its scene (the allowance that
#: its reports name).
WATCHDOG_S = 10.0
#: Traces of a stopped process that come late come after this time.
LATE_S = 1.5
#: How little the system needs an app in the background (`oom_score_adj`; AOSP: CACHED_APP_MIN_ADJ is 900).
CACHED_ADJ = 905


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
        self.packages = Packages(apps)
        self.shade = Shade()
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
        self.online = True
        self.clipboard = ""
        self.files: dict[str, bytes] = {}
        #: Called with the control that somebody else's finger taps.
        self.on_stranger: Callable[[str], None] = lambda _control: None
        self._question: _Question | None = None
        self._keyboard_since = -KEYBOARD_S
        self._random = random.Random(seed)
        self._used_pids: set[int] = set()
        self._processes: dict[str, Process] = {}

    @property
    def _now(self) -> float:
        return self.timeline.now()

    # Apps from outside

    @property
    def apps(self) -> tuple[AppFile, ...]:
        """What is installed."""
        return self.packages.apps

    def launch(self, app_id: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:
        """Start an app, or bring it to the front if it runs; its pid at once."""
        app = self.packages.find(app_id)
        process = self._processes.get(app_id) or self._start(app, args, env)
        self.bring(process)
        return process.pid

    def _start(self, app: AppFile, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> Process:
        packages = self.packages
        stored, saved = packages.stored_for(app), packages.take_saved(app.id)
        process = Process(
            app, self._new_pid(), packages.uid(app.id), self, args=args, env=env, stored=stored, saved=saved
        )  # fmt: skip
        self._processes[app.id] = process
        self.log.started(self._now, process.who)
        process.after(app.launch_ms / 1000, process.begin)
        return process

    def _new_pid(self) -> int:
        """A process id that was never used before."""
        pid = self._random.randrange(2000, 32000)
        while pid in self._used_pids:
            pid = self._random.randrange(2000, 2_000_000)
        self._used_pids.add(pid)
        return pid

    def bring(self, process: Process | None) -> None:
        """To the front; None: the home screen."""
        self.open_shade(False)
        if process is not self.front:
            left, self.front = self.front, process
            self.show_keyboard(False)
            self.version += 1
            seconds = self.fault.ends_in_background
            if left is not None and left.alive and seconds is not None:
                self.timeline.after(seconds, lambda: self._end_unused(left), left)

    def stop(self, app_id: str) -> None:
        """End the app from outside, as `am force-stop` does; nothing happens if it does not run."""
        self.packages.find(app_id)
        self.packages.take_saved(app_id)
        if self.dialog is not None and self.dialog.kind in ("crash", "frozen") and self.dialog.app.id == app_id:
            self.answer("")  # it goes with what it tells of
        process = self._processes.get(app_id)
        if process is None:
            return
        self._end(process)
        self.log.stopped(self._now, process.who)
        if self.fault.late_traces:
            self.timeline.after(LATE_S, lambda: self.log.died(self._now, process.who))

    def _end(self, process: Process) -> None:
        self.packages.ended(process)
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
        self.packages.forget(app_id)

    def kill_in_background(self, app_id: str) -> bool:
        """End an app as the system does when memory is short; it may leave its state for its return. False if it is
        not in the background."""
        process = self._processes.get(app_id)
        if process is None or process is self.front:
            return False
        self.packages.save(process)
        self._end(process)
        self.log.reclaimed(self._now, process.who, CACHED_ADJ)
        return True

    def _end_unused(self, process: Process) -> None:
        if process is not self.front:
            self.kill_in_background(process.app.id)

    def install(self, app: AppFile, *, keep_data: bool = True) -> None:
        """Put an app on the phone, or in the place of the one that is there, which is ended; its data kept or not."""
        if self.packages.has(app.id):
            self.stop(app.id)
            self.shade.drop(app.id)
            if not keep_data:
                self.packages.forget(app.id)
        self.packages.put(self.fault.change_app(app) if self._is_faulty(app) else app)
        self.version += 1

    def _is_faulty(self, app: AppFile) -> bool:
        """Whether the fault that is switched on sits in this app."""
        return app.id == self.fault.app

    def uninstall(self, app_id: str) -> None:
        """Remove an app with all it stored; nothing happens if it is not there."""
        if self.packages.has(app_id):
            self.stop(app_id)
            self.shade.drop(app_id)
            self.packages.remove(app_id)
            self.version += 1

    def open_url(self, url: str, app_id: str = "") -> bool:
        """Open a deep link in the app that has it, the one in front first; False if none does."""
        apps = [app for app in self.apps if not app_id or app.id == app_id]
        apps.sort(key=lambda app: self.front is None or app.id != self.front.app.id)
        for app in apps:
            found = open_link(app, url)
            if found is not None:
                effects, words = found
                process = self._processes.get(app.id) or self._start(app)
                self.bring(process)
                process.run_when_up(effects, Scope(process.scope, words))
                return True
        return False

    def set_online(self, on: bool) -> None:
        self.online = on
        self.version += 1

    # The notification shade

    def open_shade(self, is_open: bool) -> None:
        if is_open != self.shade.open:
            self.shade.open = is_open
            self.show_keyboard(False)
            self.version += 1

    def open_notification(self, number: int) -> None:
        """A tap on a notification: it goes, and its app comes and does what it says."""
        item = self.shade.take(number)
        if item is not None:
            process = self._processes.get(item.app.id) or self._start(self.packages.find(item.app.id))
            self.bring(process)
            process.run_when_up(item.then, process.scope)

    def set_permission(self, app_id: str, permission: str, grant: bool) -> None:
        """Grant or deny; `*` means every permission."""
        self.packages.find(app_id)
        self.packages.set_permission(app_id, permission, grant)

    def app_state(self, app_id: str) -> tuple[str, int]:
        """`not_installed`, `not_running`, `background` or `foreground`, and the pid (0 without a process)."""
        if not self.packages.has(app_id):
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

    def toast_shown(self, process: Process, text: str) -> None:
        self.shade.toasts.append(ShownToast(text, self._now, process.app.id))

    def notify(self, process: Process, title: str, text: str, then: Sequence[Effect]) -> None:
        """Post a notification, unless that was denied to the app."""
        if self.packages.answer(process.app.id, "notifications") is not False:
            self.shade.post(process.app, title, text, tuple(then))
            self.version += 1

    def ask(self, process: Process, effect: parts.Ask, scope: Scope) -> None:
        app = process.app
        answer = self.packages.answer(app.id, effect.permission)
        if answer is not None:
            process.run(effect.then if answer else effect.denied, scope)
            return
        self._question = _Question(process, effect, scope)
        self.dialog = SystemDialog("permission", app, effect.permission)
        self.version += 1

    def open_app(self, process: Process, app_id: str) -> None:
        """Bring another app to the front; one that is not installed crashes who asked for it, as on Android."""
        if self.packages.has(app_id):
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
        who = Who(app.id, app.name, app.activity, self._new_pid(), FIRST_UID + 50)
        if event.kind == "crash":
            self.log.crashed(self._now, who, "java.lang.IllegalStateException", "not attached", "Main")
        else:
            self.log.froze(self._now, who)
        if self.dialog is None:
            self._tell(event.kind, app)

    def hang(self, process: Process) -> None:
        process.blocked_at = self._now
        patience = ANR_S if self.platform.tells_of_crashes else WATCHDOG_S
        self.timeline.after(patience, lambda: self._tell_frozen(process), process)

    def unanswered_touch(self, process: Process) -> None:
        """A frozen app was touched again: the system tells of it again, in a while."""
        if self.dialog is None and not self.timeline.has_plans(process):
            self.timeline.after(ANR_S, lambda: self._tell_frozen(process), process)

    def _tell_frozen(self, process: Process) -> None:
        if self.platform.tells_of_crashes:
            self.log.froze(self._now, process.who)
            if not self.fault.hides_dialogs:
                self._tell("frozen", process.app)
        else:
            self._end(process)
            self.log.killed_frozen(self._now, process.who)

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
        elif isinstance(event, Stranger):
            self.timeline.after(event.after_s, lambda: self.on_stranger(event.control))
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
            self.packages.set_permission(dialog.app.id, dialog.permission, granted)
            if question.process.alive:
                question.process.run(question.effect.then if granted else question.effect.denied, question.scope)
        elif dialog.kind == "frozen" and process is not None and control.endswith("aerr_close"):
            self._end(process)
            self.log.killed_frozen(self._now, process.who)
