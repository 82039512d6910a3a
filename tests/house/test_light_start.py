"""Who only runs unit tests pays nothing for the plugin: nothing heavy is loaded before a device is used."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

HEAVY = ("uiautomator2", "adbutils", "appium", "selenium", "numpy", "PIL", "lxml", "yaml", "allure", "allure_commons")

LOADED = f"[name for name in {HEAVY!r} if name in __import__('sys').modules]"

UNIT_TEST = f"""
def test_unit():
    assert 1 + 1 == 2

def test_nothing_heavy_was_loaded():
    assert {LOADED} == []
"""


def python(root: Path, code: str) -> str:
    """What the code prints, in a fresh interpreter that knows the work tree alone."""
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.strip() + done.stderr


def test_importing_the_plugin_and_all_its_parts_loads_nothing_heavy(root: Path) -> None:
    code = (
        "import importlib, pytest_apex.plugin as plugin\n"
        "for part in plugin.PARTS: importlib.import_module(part)\n"
        f"print({LOADED})"
    )
    assert python(root, code) == "[]"


def test_running_unit_tests_without_a_device_loads_nothing_heavy(shell: Any, tmp_path: Path) -> None:
    (tmp_path / "test_unit.py").write_text(UNIT_TEST, "utf-8")
    done = shell.pytest("-q", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_importing_the_package_loads_none_of_its_rooms(root: Path) -> None:
    code = "import sys, pytest_apex; print([name for name in sys.modules if name.startswith('pytest_apex.')])"
    assert python(root, code) == "[]"
