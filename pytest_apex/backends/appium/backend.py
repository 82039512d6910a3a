"""A device behind an Appium server as a `Backend`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pytest_apex.backends.abilities import Toast
from pytest_apex.backends.appium import by_element, commands, looking
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.extras import Extras
from pytest_apex.backends.appium.focus import focused_field
from pytest_apex.backends.appium.toasts import Toasts
from pytest_apex.backends.appium.wire import Refused
from pytest_apex.backends.base import AppState, LogLines
from pytest_apex.clock import Clock
from pytest_apex.errors import ActionRefused, CapabilityMissing
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import Receipt, Track
from pytest_apex.model.case import CrashRecord
from pytest_apex.model.screen import DeviceInfo
from pytest_apex.model.snapshot import AppInFront, Snapshot

#: Keys that may turn the screen off, or on.
_POWER = frozenset({"power", "sleep", "wake"})


class AppiumBackend(Extras):
    """One session. What only some devices can do stands in `Extras`."""

    def __init__(self, connection: Connection, name: str, app: str = "") -> None:
        super().__init__(connection, app)
        self.name = name
        self._captures = 0
        self._info: DeviceInfo | None = None
        self._seen: Snapshot | None = None
        self._toasts = Toasts()
        #: Whether the server was seen not to wait where W3C actions pause.
        self.drops_pauses = False

    @property
    def clock(self) -> Clock:
        return self._connection.clock

    @property
    def capabilities(self) -> frozenset[str]:
        return self._connection.capabilities

    @property
    def keys(self) -> frozenset[str]:
        return self._connection.family.keys

    @property
    def raw(self) -> Any:
        """Appium-Python-Client's driver of the session."""
        return self._connection.session.driver

    def info(self) -> DeviceInfo:
        self._info = self._side.info()
        return self._info

    # Looking

    def capture(self) -> Snapshot:
        snapshot = looking.look(self._connection, self._beside)
        self._toasts.note(snapshot)
        self._captures += 1
        info = self._info or self.info()
        screen = snapshot.screen
        if not self._connection.family.points:
            screen = replace(screen, density=info.screen.density)
        elif screen.size == info.screen.size:
            screen = replace(screen, insets=info.screen.insets)
        app = snapshot.app
        if app.label:
            self._labels[app.id] = app.label
        pid = app.pid or self._side.known_pid(app.id)
        self._seen = replace(
            snapshot,
            id=f"{info.id}-{self._captures}",
            screen=replace(screen, locale=info.screen.locale, awake=self._is_awake()),
            app=AppInFront(app.id, pid, app.label, app.activity, app.version),
        )
        return self._seen

    def toasts(self, since: float) -> Sequence[Toast]:
        self.capture()
        return self._toasts.since(since)

    def inactive_apps(self) -> Collection[str]:
        return self._beside.inactive

    # Acting

    def perform(self, track: Track) -> Receipt:
        if self._connection.family.platform == "watchos":
            return self._tap_element(track)
        if not self._connection.family.touches:
            raise CapabilityMissing(
                f"{self.name} can't be touched at a place",
                seen=f"WebDriverAgent has no touches on {self._connection.family.platform}",
                cure='device.perform("r select"), or a marker gestures(…)',
            )
        words, connection = track.verb.replace("_", " "), self._connection
        match commands.plan(self._beside.placed(track), RULES[connection.family.platform], self._native):
            case commands.Native(script, arguments):
                told = " ".join(f"{name}={value:g}" for name, value in arguments.items())
                return self._do(
                    f"{script} {told}",
                    lambda: connection.mobile(script, arguments, words, lasting_ms=track.duration_ms),
                )
            case commands.Actions() if track.verb == "double_tap" and self.drops_pauses:
                return self._two_touches(track)
            case commands.Actions(sources):
                moves = sum(action["type"] == "pointerMove" for source in sources for action in source["actions"])
                receipt = self._do(
                    f"W3C actions: {words}, {moves} moves",
                    lambda: connection.act("/actions", {"actions": sources}, words, lasting_ms=track.duration_ms),
                )
                return self._noted(receipt, track) if track.verb == "double_tap" else receipt

    def _tap_element(self, track: Track) -> Receipt:
        """On the screen as it was last seen: whoever taps has just looked."""
        element, words = by_element.element_for(self._connection, self._seen or self.capture(), track)
        return self._do(
            f"click the element {words!r}: a watch takes neither place nor length",
            lambda: self._connection.act(f"/element/{element}/click", {}, f"tap {words}"),
        )

    def _noted(self, receipt: Receipt, track: Track) -> Receipt:
        """A server that answers before the touches can have been over has not kept the pause between them."""
        if (receipt.ended - receipt.started) * 1000 >= track.duration_ms / 2:
            return receipt
        self.drops_pauses = True
        told = "the server can't have kept its pause: the next one is sent as two touches"
        return replace(receipt, command=f"{receipt.command}; {told}")

    def _two_touches(self, track: Track) -> Receipt:
        """A double tap as two requests, with the pause waited for here."""
        started, before = self.clock.now(), 0.0
        for stroke in track.strokes:
            self.clock.sleep((stroke.samples[0].t_ms - before) / 1000)
            begins, before = stroke.samples[0].t_ms, stroke.samples[-1].t_ms
            samples = tuple(replace(sample, t_ms=sample.t_ms - begins) for sample in stroke.samples)
            self.perform(replace(track, verb="tap", strokes=(replace(stroke, samples=samples),)))
        return Receipt(started, self.clock.now(), "two touches with a wait: the server does not keep pauses")

    @property
    def _native(self) -> frozenset[str]:
        return frozenset(script for script in commands.SCRIPTS if self._connection.offers(script))

    def type_text(self, text: str) -> Receipt:
        return self._in_field("type", "value", {"text": text}, "typing")

    def clear_text(self) -> Receipt:
        return self._in_field("clear the field", "clear", {}, "clearing")

    def _in_field(self, words: str, command: str, body: Mapping[str, Any], tried: str) -> Receipt:
        with self._beside.telling_front():
            path = f"/element/{self._focused()}/{command}"
            return self._do(words, lambda: self._connection.act(path, body, tried))

    def _focused(self) -> str:
        """The id of the focused field. Raises `ActionRefused` where none is."""
        try:
            return focused_field(self._connection)
        except Refused as error:
            raise self._no_field(error.message) from error

    def _no_field(self, seen: str) -> ActionRefused:
        return ActionRefused(
            "typing needs a focused text field",
            seen=seen.partition("\n")[0] or "no field has the focus",
            likely="no field was tapped, or it lost the focus",
            cure="tap the field first",
        )

    def press(self, key: str, hold_ms: int = 0) -> Receipt:
        if key not in self.keys:
            raise CapabilityMissing(
                f"{self.name} has no key {key!r}",
                seen=f"it has: {', '.join(sorted(self.keys)) or 'none'}",
                cure="press one that it has",
            )
        self._may_sleep |= key in _POWER
        with self._beside.telling_front():
            return self._do(f"press {key}", lambda: self._side.press(key, hold_ms))

    def set_orientation(self, name: str) -> Receipt:
        receipt = self._do(f"orientation {name}", lambda: self._side.turn(name))
        self._info = None
        return receipt

    def _do(self, words: str, act: Callable[[], object]) -> Receipt:
        started = self.clock.now()
        act()
        return Receipt(started, self.clock.now(), words)

    # Apps

    def launch(self, app: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:
        return self._side.launch(app, args, env or {})

    def activate(self, app: str) -> None:
        self._side.activate(app)

    def stop(self, app: str) -> None:
        self._side.stop(app)

    def clear_data(self, app: str) -> None:
        self._side.clear_data(app)

    def set_permission(self, app: str, permission: str, grant: bool) -> None:
        self._side.set_permission(app, permission, grant)

    def app_state(self, app: str) -> AppState:
        return self._side.state(app)

    def app_in_front(self) -> str:
        return self._side.in_front()

    def log(self, since: int = 0) -> LogLines:
        return self._log.read(since)

    def records(self, app: str, since: float) -> Sequence[CrashRecord]:
        return self._log.records(app, since)

    # Coming and going

    def recover(self) -> str:
        return self._connection.recover()

    def close(self) -> None:
        if not self._closed:
            self._closed = True
            self._connection.close()
