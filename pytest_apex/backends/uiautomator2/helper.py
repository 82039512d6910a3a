"""The server on the phone: put there when it is not the one that uiautomator2 brings, started, stopped.

What uiautomator2 3.7.1 does in `core.py`, with limits that hold: its own waits for 600 s where a phone hangs.
"""

from __future__ import annotations

import hashlib
import threading
from importlib.util import find_spec
from pathlib import Path

from pytest_apex.backends.uiautomator2.adb import AdbTrouble, Stream
from pytest_apex.backends.uiautomator2.channel import Channel
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.clock import Clock
from pytest_apex.errors import BackendMissing, DriverDead

PORT = 9008
TARGET = "/data/local/tmp/u2.jar"
_MAIN = "com.wetest.uia2.Main"
COMMAND = f"CLASSPATH={TARGET} app_process / {_MAIN} -p {PORT}"
#: Ends it, also one that hangs or that somebody else started.
END = f"pkill -9 -f {_MAIN}"
#: Asks for the digest of the server that is there.
ASK_DIGEST = f"toybox md5sum {TARGET} || md5 {TARGET}"
_PING_EVERY_S = 0.1
_KEPT = 4000


def jar() -> Path:
    """The server that the installed uiautomator2 brings; it is not imported for that."""
    spec = find_spec("uiautomator2")
    for folder in spec.submodule_search_locations or () if spec is not None else ():
        path = Path(folder) / "assets" / "u2.jar"
        if path.is_file():
            return path
    raise BackendMissing(
        "the server of uiautomator2 is not on this machine",
        seen="no file assets/u2.jar in the package uiautomator2",
        likely="uiautomator2 is not installed, or older than 3.0",
        cure="pip install 'uiautomator2>=3.5'",
    )


def digest(path: Path) -> str:
    return hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()


class Helper:
    """The server of one phone."""

    def __init__(self, phone: Handset, channel: Channel, clock: Clock) -> None:
        self._phone = phone
        self._channel = channel
        self._clock = clock
        self._life: _Life | None = None

    def ensure(self, told_digest: str | None = None) -> str:
        """Have it run; returns what was done for that. `told_digest` is what `ASK_DIGEST` printed, if that was asked.
        Raises `DeviceProblem`."""
        if self._channel.ping():
            return "the server answers"
        # One that hangs still holds the port and the phone's automation.
        self.close()
        told = self._phone.ask([END, ASK_DIGEST])
        self._install(told[1].text if told_digest is None else told_digest)
        return self._start()

    def close(self) -> None:
        """Let the one go that was started here; one that ran before stays."""
        if self._life is not None:
            self._life.end()
            self._life = None

    def _install(self, told: str) -> None:
        path = jar()
        if digest(path) in told:
            return
        with path.open("rb") as file:
            self._phone.push(file, path.stat().st_size, TARGET)

    def _start(self) -> str:
        self.close()
        # shell: gives it a terminal, whose end takes it along: it does not outlive this run.
        limit = self._phone.limits.start
        self._life = _Life(self._phone.keep_open(f"shell:{COMMAND}", limit))
        started = self._clock.now()
        while self._clock.now() - started < limit:
            if self._channel.ping():
                return f"the server was started, in {self._clock.now() - started:.1f} s"
            if self._life.ended:
                break
            self._clock.sleep(_PING_EVERY_S)
        raise self._did_not_start(self._clock.now() - started)

    def _did_not_start(self, waited: float) -> DriverDead:
        said = self._life.said if self._life is not None else ""
        self.close()
        likely, cure = "the phone is overloaded, or its system is too old", "restart the phone"
        if "already registered" in said:
            likely = "another tool holds the phone's automation: Appium, another run, an instrumentation"
            cure = "end that, or restart the phone"
        elif "No space left" in said or "ENOSPC" in said:
            likely, cure = "the phone's storage is full", "free some space on the phone"
        return DriverDead(
            f"the server of uiautomator2 does not start on {self._phone.serial} (waited {waited:.1f} s)",
            seen=said.strip()[-300:] or "it said nothing and does not answer",
            likely=likely,
            cure=cure,
        )


class _Life:
    """The shell that the server runs in; what it prints is read away, for a full pipe would stop it."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._said = bytearray()
        self.ended = False
        threading.Thread(target=self._read, name="apex-u2-server", daemon=True).start()

    @property
    def said(self) -> str:
        return bytes(self._said).decode(errors="replace")

    def end(self) -> None:
        self._stream.hang_up()

    def _read(self) -> None:
        try:
            while part := self._stream.read_part():
                self._said += part
                del self._said[:-_KEPT]
        except AdbTrouble as trouble:
            self._said += str(trouble).encode()
        finally:
            self.ended = True
            self._stream.close()
