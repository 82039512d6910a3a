"""A test's way through pytest: its attempt begins, its failures are judged, its record travels with its report."""

from __future__ import annotations

import inspect
from collections.abc import Generator
from functools import wraps
from typing import TYPE_CHECKING, Any

import pytest

from pytest_apex.plugin.markers import uses_device
from pytest_apex.plugin.stash import ATTEMPTS, CONNECTIONS, LIVE, RESULTS, RUN, SETTINGS

if TYPE_CHECKING:
    from pytest_apex.plugin.attempts import Attempts, Failed, LiveAttempt


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None, object, object]:
    if uses_device(item) and _has_device(item):
        item.config.stash[ATTEMPTS].begin(item)
    return (yield)


def _has_device(item: pytest.Item) -> bool:
    """A test without a device is no attempt: nothing can be judged, nothing is written."""
    from pytest_apex.plugin.devices import lease, needs_device

    return not needs_device(item) or lease(item.config, item.config.stash[SETTINGS]) is not None


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Soft checks are raised here: after the test's last line, and still in its call phase."""
    if hasattr(item, "addFailure"):  # a test of unittest, whose result it is
        _judge_before_tear_down(item)
    result = yield
    attempt = item.stash.get(LIVE, None)
    if attempt is not None and attempt.device is not None:
        attempt.device.raise_soft()
    return result


def _judge_before_tear_down(item: Any) -> None:
    """The `tearDown` of unittest belongs to the call phase: when its report is made, the suite may have ended its
    driver or its app. So a failure is judged where it leaves the test's own function."""
    import unittest

    test = item.obj

    @wraps(test)
    def judging(*args: Any, **kwargs: Any) -> Any:
        __tracebackhide__ = True
        try:
            return test(*args, **kwargs)
        except (Exception, pytest.fail.Exception) as error:
            attempt, skips = item.stash.get(LIVE, None), isinstance(error, unittest.SkipTest)
            if attempt is not None and attempt.device is not None and not attempt.closed and not skips:
                attempt.judged_early = (error, _judged(item.config.stash[ATTEMPTS], attempt, error, "call"))
            raise

    if not inspect.iscoroutinefunction(test):
        item.obj = judging


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Outermost, so that `xfail` and others have had their say: only what still fails is judged."""
    report = yield
    attempt = item.stash.get(LIVE, None)
    if attempt is None or attempt.closed:
        return report
    try:
        _take(item.config.stash[ATTEMPTS], attempt, report, call)
    except Exception as error:  # noqa: BLE001 - a full disk or a broken hook must not end the run: its end says it
        item.config.stash[RESULTS].broken(f"{item.nodeid} has no complete record", error)
        if report.when == "teardown":  # it is over, recorded or not
            item.config.stash[ATTEMPTS].forget(attempt)
            if attempt.device is not None:
                attempt.device.finish()
    return report


def _take(attempts: Attempts, attempt: LiveAttempt, report: pytest.TestReport, call: pytest.CallInfo[None]) -> None:
    attempt.reports.append(report)
    attempt.duration_s += report.duration
    if report.failed or _is_expected_failure(report, call):
        _judge(attempts, attempt, report, call.excinfo.value if call.excinfo is not None else None)
    _note_outcome(attempt, report)
    if report.when == "teardown":
        _finish(attempts, attempt)


def _is_expected_failure(report: pytest.TestReport, call: pytest.CallInfo[None]) -> bool:
    """A test that fails as its `xfail` mark says is judged too; `pytest.xfail()` in the test is no failure."""
    if not report.skipped or not hasattr(report, "wasxfail") or call.excinfo is None:
        return False
    return not isinstance(call.excinfo.value, pytest.xfail.Exception)


def _judge(attempts: Attempts, attempt: LiveAttempt, report: pytest.TestReport, error: BaseException | None) -> None:
    from pytest_apex.plugin.judging import tell_in_report

    config = attempt.item.config
    failed = _judged(attempts, attempt, error, str(report.when))
    attempt.failures.append(failed if report.failed else failed._replace(left_out=False))
    attempt.also += [f"soft check: {soft.tried}" for soft in attempt.unraised_soft()]
    if failed.verdict.kind == "transient.harness.device_lost" and attempt.device is not None:
        reason = attempts.redactor.text(failed.verdict.reason)
        config.stash[CONNECTIONS].lose(attempt.device.context.backend, attempt.item.nodeid, reason)
    if not report.failed:
        return
    folder = config.stash[RUN].folder / attempt.folder
    shown = folder.relative_to(config.rootpath) if config.rootpath in folder.parents else folder
    style = config.option.tbstyle
    tell_in_report(report, failed, str(shown), attempts.redactor.text, style=style)


def _judged(attempts: Attempts, attempt: LiveAttempt, error: BaseException | None, phase: str) -> Failed:
    from pytest_apex.plugin.judging import judged

    if attempt.judged_early is not None and attempt.judged_early[0] is error:
        return attempt.judged_early[1]
    attempts.record(attempt)
    return judged(attempt, error, phase, attempt.item.config.stash[SETTINGS].judging.fail_on)


#: From best to worst, as pytest sees it.
_OUTCOMES = ("passed", "skipped", "xfailed", "error", "failed")


def _note_outcome(attempt: LiveAttempt, report: pytest.TestReport) -> None:
    if report.failed:
        outcome = "failed" if report.when == "call" else "error"
    elif report.skipped:
        outcome = "xfailed" if hasattr(report, "wasxfail") else "skipped"
    else:
        return
    if _OUTCOMES.index(outcome) > _OUTCOMES.index(attempt.outcome):
        attempt.outcome = outcome
        attempt.reason = _reason(report)


def _reason(report: pytest.TestReport) -> str:
    if hasattr(report, "wasxfail"):
        return str(report.wasxfail)
    if isinstance(report.longrepr, tuple):
        return str(report.longrepr[2])
    return str(report.longrepr or "").strip().rpartition("\n")[2]


def _finish(attempts: Attempts, attempt: LiveAttempt) -> None:
    """The attempt is over: its record is made once, told to the reports of this process, and sent along."""
    from pytest_apex.plugin import retrying
    from pytest_apex.plugin.ending import close, finished

    retrying.decide(attempt)
    results = attempt.item.config.stash[RESULTS]
    record = finished(attempt, close(attempt), attempts.redactor)
    steps = attempt.recorder.steps if attempt.recorder is not None else []
    for report in attempt.reports:
        # pytest-rerunfailures logs an attempt that it repeats by its first failing report alone.
        report.apex = results.travelling(record)  # type: ignore[attr-defined]
        report.user_properties += results.properties(record)
    attempts.forget(attempt)
    results.ended(record, steps)
    attempt.let_go()
