"""One record for each cause, though several places of a log tell of it; and whose record it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.timescale import YEAR_S

#: The kernel keeps the last 15 characters of a process's name; a native crash may know no more.
_SHORT_NAME = 15


def merged(records: Iterable[CrashRecord]) -> list[CrashRecord]:
    """Records of one process and way joined into the fullest; a bare exit dropped where its cause is told."""
    kept: dict[tuple[object, ...], CrashRecord] = {}
    for number, record in enumerate(records):
        # Without a pid nothing says that two records tell of the same process.
        key = (record.pid, record.way) if record.pid else (number, "")
        kept[key] = _joined(kept[key], record) if key in kept else record
    explained = {record.pid for record in kept.values() if record.pid and record.way != "exit"}
    told = [record for record in kept.values() if record.way != "exit" or record.pid not in explained]
    return sorted(told, key=lambda record: record.at if record.at is not None else YEAR_S)


def _joined(one: CrashRecord, other: CrashRecord) -> CrashRecord:
    full, short = (one, other) if len(one.text) >= len(other.text) else (other, one)
    app = max(full.app, short.app, key=len)
    times = [record.at for record in (one, other) if record.at is not None]
    return replace(full, app=app, reason=full.reason or short.reason, at=min(times, default=None))


def names(record: CrashRecord, app: str) -> CrashRecord | None:
    """The record with the whole id of `app` if it is that app's; None if it is another's, or nobody's."""
    if record.app == app:
        return record
    if record.way == "native" and len(record.app) == _SHORT_NAME and app.endswith(record.app):
        return replace(record, app=app)
    return None


def is_old(at: float, since: float) -> bool:
    """Whether `at` lies before `since`; half a year and more before means after, over the turn of the year."""
    return (since - at) % YEAR_S < YEAR_S / 2 and at != since


def package_of(process: str) -> str:
    """The application id of a process: `com.example.notes:sync` belongs to `com.example.notes`."""
    return process.partition(":")[0].strip()
