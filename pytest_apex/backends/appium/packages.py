"""Packages and files of a device behind Appium: put on, taken off, listed."""

from __future__ import annotations

import base64
import binascii
import hashlib
import plistlib
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from pytest_apex.backends.abilities import Progress
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.uiautomator2.apk import app_id
from pytest_apex.errors import ActionRefused, ConfigError, DeviceProblem, DriverDead

_CHUNK = 1 << 20


class Packages:
    """The server installs, so the file has to be where the server is: a server on another machine does not see it."""

    _connection: Connection
    #: What apps are called, as far as it was seen or asked for.
    _labels: dict[str, str]

    @property
    def _android(self) -> bool:
        return not self._connection.family.points

    def install(self, package: Path, *, keep_data: bool = True, progress: Progress | None = None) -> str:
        connection, app = self._connection, app_id(package) if self._android else bundle_id(package)
        if not keep_data:
            self.uninstall(app)
        report = progress or (lambda _share: None)
        report(0.0)
        path = str(package.resolve())
        asked = {"appPath": path, "replace": True} if self._android else {"app": path}
        try:
            connection.mobile("mobile: installApp", asked, f"install {package.name}", limit=connection.limits.app)
        except ActionRefused as error:
            if "does not exist" in error.seen:
                error.likely = "the Appium server runs on another machine, which has no such file"
                error.cure = "put the package where the server is, and name it in appium:app of --appium-caps"
            raise
        connection.mobile("mobile: terminateApp", self._named(app), f"stop {app}")
        report(1.0)
        return app

    def uninstall(self, app: str) -> None:
        if self._is_there(app):
            self._connection.mobile(
                "mobile: removeApp", self._named(app), f"uninstall {app}", limit=self._connection.limits.app
            )

    def app_ids(self) -> Sequence[str]:
        return sorted(self._listed())

    def app_version(self, app: str) -> str:
        told = self._listed().get(app) or {}
        return str(told.get("CFBundleShortVersionString") or told.get("versionCode") or "")

    def app_label(self, app: str) -> str:
        """Asked once for each app, on iOS alone: an alert of the system that names the app hides it."""
        if app not in self._labels:
            told: dict[str, Any] = {}
            if self._connection.family.platform == "ios" and self._connection.offers("mobile: listApps"):
                with suppress(ActionRefused, DeviceProblem):
                    told = self._listed().get(app) or {}
            self._labels[app] = str(told.get("CFBundleDisplayName") or told.get("CFBundleName") or "")
        return self._labels[app]

    def installed_digest(self, _app: str) -> str:
        """No driver tells what is installed: the package is put on once a run."""
        return ""

    def package_digest(self, package: Path) -> str:
        digest = hashlib.sha256()
        try:
            with package.open("rb") as file:
                while data := file.read(_CHUNK):
                    digest.update(data)
        except OSError as error:
            raise ConfigError(f"can't read the package {package}", seen=str(error.strerror)) from error
        return digest.hexdigest()

    def _listed(self) -> dict[str, dict[str, Any]]:
        told = self._connection.ask("mobile: listApps", tried="listing the apps")
        if not isinstance(told, dict):
            device = self._connection.channel.device
            raise DriverDead(f"{device} sent no list of its apps", seen=str(told)[:60], cure="ask again")
        return {name: facts if isinstance(facts, dict) else {} for name, facts in told.items()}

    def _is_there(self, app: str) -> bool:
        told = self._connection.ask("mobile: isAppInstalled", self._named(app), f"asking whether {app} is installed")
        return told is True

    def _named(self, app: str) -> dict[str, str]:
        return {"appId" if self._android else "bundleId": app}

    # Files

    def push(self, source: Path, target: str) -> None:
        payload = base64.b64encode(source.read_bytes()).decode()
        asked = {"remotePath": target, "payload": payload}
        self._connection.mobile("mobile: pushFile", asked, f"push {target}", limit=self._connection.limits.app)

    def pull(self, source: str, target: Path) -> None:
        told = self._connection.ask("mobile: pullFile", {"remotePath": source}, f"pull {source}")
        try:
            target.write_bytes(base64.b64decode(str(told or ""), validate=True))
        except (binascii.Error, ValueError) as error:
            device = self._connection.channel.device
            raise DriverDead(f"{device} sent no file: {source}", seen=str(told)[:60], cure="ask again") from error


def bundle_id(package: Path) -> str:
    """The id of an `.ipa`, or of an `.app` folder. Raises `ConfigError` for what is neither."""
    try:
        if package.is_dir():
            facts = plistlib.loads((package / "Info.plist").read_bytes())
        else:
            with zipfile.ZipFile(package) as archive:
                inside = (name for name in archive.namelist() if name.count("/") == 2 and name.endswith("/Info.plist"))
                facts = plistlib.loads(archive.read(next(inside)))
        return str(facts["CFBundleIdentifier"])
    except (OSError, zipfile.BadZipFile, StopIteration, KeyError, ValueError, TypeError) as error:
        raise ConfigError(
            f"{package} is no package for Apple's platforms",
            seen=f"{type(error).__name__}: {error}",
            likely="it is of another platform, or cut short",
            cure="an .ipa for a device, an .app folder for a simulator",
        ) from error
