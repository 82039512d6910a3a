"""Each failing test that uses the device gets a verdict; pytest's outcome, the message and the record say so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import pytest_apex
from pytest_apex.device.device import Device
from pytest_apex.testing import results_of

Project = Callable[..., pytest.RunResult]

HEAD = "import pytest\nfrom pytest_apex import expect\n"
MISSES = """\
    expect(device.find('Hello')).to_be_visible()
    expect(device.find('Goodbye')).to_be_visible(timeout=1)
"""


def records(pytester: pytest.Pytester) -> dict[str, dict[str, Any]]:
    return {line["test"].rpartition("::")[2]: line for line in results_of(pytester.path)}


def test_a_check_that_does_not_hold(small: Project, pytester: pytest.Pytester) -> None:
    result = small(HEAD + "def test_it(device):\n" + MISSES)
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(
        [
            ">       expect(device.find('Goodbye')).to_be_visible(timeout=1)",
            'E       CheckFailed: expected "Goodbye" to be visible*',
            "test_it.py:5: CheckFailed",
            "*- apex verdict -*",
            'functional.missing_element: expected "Goodbye" to be visible*',
            "  evidence: .apex/runs/*/tests/test_it-test_it-*/attempt-1",
            "FAILED test_it.py::test_it - [[]functional.missing_element[]] CheckFailed*",
        ]
    )
    record = records(pytester)["test_it"]
    assert (record["outcome"], record["verdict"], record["category"]) == ("failed", "fail", "functional")
    assert record["kind"] == "functional.missing_element"
    assert {item["kind"] for item in record["evidence"]} >= {"after", "tree"}


def test_the_traceback_ends_at_the_users_line(small: Project) -> None:
    page = "def go(device):\n    device.tap('Nothing')\n"
    test = "from page import go\n\ndef test_it(device):\n    go(device)\n"
    files = {"page.py": page, "test_it.py": test, "conftest.py": ""}
    result = small(files, "--apex-timeout=1")
    text = result.stdout.str()
    assert "page.py:2: TargetNotFound" in text
    assert "pytest_apex/device" not in text
    assert "pytest_apex/device" in small({}, "--apex-timeout=1", "--full-trace").stdout.str()


@pytest.mark.parametrize(
    ("body", "kind", "outcome", "category"),
    [
        ("assert device.find('Hello').text == 'Bye'", "functional.assertion", "failed", "functional"),
        ("assert 1 == 2", "test.assertion", "failed", None),
        ("pytest.fail('no')", "test.assertion", "failed", None),
        ("nonsense", "test.error", "failed", None),
        ("{}['key']", "test.error", "failed", None),
        ("device.tap(id='nope', nth='x')", "test.error", "failed", None),
        ("device.set_orientation('sideways')", "test.config", "failed", None),
        ("pass", "", "passed", None),
    ],
)
def test_plain_python(
    small: Project, pytester: pytest.Pytester, body: str, kind: str, outcome: str, category: Any
) -> None:
    small(HEAD + f"def test_it(device):\n    {body}\n")
    record = records(pytester)["test_it"]
    assert (record["kind"], record["outcome"], record["category"]) == (kind, outcome, category)


def test_a_failing_set_up_before_the_device(small: Project, pytester: pytest.Pytester) -> None:
    small(
        HEAD + "@pytest.fixture\ndef server():\n    raise ConnectionError('no database')\n"
        "def test_it(server, device):\n    pass\n"
    ).assert_outcomes(errors=1)
    record = records(pytester)["test_it"]
    assert (record["kind"], record["outcome"], record["category"], record["device"]) == (
        "test.setup",
        "error",
        None,
        "",
    )


def test_a_failing_set_up_after_the_device(small: Project, pytester: pytest.Pytester) -> None:
    small(HEAD + f"@pytest.fixture\ndef login(device):\n{MISSES}\ndef test_it(login):\n    pass\n").assert_outcomes(
        errors=1
    )
    record = records(pytester)["test_it"]
    assert (record["kind"], record["outcome"], record["phase"]) == ("functional.missing_element", "error", "setup")


def test_the_worst_phase_decides_and_the_others_are_listed(small: Project, pytester: pytest.Pytester) -> None:
    result = small(
        HEAD + f"@pytest.fixture\ndef clean(device):\n    yield\n    nonsense\n\ndef test_it(clean, device):\n{MISSES}"
    )
    result.assert_outcomes(failed=1, errors=1)
    record = records(pytester)["test_it"]
    assert (record["kind"], record["outcome"], record["phase"]) == ("functional.missing_element", "failed", "call")
    assert any(line.startswith("teardown: test.error") for line in record["also"])
    assert len(results_of(pytester.path)) == 1


def test_only_the_tear_down_fails(small: Project, pytester: pytest.Pytester) -> None:
    small(
        HEAD + "@pytest.fixture\ndef clean(device):\n    yield\n    nonsense\ndef test_it(clean, device):\n    pass\n"
    ).assert_outcomes(passed=1, errors=1)
    record = records(pytester)["test_it"]
    assert (record["kind"], record["outcome"], record["phase"]) == ("test.error", "error", "teardown")


def test_a_crash_decides_over_the_call(small: Project, pytester: pytest.Pytester) -> None:
    small(
        HEAD + "def test_it(device):\n    device.tap('Go')\n    assert 1 == 2\n", "--device=virtual?fault=crash_on_tap"
    )
    record = records(pytester)["test_it"]
    assert (record["category"], record["outcome"]) == ("crash", "failed")


def test_a_test_without_a_device_is_left_alone(small: Project, pytester: pytest.Pytester) -> None:
    result = small("def test_unit():\n    assert 1 == 2\n")
    assert "apex verdict" not in result.stdout.str()
    assert not (pytester.path / ".apex").exists()
    small("def test_unit():\n    assert 1 == 2\ndef test_it(device):\n    pass\n")
    assert set(records(pytester)) == {"test_it"}


def test_skipped_and_expected_failures_are_no_failures(small: Project, pytester: pytest.Pytester) -> None:
    small(
        HEAD + "@pytest.mark.xfail(reason='known')\ndef test_known(device):\n    device.find('Nope').text\n"
        "@pytest.mark.skip(reason='later')\ndef test_skipped(device):\n    pass\n"
        "def test_left(device):\n    pytest.skip('left')\n"
        "@pytest.mark.platforms('ios')\ndef test_ios(device):\n    pass\n"
        "@pytest.mark.xfail(strict=True)\ndef test_strict(device):\n    pass\n",
        "--apex-timeout=1",
    ).assert_outcomes(xfailed=1, skipped=3, failed=1)
    found = {name: (line["outcome"], line["verdict"], line["reason"]) for name, line in records(pytester).items()}
    known, strict = found.pop("test_known"), found.pop("test_strict")
    assert known[:2] == ("xfailed", "fail")
    assert strict == ("failed", "fail", "the test passed, though its xfail is strict")
    assert found == {
        "test_skipped": ("skipped", "not_run", "Skipped: later"),
        "test_left": ("skipped", "not_run", "Skipped: left"),
        "test_ios": ("skipped", "not_run", "Skipped: needs ios; virtual is android"),
    }


def test_a_judge_that_breaks_is_said_in_the_verdict(small: Project, pytester: pytest.Pytester) -> None:
    broken = """
        from importlib import import_module

        import pytest

        @pytest.fixture(autouse=True)
        def broken_judge():
            judging = import_module('pytest_apex.plugin.judging')

            def judge(case):
                raise ZeroDivisionError("in a rule")

            judging.judge = judge
    """
    result = small({"conftest.py": broken, "test_it.py": "def test_it(device):\n    assert 1 == 2\n"})
    result.assert_outcomes(failed=1)
    record = records(pytester)["test_it"]
    assert (record["verdict"], record["category"], record["kind"]) == ("unsure", None, "unsure.judge_error")
    assert "ZeroDivisionError: in a rule" in record["reason"]


def test_soft_checks_fail_the_call_together(small: Project, pytester: pytest.Pytester) -> None:
    result = small(
        HEAD + "def test_it(device):\n    expect.soft(device.find('A')).to_be_visible(timeout=1)\n"
        "    expect.soft(device.find('B')).to_be_visible(timeout=1)\n    device.tap('Go')\n"
    )
    result.assert_outcomes(failed=1)
    assert "2 soft checks failed" in result.stdout.str()
    assert records(pytester)["test_it"]["phase"] == "call"


def test_soft_checks_respect_xfail(small: Project) -> None:
    small(
        HEAD + "@pytest.mark.xfail(strict=True)\ndef test_it(device):\n"
        "    expect.soft(device.find('A')).to_be_visible(timeout=1)\n"
    ).assert_outcomes(xfailed=1)


def test_soft_checks_before_another_error_are_listed(small: Project, pytester: pytest.Pytester) -> None:
    small(HEAD + "def test_it(device):\n    expect.soft(device.find('A')).to_be_visible(timeout=1)\n    nonsense\n")
    record = records(pytester)["test_it"]
    assert record["kind"] == "test.error"
    assert any("soft check" in line and '"A" to be visible' in line for line in record["also"])


def test_a_test_that_takes_too_long_is_not_the_apps_fault(small: Project, pytester: pytest.Pytester) -> None:
    pytest.importorskip("pytest_timeout")
    result = small(
        "import time\n\ndef test_it(device):\n    assert device.find('Hello').is_visible\n    time.sleep(30)\n",
        "--timeout=1", "--timeout-method=signal", plugins=("timeout",),
    )  # fmt: skip
    result.assert_outcomes(failed=1)
    record = records(pytester)["test_it"]
    assert (record["kind"], record["category"]) == ("test.error", None)
    assert record["reason"].startswith("pytest-timeout: the test took longer than 1 s at ")
    assert record["reason"].endswith("test_it.py:5")


def test_a_suspect_timing_says_what_to_log(small: Project, pytester: pytest.Pytester) -> None:
    """In the terminal after the why, and on the record."""
    test = (
        "from pytest_apex import expect\n\ndef test_it(device):\n"
        "    expect(device.find('Nowhere at all')).to_be_visible(timeout=0.5)\n"
    )
    result = small(test)
    said = "  try: a temporary log line in the app (Log.d) where the app shows *Nowhere at all* on *"
    result.stdout.fnmatch_lines(["functional.missing_element: *", "  functional: yes: *", said])
    (record,) = results_of(pytester.path)
    assert record["try"].endswith("if it comes later than timeout=0.5, the test looks too early")
    assert all(rule["evidence"] for rule in record["rules"] if rule["rule"] not in ("expected", "no effect"))


OF_UNITTEST = """
import unittest

