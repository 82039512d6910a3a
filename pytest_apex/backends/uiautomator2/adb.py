"""Adb's server, by its own protocol: each call over a connection of its own, with a time-out that holds.

adbutils opens two connections for each command, waits 10 ms when it closes one and lets a call take 600 s; here one
connection does, and ends at the limit. Protocol: AOSP `packages/modules/adb/OVERVIEW.TXT` and `SERVICES.TXT`.
"""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from pytest_apex.errors import ConfigError

#: How long the server may take to accept a connection, and to be started.
_CONNECT_S, _START_S = 3.0, 20.0
_CHUNK = 1 << 16
#: Where adb's server listens if nothing else is told.
_PORT = 5037
#: How the words begin of a machine without an adb to start.
NO_PROGRAM = "no adb program"
_HERE = ("127.0.0.1", "localhost", "::1")


class AdbTrouble(Exception):
    """A call of adb's that failed. `kind`: `server` (there is none), `elsewhere` (none on the machine that was named),
    `refused` (it said no, with its words), `lost` (the connection ended too early, or what came is no answer),
    `silent` (no answer within the limit)."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        self.text = text
        super().__init__(f"{kind}: {text}")


class Deadline:
    """A moment on this machine's clock."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds

    @property
    def left(self) -> float:
        return self._end - time.monotonic()


class Stream:
    """A connection to a service of the phone, or of adb's server; it raises `AdbTrouble` alone, and what `check`
    raises, which is called once when nothing has come for `check_s` seconds."""

    def __init__(self, sock: socket.socket, deadline: Deadline) -> None:
        self._sock = sock
        self.deadline = deadline
        self.check: Callable[[], None] | None = None
        self.check_s = 0.0

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self._sock.close()

    def hang_up(self) -> None:
        """End it from another thread: a reader that waits wakes up."""
        try:
            self._sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            return  # it has ended already

    def send(self, data: bytes) -> None:
        try:
            self._set_timeout(self.deadline.left)
            self._sock.sendall(data)
        except TimeoutError:
            raise self._silent() from None
        except OSError as error:
            raise AdbTrouble("lost", f"while sending: {error}") from None

    def read_some(self, limit: int = _CHUNK) -> bytes:
        """What is there, up to `limit`; nothing at the end."""
        while True:
            check, self.check = self.check, None
            try:
                self._set_timeout(self.check_s if check is not None else self.deadline.left)
                found = self._sock.recv(limit)
            except TimeoutError:
                if check is None or self.deadline.left <= 0:
                    raise self._silent() from None
                check()
            except OSError as error:
                raise AdbTrouble("lost", f"while reading: {error}") from None
            else:
                self.check = check
                return found

    def read_part(self) -> bytes:
        """The same, however long it takes."""
        try:
            self._sock.settimeout(None)
            return self._sock.recv(_CHUNK)
        except OSError as error:
            raise AdbTrouble("lost", f"while reading: {error}") from None

    def read(self, count: int) -> bytes:
        """Exactly `count` bytes."""
        parts, missing = [], count
        while missing:
            part = self.read_some(min(missing, _CHUNK))
            if not part:
                raise AdbTrouble("lost", f"the connection ended {missing} bytes too early")
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    def read_all(self) -> bytes:
        return b"".join(iter(self.read_some, b""))

    def read_block(self) -> str:
        """A text with its length before it, as adb's server sends it."""
        return self.read(_number(self.read(4).decode("latin-1"), 16)).decode(errors="replace")

    def ask(self, service: str) -> None:
        """Name a service, and take its yes; `AdbTrouble` with its words for a no."""
        data = service.encode()
        self.send(f"{len(data):04x}".encode() + data)
        self.expect_okay()

    def expect_okay(self) -> None:
        word = self.read(4)
        if word == b"FAIL":
            raise AdbTrouble("refused", self.read_block())
        if word != b"OKAY":
            raise AdbTrouble("lost", f"neither yes nor no but {word!r}")

    def _set_timeout(self, most: float) -> None:
        left = self.deadline.left
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(max(min(left, most), 0.001))

    def _silent(self) -> AdbTrouble:
        return AdbTrouble("silent", f"no answer within {self.deadline.seconds:g} s")


def _number(text: str, base: int) -> int:
    """A number that adb's server sent. `int` alone would take signs, blanks and underscores."""
    if not text.isalnum():
        raise AdbTrouble("lost", f"no number but {text[:20]!r}")
    try:
        return int(text, base)
    except ValueError:
        raise AdbTrouble("lost", f"no number but {text[:20]!r}") from None


