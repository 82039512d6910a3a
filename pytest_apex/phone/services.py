"""What the phone does for whoever holds it, besides touches and keys: packages, clipboard, links, files, network."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping

from pytest_apex.errors import ActionRefused, CapabilityMissing, ConfigError
from pytest_apex.marked_yaml import MAX_BYTES
from pytest_apex.phone.app import digest_of, load_app
from pytest_apex.phone.machine import Machine
from pytest_apex.phone.shade import ShownToast

#: How long an installation takes, and in how many parts its progress is told.
INSTALL_S, _PARTS = 1.2, 4
_APP_FILE = "app.yaml"


class Services:
    """One phone's. Each raises `CapabilityMissing` where the platform has no such thing."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine

    def _need(self, capability: str) -> None:
        platform = self._machine.platform
        if capability not in platform.capabilities:
            raise CapabilityMissing(
                f"a {platform.name} device can't do {capability!r}",
                cure=f"it can {', '.join(sorted(platform.capabilities))}",
            )

    # Packages

    def install(
        self, package: bytes, name: str, *, keep_data: bool = True, progress: Callable[[float], None] | None = None
    ) -> str:
        """Install an app file, or a zip (`.apk`, `.ipa`) that holds one as `app.yaml`; returns the app's id.

        An app that is there is ended and upgraded, its stored data kept or not. Raises `AppFileError` or `ConfigError`
        for a package that is none.
        """
        self._need("install")
        app = load_app(app_file_of(package, name), name)
        for part in range(1, _PARTS + 1):
            self._machine.timeline.sleep(INSTALL_S / _PARTS)
            if progress is not None:
                progress(part / _PARTS)
        self._machine.install(app, keep_data=keep_data)
        return app.id

    def uninstall(self, app_id: str) -> None:
        """Remove an app and all it stored; nothing happens if it is not installed."""
        self._need("install")
        self._machine.uninstall(app_id)

    def version(self, app_id: str) -> str:
        """The installed version; empty if it is not installed."""
        return next((app.version for app in self._machine.apps if app.id == app_id), "")

    def digest(self, app_id: str) -> str:
        """Of the installed package, as `package_digest` gives it; empty if it is not installed."""
        return next((app.digest for app in self._machine.apps if app.id == app_id), "")

    def kill_in_background(self, app_id: str) -> None:
        """End an app in the background as the system does when memory is short. Raises `ActionRefused` for one that is
        not there."""
        self._need("background")
        if not self._machine.kill_in_background(app_id):
            state = self._machine.app_state(app_id)[0].replace("_", " ")
            raise ActionRefused(
                f"{app_id} is not in the background", seen=f"it is: {state}", cure="press home first"
            )  # fmt: skip

    def permissions(self, app_id: str) -> Mapping[str, bool]:
        """What was granted or denied to an app so far."""
        return self._machine.packages.permissions(app_id)

    def restore_permissions(self, app_id: str, before: Mapping[str, bool]) -> None:
        """Permissions as `permissions` told them once."""
        self._machine.packages.restore_permissions(app_id, before)

    # The rest of the phone

    def clipboard(self) -> str:
        """Text on the clipboard."""
        self._need("clipboard")
        return self._machine.clipboard

    def set_clipboard(self, text: str) -> None:
        """Put text on it."""
        self._need("clipboard")
        self._machine.clipboard = text

    def open_url(self, url: str, app_id: str = "") -> None:
        """Open a deep link. Raises `ActionRefused` when no app has it."""
        self._need("open_url")
        if not self._machine.open_url(url, app_id):
            apps = (app for app in self._machine.apps if app_id in ("", app.id))
            has = ", ".join(link.url for app in apps for link in app.links)
            raise ActionRefused(
                f"nobody opens {url}",
                seen=f"links of {app_id or 'the apps'} here: {has or 'none'}",
                likely="no installed app declares such a link",
                cure="correct the URL, or declare it in the app file under links:",
            )

    def toasts(self, since: float = 0.0) -> list[ShownToast]:
        """Toasts since a time of the phone, oldest first."""
        self._need("toast")
        return [toast for toast in self._machine.shade.toasts if toast.at >= since]

    def open_notifications(self) -> None:
        """Pull the notification shade down."""
        self._need("notifications")
        self._machine.open_shade(True)

    def network(self) -> bool:
        """Whether there is a network."""
        self._need("network")
        return self._machine.online

    def set_network(self, on: bool) -> None:
        """All networks on or off."""
        self._need("network")
        self._machine.set_online(on)

    def push(self, path: str, data: bytes) -> None:
        """Write a file of the phone."""
        self._need("files")
        self._machine.files[path] = data

    def pull(self, path: str) -> bytes:
        """Read a file of the phone. Raises `ActionRefused` when there is none."""
        self._need("files")
        if path not in self._machine.files:
            raise ActionRefused(
                f"there is no file {path} on the phone",
                seen=f"there is: {', '.join(sorted(self._machine.files)) or 'nothing'}",
            )
        return self._machine.files[path]


def package_digest(package: bytes, name: str) -> str:
    """What tells a package from others: that of the app file in it."""
    return digest_of(app_file_of(package, name))


def app_file_of(package: bytes, name: str) -> bytes:
    """The app file in a package; raises `ConfigError` for a zip without one."""
    if not package.startswith(b"PK"):
        return package
    try:
        with zipfile.ZipFile(io.BytesIO(package)) as archive:
            entry = archive.getinfo(_APP_FILE)
            if entry.file_size > MAX_BYTES:
                raise ConfigError(f"the {_APP_FILE} in {name} is too large", seen=f"{entry.file_size:,} bytes")
            return archive.read(entry)
    except (KeyError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        raise ConfigError(
            f"{name} is no package of the built-in phone",
            seen=str(error).strip("'\""),
            likely="it is an app for real phones",
            cure=f"give an app file, or a zip that holds one as {_APP_FILE}",
        ) from error
