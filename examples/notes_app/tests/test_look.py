"""No screen looks broken; nobody had to approve a picture for that."""

from pytest_apex import expect


def test_the_log_in_screen_looks_right(device):
    expect(device.screen).to_have_no_defects()


def test_the_list_looks_right(device, notes):
    expect(device.screen).to_have_no_defects()


def test_a_new_note_looks_right(device, notes):
    device.tap("New note")
    expect(device.find(id="title")).to_be_visible()
    expect(device.screen).to_have_no_defects()


def test_settings_look_right(device, notes):
    notes.open_settings()
    expect(device.screen).to_have_no_defects()


def test_about_looks_right(device, notes):
    notes.open_settings()
    device.tap("About")
    expect(device.find(id="version")).to_be_visible()
    expect(device.screen).to_have_no_defects()


def test_sync_looks_right(device, notes):
    notes.open_sync()
    expect(device.screen).to_have_no_defects()


def test_the_shared_shelf_looks_right(device, notes):
    notes.open_archive()
    device.tap("Shared")
    expect(device.find("Nothing archived yet")).to_be_hidden()
    expect(device.screen).to_have_no_defects()
