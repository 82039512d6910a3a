"""One JSON line for each event, on disk as it happens: a run that is killed keeps all that it did."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from pytest_apex.errors import ApexError
from pytest_apex.evidence.plain import json_line, plain
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import make_folder, trouble, write_atomic

#: Never let Windows translate line ends.
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_BINARY", 0)
_SHOWN_OF_A_TORN_LINE = 200


class LineFile:
    """A file of JSON lines. Each is handed to the system whole, by one unbuffered write: SIGKILL tears none, and
    lines of several processes don't mix. Opened by the first line."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: int | None = None

    def append(self, fields: Mapping[str, Any]) -> None:
        """Write one line. Raises `ApexError` when it can't be written whole."""
        line = json_line(fields)
        try:
            if self._file is None:
                make_folder(self.path.parent)
                self._file = os.open(self.path, _FLAGS, 0o644)
            written = os.write(self._file, line)
        except OSError as error:
            raise trouble(self.path, error) from error
        if written != len(line):
            raise trouble(self.path, OSError(f"only {written} of {len(line)} bytes were written"))

    def close(self) -> None:
        """Let go of the file; a later line opens it again."""
        if self._file is not None:
            os.close(self._file)
            self._file = None


class Journal:
    """What happened in an attempt, event by event. Every text passes `redactor` first; what became known as a secret
    only later is masked when the journal is closed."""

    def __init__(self, path: Path, redactor: Redactor | None = None, now: Callable[[], float] = time.time) -> None:
        self._lines = LineFile(path)
        self._redactor = redactor or Redactor()
        self._knew = self._redactor.knows
        self._now = now

    def write(self, event: str, **fields: Any) -> None:
        """Append one event; `time` (the host's, in seconds since the epoch) is the journal's own. Raises `ApexError`
        when it can't be written."""
        masked = self._redactor.value({name: plain(value) for name, value in fields.items() if name != "time"})
        self._lines.append({"event": event, "time": round(self._now(), 3)} | masked)

    def close(self) -> None:
        """Let go of the file. Raises `ApexError` when it has to be written again and can't be."""
        self._lines.close()
        if self._redactor.knows == self._knew or not self._lines.path.exists():
            return
        self._knew = self._redactor.knows
        events = [self._redactor.value(event) for event in read_journal(self._lines.path)]
        write_atomic(self._lines.path, b"".join(map(json_line, events)))


def read_journal(path: Path) -> list[dict[str, Any]]:
    """All events of a journal, in order. A line that can't be read (the last one of a machine that lost power) is
    noted as an event `torn` with what is left of it. Raises `ApexError` when there is no such file."""
    return [event for _number, event in read_numbered(path)]


def read_numbered(path: Path) -> list[tuple[int, dict[str, Any]]]:
    """The same, each event with its line, counted from 1."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise ApexError(
            f"can't read the journal {path}",
            seen=f"{type(error).__name__}: {error.strerror or error}",
            cure="name the folder of a run, such as the one in .apex/latest",
        ) from error
    lines = enumerate(data.split(b"\n"), start=1)
    return [(number, _event(number, line)) for number, line in lines if line.strip()]


def _event(number: int, line: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(line)
        if isinstance(fields, dict):
            return fields
    except ValueError:
        pass  # noted below, for both ways of not being an event
    return {"event": "torn", "line": number, "text": line.decode("utf-8", "replace")[:_SHOWN_OF_A_TORN_LINE]}
