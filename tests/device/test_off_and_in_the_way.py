"""A screen that is off answers no check; a window that comes back whatever is done is told as what is in the way."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.device.expect import expect
from pytest_apex.device.failure import failure_of
from pytest_apex.errors import CheckFailed, TargetProblem
from pytest_apex.phone.fault import Elsewhere
from pytest_apex.settings import Settings, Timeouts
from pytest_apex.verify.judge import judge


def test_no_check_of_the_screen_holds_while_it_is_off(seeing: Any) -> None:
    device = seeing()
    badge = device.find(id="badge")
    expect(badge).to_be_visible()
    device.raw.set_awake(False)
    for ask in (expect(badge).to_be_visible, expect(badge).not_to_be_visible, expect(device.screen).to_have_no_defects):
        with pytest.raises(CheckFailed, match="the screen is off") as caught:
            ask(timeout=0.3)
        assert judge(device.examine(failure_of(caught.value), caught.value)).kind == "transient.blocked"
    expect(device.app).to_be_running()
    device.raw.set_awake(True)
    expect(badge).to_be_visible()


def come_back(device: Any) -> None:
    machine = device.raw.machine
    if machine.dialog is None:
        machine.trouble_elsewhere(Elsewhere("crash", "com.example.music", "Music"))
    machine.timeline.after(0.02, lambda: come_back(device))


def test_a_dialog_of_another_app_that_comes_back_each_time_stays_in_the_end(seeing: Any) -> None:
    device = seeing("", Settings(timeouts=Timeouts(check=1.0)))
    come_back(device)
    with pytest.raises(TargetProblem) as caught:
        device.find(id="badge").tap()
    verdict = judge(device.examine(failure_of(caught.value), caught.value))
    assert verdict.kind == "transient.harness.other_app"
    assert "Music keeps stopping" in verdict.reason


def test_one_that_comes_once_is_closed_and_noted(seeing: Any) -> None:
    device = seeing()
    device.raw.machine.trouble_elsewhere(Elsewhere("crash", "com.example.music", "Music"))
    expect(device.find(id="badge")).to_be_visible()
    assert any(note.startswith("harness.other_app") for note in device.context.notes)