def _told_port() -> int:
    """`ANDROID_ADB_SERVER_PORT`. Raises `ConfigError` for what is no port: another one would be another server."""
    told = os.environ.get("ANDROID_ADB_SERVER_PORT", "")
    if not told:
        return _PORT
    if re.fullmatch("[0-9]{1,5}", told) and 0 < int(told) < 1 << 16:
        return int(told)
    raise ConfigError(
        "ANDROID_ADB_SERVER_PORT is no port",
        seen=repr(told[:40]),
        cure=f"a number from 1 to 65535; without it, adb's server is at {_PORT}",
    )


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of `adb devices -l`. `state`: device, offline, unauthorized, recovery …"""

    serial: str
    state: str
    facts: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        model = self.facts.get("model", "").replace("_", " ")
        return f"{self.serial} ({model or 'no name'}, {self.state})"


def read_devices(text: str) -> list[Listed]:
    """The lines of `devices -l`; what is none is left out."""
    found = []
    for line in text.splitlines():
        serial, _, rest = line.strip().partition(" ")
        words = rest.split()
        if not serial or not words or serial == "List":
            continue
        facts = dict(word.split(":", 1) for word in words if ":" in word)
        state = "no permissions" if rest.strip().startswith("no permissions") else words[0]
        found.append(Listed(serial, state, facts))
    return found


class AdbServer:
    """The server that adb runs on this machine, started when it does not run. Raises `ConfigError` for environment
    variables that name none."""

    def __init__(self, host: str = "", port: int = 0) -> None:
        self.host = host or os.environ.get("ANDROID_ADB_SERVER_HOST", "") or _HERE[0]
        self.port = port or _told_port()

    def open(self, service: str, timeout: float, *, start: bool = True) -> Stream:
        """A connection on which the server said yes to `service`."""
        sock = self._connected(Deadline(timeout), start)
        # From here on: a server that had to be started first took its time.
        stream = Stream(sock, Deadline(timeout))
        try:
            stream.ask(service)
        except AdbTrouble:
            stream.close()
            raise
        return stream

    def query(self, service: str, timeout: float, *, start: bool = True) -> str:
        """A service that answers with one text."""
        with self.open(service, timeout, start=start) as stream:
            return stream.read_block()

    def version(self) -> int:
        """The version of the protocol that the server speaks, such as 41."""
        return _number(self.query("host:version", _CONNECT_S), 16)

    def devices(self, *, start: bool = True) -> list[Listed]:
        return read_devices(self.query("host:devices-l", _CONNECT_S, start=start))

    def connect(self, address: str, timeout: float) -> str:
        """`adb connect HOST:PORT`; what the server says to it, which is never an error."""
        return self.query(f"host:connect:{address}", timeout)

    def disconnect(self, address: str) -> None:
        try:
            self.query(f"host:disconnect:{address}", _CONNECT_S)
        except AdbTrouble as trouble:
            if trouble.kind != "refused":  # it was not connected
                raise

    def forward(self, serial: str, remote: str, timeout: float) -> int:
        """A free port of this machine that leads to `remote` of the phone (`tcp:9008`)."""
        with self.open(f"host-serial:{serial}:forward:tcp:0;{remote}", timeout) as stream:
            stream.expect_okay()
            return _number(stream.read_block(), 10)

    def remove_forward(self, serial: str, port: int, timeout: float) -> None:
        self.open(f"host-serial:{serial}:killforward:tcp:{port}", timeout, start=False).close()

    def _connected(self, deadline: Deadline, start: bool) -> socket.socket:
        try:
            return self._dial(deadline)
        except OSError as error:
            if self.host not in _HERE:
                raise AdbTrouble("elsewhere", f"{self.host}:{self.port}: {error}") from None
            if not start:
                raise AdbTrouble("server", f"{self.host}:{self.port}: {error}") from None
        start_server(self.port)
        try:
            return self._dial(Deadline(_CONNECT_S))
        except OSError as error:
            raise AdbTrouble("server", f"{self.host}:{self.port}, just started: {error}") from None

    def _dial(self, deadline: Deadline) -> socket.socket:
        sock = socket.create_connection((self.host, self.port), max(min(deadline.left, _CONNECT_S), 0.1))
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return sock


def adb_program() -> str:
    """The adb that adbutils finds: of `ADBUTILS_ADB_PATH`, of the path, else the one that it brings along."""
    from adbutils import AdbError, adb_path

    try:
        found = str(adb_path())
    except AdbError as error:
        raise AdbTrouble("server", f"{NO_PROGRAM}: {error}") from None
    if shutil.which(found) is None:
        raise AdbTrouble("server", f"{NO_PROGRAM}: {found} is none")
    return found


def start_server(port: int) -> None:
    """`adb start-server`; `AdbTrouble` where that does not work."""
    command = [adb_program(), "-P", str(port), "start-server"]
    # Into a file: the server stays, and may keep a pipe open for ever.
    with tempfile.TemporaryFile() as told:
        try:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=told, stderr=subprocess.STDOUT, timeout=_START_S, check=False
            )
        except (OSError, subprocess.SubprocessError) as error:
            raise AdbTrouble("server", f"{' '.join(command)}: {error}") from None
        if done.returncode:
            told.seek(0)
            words = told.read().decode(errors="replace").strip()
            raise AdbTrouble("server", f"{' '.join(command)}: {words}")
