"""What a device has to be able to do, so that all the rest works on it.

A backend acts and looks; it never waits for the screen, never retries an act, never judges.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol, runtime_checkable

from pytest_apex.clock import Clock
from pytest_apex.errors import BackendMissing
from pytest_apex.model.action import Receipt, Track
from pytest_apex.model.case import CrashRecord
from pytest_apex.model.screen import DeviceInfo
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.settings import Settings

#: Every name a backend may declare. The first group is what the `gestures` marker and actions ask for; what stands
#: from `install` on has a protocol of its own in `abilities.py`.
CAPABILITIES = frozenset(
    {
        "tap", "double_tap", "long_press", "swipe", "fling", "drag", "pinch", "twist", "multi_touch", "type", "press",
        "secondary_actions", "hide_keyboard",
        "press_hold", "orientation", "crown", "remote", "app_control", "launch_arguments", "records", "log",
        "permissions", "clear_data", "install", "list_apps", "background", "clipboard", "shell", "open_url", "toast",
        "notifications", "network", "wake", "files", "screen_recording", "web",
    }
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class AppState:
    """State of an application: `not_installed`, `not_running`, `background` or `foreground`; `pid` is 0 without a
    process."""

    id: str
    state: str
    pid: int = 0


@dataclass(frozen=True, slots=True)
class LogLines:
    """Lines of a device's log. `cursor` continues where these end."""

    text: str
    cursor: int


@runtime_checkable
class Backend(Protocol):
    """A connected device. Methods raise `DeviceLost` or `DriverDead` when it is gone and nothing else that isn't an
    `ApexError`."""

    @property
    def name(self) -> str:
        """The device as it was asked for, for reports."""

    @property
    def clock(self) -> Clock:
        """The device's clock."""

    @property
    def capabilities(self) -> frozenset[str]:
        """What it can do, from `CAPABILITIES`; known before a test touches it."""

    @property
    def raw(self) -> Any:
        """The vendor's own object."""

    def info(self) -> DeviceInfo:
        """Facts about the device."""

    def capture(self) -> Snapshot:
        """Tree and picture, as close together in time as the device allows."""

    def perform(self, track: Track) -> Receipt:
        """Play a pointer gesture; returns when the last finger is up. Never sends it twice."""

    def type_text(self, text: str) -> Receipt:
        """Type into the focused field, exactly, until it loses the focus. `ActionRefused` before the first keystroke
        where none has it, or for a text that it can't type."""

    def clear_text(self) -> Receipt:
        """Empty the focused field."""

    def press(self, key: str, hold_ms: int = 0) -> Receipt:
        """Press a key or button by name; `CapabilityMissing` for one that the device has not."""

    def set_orientation(self, name: str) -> Receipt:
        """Turn the device (`model.screen.ORIENTATIONS`)."""

    def launch(self, app: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:
        """Start an app that is not running; returns its pid at once, without waiting for its window."""

    def activate(self, app: str) -> None:
        """Bring an app to the front, starting it if need be."""

    def stop(self, app: str) -> None:
        """End the app's processes."""

    def clear_data(self, app: str) -> None:
        """Forget everything the app stored."""

    def set_permission(self, app: str, permission: str, grant: bool) -> None:
        """Grant or revoke one permission; `*` means all that the app asks for."""

    def app_state(self, app: str) -> AppState:
        """Whether the app runs, and its pid. Works while the driver is dead, where the platform allows."""

    def app_in_front(self) -> str:
        """Id of the app in front."""

    def log(self, since: int = 0) -> LogLines:
        """The device's log from a cursor on (0: from the start; negative: only the cursor of its end)."""

    def records(self, app: str, since: float) -> Sequence[CrashRecord]:
        """Crash, freeze and exit records of `app` since a time on the device's clock."""

    def recover(self) -> str:
        """Try once to get the device or driver back; returns what was done. Raises if it is still gone."""

    def close(self) -> None:
        """Let go of the device. May be called twice."""


@runtime_checkable
class KnowsKeys(Protocol):
    """A backend may tell which keys it has, so that a text with a wrong one is refused before any of it is done."""

    @property
    def keys(self) -> frozenset[str]:
        """Names that `press` takes."""


@runtime_checkable
class HasCrown(Protocol):
    """What a backend has that declares `crown`."""

    def turn_crown(self, turns: float) -> Receipt:
        """Turn it by so many full turns; the sign is the direction."""


@dataclass(frozen=True, slots=True)
class BackendSpec:
    """A kind of device that someone offers.

    `factory` is text, `"package.module:callable"`, so that nothing is imported before it is used. The callable takes
    `(spec, settings)` (`spec` is one entry of `--device`) and returns a connected `Backend`. `claims` are the
    prefixes of a spec that are surely
    its own (`virtual`); `extra` is what to install when the import fails. `identify` names a callable of the same
    arguments that returns the names by which no two devices are called alike, in a moment and without connecting; it
    raises `ConfigError` for a device that is not there. Such a device is used by one process at a time.
    """

    name: str
    factory: str
    claims: tuple[str, ...] = ()
    extra: str = ""
    identify: str = ""

    def connect(self, spec: str, settings: Settings) -> Backend:
        """Import and call the factory."""
        backend: Backend = self._call(self.factory, spec, settings)
        return backend

    def names_of(self, spec: str, settings: Settings) -> tuple[str, ...]:
        """What `identify` tells; nothing where the backend has none."""
        return tuple(self._call(self.identify, spec, settings)) if self.identify else ()

    def _call(self, what: str, spec: str, settings: Settings) -> Any:
        module, _, attribute = what.partition(":")
        try:
            make = getattr(import_module(module), attribute)
        except ImportError as error:
            raise BackendMissing(
                f"the backend {self.name!r} can't be loaded",
                seen=f"{type(error).__name__}: {error}",
                likely="a package that it needs is not installed",
                cure=f"pip install {self.extra or 'pytest-apex'}",
            ) from error
        return make(spec, settings)


__all__ = ["CAPABILITIES", "AppState", "Backend", "BackendSpec", "HasCrown", "KnowsKeys", "LogLines"]
