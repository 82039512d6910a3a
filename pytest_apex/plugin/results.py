"""What becomes of the records of attempts: reports where the test ran, one list of results in the process in charge.

Under pytest-xdist a record travels on its test's report from the worker to the controller, which alone writes
`results.jsonl` and `run.json` and prints the summary.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_apex.plugin import options
from pytest_apex.plugin.answers import all_of
from pytest_apex.plugin.stash import ATTEMPTS, RESULTS, RUN, SETTINGS
from pytest_apex.plugin.workers import is_worker

if TYPE_CHECKING:
    from pytest_apex.model.run import RunInfo
    from pytest_apex.model.screen import DeviceInfo
    from pytest_apex.model.step import Step
    from pytest_apex.model.verdict import Attempt
    from pytest_apex.reports.base import Sinks
    from pytest_apex.reports.results import ResultsWriter
    from pytest_apex.settings import Settings

_TRAVELS = "apex"


class Results:
    """All that is told of attempts in this process. `troubles` are said at the end of the run."""

    def __init__(self, config: pytest.Config, settings: Settings) -> None:
        self._config = config
        self._settings = settings
        self._in_charge = not is_worker(config)
        self._sinks: Sinks | None = None
        self._writer: ResultsWriter | None = None
        self._devices: dict[str, DeviceInfo] = {}
        self._seen: set[tuple[str, int]] = set()
        self.attempts: list[Attempt] = []
        self.troubles: list[str] = []
        #: Tests that were begun and have not ended.
        self.under_way: set[str] = set()
        self._causes: set[str] = set()
        #: The report as one page, once it is written.
        self.page: Path | None = None
        #: Manuals that were used, in words.
        self._manuals: dict[str, None] = {}

    def trouble(self, line: str) -> None:
        """Something broke beside the tests: said once, at the end of the run."""
        line = self._masked(line)
        if line not in self.troubles:
            self.troubles.append(line)

    def broken(self, what: str, error: Exception) -> str:
        """Something could not be done because of `error`: said in one sentence, once for each cause, however many files
        or tests it hits. Returns the sentence; files of the run, which differ each time, are left out."""
        cause = str(getattr(error, "seen", "") or error).partition("\n")[0] or type(error).__name__
        tried, cure = str(getattr(error, "tried", type(error).__name__)), str(getattr(error, "cure", ""))
        parts = (what, "" if str(self._config.stash[RUN].folder) in tried else tried, cause)
        line = ": ".join(part for part in parts if part) + (f"; {cure}" if cure else "")
        if cause not in self._causes:
            self._causes.add(cause)
            self.trouble(line)
        return self._masked(line)

    def _masked(self, line: str) -> str:
        attempts = self._config.stash[ATTEMPTS]
        return attempts.redactor.text(line) if attempts.has_secrets else line

    # Where tests run

    def prepare(self) -> Sinks:
        """The reports of this process; made once, before its first device test."""
        if self._sinks is None:
            from pytest_apex.reports.base import Sinks

            answers = self._config.hook.pytest_apex_sinks(config=self._config)
            self._sinks = Sinks(list(all_of(answers)), self.trouble)
        return self._sinks

    def begin(self, device: DeviceInfo) -> None:
        """A test begins on a device."""
        if device.id not in self._devices:
            self._devices[device.id] = device
            self.prepare().open(self._run_info())
            if self._in_charge:
                self._guarded(lambda: self._write().open(self._run_info()))

    def step(self, key: str, step: Step) -> None:
        self.prepare().step(key, step)

    def ended(self, record: Attempt, steps: Sequence[Step]) -> None:
        self.prepare().attempt(record, steps)

    def properties(self, record: Attempt) -> list[tuple[str, object]]:
        """What JUnit is told; it reads the tear-down's report alone."""
        from pytest_apex.reports.junit import properties

        return list(properties(record))

    def travelling(self, record: Attempt) -> dict[str, Any]:
        """The record as it travels: nothing but JSON's own types."""
        from pytest_apex.evidence.plain import plain
        from pytest_apex.reports.results import attempt_to_dict

        return {"attempt": attempt_to_dict(record), "device": plain(self._devices.get(record.device))}

    # In charge

    def received(self, report: pytest.TestReport) -> None:
        """Take a record from a report; a report that comes twice counts once."""
        travelled = getattr(report, _TRAVELS, None)
        if travelled is None or not self._in_charge:
            return
        from pytest_apex.reports.results import attempt_from_dict, key_of

        record = attempt_from_dict(travelled["attempt"])
        if (key_of(record), record.n) in self._seen:
            return
        if travelled["device"] is not None and record.device not in self._devices:
            self._devices[record.device] = device_from(travelled["device"])
            self._guarded(lambda: self._write().open(self._run_info()))
            self.prepare().open(self._run_info())
        self.take(record)

    def _note_manuals(self, record: Attempt) -> None:
        """Which manuals are used is known as tests end: the run is told anew."""
        from pytest_apex.reports.results import MANUALS

        new = [line for line in record.facts.get(MANUALS, "").splitlines() if line not in self._manuals]
        if new:
            self._manuals.update(dict.fromkeys(new))
            self._guarded(lambda: self._write().open(self._run_info()))
            self.prepare().open(self._run_info())

    def take(self, record: Attempt) -> None:
        """A finished record: it counts, and is written."""
        from pytest_apex.reports.results import key_of

        self._seen.add((key_of(record), record.n))
        self.attempts.append(record)
        self._note_manuals(record)
        self._guarded(lambda: self._write().attempt(record))

    def _guarded(self, write: Callable[[], None]) -> None:
        """A full disk fails no test: the end of the run says what is missing."""
        try:
            write()
        except Exception as error:  # noqa: BLE001 - it is said, and the run goes on
            self.broken("a result was not written", error)

    def unjudged(self) -> tuple[int, int]:
        """How many tests `--apex-fail-on` left out, and of how many; a test counts by its last attempt."""
        from pytest_apex.reports.results import LEFT_OUT, key_of

        last = {key_of(record): record for record in sorted(self.attempts, key=lambda record: record.n)}
        ran = [record for record in last.values() if record.outcome != "skipped"]
        return sum(LEFT_OUT in record.facts for record in ran), len(ran)

    def close(self) -> None:
        if self._sinks is not None:
            self._sinks.close()
        writer = self._writer
        if writer is not None:
            self._guarded(writer.close)
        if self._in_charge and self._settings.keep.html and not options.runs_nothing(self._config):
            self._write_page(Path(self._settings.keep.html))

    def _write_page(self, page: Path) -> None:
        from pytest_apex.reports.html.write import write_empty_page, write_page
        from pytest_apex.reports.results import run_to_dict

        try:
            if self._writer is not None:
                write_page(self._config.stash[RUN].folder, page)
            else:
                write_empty_page(page, run_to_dict(self._run_info()))
        except Exception as error:  # noqa: BLE001 - a full disk, a run that could not be written: its end says so
            self.broken(f"--apex-html={page} was not written", error)
        else:
            self.page = page

    def _write(self) -> ResultsWriter:
        if self._writer is None:
            from pytest_apex.reports.results import ResultsWriter
            from pytest_apex.reports.runs import clean_old_runs

            run = self._config.stash[RUN]
            folder = run.open()
            self._writer = ResultsWriter(folder, self._config.stash[ATTEMPTS].redactor)
            self._guarded(partial(self._writer.open, self._run_info()))
            if run.home is not None:
                for problem in clean_old_runs(folder.parent, self._settings.keep.runs, folder)[1]:
                    self.trouble(problem)
        return self._writer

    def _run_info(self) -> RunInfo:
        from pytest_apex import __version__
        from pytest_apex.model.run import RunInfo

        run = self._config.stash[RUN]
        return RunInfo(
            folder=str(run.folder), started=run.started, seed=self._settings.touch.seed,
            devices=tuple(self._devices.values()), options=options.shown_options(self._settings), version=__version__,
            manuals=tuple(self._manuals),
        )  # fmt: skip


