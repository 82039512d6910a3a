"""What a run leaves behind, and where."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.evidence.journal import read_journal
from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]
TAPS = "def test_it(device):\n    device.tap('Go')\n"
FAILS = TAPS + "    assert device.find('Done').text == 'no'\n"


def run_json(folder: Path) -> Any:
    return json.loads((folder / "run.json").read_text("utf-8"))


def test_the_folder_of_a_run(small: Project, pytester: pytest.Pytester) -> None:
    small(FAILS, "--apex-seed=7").assert_outcomes(failed=1)
    folder = last_run(pytester.path)
    assert folder.parent == pytester.path / ".apex" / "runs"
    described = run_json(folder)
    assert described["seed"] == 7
    assert described["options"]["seed"] == {"value": "7", "origin": "command line"}
    assert described["options"]["app"] == {"value": "com.example.small", "origin": "pytest.ini"}
    assert [device["id"] for device in described["devices"]] == ["virtual"]
    assert described["ended"]
    attempt = folder / results_of(pytester.path)[0]["folder"]
    events = [(line["event"], line.get("verb", "")) for line in read_journal(attempt / "steps.jsonl")]
    assert ("intent", "tap") in events
    assert json.loads((attempt / "verdict.json").read_text("utf-8"))["kind"] == "functional.assertion"
    for item in results_of(pytester.path)[0]["evidence"]:
        assert (folder / item["path"]).is_file()


@pytest.mark.parametrize(
    ("keep", "test", "pictures"),
    [("failed", TAPS, False), ("failed", FAILS, True), ("always", TAPS, True), ("never", FAILS, False)],
)
def test_what_is_kept(small: Project, pytester: pytest.Pytester, keep: str, test: str, pictures: bool) -> None:
    small(test, f"--apex-keep={keep}")
    assert bool(list((last_run(pytester.path) / "store").glob("*.png"))) is pictures


def test_a_named_folder(small: Project, pytester: pytest.Pytester) -> None:
    small(TAPS, "--apex-artifacts=out")
    assert (pytester.path / "out" / "run.json").is_file()
    assert not (pytester.path / ".apex").exists()
    (pytester.path / "out" / "notes.txt").write_text("mine", "utf-8")
    small(TAPS + "def test_more(device): pass\n", "--apex-artifacts=out")
    assert len((pytester.path / "out" / "results.jsonl").read_text("utf-8").splitlines()) == 2  # the old one is gone
    assert (pytester.path / "out" / "notes.txt").read_text("utf-8") == "mine"


def test_old_runs_go(small: Project, pytester: pytest.Pytester) -> None:
    runs = pytester.path / ".apex" / "runs"
    for day in range(1, 6):
        old = runs / f"2020010{day}T000000Z-abcd"
        old.mkdir(parents=True)
        (old / "run.json").write_text('{"ended": "then"}', "utf-8")
    (runs / "mine").mkdir()
    small(TAPS, "-o", "apex_keep_runs=3")
    kept = sorted(path.name for path in runs.iterdir())
    assert "mine" in kept
    assert [name for name in kept if name.startswith("2020")] == ["20200103T000000Z-abcd", "20200104T000000Z-abcd",
                                                                  "20200105T000000Z-abcd"]  # fmt: skip
    assert last_run(pytester.path).is_dir()


def test_git_does_not_see_it(small: Project, pytester: pytest.Pytester) -> None:
    small(TAPS)
    assert (pytester.path / ".apex" / ".gitignore").read_text("utf-8") == "*\n"


def test_values_of_the_environment_are_not_written(small: Project, pytester: pytest.Pytester) -> None:
    ini = "[pytest]\napex_app = com.example.small\napex_device = virtual\napex_app_env = TOKEN=abc-token-def\n"
    result = small({"pytest.ini": ini, "test_it.py": TAPS})
    assert run_json(last_run(pytester.path))["options"]["app_env"]["value"] == "TOKEN"
    assert "abc-token-def" not in result.stdout.str()


def alone(pytester: pytest.Pytester, *args: str) -> subprocess.CompletedProcess[str]:
    """The project, run in a process of its own."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        command = [sys.executable, "-m", "pytest", "-p", "apex", *args]
        return subprocess.run(command, cwd=pytester.path, capture_output=True, text=True, check=False)


def test_a_killed_run_keeps_what_it_did(small: Project, pytester: pytest.Pytester) -> None:
    kills = """
        import os
        import signal

        def pytest_apex_step_started(item, step_id):
            if step_id == os.environ.get("KILL_AT"):
                os.kill(os.getpid(), signal.SIGKILL)
    """
    test = "def test_it(device):\n    device.tap('Stay')\n    device.press('back')\n"
    small({"conftest.py": kills, "test_it.py": test}, "--collect-only")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("KILL_AT", "step-003")
        assert alone(pytester).returncode < 0
    (journal,) = last_run(pytester.path).rglob("steps.jsonl")
    events = [(line["event"], line["step"]) for line in read_journal(journal) if line["event"] in ("intent", "done")]
    assert events == [
        ("intent", "step-001"), ("done", "step-001"), ("intent", "step-002"), ("done", "step-002"),
        ("intent", "step-003"),
    ]  # fmt: skip


def test_nothing_is_held_when_a_test_is_over(small: Project, pytester: pytest.Pytester) -> None:
    counts = """
        import gc

        def pytest_sessionfinish():
            gc.collect()
            names = [type(thing).__name__ for thing in gc.get_objects()]
            print("HELD", names.count("Device"), "of 6")
    """
    test = """
        import pytest

        @pytest.mark.parametrize("n", range(6))
        def test_it(device, n):
            assert n % 2
    """
    small({"conftest.py": counts, "test_it.py": test}, "--collect-only")
    assert "HELD 0 of 6" in alone(pytester, "-s").stdout
