"""A project under test: pytester with pytest-apex as its only plugin, and a clean environment."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from pytest_apex.testing import run_project


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> Callable[..., pytest.RunResult]:
    """`project({"test_a.py": "…"}, "--apex-seed=7")` runs it and returns the result."""
    for name in list(os.environ):
        if name.startswith(("APEX_", "PYTEST_ADDOPTS", "ANDROID_SERIAL", "PYTEST_XDIST")):
            monkeypatch.delenv(name)

    def run(files: dict[str, str], *args: str, plugins: tuple[str, ...] = ()) -> pytest.RunResult:
        return run_project(pytester, files, *args, plugins=plugins)

    return run
