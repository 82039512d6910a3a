"""A test that never came to its end has its line in the results: interrupted, or gone with its worker."""

from __future__ import annotations

import signal
from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]

KILLED = """
import os

def test_fine(device):
    device.tap("Go")

def test_dies(device):
    device.tap("Go")
    os.kill(os.getpid(), 9)

def test_unit():
    pass
"""
INTERRUPTED = """
def test_fine(device):
    device.tap("Go")

def test_stopped(device):
    device.tap("Go")
    raise KeyboardInterrupt

def test_never_begun(device):
    pass
"""
STOPS_IN_A_STEP = """
import pytest

def pytest_apex_step_started(item, step_id):
    if item.name == "test_stopped" and step_id == "step-002":
        raise KeyboardInterrupt
"""


def by_name(pytester: pytest.Pytester) -> dict[str, dict[str, Any]]:
    return {record["test"].rpartition("::")[2]: record for record in results_of(pytester.path)}


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no SIGKILL on this system")
def test_a_killed_worker(small: Project, pytester: pytest.Pytester) -> None:
    result = small(KILLED, "-n1", plugins=("xdist",))
    result.assert_outcomes(passed=2, failed=1)
    records = by_name(pytester)
    assert set(records) == {"test_fine", "test_dies"}
    died = records["test_dies"]
    assert (died["kind"], died["category"], died["verdict"], died["outcome"]) == (
        "unsure.worker_died", None, "unsure", "failed",
    )  # fmt: skip
    assert died["device"] == "virtual"
    assert (last_run(pytester.path) / died["folder"] / "steps.jsonl").is_file()
    assert (last_run(pytester.path) / died["folder"] / "verdict.json").is_file()
    text = result.stdout.str()
    assert "FAILED test_it.py::test_dies - [unsure.worker_died] worker 'gw0' crashed" in text
    assert "worker_died 1" in text


def test_an_interrupted_test(small_apart: Project, pytester: pytest.Pytester) -> None:
    result = small_apart(INTERRUPTED)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    records = by_name(pytester)
    assert set(records) == {"test_fine", "test_stopped"}
    assert records["test_fine"]["kind"] == ""
    stopped = records["test_stopped"]
    assert (stopped["kind"], stopped["category"]) == ("unsure.interrupted", None)
    assert stopped["evidence"]  # kept as a failed test's
    assert "[unsure.interrupted] the run was interrupted before the test ended" in result.stdout.str()


def test_the_step_under_way_is_named(small_apart: Project, pytester: pytest.Pytester) -> None:
    small_apart({"conftest.py": STOPS_IN_A_STEP, "test_it.py": INTERRUPTED})
    assert by_name(pytester)["test_stopped"]["reason"].endswith('; under way: step-002 tap "Go"')


def test_interrupted_in_the_tear_down_a_failure_stays_what_it_was(
    small_apart: Project, pytester: pytest.Pytester
) -> None:
    conftest = """
        import pytest

        @pytest.fixture
        def stops(device):
            yield
            raise KeyboardInterrupt
    """
    small_apart(
        {
            "conftest.py": conftest,
            "test_it.py": "def test_it(device, stops):\n    assert device.find('Go').text == 'no'\n",
        }
    )
    (record,) = results_of(pytester.path)
    assert (record["kind"], record["outcome"]) == ("functional.assertion", "failed")


def test_tests_whose_masked_names_are_the_same_both_count(small: Project, pytester: pytest.Pytester) -> None:
    ini = "[pytest]\napex_app = com.example.small\napex_device = virtual\napex_redact = alpha-key\n  omega-key\n"
    test = """
        import pytest

        @pytest.mark.parametrize("key", ["alpha-key", "omega-key"])
        def test_it(device, key):
            pass

        @pytest.mark.parametrize("key", ["alpha-key", "omega-key"])
        @pytest.mark.skip(reason="later")
        def test_later(device, key):
            pass
    """
    result = small({"pytest.ini": ini, "test_it.py": test})
    records = results_of(pytester.path)
    assert [record["outcome"] for record in records] == ["passed", "passed", "skipped", "skipped"]
    assert len({record["folder"] for record in records}) == 4
    assert not any("-key" in record["test"] for record in records)
    assert "2 passed, 0 defects of the app, 2 skipped" in result.stdout.str()
