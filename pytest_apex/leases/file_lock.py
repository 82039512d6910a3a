"""A file that one process holds for itself, until its end, however it ends."""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path

#: How systems say that another process holds the lock.
_HELD = frozenset({errno.EACCES, errno.EAGAIN, errno.EDEADLK})
#: Windows locks bytes, and a locked byte can't be read: this one is far behind what is in the file.
_BYTE = 1 << 30

if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, _BYTE, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        os.lseek(file, 0, os.SEEK_SET)
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class FileLock:
    """A file that the operating system locks for this process, and unlocks when the process ends, however it ends:
    what a killed run leaves behind is never in the way. The file holds the process's id and `note`, for people."""

    def __init__(self, path: Path, note: str = "") -> None:
        self.path = path
        self.note = note
        self._file: int | None = None

    def take(self) -> bool:
        """Lock the file, made if need be; False when another process holds it. On a file system that knows no locks
        everybody gets it. Raises `OSError` when the file can't be made."""
        while True:
            file = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                _lock(file)
            except OSError as error:
                if error.errno in _HELD:
                    os.close(file)
                    return False
            if self._is_still(file):
                break
            os.close(file)
        with suppress(OSError):  # a full disk: the lock holds all the same
            os.ftruncate(file, 0)
            os.write(file, f"{os.getpid()}\n{self.note}".encode(errors="replace"))
        self._file = file
        return True

    def _is_still(self, file: int) -> bool:
        """Whether the path names this very file: its last holder may have removed it meanwhile."""
        try:
            return os.path.samestat(os.fstat(file), self.path.stat())
        except FileNotFoundError:
            return False

    def is_held(self) -> bool:
        """Whether a process has it at this moment; asked without making the file."""
        try:
            file = os.open(self.path, os.O_RDWR)
        except OSError:
            return False
        try:
            _lock(file)
        except OSError as error:
            return error.errno in _HELD
        finally:
            os.close(file)
        return False

    def holder(self) -> str:
        """The id of the process that wrote the file last; empty when that can't be read."""
        return self._read()[0].strip()

    def note_of_holder(self) -> str:
        """Its note."""
        return self._read()[2].strip()

    def _read(self) -> tuple[str, str, str]:
        try:
            return self.path.read_text("utf-8", "replace").partition("\n")
        except OSError:
            return "", "", ""

    def release(self, *, remove: bool) -> None:
        """Let go of the file, and remove it if asked. May be called twice."""
        if self._file is None:
            return
        with suppress(OSError):
            if remove:
                self.path.unlink()
        os.close(self._file)
        self._file = None
