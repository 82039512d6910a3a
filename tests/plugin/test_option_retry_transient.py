"""--apex-retry-transient: only what is transient runs again, from a fresh app session, each attempt on record."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]

FLAKY = """
    import pytest
    from pytest_apex.errors import DriverDead

    tries = []

    def trouble(times=1):
        tries.append(1)
        if len(tries) <= times:
            raise DriverDead("the driver is gone")

    def test_it(device):
        device.tap("Go")
        trouble()
        assert device.find("Done").text == "Done"
"""
#: Fails with a transient verdict each time, by what is on the screen.
BLOCKED = """
    from pytest_apex import expect

    def test_it(device):
        device.tap("Go")
        expect(device.find("Done")).to_be_tappable(timeout=1)
"""
WORDS = ("attempt", "outcome", "kind")


def told(pytester: pytest.Pytester) -> list[tuple[Any, ...]]:
    return [tuple(record[word] for word in WORDS) for record in results_of(pytester.path)]


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_a_transient_failure_runs_again(small: Project, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    result = small(FLAKY, "--apex-retry-transient=1", *workers, plugins=("xdist",) if workers else ())
    assert result.ret == 0
    result.stdout.fnmatch_lines(["*1 passed, 1 rerun*"])
    assert told(pytester) == [(1, "failed", "transient.harness.driver_dead"), (2, "passed", "")]
    first, second = results_of(pytester.path)
    assert first["also"] == ["run again: the failure was transient (1 left)"]
    run = last_run(pytester.path)
    for record in (first, second):
        steps = (run / record["folder"] / "steps.jsonl").read_text("utf-8").splitlines()
        acts = [json.loads(line)["verb"] for line in steps if json.loads(line)["event"] == "intent"]
        assert acts == ["launch", "tap"]  # each from a fresh app session
        assert (run / record["folder"] / "verdict.json").is_file()
    text = result.stdout.str()
    assert "flaky: went differently when run again:" in text
    assert "test_it: attempt 1: transient.harness.driver_dead; attempt 2: passed" in text


def test_not_without_the_option(small: Project, pytester: pytest.Pytester) -> None:
    assert small(FLAKY).ret == 1
    assert told(pytester) == [(1, "failed", "transient.harness.driver_dead")]


@pytest.mark.parametrize(
    ("option", "mark", "attempts"), [("0", "(1)", 2), ("3", "(0)", 1), ("3", "(1)", 2), ("0", "(0)", 1)]
)
def test_the_marker_goes_first(
    small: Project, pytester: pytest.Pytester, option: str, mark: str, attempts: int
) -> None:
    test = f"import pytest\npytestmark = pytest.mark.retry_transient{mark}\n" + BLOCKED.replace("\n    ", "\n")
    small(test, f"--apex-retry-transient={option}", "--device=virtual?fault=permission_dialog")
    assert told(pytester) == [(n + 1, "failed", "transient.blocked") for n in range(attempts)]


def test_by_ini(small: Project, pytester: pytest.Pytester) -> None:
    assert small(FLAKY, "-o", "apex_retry_transient=1").ret == 0
    assert len(told(pytester)) == 2


def test_what_stays_transient_fails_in_the_end(small: Project, pytester: pytest.Pytester) -> None:
    result = small(BLOCKED, "--apex-retry-transient=2", "--device=virtual?fault=permission_dialog")
    result.stdout.fnmatch_lines(["*1 failed, 2 rerun*"])
    assert [n for n, _, _ in told(pytester)] == [1, 2, 3]
    text = result.stdout.str()
    assert "1 transient or unsure" in text
    assert "flaky" not in text


@pytest.mark.parametrize(
    "body",
    ["assert device.find('Hello').text == 'x'", "nonsense", "device.tap('Nowhere')", "device.press('no such key')"],
    ids=["assertion", "mistake", "missing", "capability"],
)
def test_nothing_else_runs_again(small: Project, pytester: pytest.Pytester, body: str) -> None:
    small(f"def test_it(device):\n    {body}\n", "--apex-retry-transient=3", "--apex-timeout=1")
    assert len(told(pytester)) == 1


@pytest.mark.parametrize("fault", ["dead_button", "crash_on_tap"])
def test_no_defect_runs_again(small: Project, pytester: pytest.Pytester, fault: str) -> None:
    small(BLOCKED, "--apex-retry-transient=3", f"--device=virtual?fault={fault}")
    assert len(told(pytester)) == 1


def test_one_defect_among_the_failures_is_enough(small: Project, pytester: pytest.Pytester) -> None:
    """The call is transient, the tear-down finds a wrong value."""
    test = """
        import pytest
        from pytest_apex.errors import DriverDead

        @pytest.fixture
        def checked(device):
            yield
            assert device.find("Hello").text == "x"

        def test_it(checked, device):
            raise DriverDead("gone")
    """
    small(test, "--apex-retry-transient=3")
    assert len(told(pytester)) == 1


def test_an_expected_failure_is_not_repeated(small: Project, pytester: pytest.Pytester) -> None:
    small(FLAKY.replace("def test_it", "@pytest.mark.xfail\n    def test_it"), "--apex-retry-transient=3")
    assert told(pytester) == [(1, "xfailed", "transient.harness.driver_dead")]


def test_what_is_left_out_of_the_run_is_repeated_too(small: Project, pytester: pytest.Pytester) -> None:
    result = small(FLAKY, "--apex-retry-transient=1", "--apex-fail-on=functional,crash")
    result.stdout.fnmatch_lines(["*1 passed, 1 rerun*"])
    assert [(n, kind) for n, _, kind in told(pytester)] == [(1, "transient.harness.driver_dead"), (2, "")]


def test_a_transient_set_up(small: Project, pytester: pytest.Pytester) -> None:
    test = FLAKY.replace(
        "def test_it(device):",
        "@pytest.fixture\n    def ready(device):\n        trouble()\n\n    def test_it(ready, device):",
    )
    assert small(test, "--apex-retry-transient=1").ret == 0
    assert [(n, outcome) for n, outcome, _ in told(pytester)] == [(1, "error"), (2, "passed")]


IN_A_CLASS = """
    class TestIt:
        seen = None

        def test_it(self, device):
            assert self.seen is None
            self.seen = 1
            trouble()
