"""One record for each cause, though several places of a log tell of it; and whose record it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.timescale import YEAR_S

#: Sources that name a process by its program, which Xcode calls as the last part of the bundle id is made of.
_BY_PROGRAM = frozenset({"jetsam", "apple log", "standard output"})
#: The kernel keeps the last 15 characters of a process's name; a native crash may know no more.
_SHORT_NAME = 15


def merged(records: Iterable[CrashRecord]) -> list[CrashRecord]:
    """Records of one process and way joined into the fullest; what only repeats less of a cause that is told is
    dropped."""
    kept: dict[tuple[object, ...], CrashRecord] = {}
    for number, record in enumerate(records):
        # Without a pid nothing says that two records tell of the same process.
        key = (record.pid, record.way) if record.pid else (number, "")
        kept[key] = _joined(kept[key], record) if key in kept else record
    ways: dict[int, set[str]] = {}
    for record in kept.values():
        ways.setdefault(record.pid, set()).add(record.way)
    told = [record for record in kept.values() if not record.pid or not _repeats(record.way, ways[record.pid])]
    return sorted(told, key=lambda record: record.at if record.at is not None else YEAR_S)


def _repeats(way: str, told: set[str]) -> bool:
    """Whether a way of the end of a process is but the trace of another one: each leaves an exit, memory is taken by a
    kill, and Apple's exceptions end in a signal."""
    if way == "exit":
        return told != {"exit"}
    return (way == "killed" and "low_memory" in told) or (way in ("native", "killed") and "ios" in told)


def _joined(one: CrashRecord, other: CrashRecord) -> CrashRecord:
    full, short = (one, other) if len(one.text) >= len(other.text) else (other, one)
    app = max(full.app, short.app, key=len)
    times = [record.at for record in (one, other) if record.at is not None]
    # An exit record tells the kind of an end ("app crash(native)"), the others what happened.
    told = sorted((full, short), key=lambda record: record.source == "exit-info")
    return replace(full, app=app, reason=told[0].reason or told[1].reason, at=min(times, default=None))


def names(record: CrashRecord, app: str) -> CrashRecord | None:
    """The record with the whole id of `app` if it is that app's; None if it is another's, or nobody's."""
    if record.app == app:
        return record
    if record.source in _BY_PROGRAM and _program_of(app) == _program_of(record.app):
        return replace(record, app=app)
    if record.way == "native" and len(record.app) == _SHORT_NAME and app.endswith(record.app):
        return replace(record, app=app)
    return None


def _program_of(name: str) -> str:
    """The name of an app's program in small letters and digits: of `com.example.My-Notes` as of `My Notes`."""
    return "".join(letter for letter in name.rpartition(".")[2].lower() if letter.isalnum())


def is_old(at: float, since: float) -> bool:
    """Whether `at` lies before `since`; half a year and more before means after, over the turn of the year."""
    return (since - at) % YEAR_S < YEAR_S / 2 and at != since


def package_of(process: str) -> str:
    """The application id of a process: `com.example.notes:sync` belongs to `com.example.notes`."""
    return process.partition(":")[0].strip()
