"""What happened to the app's process and to the harness, on the device's clock."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.backends.abilities import ActsOutside
from pytest_apex.backends.base import AppState, Backend
from pytest_apex.model.case import HarnessEvent, ProcessEvent

#: Ways of ending that are a crash wherever the app is.
_CRASHES = frozenset({"java", "native", "anr", "ios"})


class Watch:
    """The timeline of one test: who started and ended the app, and what trouble the harness had."""

    def __init__(self, backend: Backend) -> None:
        self._backend = backend
        #: When the test got its device: what is on record from before is not its own.
        self.began = backend.clock.now()
        self.app = ""
        self.pid = 0
        self.processes: list[ProcessEvent] = []
        self.harness: list[HarnessEvent] = []
        #: What is to be told of the test even if it passes, one line each.
        self.notes: list[str] = []
        #: Whether the app under test is in the background by the test's doing: "", leaving or away.
        self._away = ""
        self._away_since = 0.0

    def under_test(self, app: str) -> None:
        """Watch `app` from now on, as it is."""
        self._note_outside()
        self.app = app
        self.pid = self._backend.app_state(app).pid if app else 0
        if self.pid:
            self._note(app, self.pid, "seen")

    def launched(self, app: str, pid: int) -> None:
        """The test started the app."""
        self._note_outside()
        self._launched(app, pid)

    def _launched(self, app: str, pid: int) -> None:
        if app == self.app or not self.app:
            self.app, self.pid, self._away = app, pid, ""
        self._note(app, pid, "launched", by_test=True)

    def stopped(self, app: str) -> None:
        """The test ended the app."""
        self._note_outside()
        self._stopped(app)

    def _stopped(self, app: str) -> None:
        pid = self.pid if app == self.app else 0
        if app == self.app:
            self.pid, self._away = 0, ""
        self._note(app, pid, "stopped", by_test=True)

    def lives(self, app: str, pid: int) -> None:
        """What was noted as stopped lives on."""
        if app == self.app:
            self.pid = pid
        self._note(app, pid, "seen")

    def sent_away(self) -> None:
        """The test sent the app under test to the background, where the system may end it for its memory."""
        if self.pid and not self._away:
            self._away, self._away_since = "leaving", self._backend.clock.now()
            self._note(self.app, self.pid, "background", by_test=True)

    def came_back(self) -> None:
        """The app under test is in front again; a process that took the place of the one that left is no crash."""
        if not self._away or self.died() is not None:
            return
        pid = self._backend.app_state(self.app).pid
        self._away = ""
        if pid and pid != self.pid:
            self.launched(self.app, pid)
        else:
            self._note(self.app, pid, "returned", by_test=True)

    def looked(self, in_front: str) -> None:
        """A look showed this app in front."""
        if self._away and in_front != self.app:
            self._away = "away"
        elif self._away == "away":
            self.came_back()

    def died(self) -> AppState | None:
        """The app's state if its process is gone or another one, and not by the test's own doing; else None."""
        self._note_outside()
        if not self.app or not self.pid:
            return None
        state = self._backend.app_state(self.app)
        if state.pid == self.pid or (self._away and self._ended_for_memory()):
            return None
        last = self.processes[-1] if self.processes else None
        what = "changed" if state.pid else "gone"
        if last is None or last.what != what:
            self._note(self.app, state.pid or self.pid, what)
        return state

    def _note_outside(self) -> None:
        """What the suite's own driver did with the app is the test's doing. Starting what runs starts nothing."""
        if not isinstance(self._backend, ActsOutside):
            return
        for app, runs in self._backend.apps_outside():
            if not runs:
                self._stopped(app)
            elif app != self.app or not self.pid:
                self._launched(app, self._backend.app_state(app).pid)

    def _ended_for_memory(self) -> bool:
        """The process is gone in the background: expected, unless it is on record that it crashed."""
        if "records" in self._backend.capabilities:
            records = self._backend.records(self.app, self._away_since)
            if any(record.pid == self.pid and record.way in _CRASHES for record in records):
                return False
        self.notes.append(f"expected.killed_in_background: the system ended {self.app} (pid {self.pid}) there")
        self.pid = 0
        return True

    def trouble(self, what: str, detail: str, *, recovered: bool = False) -> None:
        """Trouble of the harness."""
        self.harness.append(HarnessEvent(self._backend.clock.now(), what, detail, recovered))
        if recovered:
            self.notes.append(f"harness.{what}: {detail}")

    def touched(self, at: float, detail: str) -> HarnessEvent:
        """Somebody else touched the screen: a note of the test, unless a failure is explained by it."""
        event = HarnessEvent(at, "foreign_input", detail, recovered=True)
        self.harness.append(event)
        self.notes.append(f"harness.foreign_input: {detail}")
        return event

    def overcome(self, what: str) -> None:
        """Trouble of this kind, noted before, is over: each becomes a note of the test."""
        for at, event in enumerate(self.harness):
            if event.what == what and not event.recovered:
                self.harness[at] = replace(event, recovered=True)
                line = f"harness.{what}: {event.detail}"
                if line not in self.notes:
                    self.notes.append(line)

    def _note(self, app: str, pid: int, what: str, *, by_test: bool = False) -> None:
        self.processes.append(ProcessEvent(self._backend.clock.now(), app, pid, what, by_test))
