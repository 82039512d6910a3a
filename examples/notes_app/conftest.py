"""Fixtures of the Notes app's tests."""

from __future__ import annotations

import pytest
from pages import LogIn, Notes

from pytest_apex import Device


@pytest.fixture
def device(apex_device: Device) -> Device:
    """The device. It comes with pytest-apex; said here, it also holds beside plugins with a `device` of their own."""
    return apex_device


@pytest.fixture
def login(device: Device) -> LogIn:
    """The log-in screen, as the app starts."""
    return LogIn(device)


@pytest.fixture
def notes(login: LogIn) -> Notes:
    """The list of notes, signed in."""
    return login.log_in()
