"""Importing the plugin, its parts too, loads nothing heavy and takes next to no time."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "uiautomator2", "adbutils", "appium", "selenium", "numpy", "PIL", "lxml", "yaml", "allure", "imagehash",
    "pytest_apex.device", "pytest_apex.evidence", "pytest_apex.reports", "pytest_apex.vision",
)  # fmt: skip
#: What it may take more than importing pytest. A slow machine is slow at both: there the share counts (pytest itself
#: takes some 200 ms on a fast one).
LIMIT_MS, LIMIT_SHARE = 30, 0.15

LOAD = """
import importlib, sys, time
start = time.process_time()
import pytest
from _pytest.config import get_config
get_config()
between = time.process_time()
import pytest_apex.plugin
from pytest_apex import hookspecs
for part in pytest_apex.plugin.pytest_plugins:
    importlib.import_module(part)
print((between - start) * 1000, (time.process_time() - between) * 1000, *sorted(sys.modules))
"""


def _load() -> tuple[float, float, set[str]]:
    out = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True).stdout.split()
    return float(out[0]), float(out[1]), set(out[2:])


def test_nothing_heavy_is_loaded() -> None:
    _pytests, _ours, modules = _load()
    assert "pytest_apex.plugin.hooks" in modules
    assert not [name for name in modules if name.startswith(HEAVY)]


def test_it_takes_less_than_the_limit() -> None:
    # The best of some: other work on the machine may slow one down, nothing can speed one up.
    pytests, ours = min((_load()[:2] for _ in range(3)), key=lambda took: took[1])
    assert ours < max(LIMIT_MS, LIMIT_SHARE * pytests), f"{ours:.1f} ms, pytest itself {pytests:.1f} ms"


def test_no_part_is_imported_by_an_earlier_one() -> None:
    script = """
import importlib, sys
import pytest_apex.plugin
parts = list(pytest_apex.plugin.pytest_plugins)
for number, part in enumerate(parts):
    importlib.import_module(part)
    print(*(f"{part} imports {later}" for later in parts[number + 1 :] if later in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
