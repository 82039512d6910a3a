"""Two touches arrive as two, and what had its effect late is not done twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from pytest_apex.device.acting import apart
from pytest_apex.device.device import Device
from pytest_apex.device.expect import expect
from pytest_apex.errors import CheckFailed
from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.model.action import DoubleTap, LongPress, Pointer, Swipe, Tap
from pytest_apex.model.geometry import Point
from pytest_apex.testing import virtual_device

APP = Path(__file__).parent / "apart_app.yaml"
On = Callable[..., Device]
platforms = pytest.mark.parametrize("platform", ["android", "ios"])


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    """`on("ios")`: a device with the pad in front."""
    with ExitStack() as stack:

        def make(platform: str = "android", options: str = "") -> Device:
            spec = f"virtual:{APP}?platform={platform}{options}"
            return stack.enter_context(virtual_device(tmp_path, spec, app="com.example.apart"))

        yield make


def heard(device: Device) -> str:
    device.wait(1)
    return device.find(id="heard").text


@platforms
def test_taps_one_after_the_other_are_taps(on: On, platform: str) -> None:
    device = on(platform)
    for _ in range(3):
        device.tap("Pad")
    assert heard(device) == "taps 3, doubles 0, presses 0"
    at = device.find("Pad").box.center
    device.perform(f"t {at} t {at}".replace(",", ""))
    assert heard(device) == "taps 5, doubles 0, presses 0"


@platforms
def test_a_double_tap_is_one_after_a_tap_too(on: On, platform: str) -> None:
    device = on(platform)
    device.tap("Pad")
    device.double_tap("Pad")
    device.long_press("Pad")
    device.tap("Pad")
    device.wait(0)  # whatever comes between, it is the time that counts
    device.long_press("Pad")
    assert heard(device) == "taps 2, doubles 1, presses 2"


@platforms
def test_no_time_is_lost_where_nothing_can_be_mistaken(on: On, platform: str) -> None:
    device = on(platform)
    clock = device.context.backend.clock
    device.tap("Pad")
    before = clock.now()
    device.tap("Far")  # further away than the touches of a double tap
    near_nothing = clock.now() - before
    device.wait(1)
    before = clock.now()
    device.tap("Far")
    assert near_nothing == pytest.approx(clock.now() - before, abs=0.03)


@pytest.mark.parametrize(
    ("action", "can_be"),
    [
        (Tap(Point(50, 50)), True),
        (DoubleTap(Point(50, 50)), True),
        (LongPress(Point(50, 50)), False),
        (Swipe(Point(50, 50), Point(50, 200)), False),
    ],
)
def test_what_may_be_the_first_half_of_a_double_tap(action: Pointer, can_be: bool) -> None:
    touched = apart.last_touch(compile_action(action, RULES["android"]), 7.0, RULES["android"])
    assert (touched is not None) is can_be
    if touched is not None:
        assert (touched.at.x, touched.at.y, touched.ended) == (50, 50, 7.0)


def test_what_came_late_is_not_touched_again(on: On) -> None:
    """A second touch would have added a second one, and the wrong check passed."""
    device = on()
    assert device.tap("Add").effect == "none"
    with pytest.raises(CheckFailed) as raised:
        expect(device.find(id="added")).to_have_text("Added: 2")
    assert raised.value.seen == "its text is 'Added: 1'"
    assert "had no effect" not in str(raised.value)
    assert any(
        note.endswith("had its effect after its step was over: not touched again") for note in device.context.notes
    )
    expect(device.find(id="added")).to_have_text("Added: 1")


def test_what_never_came_is_touched_again(on: On) -> None:
    device = on(options="&fault=lost_touch")
    assert device.tap("Add now").effect == "none"
    expect(device.find(id="added")).to_have_text("Added: 1")
    assert any(note.startswith("transient.missed_touch") for note in device.context.notes)


def test_a_toast_that_goes_by_itself_is_no_effect_of_the_touch(on: On) -> None:
    device = on(options="&fault=lost_touch")
    device.tap("Tell")
    assert device.tap("Add now").effect == "none"
    expect(device.find(id="added")).to_have_text("Added: 1")


@pytest.mark.parametrize("platform", ["android", "ios"])
def test_a_tap_that_the_app_holds_back_has_its_effect_and_one_without_any_has_none(on: On, platform: str) -> None:
    """An app that knows a double tap waits for its second touch before it takes a tap for one."""
    device = on(platform)
    step = device.tap("Pad")
    assert step.effect == "changed"
    assert "no effect" not in step.note
    assert heard(device).startswith("taps 1")
    assert device.find(id="heard").tap().effect == "none"  # a text: nothing happens, however long anybody waits
