"""Which run was the last one, and which old ones may go."""

from __future__ import annotations

import json
import re
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pytest_apex.errors import ApexError
from pytest_apex.evidence.store import write_atomic

#: A run that has not ended may still be under way in another process; after a day it was killed.
_UNFINISHED_S = 24 * 3600
#: Folders of runs: UTC time and some hex digits. Nothing else is ever removed.
_RUN = re.compile(r"\d{8}T\d{6}Z-[0-9a-f]+")


def point_latest(home: Path, run_dir: Path) -> None:
    """Name `run_dir` in `home/latest` (`home` is `.apex`): a text file, since not every system has links; the path is
    relative to the folder above `home` where it can be. Raises `ApexError` when it can't be written."""
    base, run_dir = home.resolve().parent, run_dir.resolve()
    inside = run_dir.is_relative_to(base)
    name = run_dir.relative_to(base).as_posix() if inside else run_dir.as_posix()
    write_atomic(home / "latest", f"{name}\n".encode())


def read_latest(home: Path) -> Path:
    """The folder that `home/latest` names. Raises `ApexError` when there is none."""
    try:
        name = (home / "latest").read_text("utf-8").strip()
    except OSError as error:
        raise ApexError(
            f"there is no last run in {home}",
            seen=f"{type(error).__name__}: {error.strerror or error}",
            cure="run a test on a device first, or name the run's folder",
        ) from error
    return home.resolve().parent / name


def clean_old_runs(
    runs: Path, keep: int, current: Path, now: Callable[[], float] = time.time
) -> tuple[list[Path], list[str]]:
    """Remove all runs in `runs` but the newest `keep` and the `current` one; a run that may be under way stays too.

    Returns what was removed, and what could not be, in words.
    """
    if not runs.is_dir():
        return [], []
    names = sorted((path for path in runs.iterdir() if _RUN.fullmatch(path.name) and path.is_dir()), reverse=True)
    old = [path for path in names if path.name != current.name][max(keep, 0) :]
    removed: list[Path] = []
    problems: list[str] = []
    for path in old:
        if not _is_over(path, now()):
            continue
        try:
            shutil.rmtree(path)
            removed.append(path)
        except OSError as error:
            problems.append(f"can't remove the old run {path}: {error.strerror or error}")
    return removed, problems


def _is_over(run_dir: Path, now: float) -> bool:
    try:
        described: Any = json.loads((run_dir / "run.json").read_bytes())
        if isinstance(described, dict) and described.get("ended"):
            return True
    except (OSError, ValueError):
        pass  # killed before it was described, or just begun: its age decides
    return now - run_dir.stat().st_mtime > _UNFINISHED_S
