"""A folder that the user named belongs to one run at a time; one that can't be used is a usage error."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.leases.file_lock import FileLock

Project = Callable[..., pytest.RunResult]
TAPS = "def test_it(device):\n    device.tap('Go')\n"
CLEARED = "apex: the evidence of an earlier run was cleared away from "


def refused(result: pytest.RunResult) -> str:
    assert result.ret == pytest.ExitCode.USAGE_ERROR, result.stdout.str() + result.stderr.str()
    assert "INTERNALERROR" not in result.stdout.str() + result.stderr.str()
    return result.stderr.str()


def test_a_second_run_in_the_folder_is_refused_and_changes_nothing(small: Project, pytester: pytest.Pytester) -> None:
    small(TAPS, "--apex-artifacts=out")
    before = (pytester.path / "out" / "results.jsonl").read_bytes()
    other = FileLock(pytester.path / "out" / ".apex-run")
    assert other.take()
    text = refused(small(TAPS, "--apex-artifacts=out"))
    assert f"{pytester.path / 'out'} is in use by another run (process {os.getpid()})" in text
    assert "try: wait for its end, or name another folder" in text
    assert (pytester.path / "out" / "results.jsonl").read_bytes() == before
    other.release(remove=False)
    small(TAPS, "--apex-artifacts=out").assert_outcomes(passed=1)


def test_what_a_killed_run_left_is_in_nobodys_way(tmp_path: Path) -> None:
    script = (
        "import os, signal, sys; from pathlib import Path; from pytest_apex.leases.file_lock import FileLock\n"
        "assert FileLock(Path(sys.argv[1])).take(); os.kill(os.getpid(), signal.SIGTERM)"
    )
    lock = FileLock(tmp_path / "lock")
    assert subprocess.run([sys.executable, "-c", script, str(lock.path)], check=False).returncode != 0
    assert lock.holder()
    assert lock.take()


def test_clearing_an_earlier_run_is_said(small: Project) -> None:
    assert CLEARED not in small(TAPS, "--apex-artifacts=out").stdout.str()
    assert CLEARED in small(TAPS, "--apex-artifacts=out").stdout.str()


@pytest.mark.parametrize("only_tells", ["--collect-only", "--fixtures", "--setup-plan", "--device="])
def test_what_runs_no_test_clears_nothing(small: Project, pytester: pytest.Pytester, only_tells: str) -> None:
    small(TAPS, "--apex-artifacts=out")
    small(TAPS, "--apex-artifacts=out", only_tells)
    assert (pytester.path / "out" / "results.jsonl").is_file()


def test_a_run_of_unit_tests_leaves_no_trace(small: Project, pytester: pytest.Pytester) -> None:
    small("def test_it(): pass\n", "--apex-artifacts=out").assert_outcomes(passed=1)
    assert not (pytester.path / "out").exists()


def test_a_folder_below_a_file(small: Project, pytester: pytest.Pytester) -> None:
    (pytester.path / "file").write_text("mine", "utf-8")
    assert "is a file" in refused(small(TAPS, "--apex-artifacts=file/x"))


def test_a_folder_that_the_system_refuses(
    small: Project, pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = Path.mkdir

    def mkdir(path: Path, *args: int, **more: bool) -> None:
        if path == pytester.path / "out":
            raise OSError(30, "Read-only file system")
        real(path, *args, **more)

    monkeypatch.setattr(Path, "mkdir", mkdir)
    text = refused(small(TAPS, "--apex-artifacts=out"))
    assert f"--apex-artifacts={pytester.path / 'out'} can't be written: Read-only file system" in text