def device_from(fields: dict[str, Any]) -> DeviceInfo:
    """A device as `plain` wrote it."""
    from pytest_apex.model.geometry import Insets, Size
    from pytest_apex.model.screen import DeviceInfo, Screen

    screen = fields["screen"]
    screen = Screen(**{**screen, "size": Size(**screen["size"]), "insets": Insets(**screen["insets"])})
    return DeviceInfo(**{**fields, "screen": screen, "tags": frozenset(fields["tags"])})


class Listener:
    """Reports carry no config, so who listens to them has to know the results."""

    def __init__(self, results: Results) -> None:
        self._results = results

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._results.under_way.add(nodeid)

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        self._results.under_way.discard(nodeid)

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        try:
            self._results.received(report)
        except Exception as error:  # noqa: BLE001 - a full disk, a broken hook: the run goes on, its end says it
            self._results.broken("a result was not written", error)


def too_many_unjudged(config: pytest.Config) -> str:
    """The sentence for a run with more tests left out than `--apex-max-unjudged` allows; empty for any other."""
    limit = config.stash[SETTINGS].judging.max_unjudged
    left_out, ran = config.stash[RESULTS].unjudged()
    if limit is None or not ran or left_out / ran <= limit:
        return ""
    return f"{left_out} of {ran} tests were not judged: more than --apex-max-unjudged {limit:.0%}, so the run fails"


def summary(config: pytest.Config) -> list[str]:
    """What the end of a run says in the terminal; nothing for a run without device tests."""
    from pytest_apex.plugin.unused import idle_leaves, unused_lines, written_twice
    from pytest_apex.reports.summary import summary_lines

    results = config.stash[RESULTS]
    lines = summary_lines(results.attempts)
    too_many = too_many_unjudged(config)
    if too_many:
        lines.append(too_many)
    lines += unused_lines(config, results.attempts)
    lines += idle_leaves(config, results.attempts)
    lines += [f"trouble: {line}" for line in (*written_twice(results.attempts), *results.troubles)]
    if results.attempts:
        lines.append(f"evidence: {config.stash[RUN].folder}")
        lines += [f"report: {results.page}"] if results.page is not None else []
    return lines
