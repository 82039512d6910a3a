"""An Android phone as a `Backend`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NoReturn

from pytest_apex.backends.base import AppState, LogLines
from pytest_apex.backends.uiautomator2 import facts, fingers, turning, writing
from pytest_apex.backends.uiautomator2.connection import Connection
from pytest_apex.backends.uiautomator2.extras import Extras
from pytest_apex.backends.uiautomator2.front import Front
from pytest_apex.backends.uiautomator2.keys import KEYS
from pytest_apex.backends.uiautomator2.looking import Look
from pytest_apex.backends.uiautomator2.playing import play
from pytest_apex.clock import Clock
from pytest_apex.errors import ActionRefused, CapabilityMissing, DeviceProblem
from pytest_apex.model.action import Receipt, Track
from pytest_apex.model.case import CrashRecord
from pytest_apex.model.screen import DeviceInfo, Screen, TouchLimits
from pytest_apex.model.snapshot import LOCK_SCREEN, AppInFront, Snapshot, Tree

_CAPABILITIES = frozenset(
    {
        "tap", "double_tap", "long_press", "swipe", "fling", "drag", "type", "press", "hide_keyboard", "orientation",
        "app_control", "launch_arguments", "records", "log", "permissions", "clear_data", "install", "list_apps",
        "background", "clipboard", "shell", "open_url", "toast", "notifications", "network", "wake", "files",
        "screen_recording", "web",
    }
)  # fmt: skip
#: How long a screen may take to turn, and how often to look.
_TURNS_S, _LOOK_S = 3.0, 0.05


class Uiautomator2Backend(Extras):
    """One phone. What only some backends can do stands in `Extras`."""

    def __init__(self, connection: Connection, name: str = "", raw: Any = None) -> None:
        super().__init__(connection)
        self.name = name or connection.phone.serial
        self._raw = raw
        self._captures = 0
        self._turned_from: tuple[str, str] | None = None

    @property
    def clock(self) -> Clock:
        return self._connection.clock

    @property
    def capabilities(self) -> frozenset[str]:
        return _CAPABILITIES | {"press_hold"} if self._connection.holds_keys else _CAPABILITIES

    @property
    def keys(self) -> frozenset[str]:
        return frozenset(KEYS)

    @property
    def raw(self) -> Any:
        """The plain `uiautomator2.Device`, connected when it is asked for."""
        if self._raw is None:
            import uiautomator2

            self._raw = uiautomator2.connect(self._connection.phone.serial)
        return self._raw

    def info(self) -> DeviceInfo:
        self._connection.look_for_restart()
        fixed, now = self._connection.fixed, self._connection.ask_changing()
        screen = Screen(
            size=now.size,
            density=now.density,
            rotation=now.rotation,
            orientation=turning.orientation_of(now.size, now.rotation),
            font_scale=now.font_scale,
            locale=now.locale or "en-US",
            dark=now.dark,
        )
        return DeviceInfo(
            id=self._connection.phone.serial,
            platform="android",
            model=fixed.model or self._connection.phone.serial,
            os_version=fixed.release,
            screen=screen,
            dp=now.density,
            touch=TouchLimits(long_press_ms=now.long_press_ms),
            facts=facts.report_facts(fixed, now, self._foreign.refused),
        )

    # Looking

    def capture(self) -> Snapshot:
        started = self.clock.now()
        look = self._connection.look()
        self._captures += 1
        snapshot, now = look.snapshot, self._connection.changing
        return replace(
            snapshot,
            id=f"{self._connection.phone.serial}-{self._captures}",
            taken_at=started,
            screen=replace(
                snapshot.screen,
                density=now.density,
                font_scale=now.font_scale,
                locale=now.locale or "en-US",
                dark=now.dark,
                awake=look.awake,
            ),
            tree=_locked(snapshot) if look.locked else _titled(snapshot.tree, look.front),
            app=self._in_front(look),
            skew_ms=look.skew_s * 1000,
            source="uiautomator2" if look.server_answered else "uiautomator dump",
        )

    def _in_front(self, look: Look) -> AppInFront:
        """The focused window's app, as the window manager says; else as the tree looks."""
        apps, told = self._connection.apps, look.front
        app = told.app or look.snapshot.app.id
        return AppInFront(app, apps.known_pid(app), activity=told.activity, version=apps.version(app))

    # Acting

    def perform(self, track: Track) -> Receipt:
        match fingers.plan(track):
            case fingers.Held(x, y, ms):
                return self._act(f"click {x} {y} for {ms} ms", "click", x, y, ms, lasting_ms=ms)
            case fingers.Straight(x1, y1, x2, y2, steps):
                words = f"swipe {x1} {y1} to {x2} {y2} in {steps} steps"
                lasting = steps * fingers.STEP_MS
                return self._act(words, "swipe", x1, y1, x2, y2, steps, lasting_ms=4 * lasting)
            case events:
                return self._play(track, events)

    def _play(self, track: Track, events: Sequence[fingers.Event]) -> Receipt:
        self._connection.toasts.before_act()
        self._connection.ready()
        sent = 0

        def send(event: fingers.Event) -> None:
            nonlocal sent
            call = self._connection.act_on if sent else self._connection.act
            sent += 1
            self._connection.finger_down = event.action != fingers.UP
            if call("injectInputEvent", event.action, event.x, event.y, 0) is False:
                raise _not_taken(f"a touch of the {track.verb.replace('_', ' ')} at ({event.x}, {event.y})")

        started = self.clock.now()
        late_ms, left_out = play(events, send, self.clock)
        words = f"{track.verb} in {len(events)} events, {late_ms:+.0f} ms"
        return Receipt(started, self.clock.now(), f"{words}, {left_out} moves left out" if left_out else words)

    def type_text(self, text: str) -> Receipt:
        writing.pieces(text)
        return self._do("type", lambda: writing.write(text, self._connection.ask, self._connection.act))

    def clear_text(self) -> Receipt:
        return self._do("clear the field", lambda: writing.clear(self._connection.ask, self._connection.act))

    def press(self, key: str, hold_ms: int = 0) -> Receipt:
        code = KEYS.get(key)
        if code is None:
            _no_key(key)
        if not hold_ms:
            return self._act(f"press {key}", "pressKeyCode", code)
        if not self._connection.holds_keys:
            raise CapabilityMissing(
                f"this phone can't hold the key {key!r} for {hold_ms / 1000:g} s",
                seen=f"Android {self._connection.fixed.release}: its command `input keyevent` takes no --duration",
                likely="an older Android: it knows a long press of keys, without a time",
                cure="a phone with a newer Android, or device.shell('input keyevent --longpress …')",
            )
        command = f"input keyevent --duration {hold_ms} {code}"
        return self._do(
            f"press {key} for {hold_ms} ms",
            lambda: self._connection.phone.run(command, self._connection.phone.limits.shell + hold_ms / 1000),
        )

    def hide_keyboard(self) -> Receipt:
        def hide() -> None:
            shown = self._connection.phone.run("dumpsys input_method | grep -E 'mInputShown=true'").text
            if shown.strip():  # back means the keyboard then, and nothing else
                self._connection.act("pressKeyCode", KEYS["back"])

        return self._do("hide the keyboard", hide)

    def set_orientation(self, name: str) -> Receipt:
        now = self._connection.ask_changing()
        rotation = turning.rotation_for(name, now.size, now.rotation)
        return self._do(f"orientation {name}", lambda: self._turn(rotation, name))

    def _turn(self, rotation: int, name: str) -> None:
        phone = self._connection.phone
        if self._turned_from is None:
            before = phone.ask(["settings get system accelerometer_rotation", "settings get system user_rotation"])
            self._turned_from = (before[0].line, before[1].line)
        word = turning.WORDS[rotation]
        if word:
            self._connection.act("setOrientation", word)
        else:
            phone.ask(_turn_commands("0", str(rotation)))
        started = self.clock.now()
        while self._connection.ask_changing().rotation != rotation:
            if self.clock.now() - started > _TURNS_S:
                raise ActionRefused(
                    f"the screen did not turn to {name.replace('_', ' ')}",
                    seen=f"it stays at a rotation of {self._connection.changing.rotation * 90} degrees",
                    likely="the app in front allows one orientation only",
                    cure="turn it where the app allows it, or leave it as it is",
                )
            self.clock.sleep(_LOOK_S)

    def _act(self, words: str, method: str, *params: Any, lasting_ms: float = 0.0) -> Receipt:
        """One call as an act; an answer of False says that the phone did not take it."""

        def do() -> None:
            if self._connection.act(method, *params, lasting_ms=lasting_ms) is False:
                raise _not_taken(words)

        return self._do(words, do)

    def _do(self, words: str, act: Callable[[], object]) -> Receipt:
        self._connection.toasts.before_act()
        started = self.clock.now()
        act()
        return Receipt(started, self.clock.now(), words)

    # Apps

    def launch(self, app: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:
        return self._connection.apps.launch(app, args, env)

    def activate(self, app: str) -> None:
        self._connection.apps.activate(app)

    def stop(self, app: str) -> None:
        self._connection.apps.stop(app)

    def clear_data(self, app: str) -> None:
        self._connection.apps.clear_data(app)

    def set_permission(self, app: str, permission: str, grant: bool) -> None:
        self._connection.apps.set_permission(app, permission, grant)

    def app_state(self, app: str) -> AppState:
        state = self._connection.apps.state(app)
        if not state.pid:  # where the phone has started anew, that is why
            self._connection.look_for_restart()
        return state

    def app_in_front(self) -> str:
        return self._connection.apps.in_front()

    def log(self, since: int = 0) -> LogLines:
        return self._connection.log.read(since)

    def records(self, app: str, since: float) -> Sequence[CrashRecord]:
        return self._connection.log.records(app, since)

    # Coming and going

    def recover(self) -> str:
        return self._connection.recover()

    def close(self) -> None:
        try:
            if self._turned_from is not None:
                before, self._turned_from = self._turned_from, None
                self._connection.phone.ask(_turn_commands(*before))
        except DeviceProblem:  # a phone that is gone keeps what it has
            self._turned_from = None
        self.close_extras()
        self._connection.close()


def _titled(tree: Tree, seen: Front) -> Tree:
    """The title of the window with the focus goes to the topmost one of the system, where it is no app's: the shade,
    the list of recent apps. The server's tree has no titles."""
    if not seen.title or seen.app:
        return tree
    of_system = [window.index for window in tree.windows if window.kind == "system"]
    if not of_system:
        return tree
    windows = [
        replace(window, title=seen.title) if window.index == of_system[-1] else window for window in tree.windows
    ]
    return replace(tree, windows=tuple(windows))


def _locked(snapshot: Snapshot) -> Tree:
    """The lock screen is a window of the system over the whole screen. The tree may have its bars alone."""
    tree = snapshot.tree
    front = next((window for window in reversed(tree.windows) if window.kind in ("system", "status_bar")), None)
    if front is None:
        return tree
    shown = replace(front, kind="system", title=LOCK_SCREEN, bounds=snapshot.screen.bounds, focused=True)
    return replace(tree, windows=tuple(shown if window is front else window for window in tree.windows))


def _turn_commands(free: str, rotation: str) -> list[str]:
    commands = [f"settings put system user_rotation {rotation}"] if rotation.isdecimal() else []
    return [*commands, f"settings put system accelerometer_rotation {free if free.isdecimal() else '0'}"]


def _not_taken(what: str) -> ActionRefused:
    return ActionRefused(
        f"Android did not take {what}",
        seen="the server answers that the event was not injected",
        likely="the screen is off, or the phone forbids it (Xiaomi: 'USB debugging (Security settings)' is off)",
        cure="switch that on in the developer options",
    )


def _no_key(key: str) -> NoReturn:
    raise CapabilityMissing(
        f"an Android phone has no key {key!r}",
        seen=f"it has: {', '.join(sorted(KEYS))}",
        cure="press one that it has",
    )
