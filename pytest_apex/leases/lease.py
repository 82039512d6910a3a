"""The lease of a device: held by one process of this machine at a time, so that two runs never touch one phone.

Each name of the device (serial, id of its start) is a locked file. The system unlocks it when the process ends, however
it ends: nothing has to expire or be renewed.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from pytest_apex.clock import Clock, RealClock
from pytest_apex.errors import LeaseUnavailable
from pytest_apex.leases.file_lock import FileLock

_LOOK_S = 0.2


def lease_folder() -> Path:
    """Where this user's runs keep their locks."""
    user = os.getuid() if hasattr(os, "getuid") else os.environ.get("USERNAME", "")
    return Path(tempfile.gettempdir()) / f"pytest-apex-leases-{user}"


def holder_of(names: Sequence[str]) -> str:
    """Who has the device of these names now, in words; "" for a free one."""
    return Lease(names).holder()


class Lease:
    """One device, by all the `names` that it may be known by; the first is for people. `take` and `release` may be
    called again and again."""

    def __init__(self, names: Sequence[str], folder: Path | None = None) -> None:
        self.names = tuple(dict.fromkeys(names))
        self._folder = folder or lease_folder()
        self._held: list[FileLock] = []
        #: Who has it, in words, while `take` waits; "" otherwise. For other threads.
        self.waits_for = ""
        self._given_up = False

    @property
    def held(self) -> bool:
        return bool(self._held)

    def take(self, wait_s: float, clock: Clock | None = None) -> None:
        """Have the device for this process; waits for it up to `wait_s` seconds. Raises `LeaseUnavailable` naming who
        has it. Where no file can be locked, everybody gets it."""
        if self._held:
            return
        clock = clock or RealClock()
        started = clock.now()
        try:
            while (other := self._try()) is not None:
                self.waits_for = _words(other)
                if self._given_up or clock.now() - started >= wait_s:
                    raise self._unavailable(other, clock.now() - started)
                clock.sleep(_LOOK_S)
        finally:
            self.waits_for = ""

    def give_up(self) -> None:
        """End a waiting `take` of another thread."""
        self._given_up = True

    def release(self) -> None:
        """Let another process have it."""
        for lock in self._held:
            lock.release(remove=True)
        self._held.clear()

    def holder(self) -> str:
        """Who has the device now, in words; "" for a free one."""
        locks = (lock for name in self.names if (lock := FileLock(self._file(name))).is_held())
        return next(map(_words, locks), "")

    def _file(self, name: str) -> Path:
        return self._folder / hashlib.sha256(name.encode()).hexdigest()[:32]

    def _try(self) -> FileLock | None:
        """Take all names or none; the lock that another one has, None when all were free."""
        note = f"{time.strftime('%H:%M:%S')}\n{Path.cwd()}\n{_user()}"
        for name in sorted(self.names):  # in one order: two that wait never hold a part each for long
            lock = FileLock(self._file(name), note)
            try:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                free = lock.take()
            except OSError:  # a disk that is full or can't be written: better no lease than no run
                continue
            if not free:
                self.release()
                return lock
            self._held.append(lock)
        return None

    def _unavailable(self, other: FileLock, waited: float) -> LeaseUnavailable:
        mine = other.holder() == str(os.getpid())
        return LeaseUnavailable(
            f"the device {self.names[0]} is in use (waited {waited:.0f} s for it)",
            seen=f"by {_words(other)}",
            likely="this very process has it under another name" if mine else "another run tests on it",
            cure="wait for its end, or name another device",
        )


def _words(other: FileLock) -> str:
    since, _, rest = other.note_of_holder().partition("\n")
    folder, _, user = rest.partition("\n")
    words = (f"process {other.holder() or '?'}", f"of {user}" if user else "", f"in {folder}" if folder else "",
             f"since {since}" if since else "")  # fmt: skip
    return " ".join(word for word in words if word)


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError, ImportError):  # a number without a name, as in containers
        return ""