"""


def test_a_method_has_an_instance_of_its_own(small: Project, pytester: pytest.Pytester) -> None:
    test = FLAKY.partition("    def test_it")[0] + IN_A_CLASS.lstrip("\n")
    assert small(test, "--apex-retry-transient=1").ret == 0
    assert [n for n, _, _ in told(pytester)] == [1, 2]


# Never what can't be undone


def test_not_a_test_that_may_do_what_can_not_be_undone(small: Project, pytester: pytest.Pytester) -> None:
    test = FLAKY.replace("def test_it", "@pytest.mark.allow_irreversible('control:order')\n    def test_it")
    assert small(test, "--apex-retry-transient=3").ret == 1
    (record,) = results_of(pytester.path)
    assert record["also"] == ["not run again: the test may do what can't be undone (control:order)"]


@pytest.mark.parametrize(("text", "attempts"), [("Place order", 1), ("Delete", 1), ("Proceed", 3)])
def test_not_after_a_touch_that_sends_or_destroys(
    small: Project, pytester: pytest.Pytester, small_app: str, text: str, attempts: int
) -> None:
    files = {"app.yaml": small_app.replace("text: Go,", f"text: {text},")}
    small({**files, "test_it.py": BLOCKED.replace('"Go"', f'"{text}"')}, "--apex-retry-transient=2",
          "--device=virtual?fault=permission_dialog")  # fmt: skip
    records = results_of(pytester.path)
    assert len(records) == attempts
    if attempts == 1:
        assert records[0]["also"] == [f'not run again: it may have done what can\'t be undone: step-002 tap "{text}"']


def test_not_on_a_device_that_is_gone(small: Project, pytester: pytest.Pytester) -> None:
    small(BLOCKED, "--apex-retry-transient=3", "--device=virtual?fault=device_lost")
    (record,) = results_of(pytester.path)
    assert record["also"] == ["not run again: the device is gone"]


# Beside others


def test_what_rerunfailures_repeats_is_left_to_it(small: Project, pytester: pytest.Pytester) -> None:
    result = small(
        FLAKY.replace("trouble()\n", "trouble(2)\n"),
        "--apex-retry-transient=1",
        "--reruns=2",
        plugins=("rerunfailures",),
    )
    result.stdout.fnmatch_lines(["*1 passed, 2 rerun*"])
    assert [n for n, _, _ in told(pytester)] == [1, 2, 3]


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_beside_rerunfailures_that_is_only_installed(
    small: Project, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    plugins = ("rerunfailures", "xdist") if workers else ("rerunfailures",)
    result = small(FLAKY, "--apex-retry-transient=1", *workers, plugins=plugins)
    result.stdout.fnmatch_lines(["*1 passed, 1 rerun*"])
    assert [n for n, _, _ in told(pytester)] == [1, 2]


def test_tests_of_others_are_left_alone(small: Project, pytester: pytest.Pytester) -> None:
    """A test without a device, and one that passes."""
    unit = "\n    def test_unit():\n        assert False\n\n    def test_fine(device):\n        device.tap('Go')\n"
    result = small(FLAKY + unit, "--apex-retry-transient=1")
    result.stdout.fnmatch_lines(["*1 failed, 2 passed, 1 rerun*"])
    assert len(told(pytester)) == 3


def test_junit_has_the_test_once_as_it_went_in_the_end(small: Project, pytester: pytest.Pytester) -> None:
    small(FLAKY, "--apex-retry-transient=1", "--junitxml=out.xml")
    (case,) = ET.parse(pytester.path / "out.xml").getroot().iter("testcase")
    assert case.find("failure") is None
    assert not [item for item in case.iter("property") if item.get("name") == "apex.category"]


def test_a_wrong_value(small: Project) -> None:
    result = small(FLAKY, "--apex-retry-transient=often")
    assert result.ret == 4
    assert "--apex-retry-transient=often (command line): expected a whole number" in result.stderr.str()


# Ends that come from outside


def journal(pytester: pytest.Pytester, folder: str) -> list[dict[str, Any]]:
    lines = (last_run(pytester.path) / folder / "steps.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_a_time_out_is_no_transient_failure_and_closes_the_journal(
    small_apart: Project, pytester: pytest.Pytester
) -> None:
    test = "import time\n\ndef test_it(device):\n    device.tap('Go')\n    time.sleep(30)\n"
    small_apart(test, "--apex-retry-transient=2", "--timeout=2", "--timeout-method=signal", plugins=("timeout",))
    (record,) = results_of(pytester.path)
    assert record["kind"] == "test.error"
    assert record["reason"].startswith("pytest-timeout: the test took longer than 2 s")
    assert [event["event"] for event in journal(pytester, record["folder"])][-1] == "closed"


def test_an_interrupt_ends_the_run_and_closes_the_journal(small_apart: Project, pytester: pytest.Pytester) -> None:
    test = "def test_it(device):\n    device.tap('Go')\n    raise KeyboardInterrupt\n"
    result = small_apart(test, "--apex-retry-transient=2")
    assert result.ret == 2
    (record,) = results_of(pytester.path)
    assert record["kind"] == "unsure.interrupted"
    assert [event["event"] for event in journal(pytester, record["folder"])][-1] == "closed"


def test_an_interrupt_in_the_second_attempt(small_apart: Project, pytester: pytest.Pytester) -> None:
    test = FLAKY.replace("trouble()\n", "trouble()\n        raise KeyboardInterrupt\n")
    small_apart(test, "--apex-retry-transient=2")
    assert [(n, kind) for n, _, kind in told(pytester)] == [
        (1, "transient.harness.driver_dead"), (2, "unsure.interrupted"),
    ]  # fmt: skip
