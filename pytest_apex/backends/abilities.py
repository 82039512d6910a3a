"""What only some backends can do: one small protocol for each ability, named as in `base.CAPABILITIES`.

A backend that declares a capability here has its methods; the device asks for them by protocol and refuses with
`CapabilityMissing` before anything is sent where they are missing. Errors are those of `Backend`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from pytest_apex.model.action import Receipt
from pytest_apex.model.geometry import Point
from pytest_apex.model.node import Node

#: Called with the share that is done, 0 to 1.
Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class ShellOutput:
    """What a command on the device printed (both streams, as a terminal shows them) and its exit code."""

    text: str
    exit_code: int


@dataclass(frozen=True, slots=True)
class Toast:
    """A short message of an app that shows for a moment. `at` is on the device's clock, `app` where it is known."""

    text: str
    at: float
    app: str = ""


@dataclass(frozen=True, slots=True)
class WebPage:
    """A page shown by an app's web view. `socket` is what a debugger connects to."""

    title: str
    url: str
    app: str
    socket: str


@runtime_checkable
class Installs(Protocol):
    """`install`: puts packages on the device."""

    def install(self, package: Path, *, keep_data: bool = True, progress: Progress | None = None) -> str:
        """Install a package or upgrade the one there, its data kept or not; returns the app's id."""

    def uninstall(self, app: str) -> None:
        """Remove an app and its data; nothing happens if it is not installed."""

    def app_version(self, app: str) -> str:
        """The installed version as people read it; empty if it is not installed."""

    def installed_digest(self, app: str) -> str:
        """Digest of the installed package as `package_digest` gives it for a file; empty where it can't be told."""

    def package_digest(self, package: Path) -> str:
        """Digest of a package file: equal to the installed one means that nothing has to be installed."""


@runtime_checkable
class ListsApps(Protocol):
    """`list_apps`."""

    def app_ids(self) -> Sequence[str]:
        """Ids of the apps that are installed, those of the system left out."""


@runtime_checkable
class KnowsPermissions(Protocol):
    """A backend with `permissions` may tell and restore them, so that a test leaves none behind. No capability of its
    own: a device that can't is not asked."""

    def permissions(self, app: str) -> Mapping[str, bool]:
        """What was granted or denied to the app so far; what was never answered is left out."""

    def restore_permissions(self, app: str, before: Mapping[str, bool]) -> None:
        """Permissions as `permissions` told them once; what was never answered is asked for again."""


@runtime_checkable
class NamesApps(Protocol):
    """A backend that may tell what an app is called before it was seen. No capability of its own."""

    def app_label(self, app: str) -> str:
        """Its name as people see it, "" where nobody can tell; raises nothing."""


@runtime_checkable
class NotesOutside(Protocol):
    """A backend beside a driver that a suite uses itself. No capability of its own."""

    def outside(self) -> Sequence[str]:
        """What that driver asked of the device since this was last asked, in words."""


@runtime_checkable
class ActsOutside(Protocol):
    """The same, where it is known which apps that driver ends and starts. No capability of its own."""

    def apps_outside(self) -> Sequence[tuple[str, bool]]:
        """The apps that it ended (False) or started (True) since this was last asked, in their order."""


@runtime_checkable
class SharesScreen(Protocol):
    """A backend whose screen may show several apps, each of which takes touches once it was activated. No capability of
    its own: one that activates nothing is not asked."""

    def inactive_apps(self) -> Collection[str]:
        """The apps of the last capture that have to be activated before they are touched."""


@runtime_checkable
class Backgrounds(Protocol):
    """`background`: lets an app leave the front as a person or the system would."""

    def kill_in_background(self, app: str) -> None:
        """End the process of an app in the background as the system does when memory is short: its task and saved
        state stay."""


@runtime_checkable
class HasClipboard(Protocol):
    """`clipboard`."""

    def clipboard(self) -> str:
        """Text on the clipboard; empty when there is none."""

    def set_clipboard(self, text: str) -> None:
        """Put text on it."""


@runtime_checkable
class HasShell(Protocol):
    """`shell`."""

    def shell(self, command: str, timeout: float = 30.0) -> ShellOutput:
        """Run a command on the device; `DriverDead` naming the command when it takes longer than `timeout` seconds."""


@runtime_checkable
class OpensUrls(Protocol):
    """`open_url`: deep links."""

    def open_url(self, url: str, app: str = "") -> None:
        """Open a URL as a tap on a link would; `app` narrows down who may take it. `ActionRefused` when nobody
        does."""