import pytest


class Base(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def _request(self, request):
        self.request = request

    def setUp(self):
        self.device = self.request.getfixturevalue("apex_device")

    def tearDown(self):
        self.device.app.stop()


class TestIt(Base):
    def test_wrong(self):
        self.assertEqual(self.device.find("Hello").text, "Bye")

    def test_crash(self):
        self.device.tap("Go")
        self.assertEqual(self.device.find(id="hello").text, "Hello")

    def test_right(self):
        self.assertEqual(self.device.find("Hello").text, "Hello")

    def test_skipped(self):
        self.skipTest("not today")

    @unittest.expectedFailure
    def test_expected(self):
        self.assertEqual(self.device.find("Hello").text, "Bye")
"""


def test_a_test_of_unittest_is_judged_before_its_tear_down(small: Project, pytester: pytest.Pytester) -> None:
    """Which ends the app, or the suite's own driver, and belongs to pytest's call phase."""
    result = small(OF_UNITTEST, "--device=virtual?fault=crash_on_tap", "--apex-timeout=1")
    result.assert_outcomes(passed=1, failed=2, skipped=1, xfailed=1)
    told = {name: (line["outcome"], line["kind"]) for name, line in records(pytester).items()}
    assert told["test_wrong"] == ("failed", "functional.assertion")
    assert told["test_crash"][1].startswith("crash.")
    assert [told[name][0] for name in ("test_right", "test_skipped")] == ["passed", "skipped"]
    assert "in judging" not in result.stdout.str()


STARTS_NOT = """
def start(*_anything):
    from pytest_apex.backends.uiautomator2.channel import MaybeDone
    try:
        raise ValueError("inner words")
    except ValueError as error:
        raise MaybeDone("outer words", seen="what it was") from error
"""


def test_an_error_before_the_test_began_is_told_alone(small: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not with what it was made from, which `seen` tells of, and not by the place where we keep it."""
    space: dict[str, Any] = {}
    exec(compile(STARTS_NOT, str(Path(pytest_apex.__file__).with_name("made_up.py")), "exec"), space)
    monkeypatch.setattr(Device, "start", space["start"])
    text = small("def test_it(device): pass\n").stdout.str()
    assert "outer words" in text
    assert "inner words" not in text
    assert "backends.uiautomator2" not in text
