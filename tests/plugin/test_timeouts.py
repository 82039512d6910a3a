"""pytest-timeout's `thread` method ends the process: the test has its line, verdict and evidence all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.evidence.journal import read_journal
from pytest_apex.reports.rejudge import judge_run
from pytest_apex.testing import last_run, results_of

pytest.importorskip("pytest_timeout")

Project = Callable[..., pytest.RunResult]

HANGS = """
import time
import pytest

def test_fine(device):
    device.tap("Go")

@pytest.mark.timeout(2, method="thread", func_only=True)
def test_hangs(device):
    device.tap("Go")
    time.sleep(60)
"""
HANGS_IN_A_STEP = """
import time

def pytest_apex_step_started(item, step_id):
    if step_id == "step-002":
        time.sleep(60)
"""
TAPS = """
import pytest

@pytest.mark.timeout(2, method="thread", func_only=True)
def test_hangs(device):
    device.tap("Go")
"""
FINE = """
import pytest

@pytest.mark.timeout(60, method="thread")
def test_fine(device):
    device.tap("Go")

@pytest.mark.timeout(60, method="thread")
def test_unit():
    pass
"""


def by_name(pytester: pytest.Pytester) -> dict[str, dict[str, Any]]:
    return {record["test"].rpartition("::")[2]: record for record in results_of(pytester.path)}


def test_a_hanging_test_has_its_line_and_its_evidence(small_apart: Project, pytester: pytest.Pytester) -> None:
    result = small_apart(HANGS, plugins=("timeout",))
    records = by_name(pytester)
    assert set(records) == {"test_fine", "test_hangs"}
    hung = records["test_hangs"]
    assert (hung["kind"], hung["category"], hung["outcome"], hung["phase"]) == ("test.error", None, "failed", "call")
    assert hung["reason"].startswith("pytest-timeout: the test took longer than 2 s at ")
    assert hung["reason"].endswith("test_it.py:11")  # no step was under way
    assert hung["evidence"]
    assert "apex: test_it.py::test_hangs: test.error: pytest-timeout: " in result.stdout.str()
    assert "+ Timeout +" in result.stdout.str()  # what pytest-timeout itself does is done
    again = judge_run(last_run(pytester.path))
    assert (again.changes, again.damage, again.without, again.same) == ([], [], [], 1)


def test_of_a_worker_that_was_ended_the_controller_tells(small_apart: Project, pytester: pytest.Pytester) -> None:
    files = {"conftest.py": HANGS_IN_A_STEP, "test_it.py": TAPS}
    result = small_apart(files, "-n1", plugins=("timeout", "xdist"))
    hung = by_name(pytester)["test_hangs"]
    assert (hung["kind"], hung["outcome"]) == ("test.error", "failed")
    assert hung["reason"].endswith('; under way: step-002 tap "Go"')
    assert "[test.error] worker 'gw0' crashed" in result.stdout.str()
    events = read_journal(last_run(pytester.path) / hung["folder"] / "steps.jsonl")
    assert [event["reason"] for event in events if event["event"] == "timed_out"] == [hung["reason"]]


def test_in_time_nothing_is_recorded(small_apart: Project, pytester: pytest.Pytester) -> None:
    """The twin: the timer is taken back, for a test with a device and for one without."""
    small_apart(FINE, plugins=("timeout",)).assert_outcomes(passed=2)
    (record,) = results_of(pytester.path)
    assert (record["kind"], record["outcome"]) == ("", "passed")


def test_a_hanging_test_without_a_device_is_not_ours(small_apart: Project, pytester: pytest.Pytester) -> None:
    tests = "import time\n\ndef test_unit():\n    time.sleep(60)\n"
    result = small_apart(tests, "--timeout=1", "--timeout-method=thread", plugins=("timeout",))
    assert "+ Timeout +" in result.stdout.str()
    assert not (pytester.path / ".apex").exists()
