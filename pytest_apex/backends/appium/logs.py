"""The device's log as the driver hands it over: each line once, so it is kept here."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.wire import Refused
from pytest_apex.backends.base import LogLines
from pytest_apex.errors import DriverDead
from pytest_apex.model.case import CrashRecord

#: As many as the driver itself keeps, twice over.
_KEPT = 20_000
#: What is lost where times are cut to milliseconds.
_ROUNDED_S = 0.005
_CRASHES = "crashlog"


class DeviceLog:
    """Lines since the session was opened, with a running number; crash reports apart."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._reports: list[str] = []
        self.types: tuple[str, ...] = ()
        self.count = 0

    def fetch(self) -> None:
        for kind in self.types:
            entries = self._entries(kind)
            if kind == _CRASHES:
                self._reports += entries
                continue
            for entry in entries:
                for line in entry.splitlines():
                    self._lines.append(line)
                    self.count += 1

    def _entries(self, kind: str) -> list[str]:
        """Messages of one log; none where the driver does not keep it. A driver that died has told what it has."""
        try:
            told: Any = self._connection.refused_or("/se/log", {"type": kind}, f"reading the {kind}")
        except (Refused, DriverDead):
            return []
        entries = told if isinstance(told, list) else []
        return [str(entry.get("message", "")) for entry in entries if isinstance(entry, dict)]

    def lines(self, since: int = 0) -> list[str]:
        skip = max(0, since - (self.count - len(self._lines)))
        return [line for at, line in enumerate(self._lines) if at >= skip]

    def read(self, since: int) -> LogLines:
        self.fetch()
        if since < 0:
            return LogLines("", self.count)
        return LogLines("".join(f"{line}\n" for line in self.lines(since)), self.count)

    def records(self, app: str, since: float) -> Sequence[CrashRecord]:
        """What the log and the crash reports tell of ends and freezes of `app` since a time of the clock."""
        from pytest_apex.records import read_crash_texts

        self.fetch()
        clock = self._connection.clock
        begins = clock.to_log(since - clock.error_s - _ROUNDED_S)
        texts = ["\n".join(self._lines), *self._reports]
        found = read_crash_texts(texts, app=app, since=begins)
        return [replace(record, at=None if record.at is None else clock.from_log(record.at)) for record in found]
