"""What lies on the phone's disk: files in memory, of bounded size."""

from __future__ import annotations

import posixpath
import stat
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

#: Bytes the disk holds, and one file may have.
DISK_BYTES, FILE_BYTES = 512 * 1024 * 1024, 256 * 1024 * 1024
_MOST_FILES = 20_000
#: Folders that are always there, and under which a shell may write.
_FOLDERS = (
    "/", "/data", "/data/app", "/data/local", "/data/local/tmp", "/sdcard", "/sdcard/Download", "/storage",
    "/storage/emulated", "/storage/emulated/0", "/system", "/system/bin", "/proc", "/proc/net", "/dev",
)  # fmt: skip
_WRITABLE = ("/data/local/tmp/", "/sdcard/")
_SAME = (("/storage/emulated/0", "/sdcard"), ("/mnt/sdcard", "/sdcard"))


@dataclass(frozen=True, slots=True)
class Stat:
    """`mode` as in `stat(2)`; `modified` is seconds since 1970."""

    mode: int
    size: int
    modified: int

    @property
    def is_folder(self) -> bool:
        return stat.S_ISDIR(self.mode)


@dataclass(slots=True)
class _File:
    data: bytes
    mode: int
    modified: int


def clean(path: str) -> str:
    """An absolute path without detours; the same place always by the same name."""
    path = posixpath.normpath(posixpath.join("/", path.replace("\0", "")))
    path = "/" + path.lstrip("/")
    for other, name in _SAME:
        if path == other or path.startswith(other + "/"):
            return name + path[len(other) :]
    return path


class Files:
    """`today` gives the time of new files. `made` are files that are written when they are read (`/proc/…`)."""

    def __init__(self, today: Callable[[], int]) -> None:
        self._today = today
        self._lock = threading.RLock()
        self._files: dict[str, _File] = {}
        self._folders = set(_FOLDERS)
        self.made: dict[str, Callable[[], bytes]] = {"/dev/null": lambda: b""}
        #: No byte more fits on the disk.
        self.full = False

    @property
    def used(self) -> int:
        with self._lock:
            return sum(len(file.data) for file in self._files.values())

    def read(self, path: str) -> bytes | None:
        path = clean(path)
        if path in self.made:
            return self.made[path]()
        with self._lock:
            file = self._files.get(path)
        return file.data if file else None

    def may_write(self, path: str) -> bool:
        return clean(path).startswith(_WRITABLE)

    def write(self, path: str, data: bytes, mode: int = 0o644, modified: int = 0, *, system: bool = False) -> bool:
        """False where a shell may not write, or when it does not fit; `system` may write everywhere."""
        path = clean(path)
        with self._lock:
            there = len(self._files[path].data) if path in self._files else 0
            fits = not self.full and self.used - there + len(data) <= DISK_BYTES and len(self._files) < _MOST_FILES
            if not (system or self.may_write(path)) or path in self._folders or not fits:
                return False
            self._files[path] = _File(data, stat.S_IFREG | (mode & 0o777), modified or self._today())
            self.make_folder(posixpath.dirname(path))
        return True

    def make_folder(self, path: str) -> None:
        path = clean(path)
        with self._lock:
            while path not in self._folders and len(self._folders) < _MOST_FILES:
                self._folders.add(path)
                path = posixpath.dirname(path)

    def remove(self, path: str) -> bool:
        """A file, or a folder with all in it; False if there was nothing."""
        path = clean(path)
        with self._lock:
            gone = [name for name in self._files if name == path or name.startswith(path.rstrip("/") + "/")]
            for name in gone:
                del self._files[name]
            is_folder = path in self._folders and path not in _FOLDERS
            self._folders = {
                one for one in self._folders if one in _FOLDERS or not (one == path or one.startswith(path + "/"))
            }
        return bool(gone) or is_folder

    def stat(self, path: str) -> Stat | None:
        path = clean(path)
        if path in self.made:
            return Stat(stat.S_IFREG | 0o444, 0, self._today())
        with self._lock:
            file = self._files.get(path)
            if file is not None:
                return Stat(file.mode, len(file.data), file.modified)
            if path in self._folders:
                return Stat(stat.S_IFDIR | 0o771, 4096, self._today())
        return None

    def names(self, folder: str) -> Sequence[str]:
        """What lies in a folder, by name."""
        folder = clean(folder).rstrip("/") + "/"
        with self._lock:
            all_of = {*self._files, *self._folders, *self.made}
        inside = {name[len(folder) :].partition("/")[0] for name in all_of if name.startswith(folder)}
        return sorted(inside - {""})
