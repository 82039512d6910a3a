"""Running a test again, from a fresh app session, when its failure was transient: `--apex-retry-transient`.

Each attempt has its own record and evidence. A test that pytest-rerunfailures runs again is left to it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from pytest_apex.plugin.markers import meaning_of, settings_for, uses_device
from pytest_apex.plugin.stash import LIVE, SETTINGS

if TYPE_CHECKING:
    from pytest_apex.plugin.attempts import LiveAttempt

#: How often the test may still run again.
_LEFT: pytest.StashKey[int] = pytest.StashKey()
_RERUN = "rerun"


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Runs a test that may run again; all others are left to pytest."""
    item.stash[_LEFT] = _times(item)
    if not item.stash[_LEFT]:
        return None
    from _pytest.runner import runtestprotocol

    again = True
    while again:
        item.ihook.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        again = _runs_again(item)
        for report in _set_aside(reports) if again else reports:
            item.ihook.pytest_runtest_logreport(report=report)
        item.ihook.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
        item.stash[_LEFT] -= 1
        if again:
            _forget_instance(item)
    return True


def pytest_report_teststatus(report: pytest.TestReport) -> tuple[str, str, tuple[str, dict[str, bool]]] | None:
    return ("rerun", "R", ("RERUN", {"yellow": True})) if report.outcome == _RERUN else None


def decide(attempt: LiveAttempt) -> None:
    """An attempt ends: whether its test runs again, or why it does not, is on its record."""
    left = attempt.item.stash.get(_LEFT, 0)
    if left <= 0 or not _is_transient(attempt):
        return
    why_not = _why_not(attempt)
    if why_not:
        attempt.also.append(f"not run again: {why_not}")
    else:
        attempt.again = True
        attempt.also.append(f"run again: the failure was transient ({left} left)")


def _times(item: pytest.Item) -> int:
    """How often this test may run again at all."""
    config = item.config
    if SETTINGS not in config.stash or not uses_device(item) or config.option.usepdb or _is_rerun_by_others(item):
        return 0
    from pytest_apex.errors import ConfigError

    try:
        marked = meaning_of(item, "retry_transient")
    except ConfigError:  # the set-up says it
        return 0
    return config.stash[SETTINGS].judging.retry_transient if marked is None else int(marked)


def _is_rerun_by_others(item: pytest.Item) -> bool:
    """Whether pytest-rerunfailures runs this test: two that repeat would each count the other's attempts."""
    plugin: Any = item.config.pluginmanager.get_plugin("rerunfailures")
    count = getattr(plugin, "get_reruns_count", None)
    return count is not None and count(item) is not None


def _is_transient(attempt: LiveAttempt) -> bool:
    from pytest_apex.model.verdict import Category

    failed = attempt.outcome in ("failed", "error") or any(failure.left_out for failure in attempt.failures)
    kinds = {failure.verdict.category for failure in attempt.failures}
    return failed and kinds == {Category.TRANSIENT}


def _why_not(attempt: LiveAttempt) -> str:
    """Why a transient failure is final; "" if it is not."""
    touch = settings_for(attempt.item.config.stash[SETTINGS], attempt.item).touch
    allowed = (*touch.allow_here, *touch.allow)
    if allowed:
        return f"the test may do what can't be undone ({', '.join(allowed)})"
    if attempt.recorder is not None and attempt.recorder.irreversible:
        return f"it may have done what can't be undone: {attempt.recorder.irreversible}"
    if any(failure.verdict.kind == "transient.harness.device_lost" for failure in attempt.failures):
        return "the device is gone"
    return ""


def _runs_again(item: pytest.Item) -> bool:
    attempt = item.stash.get(LIVE, None)
    session = item.session
    return attempt is not None and attempt.again and not (session.shouldstop or session.shouldfail)


def _set_aside(reports: list[pytest.TestReport]) -> list[pytest.TestReport]:
    """What is told of an attempt that is repeated: its failure, as no failure of the run."""
    told = [report for report in reports if not report.passed][:1]
    for report in told:
        report.outcome = _RERUN  # type: ignore[assignment]
        vars(report).pop("wasxfail", None)
    return told


def _forget_instance(item: pytest.Item) -> None:
    """A test method runs again on an instance of its own, as pytest gives each test."""
    method: Any = item
    if getattr(method, "_instance", None) is not None:
        del method._instance
        method._obj = None  # bound to the old one
