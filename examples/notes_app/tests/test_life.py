"""What becomes of a note while the app is away, and other ways into the app."""

import pytest

from pytest_apex import expect


@pytest.mark.gestures("toast")
def test_saving_is_confirmed(device, notes):
    notes.write("Theatre", "Row 7, seats 3 and 4")
    expect(device).to_have_toast("Saved")


def test_a_draft_survives_a_phone_call(device, notes):
    device.tap("New note")
    device.find(id="title").fill("Theatre")
    device.app.background(5)
    expect(device.find(id="title")).to_have_text("Theatre")


@pytest.mark.gestures("background")
def test_a_draft_survives_when_memory_is_short(device, notes):
    device.tap("New note")
    device.find(id="title").fill("Theatre")
    device.app.kill_in_background()
    device.app.activate()
    expect(device.find(id="title")).to_have_text("Theatre")


@pytest.mark.gestures("open_url")
def test_a_link_begins_a_note(device, notes):
    device.open_url("notes://new/Theatre")
    expect(device.find(id="title")).to_have_text("Theatre")
