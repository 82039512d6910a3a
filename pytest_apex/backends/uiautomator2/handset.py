"""One phone behind adb's server: its shell, its files, its ports. Raises `DeviceProblem` and nothing else."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import BinaryIO

from pytest_apex.backends.abilities import Progress
from pytest_apex.backends.uiautomator2 import files
from pytest_apex.backends.uiautomator2.adb import AdbServer, AdbTrouble, Stream
from pytest_apex.backends.uiautomator2.limits import Limits
from pytest_apex.backends.uiautomator2.shell import Answer, frames, packed, unpacked
from pytest_apex.backends.uiautomator2.trouble import named
from pytest_apex.errors import DeviceProblem, DriverDead

#: Characters of a command that an error shows.
_SHOWN = 80
#: How long a phone that hangs as a whole is left alone, seconds.
_HUNG_S = 30.0


class Handset:
    """The phone `serial`."""

    def __init__(self, server: AdbServer, serial: str, limits: Limits) -> None:
        self.server = server
        self.serial = serial
        self.limits = limits
        self._v2: bool | None = None
        #: Until when a phone that did nothing at all is not asked again.
        self._hung_until = 0.0

    @contextmanager
    def _speaking(self, tried: str) -> Iterator[None]:
        try:
            yield
        except AdbTrouble as trouble:
            raise named(self.server, self.serial, trouble, tried) from trouble

    def _open(self, service: str, timeout: float, *, probe: bool = False) -> Stream:
        if self._hung_until and not probe:
            self.need_answer(service)
        # host:transport is understood by every adb; the newer tport differs only in telling a number back.
        stream = self.server.open(f"host:transport:{self.serial}", timeout)
        if not probe:
            stream.check, stream.check_s = lambda: self.need_answer(service), self.limits.ping
        try:
            stream.ask(service)
        except BaseException:
            stream.close()
            raise
        return stream

    @contextmanager
    def open(self, service: str, timeout: float, tried: str = "") -> Iterator[Stream]:
        """A service of the phone (`exec:…`, `sync:`), closed at the end; what fails inside is named too."""
        with self._speaking(tried or service), self._open(service, timeout) as stream:
            yield stream

    def keep_open(self, service: str, timeout: float) -> Stream:
        """The same for a stream that outlives the call: whoever asks closes it."""
        with self._speaking(service):
            return self._open(service, timeout)

    def run(self, command: str, timeout: float = 0.0) -> Answer:
        """One command; `DriverDead` naming it when it takes longer than `timeout` seconds (default: the limit of a
        shell) though the phone answers, `DeviceLost` when it does not."""
        limit = timeout or self.limits.shell
        try:
            if self._speaks_v2():
                with self._open(f"shell,v2,raw:{command}", limit) as stream:
                    output, code = frames(iter(stream.read_some, b""))
                return Answer(output.decode(errors="replace"), code)
            with self._open(f"shell:{packed([command])}", limit) as stream:
                return unpacked(stream.read_all().decode(errors="replace"), 1)[0]
        except AdbTrouble as trouble:
            raise self._of_command(trouble, command, limit) from trouble

    def ask(self, commands: Sequence[str], timeout: float = 0.0) -> list[Answer]:
        """Several commands in one call, one answer each."""
        limit = timeout or self.limits.shell
        try:
            with self._open(f"exec:{packed(commands)}", limit) as stream:
                return unpacked(stream.read_all().decode(errors="replace"), len(commands))
        except AdbTrouble as trouble:
            raise self._of_command(trouble, "; ".join(commands), limit) from trouble

    def push(self, source: BinaryIO, size: int, target: str, progress: Progress | None = None) -> None:
        """Write a file on the phone. Raises `ActionRefused` with the phone's words where it may not."""
        with self._speaking(f"copying to {target}"), self._open("sync:", self.limits.silence) as stream:
            files.send(stream, source, size, target, self.limits.silence, progress)

    def pull(self, source: str, target: BinaryIO) -> None:
        """Read a file of the phone. Raises `ActionRefused` with the phone's words where it can't be read."""
        with self._speaking(f"copying {source}"), self._open("sync:", self.limits.silence) as stream:
            files.receive(stream, source, target, self.limits.silence)

    def forward(self, remote: str) -> int:
        """A port of this machine that leads to `remote`; `remove_forward` takes it away."""
        with self._speaking(f"forwarding a port to {remote}"):
            return self.server.forward(self.serial, remote, self.limits.shell)

    def remove_forward(self, port: int) -> None:
        try:
            self.server.remove_forward(self.serial, port, self.limits.shell)
        except AdbTrouble:
            return  # the server was restarted, or the phone is gone: so are its ports

    def state(self) -> str:
        """What adb calls its state; `absent` if it does not list it."""
        with self._speaking("adb devices"):
            listed = self.server.devices()
        return next((one.state for one in listed if one.serial == self.serial), "absent")

    def _speaks_v2(self) -> bool:
        if self._v2 is None:
            features = self.server.query(f"host-serial:{self.serial}:features", self.limits.shell)
            self._v2 = "shell_v2" in features.split(",")
        return self._v2

    def need_answer(self, tried: str) -> None:
        """Raises `DeviceLost` for a phone that does nothing at all: it is not asked again for a while."""
        if time.monotonic() < self._hung_until or not self.answers():
            raise self.silent(tried)

    def silent(self, tried: str) -> DeviceProblem:
        """The error for a phone that does not answer."""
        self._hung_until = self._hung_until or time.monotonic() + _HUNG_S
        trouble = AdbTrouble("silent", f"no answer within {self.limits.ping:g} s, not even to `echo`")
        return named(self.server, self.serial, trouble, _short(tried))

    def answers(self) -> bool:
        """Whether the phone does anything now: then what is silent hangs by itself."""
        self._hung_until = 0.0
        try:
            with self._open("exec:echo", self.limits.ping, probe=True) as stream:
                return bool(stream.read_all())
        except AdbTrouble:
            return False

    def _of_command(self, trouble: AdbTrouble, command: str, limit: float) -> DeviceProblem:
        short = _short(command)
        if trouble.kind != "silent":
            return named(self.server, self.serial, trouble, short)
        try:
            self.need_answer(command)
        except DeviceProblem as error:
            return error
        return DriverDead(
            f"the command {short!r} takes longer than {limit:g} s on {self.serial}",
            seen=trouble.text,
            likely="it waits for something, or the phone is overloaded",
            cure="a longer timeout=, or another command",
        )


def _short(command: str) -> str:
    return command if len(command) <= _SHOWN else f"{command[:_SHOWN]}…"
