"""A screen that is off answers no check; a window that comes back whatever is done is told as what is in the way."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.device.device import Device
from pytest_apex.device.expect import expect
from pytest_apex.device.failure import failure_of
from pytest_apex.errors import ApexError, CheckFailed, TargetProblem
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


def again(device: Any) -> Any:
    """The next test's device on the same phone."""
    app = device.app.id
    device.finish()
    following = Device(VirtualBackend(device.raw), Settings(), device.context.recorder, test="next")
    following.start(app)
    return following


@pytest.mark.parametrize("options", ["", "platform=ios"])
def test_a_crash_of_one_test_leaves_nothing_to_the_next(seeing: Any, options: str) -> None:
    device = seeing(options)
    machine = device.raw.machine
    machine.crash(machine.front, "java.lang.IllegalStateException", "boom")
    following = again(device)
    expect(following.find(id="badge")).to_be_visible()
    assert following.context.watch.died() is None
    # A second crash is told as itself.
    machine.crash(machine.front, "java.lang.IllegalStateException", "again")
    with pytest.raises(ApexError) as caught:
        following.find(id="badge").tap()
    verdict = judge(following.examine(failure_of(caught.value), caught.value))
    assert verdict.kind == "crash.process_died"
    assert "again" in verdict.reason


def test_a_crash_that_the_test_caught_and_got_over_is_over(seeing: Any) -> None:
    device = seeing()
    machine = device.raw.machine
    machine.crash(machine.front, "java.lang.IllegalStateException", "boom")
    with pytest.raises(ApexError):
        device.find(id="badge").tap()
    device.launch(device.app.id)
    expect(device.find(id="badge")).to_be_visible()


def test_a_dialog_that_another_app_left_before_is_closed_and_noted(seeing: Any) -> None:
    device = seeing()
    device.raw.machine.trouble_elsewhere(Elsewhere("frozen", "com.example.music", "Music"))
    following = again(device)
    assert following.context.notes == ["harness.other_app: Music isn't responding was left from before, and dismissed"]
    expect(following.find(id="badge")).to_be_visible()


def test_one_that_comes_once_is_closed_and_noted(seeing: Any) -> None:
    device = seeing()
    device.raw.machine.trouble_elsewhere(Elsewhere("crash", "com.example.music", "Music"))
    expect(device.find(id="badge")).to_be_visible()
    assert any(note.startswith("harness.other_app") for note in device.context.notes)
