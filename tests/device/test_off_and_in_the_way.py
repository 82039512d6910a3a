"""A screen that is off answers no check; a window that comes back whatever is done is told as what is in the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.virtual import VirtualBackend, read_app
from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import ApexError, CheckFailed, TargetProblem
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.phone.fault import Elsewhere
from pytest_apex.phone.phone import Phone
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


OTHER = """
app: com.example.other
name: Other
start: home
screens: {home: {title: Other, controls: [{role: text, text: Buy our things}, {role: text, text: Now}]}}
"""
OWN = """
app: com.example.own
name: Own
start: home
screens:
  home:
    title: Own
    controls:
      - {role: button, id: go, text: Go, on_tap: {goto: second}}
      - {role: button, id: visit, text: Visit, on_tap: {open: com.example.other}}
  second:
    title: Second
    controls: [{role: text, id: here, text: Here}, {role: button, id: on, text: On, on_tap: []}]
"""


@pytest.fixture
def two(tmp_path: Path) -> Iterator[Any]:
    """A device with an app under test and another one, and what brings that one up from outside."""
    files = [tmp_path / "own.yaml", tmp_path / "other.yaml"]
    for file, text in zip(files, (OWN, OTHER), strict=True):
        file.write_text(text, "utf-8")
    phone = Phone([read_app(file) for file in files], seed=1)
    recorder = Recorder(tmp_path, Store(tmp_path), Redactor(()), "never")
    device = Device(VirtualBackend(phone), Settings(timeouts=Timeouts(check=1.0)), recorder, test="two")
    device.start("com.example.own")
    yield device
    device.finish()
    recorder.close(failed=False)


def note(device: Any) -> list[str]:
    return [line for line in device.context.notes if "brought back once" in line]


def test_another_app_that_comes_up_unasked_is_left_once(two: Any) -> None:
    two.tap("Go")
    two.raw.activate("com.example.other")
    expect(two.find("Here")).to_be_visible()
    assert note(two) == [
        "harness.other_app: com.example.other came in front of com.example.own, which was brought back once"
    ]
    two.raw.activate("com.example.other")  # and then left alone
    with pytest.raises(CheckFailed) as caught:
        expect(two.find("Here")).to_be_visible()
    verdict = judge(two.examine(failure_of(caught.value), caught.value))
    assert (verdict.kind, len(note(two))) == ("transient.blocked", 1)


def test_an_act_is_done_once_the_app_is_back(two: Any) -> None:
    two.tap("Go")
    two.raw.activate("com.example.other")
    two.tap("On")
    assert len(note(two)) == 1


def test_an_app_that_the_app_or_the_test_opened_stays_in_front(two: Any) -> None:
    two.tap("Visit")
    expect(two.find("Buy our things")).to_be_visible()
    with pytest.raises(CheckFailed):
        expect(two.find("Here")).to_be_visible()
    assert two.raw.in_front().id == "com.example.other"
    two.activate("com.example.own")
    two.activate("com.example.other")
    with pytest.raises(CheckFailed):
        expect(two.find("Here")).to_be_visible()
    assert (two.raw.in_front().id, note(two)) == ("com.example.other", [])


def test_one_that_comes_once_is_closed_and_noted(seeing: Any) -> None:
    device = seeing()
    device.raw.machine.trouble_elsewhere(Elsewhere("crash", "com.example.music", "Music"))
    expect(device.find(id="badge")).to_be_visible()
    assert any(note.startswith("harness.other_app") for note in device.context.notes)
