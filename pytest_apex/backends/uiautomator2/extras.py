"""What only some devices can do, and an Android phone over adb can: the protocols of `backends/abilities.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pytest_apex.backends.abilities import ForeignTouch, Progress, ShellOutput, Toast, WebPage
from pytest_apex.backends.uiautomator2 import web, web_driver
from pytest_apex.backends.uiautomator2.connection import Connection
from pytest_apex.backends.uiautomator2.foreign import ForeignTouches
from pytest_apex.backends.uiautomator2.recording import Recording
from pytest_apex.backends.uiautomator2.system import System
from pytest_apex.errors import ActionRefused, ConfigError

#: So much of what others do is remembered.
_KEPT = 200


class Extras:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._system = System(connection.phone, connection.clock)
        self._recording = Recording(connection.phone)
        self._foreign = ForeignTouches(connection.phone, connection.clock, lambda: connection.changing)
        self._outside: list[str] = []

    def close_extras(self) -> None:
        self._recording.close()
        self._foreign.close()

    # Packages

    def install(self, package: Path, *, keep_data: bool = True, progress: Progress | None = None) -> str:
        return self._connection.apps.install(package, keep_data, progress)

    def uninstall(self, app: str) -> None:
        self._connection.apps.uninstall(app)

    def app_version(self, app: str) -> str:
        return self._connection.apps.version(app)

    def installed_digest(self, app: str) -> str:
        return self._connection.apps.installed_digest(app)

    def package_digest(self, package: Path) -> str:
        return self._connection.apps.package_digest(package)

    def app_ids(self) -> Sequence[str]:
        return self._connection.apps.ids()

    def permissions(self, app: str) -> Mapping[str, bool]:
        return self._connection.apps.permissions(app)

    def restore_permissions(self, app: str, before: Mapping[str, bool]) -> None:
        self._connection.apps.restore_permissions(app, before)

    def kill_in_background(self, app: str) -> None:
        self._connection.apps.kill(app)

    # The phone

    def clipboard(self) -> str:
        return str(self._connection.ask("getClipboard") or "")

    def set_clipboard(self, text: str) -> None:
        self._connection.act("setClipboard", None, text)

    def shell(self, command: str, timeout: float = 30.0) -> ShellOutput:
        answer = self._connection.phone.run(command, timeout)
        return ShellOutput(answer.text, answer.code)

    def open_url(self, url: str, app: str = "") -> None:
        self._system.open_url(url, app)

    def toasts(self, since: float) -> Sequence[Toast]:
        return self._connection.toasts.since(since)

    def foreign_touches(self, since: float) -> Sequence[ForeignTouch]:
        return self._foreign.since(since)

    def open_notifications(self) -> None:
        self._connection.act("openNotification")

    def network(self) -> bool:
        return self._system.network()

    def set_network(self, on: bool) -> None:
        self._system.set_network(on)

    def wake(self) -> None:
        self._system.wake()

    def sleep(self) -> None:
        self._system.sleep()

    # Files

    def push(self, source: Path, target: str) -> None:
        try:
            with source.open("rb") as file:
                self._connection.phone.push(file, source.stat().st_size, target)
        except OSError as error:
            raise _unreadable("read", source, error) from error

    def pull(self, source: str, target: Path) -> None:
        part = target.with_name(f"{target.name}.part")
        try:
            with part.open("wb") as file:
                self._connection.phone.pull(source, file)
            part.replace(target)
        except OSError as error:
            raise _unreadable("write", target, error) from error
        finally:
            part.unlink(missing_ok=True)

    def start_recording(self) -> None:
        self._recording.start()

    def stop_recording(self) -> bytes:
        return self._recording.stop()

    # Web views

    def web_pages(self, app: str) -> Sequence[WebPage]:
        phone, pid = self._connection.phone, self._connection.apps.pid(app)
        names = web.sockets_of(phone.run(web.ASK_SOCKETS).text, pid) if pid else []
        if not names and web.shows_web_view(self._connection.look().snapshot, app):
            raise ActionRefused(
                f"the web view of {app} can't be debugged",
                seen="it is on the screen, and the app has no debugging socket",
                likely="the app does not allow it",
                cure="a build that calls WebView.setWebContentsDebuggingEnabled(true)",
            )
        return [page for name in names for page in web.pages_at(phone, name, app)]

    def web_driver(self, page: WebPage, chromedriver: str = "") -> Any:
        return web_driver.drive(self._connection.phone, page, chromedriver, self.note_outside)

    def end_web_driver(self, driver: Any) -> None:
        web_driver.quit_quietly(driver)

    def note_outside(self, words: str) -> None:
        """Remember what another driver does on the phone."""
        self._outside = [*self._outside[-_KEPT:], words]

    def outside(self) -> Sequence[str]:
        """What other drivers asked of the phone or of its pages since this was last asked, in words."""
        told, self._outside = self._outside, []
        return told


def _unreadable(verb: str, path: Path, error: OSError) -> ConfigError:
    return ConfigError(
        f"can't {verb} the file {path}", seen=error.strerror or str(error), cure="name a file that can be used"
    )
