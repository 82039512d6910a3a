"""The phone itself: apps, processes, windows, touches and time."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_apex.errors import CapabilityMissing, ConfigError
from pytest_apex.marked_yaml import nearest
from pytest_apex.model.action import Track
from pytest_apex.model.geometry import Insets, Size
from pytest_apex.model.screen import ORIENTATIONS, Screen
from pytest_apex.model.snapshot import AppInFront, Tree
from pytest_apex.phone import parts
from pytest_apex.phone.faults import KNOWN_FAULTS, Fault, placed
from pytest_apex.phone.hand import Hand
from pytest_apex.phone.layout import Box, Scope
from pytest_apex.phone.log import Log, moment
from pytest_apex.phone.parts import AppFile, Place
from pytest_apex.phone.platforms import PLATFORMS, Platform
from pytest_apex.phone.process import Process
from pytest_apex.phone.stage import FRAMES_PER_S, Owners, Shown, Stage, SystemDialog, ease
from pytest_apex.phone.surface import Surface, TreeWriter
from pytest_apex.phone.system import Glass
from pytest_apex.phone.timeline import Timeline
from pytest_apex.vision.canvas import Display, DrawnPicture, Renderer

#: How long the keyboard takes to come or go.
KEYBOARD_S = 0.25
#: Time without an answer to a touch after which the system tells of it (Android: 5 s for input).
ANR_S = 5.0
_KEYSTROKE_S = 0.03
_FIRST_UID = 10123


@dataclass(frozen=True, slots=True)
class _Pending:
    """A permission that is being asked for."""

    process: Process
    effect: parts.Ask
    scope: Scope


def _install(apps: Sequence[AppFile], name: str | None) -> tuple[list[AppFile], Fault]:
    """The apps as the fault changes them, and the fault."""
    if name is None:
        return list(apps), Fault(Place())
    if name not in KNOWN_FAULTS:
        raise ConfigError(
            f"unknown fault {name!r}",
            seen=f"known faults: {', '.join(sorted(KNOWN_FAULTS))}",
            cure=f"fault=NAME with one of them{nearest(name, KNOWN_FAULTS).partition(';')[2]}",
        )
    for app in apps:
        if name in app.faults:
            fault = KNOWN_FAULTS[name].make(app.faults[name])
            return [fault.change_app(item) if item is app else item for item in apps], fault
    files = ", ".join(app.file or app.id for app in apps)
    raise ConfigError(
        f"the fault {name!r} has no place in {files}",
        seen="placed there: " + "; ".join(placed(app.faults) for app in apps),
        cure=f"say where it sits: `faults: {{{name}: {{…}}}}` in the app file",
    )


class Phone:
    """A phone with some apps installed. Nothing happens but in its own time (`clock`).

    `fault` is the name of a fault that an app file places. The same seed gives the same process ids, and with the same
    calls the same pictures, trees and log, byte for byte. Raises `ConfigError` for an unknown platform or fault.
    """

    def __init__(
        self, apps: Sequence[AppFile], *, platform: str = "android", fault: str | None = None, seed: int = 0
    ) -> None:
        if platform not in PLATFORMS:
            raise ConfigError(f"unknown platform {platform!r}", cure=f"one of {', '.join(PLATFORMS)}")
        if not apps:
            raise ConfigError("a phone without an app", cure="give at least one app file")
        self.platform: Platform = PLATFORMS[platform]
        self.timeline = Timeline()
        self.log = Log()
        self.renderer = Renderer()
        self.connected = True
        self.apps, self.fault = _install(apps, fault)
        self.orientation = "portrait"
        self._random = random.Random(seed)
        self._used_pids: set[int] = set()
        self._processes: dict[str, Process] = {}
        self._front: Process | None = None
        self._dialog: SystemDialog | None = None
        self._pending: _Pending | None = None
        self._permissions: dict[tuple[str, str], bool] = {}
        self._stored: dict[str, dict[str, Any]] = {}
        self._keyboard_up = False
        self._keyboard_since = -KEYBOARD_S
        self._version = 0
        self._hand = Hand(self)
        self._size = self.platform.screen(self.apps[0].size)
        self._stage = self._make_stage()
        self._scene: tuple[tuple[Any, ...], list[Surface]] = ((), [])
        self._tree: tuple[list[Surface], Tree] | None = None
        self._display: tuple[tuple[Any, ...], list[Surface], Display] | None = None

    @property
    def clock(self) -> Timeline:
        return self.timeline

    # What is on the screen

    def _make_stage(self) -> Stage:
        width, height = self._size.width, self._size.height
        if self.orientation.startswith("landscape"):
            width, height = height, width
        hand = self._hand
        owners = Owners(hand.on_app, hand.on_dialog, hand.on_launcher, hand.on_key, lambda _touched, _gesture: None)
        return Stage(Glass(self.platform, width, height, self._size.density), self.apps, owners)

    @property
    def stage(self) -> Stage:
        return self._stage

    @property
    def unit(self) -> float:
        """Pixels of the picture a unit of the tree."""
        return self._size.density if self.platform.points else 1.0

    def screen(self) -> Screen:
        """The screen as the tree measures it."""
        glass, unit = self._stage.glass, self.unit
        top, bottom = self.platform.bars
        by = 1.0 if self.platform.points else glass.density
        rotation = {"portrait": 0, "landscape_left": 90, "portrait_upside_down": 180, "landscape_right": 270}
        return Screen(
            size=Size(glass.width / unit, glass.height / unit),
            density=glass.density,
            scale=unit,
            rotation=rotation.get(self.orientation, 0),
            insets=Insets(0, top * by, 0, bottom * by),
            orientation=self.orientation,
        )

    @property
    def keyboard_share(self) -> float:
        """How much of the keyboard is up, 0 to 1."""
        if not self.platform.keyboard:
            return 0.0
        share = ease((self.timeline.now() - self._keyboard_since) / KEYBOARD_S)
        return share if self._keyboard_up else 1.0 - share

    def surfaces(self) -> list[Surface]:
        """The windows on the screen, bottom to top; the same objects while nothing changes."""
        key = self._scene_key()
        if key != self._scene[0]:
            clock = f"{moment(self.timeline.now()):%H:%M}"
            shown = Shown(self._front, self._dialog, self.keyboard_share, clock)
            self._scene = (key, self._stage.surfaces(shown))
        return self._scene[1]

    def _scene_key(self) -> tuple[Any, ...]:
        """Equal keys: equal windows."""
        now, front = self.timeline.now(), self._front
        frame = second = 0
        if front is not None and front.page is not None:
            moving = front.transition or front.fling or _slides(front.page.part.controls)
            frame = int(front.now() * FRAMES_PER_S) if moving else 0
            second = int(front.now()) if front.page.part.ticks else 0
        keyboard = round(self.keyboard_share, 3)
        return self._version, front and front.pid, front and front.version, frame, second, keyboard, int(now // 60)

    def changed(self) -> None:
        self._version += 1

    def tree(self) -> Tree:
        """The hierarchy of all windows at this moment."""
        surfaces = self.surfaces()
        if self._tree is None or self._tree[0] is not surfaces:
            writer = TreeWriter(self.platform, self.unit)
            for surface in surfaces:
                if surface.in_tree:
                    writer.add(surface)
            self._tree = (surfaces, writer.build().build())
        return self.fault.see_tree(self._tree[1], self.screen().bounds)

    def frame(self) -> DrawnPicture:
        """The picture at this moment; drawn when its pixels are asked for."""
        surfaces, glass = self.surfaces(), self._stage.glass
        spins = any(_spins(surface.boxes) for surface in surfaces)
        front = self._front
        now = front.now() if front is not None else self.timeline.now()
        frame = int(now * FRAMES_PER_S) if spins else 0
        if self._display is None or self._display[1] is not surfaces or self._display[0] != (frame,):
            screen = (0, 0, glass.width, glass.height)
            stamps = [stamp for surface in surfaces for stamp in surface.stamps(glass.density, frame, screen)]
            self._display = ((frame,), surfaces, tuple(stamps))
        return self.renderer.picture(self._display[2], (glass.width, glass.height))

    def in_front(self) -> AppInFront:
        """The app that owns the window in front: that of a dialog of the system, else the app, else the home screen."""
        if self._dialog is not None:
            package = self.platform.permissions_app if self._dialog.kind == "permission" else self.platform.system
            return AppInFront(package)
        front = self._front
        if front is None:
            return AppInFront(self.platform.launcher, label="Home")
        return AppInFront(
            front.app.id, front.pid, front.app.name, f"{front.app.id}/{front.app.activity}", front.app.version
        )

    # Input

    def touch(self, track: Track) -> None:
        """Play a gesture, sample by sample, in the phone's time; ends when the last finger is up."""
        self._need("tap")
        self._hand.play(track)

    @property
    def focused_field(self) -> Box | None:
        """The text field that typing goes to."""
        front = self._front
        if front is None or not front.focus or self._dialog is not None or front.blocked_at is not None:
            return None
        boxes = self._stage.page(front)
        waiting = [boxes] if boxes is not None else []
        while waiting:
            box = waiting.pop()
            if box.key == front.focus:
                return box
            waiting.extend(box.children)
        return None

    def type_text(self, text: str) -> bool:
        """Type into the focused field, a keystroke at a time; False if there is none (nothing was typed)."""
        self._need("type")
        if self.focused_field is None:
            return False
        for letter in text:
            self.timeline.sleep(_KEYSTROKE_S)
            field = self.focused_field
            if field is not None and self._front is not None:
                name = field.control.bind
                self._front.set_value(name, f"{self._front.value(name) or ''}{letter}")
        return True

    def clear_text(self) -> bool:
        """Empty the focused field; False if there is none."""
        self._need("type")
        field, front = self.focused_field, self._front
        if field is None or front is None:
            return False
        self.timeline.sleep(_KEYSTROKE_S)
        front.set_value(field.control.bind, "")
        return True

    def press(self, key: str, hold_ms: float = 0) -> None:
        """Press a key of the device; raises `CapabilityMissing` for one that it has not."""
        if key not in self.platform.keys:
            raise CapabilityMissing(
                f"this {self.platform.name} device has no key {key!r}",
                cure=f"it has {', '.join(sorted(self.platform.keys))}",
            )
        self.timeline.sleep(max(hold_ms, 50) / 1000)
        self._hand.press(key)

    def rotate(self, name: str) -> None:
        """Turn the device; lying flat changes nothing on the screen."""
        self._need("orientation")
        if name not in ORIENTATIONS:
            raise ConfigError(f"unknown orientation {name!r}", cure=f"one of {', '.join(ORIENTATIONS)}")
        if name not in ("face_up", "face_down") and name != self.orientation:
            self.orientation = name
            if self._front is not None:
                self._front.transition = self._front.fling = None
            self._stage = self._make_stage()
            self.changed()
        self.timeline.sleep(0.3)

    def _need(self, capability: str) -> None:
        if capability not in self.platform.capabilities:
            raise CapabilityMissing(
                f"a {self.platform.name} device can't do {capability!r}",
                cure=f"it can {', '.join(sorted(self.platform.capabilities))}",
            )

    # Apps

    def find_app(self, app_id: str) -> AppFile:
        for app in self.apps:
            if app.id == app_id:
                return app
        raise ConfigError(
            f"the app {app_id!r} is not installed", seen=f"installed: {', '.join(app.id for app in self.apps)}"
        )

    def launch(self, app_id: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:
        """Start an app, or bring it to the front if it runs; returns its pid at once."""
        app = self.find_app(app_id)
        running = self._processes.get(app_id)
        if running is not None:
            self._bring(running)
            return running.pid
        process = Process(
            app, self._new_pid(), self._uid(app), self, args=args, env=env, stored=self._stored.get(app_id)
        )
        process.before_page = lambda: self._stage.page(process)
        self._processes[app_id] = process
        self.log.started(self.timeline.now(), app.id, app.activity, process.pid, process.uid)
        self._bring(process)
        process.after(app.launch_ms / 1000, lambda: self._first_window(process))
        return process.pid

    def _first_window(self, process: Process) -> None:
        app, now = process.app, self.timeline.now()
        self.log.shown(now, app.id, app.activity, (now - process.started) * 1000)
        process.begin()

    def _uid(self, app: AppFile) -> int:
        return _FIRST_UID + self.apps.index(app)

    def _new_pid(self) -> int:
        pid = self._random.randrange(2000, 32000)
        while pid in self._used_pids:
            pid = self._random.randrange(2000, 32000)
        self._used_pids.add(pid)
        return pid

    def _bring(self, process: Process | None) -> None:
        if process is not self._front:
            self._front = process
            self._show_keyboard(False)
            self.changed()

    def activate(self, app_id: str) -> None:
        self.launch(app_id)

    def stop(self, app_id: str) -> None:
        """End the app from outside, as `am force-stop` does; nothing happens if it does not run."""
        self.find_app(app_id)
        process = self._processes.get(app_id)
        if process is None:
            return
        self._end(process)
        self.log.stopped(self.timeline.now(), app_id, process.pid, process.uid)
        self.fault.app_stopped(self, app_id, process.pid)

    def _end(self, process: Process) -> None:
        self._stored[process.app.id] = process.stored
        process.end()
        del self._processes[process.app.id]
        if self._dialog is not None and self._dialog.app is process.app:
            self._dialog = self._pending = None
        if self._front is process:
            self._bring(None)
        self.changed()

    def clear_data(self, app_id: str) -> None:
        """Stop the app and forget its stored variables and permissions."""
        self.stop(app_id)
        self._stored.pop(app_id, None)
        self._permissions = {key: value for key, value in self._permissions.items() if key[0] != app_id}

    def set_permission(self, app_id: str, permission: str, grant: bool) -> None:
        """Grant or deny; `*` means every permission."""
        self.find_app(app_id)
        self._permissions[app_id, permission] = grant

    def app_state(self, app_id: str) -> tuple[str, int]:
        """`not_installed`, `not_running`, `background` or `foreground`, and the pid (0 without a process)."""
        if all(app.id != app_id for app in self.apps):
            return "not_installed", 0
        process = self._processes.get(app_id)
        if process is None:
            return "not_running", 0
        return ("foreground" if process is self._front else "background"), process.pid

    def log_text(self, since: float = 0.0) -> str:
        """The log from a time on, as `logcat -b all -v threadtime` prints it."""
        return self.log.from_time(since)

    def exit_info(self, app_id: str) -> str:
        """Why the app's processes ended, as `dumpsys activity exit-info` prints it."""
        return self.log.exit_info(app_id)

    def crash_text(self, app_id: str, since: float = 0.0) -> str:
        """All that the phone wrote down about ends of processes: log and exit records."""
        return f"{self.log_text(since)}\n{self.exit_info(app_id)}"

    # What processes ask for (`process.Host`)

    def write_log(self, process: Process, level: str, tag: str, text: str) -> None:
        self.log.write(self.timeline.now(), level, tag, text, process.pid)

    def ask(self, process: Process, effect: parts.Ask, scope: Scope) -> None:
        app = process.app.id
        answer = self._permissions.get((app, effect.permission), self._permissions.get((app, "*")))
        if answer is not None:
            process.run(effect.then if answer else effect.denied, scope)
            return
        self._pending = _Pending(process, effect, scope)
        self._dialog = SystemDialog("permission", process.app, effect.permission)
        self.changed()

    def crash(self, process: Process, exception: str, message: str) -> None:
        app, page = process.app, process.page
        place = f"{(page.part.name if page else 'main').title().replace('_', '')}Screen:{40 + process.version % 50}"
        self._end(process)
        self.log.crashed(self.timeline.now(), app.id, process.pid, process.uid, exception, message, place)
        if self.platform.tells_of_crashes:
            self._dialog = SystemDialog("crash", app)

    def hang(self, process: Process) -> None:
        process.blocked_at = self.timeline.now()
        self.timeline.after(ANR_S, lambda: self._tell_frozen(process), process)

    def _tell_frozen(self, process: Process) -> None:
        if not self.platform.tells_of_crashes:
            return
        self.log.froze(self.timeline.now(), process.app.id, process.app.activity, process.pid)
        self._dialog = SystemDialog("frozen", process.app)
        self.changed()

    def exit(self, process: Process, status: int) -> None:
        self._end(process)
        self.log.exited(self.timeline.now(), process.app.id, process.pid, process.uid, status)

    def open_app(self, app: str) -> None:
        self.launch(app)

    def leave(self, process: Process) -> None:
        if self._front is process:
            self._bring(None)

    def screen_opened(self, process: Process, screen: str) -> None:
        self.fault.screen_opened(self, screen)

    def focus_changed(self, process: Process) -> None:
        self._show_keyboard(bool(process.focus) and process is self._front)

    # What faults may do (`faults.PhoneLink`)

    def disconnect(self, seconds: float | None) -> None:
        self.connected = False
        if seconds is not None:
            self.timeline.after(seconds, self._reconnect)

    def _reconnect(self) -> None:
        self.connected = True

    def write_late_death(self, app: str, pid: int) -> None:
        self.timeline.after(1.5, lambda: self.log.died(self.timeline.now(), app, pid))

    # What the hand does

    @property
    def front(self) -> Process | None:
        return self._front

    @property
    def dialog(self) -> SystemDialog | None:
        return self._dialog

    @property
    def keyboard_up(self) -> bool:
        return self._keyboard_up

    def _show_keyboard(self, up: bool) -> None:
        if up != self._keyboard_up and self.platform.keyboard:
            self._keyboard_up = up
            self._keyboard_since = self.timeline.now()

    def hide_keyboard(self) -> None:
        self._show_keyboard(False)

    def show_keyboard(self) -> None:
        self._show_keyboard(True)

    def go_home(self) -> None:
        self._bring(None)

    def answer(self, control: str) -> None:
        """A button of the system's dialog was tapped."""
        dialog, pending = self._dialog, self._pending
        self._dialog = self._pending = None
        self.changed()
        if dialog is None:
            return
        process = self._processes.get(dialog.app.id)
        if dialog.kind == "permission" and pending is not None:
            granted = control.endswith(("permission_allow_button", "allow"))
            self._permissions[dialog.app.id, dialog.permission] = granted
            if pending.process.alive:
                pending.process.run(pending.effect.then if granted else pending.effect.denied, pending.scope)
        elif dialog.kind == "frozen" and process is not None and control.endswith("aerr_close"):
            self._end(process)
            self.log.killed_frozen(self.timeline.now(), process.app.id, process.pid, process.uid)


def _slides(controls: Sequence[parts.Control]) -> bool:
    return any((c.quirk is not None and c.quirk.slide) or _slides(c.controls) for c in controls)


def _spins(box: Box) -> bool:
    return (box.role == "progress" and box.control.value is None) or any(_spins(child) for child in box.children)
