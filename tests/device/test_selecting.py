"""tvOS: a tap brings the focus to the control and selects it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.virtual import connect
from pytest_apex.device.device import Device
from pytest_apex.errors import ActionRefused, CapabilityMissing, TargetNotFound
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.hierarchy import focus
from pytest_apex.settings import Settings

APP = "com.example.notes"


@pytest.fixture
def device(tmp_path: Path) -> Any:
    recorder = Recorder(tmp_path, Store(tmp_path), Redactor(), "always")
    made = Device(connect("virtual?platform=tvos", Settings()), Settings(), recorder, test="select")
    made.start(APP)
    yield made
    made.finish()
    recorder.close(failed=False)


def pressed(device: Device, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Keys that are pressed from now on, with a `look` for each look."""
    backend, told = device.context.backend, list[str]()
    press, capture = backend.press, backend.capture
    monkeypatch.setattr(backend, "press", lambda key, hold_ms=0: (told.append(key), press(key, hold_ms))[1])
    monkeypatch.setattr(backend, "capture", lambda: (told.append("look"), capture())[1])
    return told


def test_a_tap_selects_what_the_focus_was_brought_to(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    told = pressed(device, monkeypatch)
    step = device.tap("Forgot password?")
    assert device.find("Forgot your password?").is_visible()
    assert (step.verb, step.effect) == ("tap", "changed")
    assert step.note.endswith("select")
    keys = [key for key in told if key != "look"]
    assert keys == [*step.note.removeprefix("remote: ").split()]
    # The presses of one way go in one go.
    way = told.index("down")
    assert told[way + 1] in ("down", "look")
    device.tap("OK")
    assert not device.find("Forgot your password?").is_visible()


def test_a_control_that_has_the_focus_is_selected_at_once(device: Device, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        device.press("down")
    told = pressed(device, monkeypatch)
    assert device.tap("Forgot password?").note == "remote: select"
    assert [key for key in told if key != "look"] == ["select"]


def test_what_is_not_there_is_missing_here_too(device: Device) -> None:
    with pytest.raises(TargetNotFound):
        device.tap("Sign up")


def test_a_focus_that_does_not_go_there_is_told_and_nothing_is_selected(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    backend = device.context.backend
    receipt = backend.press("down")
    monkeypatch.setattr(backend, "press", lambda key, hold_ms=0: (told.append(key), receipt)[1])
    with pytest.raises(ActionRefused, match="the focus can't be brought to"):
        device.tap("Forgot password?")
    assert "select" not in told


def test_a_tap_that_is_held_is_none(device: Device) -> None:
    with pytest.raises(CapabilityMissing):
        device.find("Forgot password?").tap(hold_ms=500)


def test_the_demo_is_used_by_the_remote_alone(device: Device) -> None:
    """Fields are filled, switches switched by their labels, and what floats over a list is reached past its rows."""
    device.find(id="email").fill("ada@example.com")
    device.find(id="password").fill("correct horse", secret=True)
    device.tap("Log in")
    device.tap("New note")
    device.find(id="title").fill("Grüße")
    device.tap("Save")
    assert device.find("Grüße").is_visible()
    device.tap("Settings")
    step = device.find("Show previews").uncheck()
    assert step is not None
    assert "select" in step.note
    assert device.find("Show previews").uncheck() is None


def test_a_way_over_what_no_tree_tells_of_goes_on_as_long_as_the_focus_does(
    device: Device, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As with rows on a real Apple TV, of which the tree does not tell that they take the focus."""
    device.find(id="email").fill("ada@example.com")
    device.find(id="password").fill("correct horse", secret=True)
    device.tap("Log in")
    known = focus.can_hold
    monkeypatch.setattr(focus, "can_hold", lambda snapshot: [one for one in known(snapshot) if one.role != "card"])
    assert device.tap("New note").note.count("down") > 4
    assert device.find(id="title").is_visible()
