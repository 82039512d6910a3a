"""The line that a step is said to come from: the test's own, wherever the project lies; none for the launch."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.evidence.journal import read_journal

Project = Callable[..., pytest.RunResult]

TEST = "def test_it(device):\n    device.tap('Go')\n"


def sources(folder: Path) -> dict[str, str]:
    (journal,) = folder.glob(".apex/runs/*/tests/*/attempt-1/steps.jsonl")
    return {event["verb"]: Path(event["source"]).name for event in read_journal(journal) if event["event"] == "intent"}


@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_as_a_module(small: Project, pytester: pytest.Pytester, workers: tuple[str, ...]) -> None:
    small({"test_it.py": TEST, "conftest.py": ""})  # writes the project
    for run in pytester.path.glob(".apex/runs/*"):
        run.rename(pytester.path / "earlier")
    named = [part for plugin in ("apex", "xdist") for part in ("-p", plugin)]
    command = [sys.executable, "-m", "pytest", *named, "-p", "no:cacheprovider", *workers]
    environment = os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    subprocess.run(command, cwd=pytester.path, env=environment, check=True, capture_output=True)
    assert sources(pytester.path) == {"launch": "", "tap": "test_it.py:2"}


def test_in_a_folder_that_is_called_pytest(small: Project, pytester: pytest.Pytester) -> None:
    small({"pytest/test_it.py": TEST})
    assert sources(pytester.path)["tap"] == "test_it.py:2"
