"""Settings, and what they lead to."""

from pytest_apex import expect


def test_dark_mode(device, notes):
    notes.open_settings()
    switch = device.find(id="dark_mode")
    expect(switch).not_to_be_checked()
    switch.check()
    expect(switch).to_be_checked()


def test_privacy(device, notes):
    notes.open_settings()
    device.tap("Privacy", expected_outcome="says what the app knows")
    expect(device.find("What we know")).to_be_visible()


def test_about_tells_the_version(device, notes):
    notes.open_settings()
    device.tap("About")
    expect(device.find(id="version")).to_have_text("Version 1.4.0")


def test_the_shared_shelf(device, notes):
    notes.open_archive()
    device.tap("Shared")
    expect(device.find("Nothing archived yet")).to_be_hidden()


def test_the_archive_is_empty_at_first(device, notes):
    notes.open_archive()
    expect(device.find("Nothing archived yet")).to_be_visible()


def test_sync(device, notes):
    notes.open_sync()
    sync = device.find("Sync now")
    expect(sync).to_be_tappable()
    sync.tap(expected_outcome="all notes are synced")
    expect(device.find(id="sync_state")).to_have_text("Synced 8 notes")
    expect(device.app).to_be_running()
