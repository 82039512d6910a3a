"""Importing the plugin, its parts too, loads nothing heavy; `tests/quality/import_time.py` prints what it takes."""

from __future__ import annotations

import subprocess
import sys

HEAVY = (
    "uiautomator2", "adbutils", "appium", "selenium", "numpy", "PIL", "lxml", "yaml", "allure", "imagehash",
    "pytest_apex.device", "pytest_apex.evidence", "pytest_apex.reports", "pytest_apex.vision",
)  # fmt: skip
LOAD = """
import importlib, sys
import pytest_apex.plugin
from pytest_apex import hookspecs
for part in pytest_apex.plugin.PARTS:
    importlib.import_module(part)
print(*sorted(sys.modules))
"""


def test_nothing_heavy_is_loaded() -> None:
    modules = subprocess.run([sys.executable, "-c", LOAD], capture_output=True, text=True, check=True).stdout.split()
    assert "pytest_apex.plugin.hooks" in modules
    assert [name for name in modules if name.startswith(HEAVY)] == []


def test_no_part_is_imported_by_an_earlier_one() -> None:
    script = """
import importlib, sys
import pytest_apex.plugin
parts = list(pytest_apex.plugin.PARTS)
for number, part in enumerate(parts):
    importlib.import_module(part)
    print(*(f"{part} imports {later}" for later in parts[number + 1 :] if later in sys.modules))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
