"""Crash, freeze and exit evidence from the logs and reports of the platforms, as `CrashRecord` values."""

from __future__ import annotations

from collections.abc import Iterable

from pytest_apex.model.case import CrashRecord
from pytest_apex.records import apple, apple_log, exit_info, files, logcat, output
from pytest_apex.records.merge import is_old, merged, names
from pytest_apex.records.timescale import log_seconds, read_time

__all__ = ["log_seconds", "read_crash_evidence", "read_crash_texts", "read_time"]

_READERS = (
    apple.read_ips, apple.read_report, apple_log.read_apple_log, exit_info.read_exit_info, logcat.read_logcat,
    files.read_drop_box, files.read_tombstone, files.read_thread_dump,
)  # fmt: skip


def read_crash_evidence(
    text: str | bytes, *, app: str | None = None, since: float | None = None, printed_by: str = ""
) -> list[CrashRecord]:
    """What `text` tells of processes that crashed, froze or ended, oldest first, one record for each cause.

    `text` may hold logcat output (any usual format, all buffers mixed), `dumpsys activity exit-info`, `dumpsys dropbox
    --print`, a tombstone or a file of `/data/anr`, an Apple `.ips` file, text report or system log, what an app prints
    on standard output and error, or several of the Android ones one after the other; bytes may be UTF-8 or UTF-16, as
    PowerShell writes it. Text that is none of these gives an empty list: no input raises.

    `app` keeps the records of that application id, those of its secondary processes (`id:name`) too. A block that
    names no process is not taken for the app's, unless its pid is known from the same log. `printed_by` says that the
    text is the standard output of that application id: what names no process there is its own.

    Times: a log has no year, so `at` and `since` are seconds from 1 January, 00:00 of the log's own local date, in a
    calendar with a 29 February (`log_seconds`). `since` drops what is older, across New Year's Eve as well; a record
    without a time is kept, with `at` None.
    """
    return read_crash_texts([text], app=app, since=since, printed_by=printed_by)


def read_crash_texts(
    texts: Iterable[str | bytes], *, app: str | None = None, since: float | None = None, printed_by: str = ""
) -> list[CrashRecord]:
    """As `read_crash_evidence`, of several texts that tell of the same device: one record for each cause."""
    sources = [_decoded(text) for text in texts]
    found = [record for source in sources for read in _READERS for record in read(source)]
    records = merged([*found, *(record for source in sources for record in output.read_output(source, printed_by))])
    if app is not None:
        records = [named for record in records if (named := names(record, app)) is not None]
    if since is not None:
        records = [record for record in records if record.at is None or not is_old(record.at, since)]
    return records


def _decoded(text: str | bytes) -> str:
    if isinstance(text, str):
        return text.replace("\x00", "").lstrip("\ufeff")
    if text[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return text.decode("utf-16", "replace")
    return _decoded(text.decode("utf-8", "replace"))
