"""Signing in."""

from pages import EMAIL, PASSWORD

from pytest_apex import expect


def test_log_in_needs_both_fields(login):
    expect(login.button).to_be_disabled()
    login.email.fill(EMAIL)
    expect(login.button).not_to_be_enabled()
    login.password.fill(PASSWORD, secret=True)
    expect(login.button).to_be_enabled()


def test_log_in_opens_the_notes(login):
    notes = login.log_in()
    expect(notes.welcome).to_be_visible()
    expect(login.password).to_be_hidden()


def test_a_forgotten_password_is_explained(device):
    device.tap("Forgot password?")
    expect(device.find("Any password", exact=False)).to_be_visible()
    device.tap("OK")
    expect(device.find("Forgot your password?")).to_be_hidden()


def test_the_app_starts_anew_after_a_stop(device, notes):
    device.app.stop()
    expect(device.app).not_to_be_running()
    device.launch()
    expect(device.find("Sign in")).to_be_visible()
    expect(device.app).to_be_running()


def test_log_out(device, notes):
    notes.open_settings()
    device.tap("Log out")
    expect(device.find("Sign in")).to_be_visible()
