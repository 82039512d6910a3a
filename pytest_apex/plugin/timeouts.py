"""pytest-timeout's `thread` method ends the process where it stands, without a report of the test: what is known of it
is put on record before.

pytest-timeout lets a plugin set the timer in its place (`pytest_timeout_set_timer`). Ours is the same, and its last act
is pytest-timeout's own.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pytest

from pytest_apex.plugin.markers import uses_device
from pytest_apex.plugin.stash import ATTEMPTS, LIVE, RESULTS, RUN
from pytest_apex.plugin.workers import is_worker

if TYPE_CHECKING:
    from pytest_apex.plugin.attempts import LiveAttempt

#: What hung may hold what the record needs: the process ends all the same.
_RECORD_S = 10.0
_PHASES = ("setup", "call", "teardown")


@pytest.hookimpl(optionalhook=True, tryfirst=True)
def pytest_timeout_set_timer(item: pytest.Item, settings: Any) -> bool | None:
    plugin = sys.modules.get("pytest_timeout")
    here = threading.current_thread()
    by_thread = settings.method == "thread" or here is not threading.main_thread()
    if not by_thread or not uses_device(item) or not hasattr(plugin, "timeout_timer"):
        return None
    timer = threading.Timer(settings.timeout, _end, (plugin, item, settings, here.ident))
    timer.name = f"pytest_apex {item.nodeid}"

    def cancel() -> None:
        timer.cancel()
        timer.join()

    item.cancel_timeout = cancel  # type: ignore[attr-defined]  # what pytest-timeout calls
    timer.start()
    return True


def _end(plugin: Any, item: pytest.Item, settings: Any, thread: int) -> None:
    """The time is over: record the test, then let pytest-timeout end the process."""
    if settings.disable_debugger_detection or not plugin.is_debugging():
        record = threading.Thread(target=_recorded, args=(item, settings.timeout, thread), daemon=True)
        record.start()
        record.join(_RECORD_S)
    plugin.timeout_timer(item, settings)


def _recorded(item: pytest.Item, limit: float, thread: int) -> None:
    attempt = item.stash.get(LIVE, None)
    if attempt is None or attempt.closed:
        return
    try:
        lines = _record(attempt, limit, thread)
    except Exception as error:  # noqa: BLE001 - nothing may keep the process from its end; it is said
        lines = [f"{item.nodeid} has no complete record: {type(error).__name__}: {error}"]
    capture = item.config.pluginmanager.getplugin("capturemanager")
    if capture is not None:
        capture.suspend_global_capture(item)
    terminal = item.config.get_terminal_writer()
    terminal.line()
    for line in lines:
        terminal.line(f"apex: {line}")


def _record(attempt: LiveAttempt, limit: float, thread: int) -> Sequence[str]:
    """The device is not asked: what hangs is using it. Returns what to say in the terminal."""
    from pytest_apex.plugin.attempts import Failed
    from pytest_apex.plugin.ending import finished
    from pytest_apex.plugin.judging import judged_as_stored
    from pytest_apex.plugin.lost import step_under_way, timed_out
    from pytest_apex.plugin.tracebacks import users_line_of
    from pytest_apex.verify.judge import judge

    config = attempt.item.config
    attempts, results, run = config.stash[ATTEMPTS], config.stash[RESULTS], config.stash[RUN]
    recorder = attempts.record(attempt)
    line, step = users_line_of(sys._current_frames().get(thread)), step_under_way(run.folder / attempt.folder)
    reason = f"pytest-timeout: the test took longer than {limit:g} s{f' at {line}' if line else ''}"
    reason += f"; under way: {step}" if step else ""
    phase = _PHASES[min(len(attempt.reports), 2)]
    recorder.event("timed_out", reason=reason, phase=phase)
    case = timed_out(reason, phase, line)
    attempt.failures.append(Failed(phase, judge(case), case=recorder.masked(case)))
    attempt.outcome = "failed" if phase == "call" else "error"
    attempt.duration_s = max(attempt.duration_s, limit)
    recorder.keep_cases(judged_as_stored(attempt))
    record = finished(attempt, recorder.close(failed=True), attempts.redactor)
    if not is_worker(config):  # for a worker the controller speaks, which reads the journal
        results.ended(record, recorder.steps)
        results.take(record)
        results.close()
    return [f"{record.test}: {record.verdict}", f"evidence: {run.folder / record.folder}"]
