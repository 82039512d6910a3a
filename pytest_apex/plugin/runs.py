"""The folder of a run: where it is, and when it comes into being.

Nothing is written before a device is used: a run of unit tests leaves no trace.
"""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pytest_apex.settings import Settings


#: What a run writes into its folder; an earlier run's is cleared away when a folder is named again.
_OURS = ("run.json", "results.jsonl", "tests", "store")
#: Says that a folder is a run's, even of one that was killed before it wrote anything else.
_SIGN = ".apex-run"


class Run:
    """One run. `home` is the `.apex` folder that holds it, None when the user named the folder."""

    def __init__(self, folder: Path, started: str, home: Path | None) -> None:
        self.folder = folder
        self.started = started
        self.home = home
        self._opened = False

    def open(self) -> Path:
        """Make the folder, once; workers and controller share it. Raises `ApexError` when it can't be made."""
        if not self._opened:
            from pytest_apex.evidence.store import make_folder

            make_folder(self.folder)
            self._opened = True
            (self.folder / _SIGN).touch()
            if self.home is not None:
                from pytest_apex.reports.runs import point_latest

                (self.home / ".gitignore").write_text("*\n", "utf-8")
                point_latest(self.home, self.folder)
        return self.folder

    def to_worker(self) -> dict[str, Any]:
        return {"folder": str(self.folder), "started": self.started, "home": str(self.home or "")}


def make_run(settings: Settings, root: Path, given: dict[str, Any] | None = None) -> Run:
    """The run of this process; `given` is what the controller told its worker."""
    if given:
        home = Path(given["home"]) if given["home"] else None
        return Run(Path(given["folder"]), given["started"], home)
    now = time.gmtime()
    started = time.strftime("%Y-%m-%dT%H:%M:%SZ", now)
    if settings.keep.artifacts:
        return Run(Path(settings.keep.artifacts), started, None)
    home = root / ".apex"
    name = f"{time.strftime('%Y%m%dT%H%M%SZ', now)}-{os.urandom(2).hex()}"
    return Run(home / "runs" / name, started, home)


def clear_named(folder: Path) -> None:
    """Remove an earlier run's files from a folder that the user named; other people's files stay.

    Raises `pytest.UsageError` if there is something in it that is not a run.
    """
    if not folder.is_dir() or not any(folder.iterdir()):
        return
    if not (folder / _SIGN).is_file():
        raise pytest.UsageError(
            f"apex: --apex-artifacts={folder} holds something else than a run\n  try: name an empty or new folder"
        )
    for name in _OURS:
        path = folder / name
        shutil.rmtree(path) if path.is_dir() else path.unlink(missing_ok=True)
