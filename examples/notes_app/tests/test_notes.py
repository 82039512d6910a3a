"""Reading and writing notes."""

import pytest

from pytest_apex import expect


def test_the_list_shows_all_notes(notes):
    expect(notes.count).to_have_text("8 notes")
    expect.soft(notes.list.find("Shopping")).to_be_visible()
    expect.soft(notes.list.find("Train to Bergen")).to_be_visible()
    expect.soft(notes.list.find("Leaves 7:12, platform 4")).to_be_visible()


def test_a_new_note_comes_first(device, notes):
    notes.write("Theatre", "Row 7, seats 3 and 4")
    expect(notes.list.find("Theatre")).to_be_visible()
    expect(notes.list.find(id="note_row").first).to_contain_text("Theatre")


def test_an_empty_note_cannot_be_saved(device, notes):
    device.tap("New note")
    save = device.find("Save")
    expect(save).to_be_disabled()
    device.find(id="title").fill("Theatre")
    device.find(id="body").fill("Row 7")
    expect(save).to_be_enabled()


def test_save_is_the_primary_colour(device, notes):
    device.tap("New note")
    device.find(id="title").fill("Theatre")
    device.find(id="body").fill("Row 7")
    expect(device.find("Save")).to_have_color("#0057B8")


@pytest.mark.parametrize("title", ["Garden", "Piano"])
def test_a_note_opens(device, notes, title):
    notes.open(title)
    expect(device.find(id="note_body")).not_to_have_text("")
    notes.go_back()
    expect(notes.welcome).to_be_visible()


def test_a_note_moves_to_the_archive(device, notes):
    notes.open("Garden")
    device.tap("Move to archive")
    expect(notes.welcome).to_be_visible()
    expect(notes.list.find("Garden")).to_be_hidden()


def test_deleting_asks_first(device, notes):
    notes.open("Piano")
    device.tap("Delete note")
    device.tap("Keep")
    expect(device.find(id="note_title")).to_have_text("Piano")
    device.tap("Delete note")
    device.find(id="confirm_delete").tap()
    expect(notes.welcome).to_be_visible()
    expect(notes.list.find("Piano")).to_be_hidden()


def test_previews_can_be_switched_off(device, notes):
    preview = notes.list.find("Leaves 7:12, platform 4")
    notes.open_settings()
    device.find("Show previews").uncheck()
    notes.go_back()
    expect(notes.welcome).to_be_visible()
    expect(preview).to_be_hidden()
