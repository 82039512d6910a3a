"""The folder of a run: where it is, and when it comes into being.

Nothing is kept before a device is used: a run of unit tests leaves no trace. A folder that the user named belongs to
one run at a time.
"""

from __future__ import annotations

import errno
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from pytest_apex.leases.file_lock import FileLock

if TYPE_CHECKING:
    from pytest_apex.settings import Settings


#: What a run writes into its folder; an earlier run's is cleared away when a folder is named again.
_OURS = ("run.json", "results.jsonl", "tests", "store")
#: Says that a folder is a run's, even of one that was killed before it wrote anything else; locked while it lasts.
_SIGN = ".apex-run"
#: A full disk: the tests can run all the same, without evidence.
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT} if hasattr(errno, "EDQUOT") else {errno.ENOSPC})


class Run:
    """One run. `home` is the `.apex` folder that holds it, None when the user named the folder. `cleared` says that an
    earlier run's files were in the folder."""

    def __init__(self, folder: Path, started: str, home: Path | None) -> None:
        self.folder = folder
        self.started = started
        self.home = home
        self.cleared = False
        self._lock: FileLock | None = None
        self._made = False
        self._opened = False

    def open(self) -> Path:
        """Make the folder, once; workers and controller share it. Raises `ApexError` when it can't be made."""
        if not self._opened:
            from pytest_apex.evidence.store import make_folder, trouble

            make_folder(self.folder)
            try:
                (self.folder / _SIGN).touch()
                self._point()
            except OSError as error:
                raise trouble(self.folder, error) from error
            self._opened = True
        return self.folder

    def _point(self) -> None:
        if self.home is not None:
            from pytest_apex.reports.runs import point_latest

            (self.home / ".gitignore").write_text("*\n", "utf-8")
            point_latest(self.home, self.folder)

    def take(self) -> None:
        """Take a folder that the user named for this run alone, and remove an earlier run's files from it; other
        people's files stay.

        Raises `pytest.UsageError` if another run is using it, if something else than a run is in it, or if it can't be
        written.
        """
        try:
            self._take()
        except OSError as error:
            if error.errno not in _FULL:
                why = f"can't be written: {error.strerror or error}"
                raise _unusable(self.folder, why, "name another folder") from None

    def _take(self) -> None:
        folder = self.folder
        self._made = not folder.is_dir()
        if not self._made and any(folder.iterdir()) and not (folder / _SIGN).is_file():
            raise _unusable(folder, "holds something else than a run", "name an empty or new folder")
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / _SIGN)
        if not lock.take():
            who = f" (process {lock.holder()})" if lock.holder() else ""
            raise _unusable(folder, f"is in use by another run{who}", "wait for its end, or name another folder")
        self._lock = lock
        for path in (folder / name for name in _OURS):
            if path.exists():
                self.cleared = True
                shutil.rmtree(path) if path.is_dir() else path.unlink()

    def release(self) -> None:
        """Let another run have the folder. One in which nothing was kept leaves no trace. May be called twice."""
        if self._lock is None:
            return
        kept = [path for path in self.folder.iterdir() if path.name != _SIGN] if self.folder.is_dir() else []
        self._lock.release(remove=not kept)
        self._lock = None
        if self._made and not kept:
            with suppress(OSError):
                self.folder.rmdir()

    def to_worker(self) -> dict[str, Any]:
        return {"folder": str(self.folder), "started": self.started, "home": str(self.home or "")}


def _unusable(folder: Path, what: str, cure: str) -> pytest.UsageError:
    return pytest.UsageError(f"apex: --apex-artifacts={folder} {what}\n  try: {cure}")


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
