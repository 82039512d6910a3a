"""One attempt of one test that uses a device: its recorder, and what failed in it."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_apex.plugin.stash import LIVE, RESULTS

if TYPE_CHECKING:
    from pytest_apex.device.device import Device
    from pytest_apex.errors import CheckFailed
    from pytest_apex.evidence.redact import Redactor
    from pytest_apex.evidence.store import Store
    from pytest_apex.model.case import Case
    from pytest_apex.model.verdict import Verdict
    from pytest_apex.plugin.results import Results
    from pytest_apex.plugin.runs import Run
    from pytest_apex.plugin.stepping import WatchedRecorder
    from pytest_apex.settings import Settings


class Failed(NamedTuple):
    """A phase that failed, and how it was judged. `left_out` says that `--apex-fail-on` leaves it out; `case` is what
    was judged, free of secrets."""

    phase: str
    verdict: Verdict
    left_out: bool = False
    case: Case | None = None


class LiveAttempt:
    """An attempt under way. `n` counts from 1; `folder` is relative to the run's folder, "" while nothing was kept."""

    def __init__(self, item: pytest.Item, n: int) -> None:
        self.item = item
        self.n = n
        #: A failure of the call phase that was judged before its report was made.
        self.judged_early: tuple[BaseException, Failed] | None = None
        self.device: Device | None = None
        self.device_id = ""
        self.recorder: WatchedRecorder | None = None
        self.folder = ""
        self.failures: list[Failed] = []
        self.outcome = "passed"
        self.reason = ""
        self.also: list[str] = []
        self.duration_s = 0.0
        self.reports: list[pytest.TestReport] = []
        self.closed = False
        #: The test runs again after this attempt.
        self.again = False

    @property
    def worst(self) -> Failed | None:
        """The failure that decides: crash before call before set-up and tear-down."""
        return min(self.failures, key=_weight, default=None)

    def unraised_soft(self) -> list[CheckFailed]:
        """Soft failures that another error kept from being raised; told once."""
        if self.device is None:
            return []
        found = list(self.device.soft_failures)
        self.device.soft_failures.clear()
        return found

    def missing(self, line: str) -> None:
        """Evidence of this attempt could not be kept; each cause is noted once."""
        if line not in self.also:
            self.also.append(line)

    def let_go(self) -> None:
        """Keep nothing but the number: tests live to the end of the session, their pictures must not."""
        self.device = None
        self.recorder = None
        self.reports = []
        self.judged_early = None
        self.failures = [failed._replace(case=None) for failed in self.failures]


def _weight(failed: Failed) -> tuple[bool, bool]:
    from pytest_apex.verify.judge import weight

    return weight(failed.phase, failed.verdict)


class Attempts:
    """The attempts of this process, and what they share: the store and what is secret."""

    def __init__(self, run: Run, settings: Settings) -> None:
        self._run = run
        self._settings = settings
        self._redactor: Redactor | None = None
        self._store: Store | None = None
        self._live: list[LiveAttempt] = []
        #: Screens that were looked at for defects, in any test of this process.
        self.seen_screens: set[str] = set()

    @property
    def redactor(self) -> Redactor:
        """Secrets stay known to the end of the run: what one test typed, the next may show."""
        if self._redactor is None:
            from pytest_apex.evidence.redact import Redactor

            self._redactor = Redactor(self._settings.keep.redact)
            for secret in self._of_server:
                self._redactor.add_secret(secret)
        return self._redactor

    @cached_property
    def _of_server(self) -> tuple[str, ...]:
        """What is secret in the address of a server, and in the capabilities for it."""
        devices = self._settings.devices
        if not devices.appium_caps and not any(sign in devices.appium_url for sign in "@?"):
            return ()
        from pytest_apex.backends.appium.secrets import secrets_in

        return secrets_in(devices.appium_url, devices.appium_caps)

    @property
    def has_secrets(self) -> bool:
        """Whether there is anything to mask; asks without loading anything."""
        if self._redactor is None and not self._settings.keep.redact and not self._of_server:
            return False
        return self.redactor.knows_any

    def begin(self, item: pytest.Item) -> LiveAttempt:
        """A new attempt; a test that runs again has another one before."""
        before = item.stash.get(LIVE, None)
        attempt = LiveAttempt(item, before.n + 1 if before is not None else 1)
        item.stash[LIVE] = attempt
        self._live.append(attempt)
        return attempt

    def of(self, item: pytest.Item) -> LiveAttempt:
        """The attempt under way; begins one for a test that asks for its device only while it runs."""
        current = item.stash.get(LIVE, None)
        return current if current is not None and not current.closed else self.begin(item)

    def record(self, attempt: LiveAttempt) -> WatchedRecorder:
        """The attempt's recorder, and with it its folder; the first one makes the run's folder."""
        if attempt.recorder is None:
            from pytest_apex.plugin.stepping import WatchedRecorder

            results = attempt.item.config.stash[RESULTS]
            store = self._shared_store(results)
            self._claim_folder(attempt, results)
            key = attempt_key(attempt)
            attempt.recorder = WatchedRecorder(
                attempt.item,
                self._run.folder / attempt.folder,
                store,
                self.redactor,
                self._settings.keep.policy,
                on_trouble=lambda error: attempt.missing(results.broken("evidence is missing", error)),
            )
            attempt.recorder.watchers.append(lambda step: results.step(key, step))
        return attempt.recorder

    def _shared_store(self, results: Results) -> Store:
        """The store of this process. Where the run's folder can't be made the tests run all the same, and the end of
        the run says that their evidence is missing."""
        if self._store is None:
            from pytest_apex.errors import ApexError
            from pytest_apex.evidence.store import Store

            try:
                self._store = Store(self._run.open())
            except ApexError as error:
                results.broken("evidence is missing", error)
                self._store = _unmade(self._run.folder)
        return self._store

    def _claim_folder(self, attempt: LiveAttempt, results: Results) -> None:
        """The next number that no other process has taken: after a crashed worker, another one runs the test again."""
        from pytest_apex.evidence.store import attempt_folder, trouble

        while True:
            attempt.folder = attempt_folder(attempt.item.nodeid, attempt.n)
            folder = self._run.folder / attempt.folder
            try:
                folder.mkdir(parents=True)
            except FileExistsError:
                attempt.n += 1
            except OSError as error:
                results.broken("evidence is missing", trouble(folder, error))
                return
            else:
                return

    @property
    def device_in_use(self) -> Device | None:
        """The device of the test under way, if it has one."""
        return next((attempt.device for attempt in reversed(self._live) if attempt.device is not None), None)

    def take_left_open(self) -> list[LiveAttempt]:
        """Attempts that an interrupt kept from their end; they are not held here any more."""
        left = [attempt for attempt in self._live if not attempt.closed]
        self._live.clear()
        return left

    def forget(self, attempt: LiveAttempt) -> None:
        if attempt in self._live:
            self._live.remove(attempt)


def _unmade(folder: Path) -> Store:
    """A store whose folder can't be made: each file tries again."""
    from pytest_apex.evidence.store import Store

    class Unmade(Store):
        def __init__(self, run_dir: Path) -> None:
            self.run_dir = run_dir
            self.told = False

    return Unmade(folder)


def attempt_key(attempt: LiveAttempt) -> str:
    from pytest_apex.reports.base import attempt_key as key

    return key(attempt.item.nodeid, attempt.n)
