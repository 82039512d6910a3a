"""The last run, and old ones."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from pytest_apex.errors import ApexError
from pytest_apex.reports.runs import clean_old_runs, point_latest, read_latest

DAY = 24 * 3600


@pytest.fixture
def run_of(tmp_path: Path):
    def make(day: int, *, ended: str = "2026-11-30T15:00:00+00:00", age_s: float = 0.0) -> Path:
        folder = tmp_path / "runs" / f"202611{day:02d}T142530Z-1a2b"
        folder.mkdir(parents=True)
        (folder / "run.json").write_text(json.dumps({"ended": ended}), "utf-8")
        os.utime(folder, (10 * DAY - age_s, 10 * DAY - age_s))
        return folder

    return make


def clean(runs: Path, keep: int, current: Path) -> list[str]:
    removed, problems = clean_old_runs(runs, keep, current, now=lambda: 10.0 * DAY)
    assert problems == []
    return [path.name[:8] for path in removed]


def test_the_last_run_is_named_in_a_text_file(tmp_path: Path) -> None:
    home, run = tmp_path / ".apex", tmp_path / ".apex" / "runs" / "20261130T142530Z-1a2b"
    point_latest(home, run)
    assert (home / "latest").read_text("utf-8") == ".apex/runs/20261130T142530Z-1a2b\n"
    assert not (home / "latest").is_symlink()
    assert read_latest(home) == run
    elsewhere = tmp_path.parent / "elsewhere"
    point_latest(home, elsewhere)
    assert read_latest(home) == elsewhere


def test_no_last_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(ApexError, match="there is no last run"):
        read_latest(tmp_path)


def test_the_newest_runs_stay(run_of) -> None:
    runs = [run_of(day) for day in range(1, 7)]
    assert clean(runs[0].parent, 2, runs[-1]) == ["20261103", "20261102", "20261101"]
    assert [run.exists() for run in runs] == [False, False, False, True, True, True]


def test_this_run_stays_whatever_is_kept(run_of) -> None:
    first, second = run_of(1), run_of(2)
    assert clean(first.parent, 0, first) == ["20261102"]
    assert first.exists()
    assert not second.exists()


def test_a_run_under_way_stays_and_one_that_was_killed_goes(run_of) -> None:
    under_way, killed, current = run_of(1, ended="", age_s=3600), run_of(2, ended="", age_s=2 * DAY), run_of(3)
    assert clean(current.parent, 0, current) == ["20261102"]
    assert under_way.exists()
    assert not killed.exists()


def test_other_folders_are_never_touched(run_of) -> None:
    current = run_of(9)
    for name in ("kept-by-hand", "20261101", "2026-notes"):
        (current.parent / name).mkdir()
    assert clean(current.parent, 0, current) == []
    assert len(list(current.parent.iterdir())) == 4
    assert clean_old_runs(current.parent / "nowhere", 0, current) == ([], [])


def test_what_cannot_be_removed_is_told(run_of, monkeypatch: pytest.MonkeyPatch) -> None:
    old, current = run_of(1), run_of(2)

    def refuse(_path: Path) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(shutil, "rmtree", refuse)
    removed, problems = clean_old_runs(old.parent, 0, current)
    assert removed == []
    assert problems == [f"can't remove the old run {old}: Permission denied"]
