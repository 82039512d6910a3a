"""What can be attached to."""

from __future__ import annotations

import pytest

from pytest_apex import attach
from pytest_apex.backends.virtual import connect
from pytest_apex.errors import ConfigError
from pytest_apex.settings import Settings


def test_a_backend_is_given_back() -> None:
    backend = connect("virtual", Settings())
    assert attach(backend) is backend


def test_anything_else_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"can't attach to a builtins\.object"):
        attach(object())


def test_a_driver_whose_attributes_raise_is_asked_for_its_session_alone() -> None:
    """Selenium's `name` raises `KeyError` where the session has no `browserName`."""

    class Driver:
        session_id = None

        def __getattr__(self, name: str) -> object:
            raise KeyError(name)

    Driver.__module__ = "appium.webdriver.webdriver"
    with pytest.raises(ConfigError, match="without a session"):
        attach(Driver())
