"""Beside the plugins that many projects have, each loaded as it is installed: nobody takes anything from anybody.

What is not installed is not tried: the test says so.
"""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest


def installed(name: str) -> bool:
    try:
        version(name)
    except PackageNotFoundError:
        return False
    return True


def need(name: str) -> None:
    if not installed(name):
        pytest.skip(f"{name} is not installed")


def run(folder: Path, *args: str) -> subprocess.CompletedProcess[str]:
    """pytest in a process of its own, with every installed plugin."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("APEX_", "PYTEST"))}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", *args]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


@pytest.fixture
def folder(tmp_path: Path, small_app: str) -> Path:
    (tmp_path / "app.yaml").write_text(textwrap.dedent(small_app), "utf-8")
    (tmp_path / "pytest.ini").write_text(
        "[pytest]\napex_app = com.example.small\nasyncio_default_fixture_loop_scope = function\n", "utf-8"
    )
    return tmp_path


def write(folder: Path, name: str, text: str) -> None:
    (folder / name).write_text(text, "utf-8")


SUITE = """
import pytest
from pytest_apex import expect


def test_plain(apex_device):
    apex_device.tap("Go")
    expect(apex_device.find("Done")).to_be_visible()


@pytest.mark.skipif(ASYNC, reason="pytest-asyncio is not installed")
@pytest.mark.asyncio
async def test_async(apex_device):
    import asyncio

    await asyncio.sleep(0)
    expect.soft(apex_device.find("Hello")).to_have_text("Bye", timeout=1)
    apex_device.tap("Go")
"""
FEATURE = "Feature: it\n  Scenario: goes on\n    When I tap Go\n    Then I am done\n"
STEPS = """
from pytest_bdd import scenarios, then, when

scenarios("it.feature")


@when("I tap Go")
def tap(apex_device):
    apex_device.tap("Go")


@then("I am done")
def done(apex_device):
    assert apex_device.find("Done").text == "no"
"""


def test_a_suite_of_ours_with_all_of_them(folder: Path) -> None:
    write(folder, "test_it.py", SUITE.replace("ASYNC", str(not installed("pytest-asyncio"))))
    options = ["--apex-device=virtual"]
    options += ["--reruns=1"] if installed("pytest-rerunfailures") else []
    options += ["--timeout=60"] if installed("pytest-timeout") else []
    options += ["--html=report.html"] if installed("pytest-html") else []
    if installed("pytest-bdd"):
        write(folder, "it.feature", FEATURE)
        write(folder, "test_bdd.py", STEPS)
    done = run(folder, *options)
    assert "INTERNALERROR" not in done.stdout
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    # One soft check fails after the last line of a coroutine, and one step of a scenario: nothing else does.
    wanted = installed("pytest-asyncio") + installed("pytest-bdd")
    assert len(lines) == wanted, done.stdout + done.stderr
    assert all("[functional." in line for line in lines)
    assert ("[functional.wrong_value]" in done.stdout) is installed("pytest-asyncio")


def test_a_plain_project_of_playwright(tmp_path: Path) -> None:
    need("pytest-playwright")
    write(tmp_path, "pytest.ini", "[pytest]\nasyncio_default_fixture_loop_scope = function\n")
    write(
        tmp_path, "test_web.py",
        "def test_device(device, browser_context_args):\n    assert device == 'iPhone 13'\n"
        "    assert browser_context_args['is_mobile']\n",
    )  # fmt: skip
    done = run(tmp_path, "--device=iPhone 13", "-k", "device")
    assert "fixture 'device'" not in done.stdout
    assert "apex: --device and the fixture device belong to another plugin" in done.stdout
    assert "usage" not in done.stderr


def test_switched_off(folder: Path) -> None:
    write(folder, "test_it.py", "def test_it():\n    pass\n")
    write(folder, "pytest.ini", "[pytest]\n")
    done = run(folder, "-p", "no:apex", "-p", "no:asyncio")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "apex:" not in done.stdout
