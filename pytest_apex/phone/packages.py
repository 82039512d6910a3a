"""What is installed on the phone, and what stays of an app while it does not run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pytest_apex.errors import ConfigError
from pytest_apex.phone.pages import SavedState
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.process import Process

FIRST_UID = 10123


class Packages:
    """Apps with their user ids, stored variables, saved states and permissions."""

    def __init__(self, apps: Sequence[AppFile]) -> None:
        self.apps = tuple(apps)
        self._uids: dict[str, int] = {}
        self._next_uid = FIRST_UID
        self._stored: dict[str, dict[str, Any]] = {}
        self._saved: dict[str, SavedState] = {}
        self._permissions: dict[tuple[str, str], bool] = {}
        for app in self.apps:
            self.uid(app.id)

    def has(self, app_id: str) -> bool:
        return any(app.id == app_id for app in self.apps)

    def find(self, app_id: str) -> AppFile:
        """Raises `ConfigError` for one that is not installed."""
        for app in self.apps:
            if app.id == app_id:
                return app
        raise ConfigError(
            f"the app {app_id!r} is not installed on the built-in phone",
            seen=f"installed: {', '.join(app.id for app in self.apps) or 'nothing'}",
            cure="name one of them, or add its app file: --device='virtual?with=APP.yaml'",
        )

    def uid(self, app_id: str) -> int:
        """An app keeps its user id as long as it is installed; none is given twice."""
        if app_id not in self._uids:
            self._uids[app_id] = self._next_uid
            self._next_uid += 1
        return self._uids[app_id]

    def put(self, app: AppFile) -> None:
        """Install, or take the place of the one that is there."""
        if self.has(app.id):
            self.apps = tuple(app if item.id == app.id else item for item in self.apps)
        else:
            self.apps = (*self.apps, app)
        self._saved.pop(app.id, None)

    def remove(self, app_id: str) -> None:
        self.apps = tuple(app for app in self.apps if app.id != app_id)
        self._uids.pop(app_id, None)
        self.forget(app_id)

    # Variables

    def ended(self, process: Process) -> None:
        """Keep what a process stored."""
        self._stored[process.app.id] = process.stored

    def save(self, process: Process) -> None:
        """Keep what a process leaves for its return."""
        saved = process.saved
        if saved is not None:
            self._saved[process.app.id] = saved

    def stored_for(self, app: AppFile) -> dict[str, Any]:
        """What an app finds at its start; a new version does not see what it no longer stores."""
        return {name: value for name, value in self._stored.get(app.id, {}).items() if name in app.stored}

    def take_saved(self, app_id: str) -> SavedState | None:
        """What it left for its return, once."""
        return self._saved.pop(app_id, None)

    def forget(self, app_id: str) -> None:
        """Drop stored variables, saved state and permissions."""
        self._stored.pop(app_id, None)
        self._saved.pop(app_id, None)
        self.restore_permissions(app_id, {})

    # Permissions; `*` stands for all that were not answered one by one

    def set_permission(self, app_id: str, permission: str, granted: bool) -> None:
        if permission == "*":
            self.restore_permissions(app_id, {})
        self._permissions[app_id, permission] = granted

    def answer(self, app_id: str, permission: str) -> bool | None:
        """What was answered before; None: it has to be asked for."""
        return self._permissions.get((app_id, permission), self._permissions.get((app_id, "*")))

    def permissions(self, app_id: str) -> dict[str, bool]:
        """All answers for an app."""
        return {permission: granted for (app, permission), granted in self._permissions.items() if app == app_id}

    def restore_permissions(self, app_id: str, before: Mapping[str, bool]) -> None:
        """Answers as `permissions` told them once; what was never answered is asked for again."""
        others = {key: value for key, value in self._permissions.items() if key[0] != app_id}
        self._permissions = {**others, **{(app_id, name): granted for name, granted in before.items()}}
