"""A device that is lost: the tests after that go on on another one of the pool, if it has one to spare."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pytest_apex import errors
from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.model.screen import DeviceInfo

Project = Callable[..., pytest.RunResult]
GOES = "".join(f"def test_{name}(device):\n    device.tap('Go')\n    device.find('Done').text\n\n" for name in "abc")
LOST = "virtual?fault=device_lost"


def ran(pytester: pytest.Pytester) -> list[tuple[str, str]]:
    """Kind and device of each test, in their order."""
    (results,) = pytester.path.glob(".apex/runs/*/results.jsonl")
    lines = (json.loads(line) for line in results.read_text(encoding="utf-8").splitlines())
    return [(line["kind"], line["device"]) for line in lines]


def test_the_next_tests_run_on_another_device(small: Project, pytester: pytest.Pytester) -> None:
    result = small(GOES, f"--device={LOST},virtual?seed=7")
    result.assert_outcomes(failed=1, passed=2)
    (first, _), (second, device), third = ran(pytester)
    assert first == "transient.harness.device_lost"
    assert second == ""
    assert third == (second, device)
    told = "a device was lost; tests after that ran on virtual?seed=7"
    assert result.stdout.str().count(told) == 1


def test_without_another_device_the_first_cause_is_told(small: Project, pytester: pytest.Pytester) -> None:
    result = small(GOES, f"--device={LOST}")
    result.assert_outcomes(failed=1, errors=2)
    assert {kind for kind, _ in ran(pytester)} == {"transient.harness.device_lost"}
    assert "was lost before this test" in result.stdout.str()


def test_a_lost_device_is_not_asked_again(
    small: Project, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    info = VirtualBackend.info

    def noted(backend: VirtualBackend) -> DeviceInfo:
        asked.append(backend.name)
        return info(backend)

    monkeypatch.setattr(VirtualBackend, "info", noted)
    small(GOES.partition("def test_b")[0], f"--device={LOST}")
    once = len(asked)
    asked.clear()
    small(GOES, f"--device={LOST}", "--apex-artifacts=other").assert_outcomes(failed=1, errors=2)
    assert len(asked) == once


def test_tests_after_the_loss_tell_the_device(small: Project, pytester: pytest.Pytester) -> None:
    small(GOES, f"--device={LOST}")
    assert {device for _, device in ran(pytester)} == {LOST}


def test_one_that_is_lost_too_is_not_used_again(small: Project, pytester: pytest.Pytester) -> None:
    result = small(GOES, f"--device={LOST},{LOST}&seed=2,virtual")
    result.assert_outcomes(failed=2, passed=1)
    assert [bool(kind) for kind, _ in ran(pytester)] == [True, True, False]


def test_one_that_can_not_be_connected_is_passed_over(small: Project) -> None:
    result = small(GOES, f"--device={LOST},R58NOPE,virtual")  # there is no adb
    result.assert_outcomes(failed=1, passed=2)
    assert "R58NOPE could not take over" in result.stdout.str()


@pytest.mark.parametrize("error", ["DeviceLost", "DriverDead", "DeviceRestarted"])
def test_a_device_that_is_gone_between_two_tests_is_brought_back(
    small: Project, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, error: str
) -> None:
    info, gone = VirtualBackend.info, iter([False] * 4 + [True])

    def sometimes(backend: VirtualBackend) -> DeviceInfo:
        if next(gone, False):
            raise getattr(errors, error)("the phone is offline")
        return info(backend)

    monkeypatch.setattr(VirtualBackend, "info", sometimes)
    result = small(GOES, "--device=virtual")
    result.assert_outcomes(passed=3)
    assert result.stdout.str().count("virtual was gone between two tests: the phone is offline") == 1
