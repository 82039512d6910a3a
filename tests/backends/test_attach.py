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
