"""A stored run as a device that can only be looked at: `replay:RUN_DIR`.

It shows what the running test's last attempt stored, so that checks can be written and tried against it. Nothing can be
done on it: each act is refused by name. Time is its own, and passes only when someone waits.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

from pytest_apex.backends.base import AppState, LogLines
from pytest_apex.errors import CapabilityMissing, ConfigError
from pytest_apex.evidence.store import run_folder
from pytest_apex.evidence.stored_run import StoredRun, StoredTest
from pytest_apex.model.action import Receipt, Track
from pytest_apex.model.case import CrashRecord
from pytest_apex.model.screen import DeviceInfo
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.settings import Settings

#: What a look takes of the replayed time: enough for the screen to be seen at rest.
LOOK_S = 0.03


def connect(spec: str, settings: Settings) -> ReplayBackend:  # noqa: ARG001 - nothing of them changes a replay
    """Open a stored run. Raises `ConfigError` for a folder that is none, or that stored no capture."""
    folder = spec.partition(":")[2]
    if not folder:
        raise ConfigError(f"can't read the device {spec!r}", seen="no folder", cure="replay:RUN_DIR")
    return ReplayBackend(StoredRun(run_folder(Path(folder))), spec)


class ReplayClock:
    """Time that passes only when someone waits."""

    def __init__(self) -> None:
        self._now = 0.0

    def now(self) -> float:
        return self._now

    def sleep(self, seconds: float) -> None:
        self._now += max(0.0, seconds)


class Replay:
    """What is shown, as `device.raw`: by default the screen at the failure, else after the last step."""

    def __init__(self, run: StoredRun) -> None:
        self.run = run
        last = run.last
        if last is None:
            raise ConfigError(
                f"the run in {run.run_dir} stored no capture",
                likely="all its tests passed (only failed ones are kept), or it was made with --apex-keep never",
                cure="make it with --apex-keep always",
            )
        self._fallback: StoredTest = last
        self._test = ""
        self._chosen = ""

    @property
    def shown(self) -> StoredTest:
        """The captures of the running test; of the run's last test where it stored none."""
        test = _running_test()
        if test != self._test:
            self._test, self._chosen = test, ""
        return (self.run.of(test) if test else None) or self._fallback

    @property
    def looks(self) -> tuple[str, ...]:
        """The names of the captures there are, in their order."""
        return tuple(look.name for look in self.shown.looks)

    def show(self, name: str) -> None:
        """Show another capture from now on, until the test ends: `step-003 after`. Raises `ConfigError`."""
        if name not in self.looks:
            raise ConfigError(f"there is no capture {name!r}", seen=", ".join(self.looks) or "none but the last")
        self._chosen = name

    def snapshot(self) -> Snapshot:
        shown = self.shown
        chosen = next((look for look in shown.looks if look.name == self._chosen), None)
        last = chosen.snapshot() if chosen is not None else shown.last
        assert last is not None  # only tests with captures are shown
        return last


def _running_test() -> str:
    """The id of the test under way, as pytest tells it to all it starts: `test_a.py::test_b (call)`."""
    return os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" (")[0]


