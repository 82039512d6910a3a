"""However the app dies, the step that caused it says so, or the next look does."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_apex import Device, expect
from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.errors import ApexError, AppDied
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import Verdict
from pytest_apex.phone.app import load_app
from pytest_apex.phone.machine import Driver
from pytest_apex.phone.phone import Phone
from pytest_apex.settings import Settings
from pytest_apex.verify.judge import judge

APP = """
app: com.example.door
name: Door
start: s
screens:
  s:
    controls:
      - {role: text, text: A door}
      - {role: text, text: A handle}
      - {role: button, id: open, text: Open, on_tap: {goto: t}}
  t: {controls: [{role: text, text: A room}, {role: text, text: A table}, {role: text, text: A chair}]}
faults:
  crash_on_tap: {control: open}
  native_crash: {control: open}
  silent_exit: {control: open}
  low_memory_kill: {control: open}
  anr: {control: open}
  anr_no_dialog: {control: open}
"""


class Counting(VirtualBackend):
    """Keeps the time of each look."""

    def __init__(self, phone: Phone) -> None:
        super().__init__(phone)
        self.looks: list[float] = []

    def capture(self) -> Snapshot:
        self.looks.append(self.clock.now())
        return super().capture()


def door(folder: Path, fault: str, platform: str) -> tuple[Device, Counting]:
    backend = Counting(Phone([load_app(APP, "door.yaml")], platform=platform, fault=fault or None))
    recorder = Recorder(folder, Store(folder), Redactor(()), "never")
    device = Device(backend, Settings(), recorder, test="door")
    device.start("com.example.door")
    return device, backend


def verdict_on(device: Device, error: ApexError) -> Verdict:
    return judge(device.examine(failure_of(error), error))


@pytest.mark.parametrize(
    ("fault", "platform", "kind"),
    [
        ("crash_on_tap", "android", "crash.process_died"),
        ("native_crash", "android", "crash.native"),
        ("silent_exit", "android", "crash.exit"),
        ("low_memory_kill", "android", "crash.killed"),
        ("crash_on_tap", "ios", "crash.process_died"),
        ("native_crash", "ios", "crash.native"),
        ("silent_exit", "ios", "crash.exit"),
        ("low_memory_kill", "ios", "crash.killed"),
    ],
)
def test_an_end_is_told_by_the_step_that_caused_it(tmp_path: Path, fault: str, platform: str, kind: str) -> None:
    device, _ = door(tmp_path, fault, platform)
    with pytest.raises(AppDied, match='tap "Open"') as caught:
        device.tap("Open")
    verdict = verdict_on(device, caught.value)
    assert (verdict.kind, 'tap "Open"' in verdict.reason) == (kind, True)


@pytest.mark.parametrize("fault", ["anr", "anr_no_dialog"])
def test_what_is_wanted_of_a_frozen_app_is_not_waited_for(tmp_path: Path, fault: str) -> None:
    device, backend = door(tmp_path, fault, "android")
    device.tap("Open")
    device.wait(6)
    before = backend.clock.now()
    with pytest.raises(AppDied, match="stopped answering") as caught:
        device.tap("A chair")
    assert backend.clock.now() - before < 12
    assert verdict_on(device, caught.value).kind == "crash.anr"


@pytest.mark.parametrize("fault", ["anr", "anr_no_dialog"])
def test_a_freeze_is_told_at_most_one_look_after_the_system_knows(tmp_path: Path, fault: str) -> None:
    device, backend = door(tmp_path, fault, "android")
    device.tap("Open")
    with pytest.raises(ApexError) as caught:
        expect(device.find("A room")).to_be_visible()
    looks, ended = list(backend.looks), backend.clock.now()
    known = next(record.at for record in backend.records("com.example.door", 0.0) if record.way == "anr")
    assert known is not None
    verdict = verdict_on(device, caught.value)
    assert (verdict.kind, 'tap "Open"' in verdict.reason) == ("crash.anr", True)
    # A look that began before it was known takes its time, then one more: nobody waited on.
    assert len([at for at in looks if at > known]) <= 1
    assert ended - known <= 0.3 if fault == "anr" else ended - known <= 5.3


def test_what_an_earlier_test_left_on_record_is_not_this_ones(tmp_path: Path) -> None:
    backend = Counting(Phone([load_app(APP, "door.yaml")], fault="low_memory_kill"))
    for number in range(2):
        folder = tmp_path / str(number)
        device = Device(backend, Settings(), Recorder(folder, Store(folder), Redactor(()), "never"), test="door")
        if number == 0:
            device.start("com.example.door")
            with pytest.raises(AppDied):
                device.tap("Open")
            device.finish()
            backend.clock.sleep(10)
    backend.raw.machine.driver = Driver(alive=False, lasts=True)
    with pytest.raises(ApexError) as caught:
        device.start("com.example.door")
    assert verdict_on(device, caught.value).kind == "transient.harness.driver_dead"


def test_a_healthy_app_dies_of_nothing(tmp_path: Path) -> None:
    device, _ = door(tmp_path, "", "android")
    device.tap("Open")
    expect(device.find("A room")).to_be_visible()
    expect(device.app).to_be_running()
