"""Tests that never came to their end: interrupted, or lost with the worker that ran them. Each gets its record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_apex.plugin.stash import ATTEMPTS, RESULTS, RUN, SETTINGS
from pytest_apex.plugin.workers import is_worker, number_in

if TYPE_CHECKING:
    from pytest_apex.model.case import Case
    from pytest_apex.model.verdict import Attempt, Verdict

_INTERRUPTED = "unsure.interrupted", "the run was interrupted before the test ended"
_WORKER_DIED = "unsure.worker_died", "the process that ran the test died before the test ended"


def take_left_open(config: pytest.Config) -> None:
    """The end of the run: what an interrupt kept from its end is recorded as far as it came."""
    from pytest_apex.plugin.ending import close

    for attempt in config.stash[ATTEMPTS].take_left_open():
        if is_worker(config):  # nobody listens to it any more: the controller speaks for it
            close(attempt)
        else:
            _take_interrupted(config, attempt)
    if config.pluginmanager.has_plugin("dsession"):
        for test in tuple(config.stash[RESULTS].under_way):
            _take_lost(config, test, "", _INTERRUPTED, "error")


def _take_interrupted(config: pytest.Config, attempt: Any) -> None:
    from pytest_apex.plugin.attempts import Failed
    from pytest_apex.plugin.ending import close, finished

    results, attempts = config.stash[RESULTS], config.stash[ATTEMPTS]
    if not attempt.failures:
        verdict = _verdict(*_INTERRUPTED, config.stash[RUN].folder / attempt.folder if attempt.folder else None)
        attempt.failures.append(Failed("call", verdict))
        attempt.outcome = "error"
    record = finished(attempt, close(attempt), attempts.redactor)
    results.ended(record, attempt.recorder.steps if attempt.recorder is not None else [])
    results.take(record)


@pytest.hookimpl(optionalhook=True)
def pytest_handlecrashitem(crashitem: str, report: Any) -> None:
    """pytest-xdist: the worker that ran this test is gone, and its own report with it."""
    config = report.node.config
    try:
        record = _take_lost(config, crashitem, report.node.gateway.id, _WORKER_DIED, "failed")
        if record is not None:
            _tell_in_report(config, report, record)
    except Exception as error:  # noqa: BLE001 - xdist's own report of the crash stands
        config.stash[RESULTS].broken(f"{crashitem} has no complete record", error)


def _tell_in_report(config: pytest.Config, report: pytest.TestReport, record: Attempt) -> None:
    from pytest_apex.plugin.attempts import Failed
    from pytest_apex.plugin.judging import tell_in_report

    evidence = str(config.stash[RUN].folder / record.folder) if record.folder else ""
    tell_in_report(report, Failed("call", record.verdict), evidence, config.stash[ATTEMPTS].redactor.text)


def _take_lost(config: pytest.Config, test: str, worker: str, kind: tuple[str, str], outcome: str) -> Attempt | None:
    """Record a test that another process did not end. None for one that may never have used a device: it left no
    folder, and no device was given."""
    from pytest_apex.model.verdict import Attempt

    run, specs, results = config.stash[RUN], config.stash[SETTINGS].devices.specs, config.stash[RESULTS]
    results.under_way.discard(test)
    folder, n = _left_folder(run.folder, test)
    if not folder and not specs:
        return None
    record: Attempt = config.stash[ATTEMPTS].redactor.value(
        Attempt(
            test=test,
            n=n,
            outcome=outcome,
            verdict=_verdict(*kind, run.folder / folder if folder else None, worker),
            device=specs[number_in(worker) % len(specs)] if specs and worker else "",
            folder=folder,
            facts={"file": test.partition("::")[0]},
        )
    )
    results.take(record)
    return record


def _left_folder(run: Path, test: str) -> tuple[str, int]:
    """The folder of the attempt that has no verdict yet, relative to the run's, and its number; "" when there is
    none."""
    from pytest_apex.evidence.store import attempt_folder

    n = 1
    while (run / attempt_folder(test, n) / "verdict.json").is_file():
        n += 1
    folder = attempt_folder(test, n)
    return (folder if (run / folder).is_dir() else ""), n


def _verdict(kind: str, reason: str, folder: Path | None, worker: str = "") -> Verdict:
    from pytest_apex.model.verdict import Outcome, Verdict

    told = _timed_out(folder) if folder is not None else None
    if told is not None:
        return told
    step = step_under_way(folder) if folder is not None else ""
    parts = (reason, f"worker {worker}" if worker else "", f"under way: {step}" if step else "")
    return Verdict(Outcome.UNSURE, None, kind, "; ".join(part for part in parts if part))


def _timed_out(folder: Path) -> Verdict | None:
    """The verdict on a test whose process pytest-timeout ended: that process left word."""
    from pytest_apex.verify.judge import judge

    told = next((event for event in _journal(folder) if event["event"] == "timed_out"), None)
    return judge(timed_out(str(told.get("reason")), str(told.get("phase")))) if told is not None else None


def timed_out(reason: str, phase: str, source: str = "") -> Case:
    """What the judge is given of such a test: what it would have been told had the test been ended by a signal."""
    from pytest_apex.model.case import Case, Failure

    return Case(Failure("error", reason, phase, kind="test.error", exception="Failed", source=source))


def step_under_way(folder: Path) -> str:
    """The step that was begun and not done, in words; empty if there is none."""
    events = _journal(folder)
    done = {event.get("step") for event in events if event["event"] == "done"}
    begun = [event for event in events if event["event"] == "intent" and event.get("step") not in done]
    return f"{begun[-1]['step']} {begun[-1].get('named') or begun[-1].get('verb')}" if begun else ""


def _journal(folder: Path) -> list[dict[str, Any]]:
    from pytest_apex.errors import ApexError
    from pytest_apex.evidence.journal import read_journal

    try:
        return read_journal(folder / "steps.jsonl")
    except ApexError:  # it died before its first step
        return []
