"""Importing the plugin, its parts too, loads nothing heavy and takes next to no time."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "uiautomator2", "adbutils", "appium", "selenium", "numpy", "PIL", "lxml", "yaml", "allure", "imagehash",
    "pytest_apex.device", "pytest_apex.evidence", "pytest_apex.reports", "pytest_apex.vision",
)  # fmt: skip
LIMIT_MS = 30

LOAD = """
import importlib, sys, time
import pytest, _pytest.config, _pytest.pytester, _pytest.debugging
start = time.perf_counter()
import pytest_apex.plugin
from pytest_apex import hookspecs
for part in pytest_apex.plugin.pytest_plugins:
    importlib.import_module(part)
took = (time.perf_counter() - start) * 1000
print(took, *sorted(sys.modules))
"""


def _load() -> tuple[float, set[str]]:
    out = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), set(out[1:])


def test_nothing_heavy_is_loaded() -> None:
    _took, modules = _load()
    assert not [name for name in modules if name.startswith(HEAVY)]


def test_it_takes_less_than_the_limit() -> None:
    # The best of some: other work on the machine may slow one down, nothing can speed one up.
    took = min(_load()[0] for _ in range(5))
    assert took < LIMIT_MS, f"{took:.1f} ms"