@runtime_checkable
class ShowsToasts(Protocol):
    """`toast`: remembers toasts also when they are gone."""

    def toasts(self, since: float) -> Sequence[Toast]:
        """Toasts shown since a time on the device's clock, oldest first."""


@runtime_checkable
class HasNotifications(Protocol):
    """`notifications`."""

    def open_notifications(self) -> None:
        """Pull the notification shade down."""


@runtime_checkable
class SwitchesNetwork(Protocol):
    """`network`."""

    def network(self) -> bool:
        """Whether the device may use any network."""

    def set_network(self, on: bool) -> None:
        """All networks on or off; `ActionRefused` where that would cut off the device itself."""


@runtime_checkable
class Wakes(Protocol):
    """`wake`: the screen on and off."""

    def wake(self) -> None:
        """Turn the screen on and leave a lock screen without a passcode; `ActionRefused` where there is one."""

    def sleep(self) -> None:
        """Turn the screen off."""


@runtime_checkable
class DoesActions(Protocol):
    """`secondary_actions`: what a control offers besides being touched (`Node.actions`)."""

    def do_action(self, node: Node, name: str) -> Receipt:
        """Do the action of this name that `node`, of a capture just taken, offers; `ActionRefused` where the control is
        gone or offers it no more."""


@runtime_checkable
class HidesKeyboard(Protocol):
    """`hide_keyboard`: lets the keyboard go without pressing a key that may do more."""

    def hide_keyboard(self) -> Receipt:
        """Hide the keyboard; nothing happens if none is shown."""


@runtime_checkable
class MovesFiles(Protocol):
    """`files`."""

    def push(self, source: Path, target: str) -> None:
        """Copy a file of this machine to a path of the device."""

    def pull(self, source: str, target: Path) -> None:
        """Copy a file of the device to this machine."""


@runtime_checkable
class RecordsScreen(Protocol):
    """`screen_recording`."""

    def start_recording(self) -> None:
        """Begin a recording of the screen."""

    def stop_recording(self) -> bytes:
        """End it and return the MP4."""


@runtime_checkable
class HasWebPages(Protocol):
    """`web`."""

    def web_pages(self, app: str) -> Sequence[WebPage]:
        """Pages that can be debugged in the app's web views; `ActionRefused` naming the app's missing flag where it
        shows a web view that can't be."""


@runtime_checkable
class DrivesWebPages(Protocol):
    """A backend with `web` may drive pages as well. No capability of its own: a driver needs a program of this
    machine."""

    def web_driver(self, page: WebPage, chromedriver: str = "") -> Any:
        """A plain Selenium driver on a page; the program `chromedriver` of the PATH, or the one named, runs for it."""

    def end_web_driver(self, driver: Any) -> None:
        """End it, and the program that ran for it; nothing happens if it has ended."""


@dataclass(frozen=True, slots=True)
class ForeignTouch:
    """A finger that came down on the screen and that the backend did not send. `at` is seconds on the device's clock,
    `place` in units of the tree; None where nobody can tell."""

    at: float
    place: Point | None = None


@runtime_checkable
class TellsForeignTouches(Protocol):
    """A backend that notices touches that it did not send. No capability of its own: nobody asks for one."""

    def foreign_touches(self, since: float) -> Sequence[ForeignTouch]:
        """Those after a time on the device's clock, oldest first; asks nothing of the device, and raises nothing."""


#: What a backend has that declares one of these capabilities.
ABILITIES: Mapping[str, type] = {
    "secondary_actions": DoesActions, "hide_keyboard": HidesKeyboard, "install": Installs, "list_apps": ListsApps,
    "background": Backgrounds, "clipboard": HasClipboard, "shell": HasShell, "open_url": OpensUrls,
    "toast": ShowsToasts, "notifications": HasNotifications, "network": SwitchesNetwork, "wake": Wakes,
    "files": MovesFiles, "screen_recording": RecordsScreen, "web": HasWebPages,
}  # fmt: skip

__all__ = [
    "ABILITIES",
    "ActsOutside",
    "Backgrounds",
    "DoesActions",
    "DrivesWebPages",
    "ForeignTouch",
    "HasClipboard",
    "HasNotifications",
    "HasShell",
    "HasWebPages",
    "HidesKeyboard",
    "Installs",
    "KnowsPermissions",
    "ListsApps",
    "MovesFiles",
    "NamesApps",
    "NotesOutside",
    "OpensUrls",
    "Progress",
    "RecordsScreen",
    "SharesScreen",
    "ShellOutput",
    "ShowsToasts",
    "SwitchesNetwork",
    "TellsForeignTouches",
    "Toast",
    "Wakes",
    "WebPage",
]
