"""A touch that the test did not send, from the finger to the verdict: it explains what it can have done, no more."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.device.looking.foreign import ForeignTouches
from pytest_apex.errors import ApexError
from pytest_apex.model.verdict import Category, Outcome, Verdict
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = """\
app: com.example.stranger
name: Stranger
size: {width: 360, height: 800, density: 1.0}
start: home
data: {done: ""}
screens:
  home:
    title: Stranger
    transition: none
    controls:
      - {role: text, id: words, text: Nothing to be touched}
      - {role: button, id: dead, text: Nothing at all}
      - {role: button, id: open, text: Open, on_tap: {goto: letter}}
      - {role: button, id: crash, text: Crash, on_tap: {crash: java.lang.IllegalStateException, message: lost}}
  letter:
    title: Letter
    up: true
    transition: none
    controls:
      - {role: text, text: Dear Ada}
      - {role: button, id: answer, text: Answer, on_tap: {goto: home}}
"""


@pytest.fixture
def device(tmp_path: Path) -> Iterator[Device]:
    file = tmp_path / "app.yaml"
    file.write_text(APP, "utf-8")
    with virtual_device(tmp_path, f"virtual:{file}", app="com.example.stranger") as made:
        yield made


def finger(device: Device, control: str, after_s: float = 0.0) -> None:
    """Somebody taps a control, now and to the end, or in a while."""
    phone: Any = device.context.backend.raw
    if after_s:
        phone.clock.after(after_s, lambda: phone.stranger.tap(control))
        return
    phone.stranger.tap(control)
    phone.clock.sleep(0.2)


def verdict_on(device: Device, ask: Callable[[], object]) -> Verdict:
    with pytest.raises(ApexError) as caught:
        ask()
    return judge(device.examine(failure_of(caught.value), caught.value))


def test_a_touch_that_leads_elsewhere_explains_what_is_missing(device: Device) -> None:
    device.tap("Open")
    finger(device, "answer")
    verdict = verdict_on(device, lambda: expect(device.find("Dear Ada")).to_be_visible(timeout=1))
    assert (verdict.kind, verdict.outcome) == ("transient.harness.foreign_input", Outcome.UNSURE)
    assert verdict.reason.startswith("a touch at ")
    assert "that the test did not send" in verdict.reason
    assert "keep hands and other tools off the device" in verdict.reason


def test_it_explains_an_act_that_finds_its_target_no_more(device: Device) -> None:
    device.tap("Open")
    finger(device, "answer")
    assert verdict_on(device, lambda: device.tap("Answer")).kind == "transient.harness.foreign_input"


@pytest.mark.parametrize("control", ["words", "dead"])
def test_a_touch_that_changes_nothing_hides_no_fault(device: Device, control: str) -> None:
    device.tap("Nothing at all", repeat=False)
    finger(device, control)
    verdict = verdict_on(device, lambda: expect(device.find("Dear Ada")).to_be_visible(timeout=1))
    assert verdict.category == Category.FUNCTIONAL
    assert verdict.notes[0].startswith("harness.foreign_input: a touch at ")


def test_a_touch_before_the_last_act_hides_no_fault(device: Device) -> None:
    finger(device, "open")
    device.tap("Answer")
    verdict = verdict_on(device, lambda: expect(device.find("Dear Ada")).to_be_visible(timeout=1))
    assert verdict.category == Category.FUNCTIONAL
    assert any("foreign_input" in note for note in device.context.notes)


def test_a_crash_stays_a_crash(device: Device) -> None:
    finger(device, "open", after_s=0.01)
    finger(device, "answer", after_s=0.3)
    assert verdict_on(device, lambda: device.tap("Crash")).category == Category.CRASH


def test_a_finger_on_the_screen_may_have_taken_the_place_of_the_tests_own(device: Device) -> None:
    finger(device, "words", after_s=0.1)
    device.long_press("Nothing at all")
    verdict = verdict_on(device, lambda: expect(device.find("Dear Ada")).to_be_visible(timeout=1))
    assert verdict.kind == "transient.harness.foreign_input"


def test_what_reads_no_screen_is_not_explained_by_it(device: Device) -> None:
    device.tap("Open")
    finger(device, "answer")
    expect(device.find("Nothing at all")).to_be_visible()  # it was noticed
    assert verdict_on(device, lambda: expect(device.app).not_to_be_running(timeout=0.5)).category == Category.FUNCTIONAL


def test_a_test_that_passes_has_a_note(device: Device) -> None:
    finger(device, "words")
    finger(device, "words")
    expect(device.find("Open")).to_be_visible()
    (note,) = device.context.notes
    assert note.startswith("harness.foreign_input: 2 touches that the test did not send, the first at ")


def test_a_device_that_tells_of_none_is_asked_for_none(device: Device) -> None:
    silent: Any = object()
    device.context.eyes.foreign = ForeignTouches(silent, device.context.watch)
    device.tap("Open")
    finger(device, "answer")
    verdict = verdict_on(device, lambda: expect(device.find("Dear Ada")).to_be_visible(timeout=1))
    assert verdict.category == Category.FUNCTIONAL
    assert device.context.notes == []
