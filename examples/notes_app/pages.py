"""The app in the words of its tests: one class a screen, nothing but controls and what one does with them."""

from __future__ import annotations

from pytest_apex import Device, expect

EMAIL, PASSWORD = "ada@example.com", "correct horse battery"


class LogIn:
    def __init__(self, device: Device) -> None:
        self.device = device
        self.email = device.find(id="email")
        self.password = device.find(id="password")
        self.button = device.find("Log in")

    def log_in(self) -> Notes:
        self.email.fill(EMAIL)
        self.password.fill(PASSWORD, secret=True)
        self.button.tap(purpose="sign in", expected_outcome="the list of notes opens")
        notes = Notes(self.device)
        expect(notes.welcome).to_be_visible()
        return notes


class Notes:
    def __init__(self, device: Device) -> None:
        self.device = device
        self.welcome = device.find("Welcome, Ada")
        self.count = device.find(id="count")
        self.list = device.find(id="note_list")

    def open(self, title: str) -> None:
        self.list.find(title).tap()
        expect(self.device.find(id="note_title")).to_have_text(title)

    def go_back(self) -> None:
        """By the app's own control: not every platform has a key for it."""
        self.device.tap("Navigate up")

    def write(self, title: str, text: str) -> None:
        self.device.tap("New note", expected_outcome="an empty note opens")
        self.device.find(id="title").fill(title)
        self.device.find(id="body").fill(text)
        self.device.tap("Save", expected_outcome="back in the list, the note on top")

    def open_settings(self) -> None:
        self.device.tap("Settings")
        expect(self.device.find(id="dark_mode")).to_be_visible()

    def open_sync(self) -> None:
        self.device.tap("Sync")
        expect(self.device.find("Sync now")).to_be_visible()

    def open_archive(self) -> None:
        self.open_settings()
        self.device.tap("Archive")
        expect(self.device.find("Archived")).to_be_visible()
