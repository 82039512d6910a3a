"""`--apex-fail-on` leaves verdicts out, `--apex-max-unjudged` limits how many."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest

from pytest_apex.testing import results_of

Project = Callable[..., pytest.RunResult]

#: The device is lost on the second screen, in the first of two tests that go there.
LOST = "def test_one(device):\n    device.tap('Go')\n    device.find('Done').text\n"
FINE = "".join(f"def test_fine{n}(device):\n    pass\n" for n in range(3))
FAULT = "--device=virtual?fault=device_lost"
WITHOUT = "--apex-fail-on=functional,visual,crash"


def test_default_fails(small: Project, pytester: pytest.Pytester) -> None:
    result = small(LOST, FAULT)
    result.assert_outcomes(failed=1)
    assert result.ret == 1
    assert results_of(pytester.path)[0]["category"] == "transient"


def test_left_out_is_xfailed(small: Project, pytester: pytest.Pytester) -> None:
    result = small(LOST, FAULT, WITHOUT, "-rx", "--junitxml=junit.xml")
    result.assert_outcomes(xfailed=1)
    assert result.ret == 0
    result.stdout.fnmatch_lines(["XFAIL test_it.py::test_one - not judged: transient.*"])
    record = results_of(pytester.path)[0]
    assert (record["outcome"], record["category"], record["facts"]["left_out"]) == ("xfailed", "transient", "transient")
    case = ElementTree.parse(pytester.path / "junit.xml").getroot().find(".//testcase")
    assert case is not None
    assert case.find("skipped") is not None


def test_functional_is_never_left_out(small: Project) -> None:
    test = "def test_one(device):\n    assert device.find('Hello').text == 'Bye'\n"
    small(test, WITHOUT).assert_outcomes(failed=1)


def test_mistakes_of_tests_are_never_left_out(small: Project) -> None:
    small("def test_one(device):\n    nonsense\n", WITHOUT).assert_outcomes(failed=1)


@pytest.mark.parametrize(("share", "code"), [("30%", 0), ("25%", 0), ("20%", 1), ("0%", 1)])
def test_too_many_not_judged_fail_the_run(small: Project, share: str, code: int) -> None:
    result = small(FINE + LOST, FAULT, WITHOUT, f"--apex-max-unjudged={share}")
    result.assert_outcomes(passed=3, xfailed=1)
    assert result.ret == code
    told = f"1 of 4 tests were not judged: more than --apex-max-unjudged {share}, so the run fails"
    assert (told in result.stdout.str()) is bool(code)


def test_under_xdist(small: Project) -> None:
    result = small(FINE + LOST, FAULT, WITHOUT, "--apex-max-unjudged=20%", "-n1", plugins=("xdist",))
    result.assert_outcomes(passed=3, xfailed=1)
    assert result.ret == 1
