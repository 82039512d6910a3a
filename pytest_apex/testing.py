"""For authors of plugins and backends: run a small project, read what it left behind.

`pytest_plugins = ["pytester"]` has to stand in the root conftest of the tests that use `run_project`.
"""

from __future__ import annotations

import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest


def run_project(
    pytester: pytest.Pytester, files: Mapping[str, str], *args: str, plugins: tuple[str, ...] = ()
) -> pytest.RunResult:
    """Write `files` into pytester's folder and run pytest there, in this process, with pytest-apex and `plugins`
    (names that `-p` takes) and no other installed plugin.

    Texts are dedented. Settings from the environment of the run outside don't reach it.
    """
    for name, text in files.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        named = [part for plugin in ("pytest_apex.plugin", *plugins) for part in ("-p", plugin)]
        # This process has imported the plugin before: its assertions stay as they are, and that is fine.
        quiet = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
        return pytester.runpytest_inprocess(*named, *quiet, *args)


def last_run(folder: Path) -> Path:
    """The folder of the last run in a project."""
    from pytest_apex.reports.runs import read_latest

    return read_latest(folder / ".apex")


def results_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of `results.jsonl` of the last run in a project, in order."""
    from pytest_apex.reports.results import attempt_to_dict, read_results

    return [attempt_to_dict(attempt) for attempt in read_results(last_run(folder))]
