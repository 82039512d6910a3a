"""An element of another app is touched once that app was activated: as rarely as possible, and never sent twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pytest_apex.device.device import Device
from pytest_apex.errors import ActionRefused, DriverDead
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.settings import Settings, Touch

from .scripted import failed
from .test_appium_beside import HALVES, MAIL, NOTES, Pad, pad, paths

On = Callable[..., tuple[Device, Pad]]
TAP, ACTIVATE = "mobile: tap", "mobile: activateApp"
SWAPPED = {NOTES: HALVES[MAIL], MAIL: HALVES[NOTES]}


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    """A device on an iPad with two apps, of which that of notes is under test and the active one."""
    opened = []

    def make(**places: object) -> tuple[Device, Pad]:
        backend, script = pad(**places)  # type: ignore[arg-type]
        backend.activate(NOTES)
        recorder = Recorder(tmp_path, Store(tmp_path), Redactor(), "always")
        device = Device(backend, Settings(touch=Touch(humanize="off")), recorder, test="beside")
        opened.append((device, recorder))
        script.sent.clear()
        return device, script

    yield make
    for _device, recorder in opened:
        recorder.close(failed=False)


def done(script: Pad) -> list[str]:
    """What was done, with the looks between."""
    return [path for path in paths(script) if path in ("/source", TAP, ACTIVATE)]


def activated(script: Pad) -> list[str]:
    return [told["bundleId"] for told in script.scripts(ACTIVATE)]


def test_each_app_is_activated_when_the_touches_go_over_to_it_and_not_before(on: On) -> None:
    device, script = on()
    device.tap("open notes")
    assert activated(script) == []
    step = device.tap("open mail")
    assert activated(script) == [MAIL]
    assert f"{MAIL} was activated for it" in step.note
    assert "activated" not in device.tap("open mail").note
    device.tap("open mail")
    assert activated(script) == [MAIL]
    device.tap("open notes")
    assert activated(script) == [MAIL, NOTES]
    assert len(script.scripts(TAP)) == 5


def test_after_an_activation_there_is_a_look_before_the_touch(on: On) -> None:
    device, script = on()
    device.tap("open mail")
    order = done(script)
    between = order[order.index(ACTIVATE) + 1 : order.index(TAP)]
    assert between
    assert set(between) == {"/source"}


def test_the_finger_goes_where_the_control_is_after_the_activation(on: On) -> None:
    device, script = on()
    script.on_activate = lambda: script.places.update(SWAPPED)
    device.tap("open mail")
    # The app of notes is told, and begins at 590 by then.
    assert script.scripts(TAP) == [{"x": 295 - 590, "y": 120}]


def test_a_place_that_belongs_to_the_other_app_after_the_activation_is_not_touched(on: On) -> None:
    device, script = on()
    script.on_activate = lambda: script.places.update(SWAPPED)
    with pytest.raises(ActionRefused, match=f"{NOTES} is there since"):
        device.perform("t 885 120")
    assert activated(script) == [MAIL]
    assert not script.scripts(TAP)


def test_a_bare_place_and_a_swipe_activate_the_app_that_is_there(on: On) -> None:
    device, script = on()
    device.perform("t 885 120")
    assert activated(script) == [MAIL]
    device.perform("t 100 600")
    assert activated(script) == [MAIL, NOTES]


def test_nothing_is_touched_where_the_app_can_t_be_activated(on: On) -> None:
    device, script = on()
    script.answers[ACTIVATE] = failed("unknown error", "it is not there")
    with pytest.raises(ActionRefused, match="activate"):
        device.tap("open mail")
    assert not script.scripts(TAP)


def test_an_activation_that_got_no_answer_is_not_sent_again(on: On) -> None:
    device, script = on()
    script.answers[ACTIVATE] = failed("unknown error", "Could not proxy command to the remote server: socket hang up")
    with pytest.raises(DriverDead):
        device.tap("open mail")
    assert activated(script) == [MAIL]
    assert not script.scripts(TAP)


def test_with_one_app_nothing_is_activated(on: On) -> None:
    device, script = on(places={NOTES: (0, 0, 1180, 820)})
    device.tap("open notes")
    device.perform("t 885 600")
    assert activated(script) == []
    assert len(script.scripts(TAP)) == 2


def test_an_alert_of_the_system_is_touched_without_activating_anything(on: On) -> None:
    device, script = on()
    script.alert = True
    device.perform("t 590 120")
    assert activated(script) == []
    assert len(script.scripts(TAP)) == 1
