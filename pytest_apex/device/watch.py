"""What happened to the app's process and to the harness, on the device's clock."""

from __future__ import annotations

from pytest_apex.backends.base import AppState, Backend
from pytest_apex.model.case import HarnessEvent, ProcessEvent


class Watch:
    """The timeline of one test: who started and ended the app, and what trouble the harness had."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        self.app = ""
        self.pid = 0
        self.processes: list[ProcessEvent] = []
        self.harness: list[HarnessEvent] = []
        #: What is to be told of the test even if it passes, one line each.
        self.notes: list[str] = []

    def under_test(self, app: str) -> None:
        """Watch `app` from now on, as it is."""
        self.app = app
        self.pid = self._backend.app_state(app).pid if app else 0
        if self.pid:
            self._note(app, self.pid, "seen")

    def launched(self, app: str, pid: int) -> None:
        """The test started the app."""
        if app == self.app or not self.app:
            self.app, self.pid = app, pid
        self._note(app, pid, "launched", by_test=True)

    def stopped(self, app: str) -> None:
        """The test ended the app."""
        pid = self.pid if app == self.app else 0
        if app == self.app:
            self.pid = 0
        self._note(app, pid, "stopped", by_test=True)

    def died(self) -> AppState | None:
        """The app's state if its process is gone or another one, and not by the test's own doing; else None."""
        if not self.app or not self.pid:
            return None
        state = self._backend.app_state(self.app)
        if state.pid == self.pid:
            return None
        last = self.processes[-1] if self.processes else None
        what = "changed" if state.pid else "gone"
        if last is None or last.what != what:
            self._note(self.app, state.pid or self.pid, what)
        return state

    def trouble(self, what: str, detail: str, *, recovered: bool = False) -> None:
        """Trouble of the harness."""
        self.harness.append(HarnessEvent(self._backend.clock.now(), what, detail, recovered))
        if recovered:
            self.notes.append(f"harness.{what}: {detail}")

    def _note(self, app: str, pid: int, what: str, *, by_test: bool = False) -> None:
        self.processes.append(ProcessEvent(self._backend.clock.now(), app, pid, what, by_test))
