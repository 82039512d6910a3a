"""What JUnit files say of an attempt."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import pytest

Project = Callable[..., pytest.RunResult]

TESTS = """
def test_good(device):
    device.tap('Go')

def test_bad(device):
    assert device.find('Hello').text == 'Bye'

def test_unit(record_property):
    record_property("mine", "1")
"""


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_properties(small: Project, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    small(TESTS, "--junitxml=junit.xml", "-o", "junit_family=xunit1", *workers, plugins=("xdist",) if workers else ())
    root = ElementTree.parse(pytester.path / "junit.xml").getroot()
    found = {
        case.get("name"): {item.get("name"): item.get("value") for item in case.iter("property")}
        for case in root.iter("testcase")
    }
    assert found["test_good"] == {"apex.device": "virtual"}
    assert found["test_bad"] == {
        "apex.category": "functional", "apex.kind": "functional.assertion", "apex.device": "virtual",
    }  # fmt: skip
    assert found["test_unit"] == {"mine": "1"}
    failure = root.find(".//failure")
    assert failure is not None
    assert str(failure.get("message")).startswith("[functional.assertion] ")


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_what_is_unsure_is_an_error_and_what_is_the_apps_a_failure(
    small: Project, pytester: pytest.Pytester, workers: tuple[str, ...]
) -> None:
    test = """
    def test_lost(device):
        device.tap('Go')
        device.find('Done').text

    def test_own():
        assert False
    """
    small(test, "--device=virtual?fault=device_lost", "--junitxml=junit.xml", "-o", "junit_family=xunit1", *workers,
          plugins=("xdist",) if workers else ()).assert_outcomes(failed=2)  # fmt: skip
    (suite,) = ElementTree.parse(pytester.path / "junit.xml").getroot().iter("testsuite")
    assert (suite.get("errors"), suite.get("failures"), suite.get("tests")) == ("1", "1", "2")
    told = {
        case.get("name"): [node.tag for node in case if node.tag != "properties"] for case in suite.iter("testcase")
    }
    assert told == {"test_lost": ["error"], "test_own": ["failure"]}
    error = suite.find(".//error")
    assert error is not None
    assert str(error.get("message")).startswith("[transient.harness.device_lost] ")