class ReplayBackend:
    """A `Backend` over a stored run."""

    capabilities = frozenset({"records"})
    keys = frozenset[str]()

    def __init__(self, run: StoredRun, spec: str) -> None:
        self.name = "replay"
        self.clock = ReplayClock()
        self._spec = spec
        self._replay = Replay(run)
        self._looks = 0
        self._begun: tuple[str, float] = ("", 0.0)
        self._looked = False

    @property
    def raw(self) -> Replay:
        return self._replay

    def info(self) -> DeviceInfo:
        self._shift()
        look = self._replay.snapshot()
        devices = self._replay.run.describe().get("devices")
        told = devices[0] if isinstance(devices, list) and devices and isinstance(devices[0], dict) else {}
        return DeviceInfo(
            id=self._spec,
            platform=look.platform,
            model=str(told.get("model") or "stored run"),
            os_version=str(told.get("os_version") or "?"),
            screen=look.screen,
            dp=look.screen.density if look.platform == "android" else 1.0,
        )

    def capture(self) -> Snapshot:
        self._shift()
        look, at = self._replay.snapshot(), self.clock.now()
        self.clock.sleep(LOOK_S)
        self._looks += 1
        self._looked = True
        return replace(look, id=f"replay-{self._looks}", taken_at=at)

    def app_state(self, app: str) -> AppState:
        """The process as it was before the failure, and from the first look on as it was at the failure."""
        self._shift()
        look, case = self._replay.snapshot(), self._replay.shown.case
        pid = next((window.pid for window in look.windows if window.app == app and window.pid), 0)
        if case is not None and case.app == app:
            pid = case.pid_now if self._looked and case.pid_now is not None else case.pid or pid
        if app == self.app_in_front():
            return AppState(app, "foreground" if pid or case is None else "not_running", pid)
        known = any(window.app == app for window in look.windows) or (case is not None and case.app == app)
        if not known:
            return AppState(app, "not_installed")
        return AppState(app, "background" if pid else "not_running", pid)

    def app_in_front(self) -> str:
        case = self._replay.shown.case
        return (case.in_front if case is not None else "") or self._replay.snapshot().app.id

    def log(self, since: int = 0) -> LogLines:  # noqa: ARG002 - there is none
        return LogLines("", 0)

    def records(self, app: str, since: float) -> Sequence[CrashRecord]:
        """What the platform had recorded at the failure, on the replay's time."""
        shift, case = self._shift(), self._replay.shown.case
        own = [record for record in case.records if record.app in ("", app)] if case is not None else []
        moved = [replace(record, at=None if record.at is None else record.at + shift) for record in own]
        return [record for record in moved if record.at is None or record.at >= since]

    def _shift(self) -> float:
        """How much later the replay's time is than the stored one. A test begins where its failing step began."""
        shown = self._replay.shown
        if self._begun[0] != shown.test:
            case = shown.case
            origin = case.since if case is not None else self._replay.snapshot().taken_at
            self._begun, self._looked = (shown.test, self.clock.now() - origin), False
        return self._begun[1]

    def recover(self) -> str:
        return "a stored run is always there"

    def close(self) -> None:
        """Nothing to let go of."""

    # What can't be done on it

    def perform(self, track: Track) -> Receipt:
        self._refuse(track.verb.replace("_", " "))

    def type_text(self, text: str) -> Receipt:  # noqa: ARG002 - refused
        self._refuse("type")

    def clear_text(self) -> Receipt:
        self._refuse("clear a field")

    def press(self, key: str, hold_ms: int = 0) -> Receipt:  # noqa: ARG002 - refused
        self._refuse(f"press {key!r}")

    def set_orientation(self, name: str) -> Receipt:  # noqa: ARG002 - refused
        self._refuse("turn")

    def launch(self, app: str, args: Sequence[str] = (), env: Mapping[str, str] | None = None) -> int:  # noqa: ARG002
        self._refuse(f"launch {app}")

    def activate(self, app: str) -> None:
        self._refuse(f"bring {app} to the front")

    def stop(self, app: str) -> None:
        self._refuse(f"stop {app}")

    def clear_data(self, app: str) -> None:
        self._refuse(f"clear the data of {app}")

    def set_permission(self, app: str, permission: str, grant: bool) -> None:  # noqa: ARG002 - refused
        self._refuse(f"grant {permission} to {app}")

    def _refuse(self, what: str) -> NoReturn:
        raise CapabilityMissing(
            f"a stored run can't {what}",
            seen=f"{self._spec} shows captures of {self._replay.shown.test}; it can be looked at, and nothing else",
            cure="run tests that act on a device; device.raw.show(name) shows another of device.raw.looks",
        )
