"""Crashes, freezes and exits in a device's log, all buffers mixed (main, system, crash, events).

Forms: AOSP's `RuntimeInit` (FATAL EXCEPTION), `debuggerd` (signals, tombstones), `ProcessErrorStateRecord` (ANR in) and
`am/EventLogTags.logtags` (am_crash, am_anr, am_kill, am_proc_died).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.events import read_event
from pytest_apex.records.lines import LogLine, read_lines
from pytest_apex.records.merge import package_of

#: How many lines after its first one a block may reach in a log where others write in between.
_REACH, _BLOCK = 1500, 200

_PROCESS = re.compile(r"Process: ([^\s,]+)(?:, PID: (\d{1,9}))?")
_PID = re.compile(r"PID: (\d{1,9})")
_SIGNAL = re.compile(r"Fatal signal (\d{1,3}) \((\w+)\)(.{0,200})")
_SIGNAL_OF = re.compile(r"pid (\d{1,9}) \(([^)]{1,100})\)")
_TOMBSTONE = re.compile(r"pid: (\d{1,9}), tid: \d{1,9}, name: .{0,100}?>>> (.{1,200}?) <<<")
_ANR = re.compile(r"ANR in (?:process )?([^\s(]+)")
_STARTED = (
    re.compile(r"Start proc (?P<pid>\d{1,9}):(?P<name>[^\s/]+)/"),
    re.compile(r"\[\d+,(?P<pid>\d{1,9}),(?:\d+,)?(?P<name>[\w.]+(?::\w+)?)[,\]]"),
)


def read_logcat(text: str) -> list[CrashRecord]:
    """All records of a log, in its order; `app` is empty where neither block nor log names the process."""
    lines = read_lines(text)
    processes = _processes(lines)
    found = [record for at in range(len(lines)) for read in _READERS if (record := read(lines, at)) is not None]
    return [_named(record, processes) for record in found]


def _named(record: CrashRecord, processes: Mapping[int, str]) -> CrashRecord:
    """A name that the block does not tell, or tells cut, is known where the log tells who was started."""
    known = package_of(processes.get(record.pid, ""))
    return replace(record, app=known) if known.endswith(record.app) else record


def _processes(lines: Sequence[LogLine]) -> dict[int, str]:
    """Pid to process name, as far as the log tells who was started."""
    known: dict[int, str] = {}
    for line in lines:
        if "proc" not in line.tag and not line.text.startswith("Start proc"):
            continue
        pattern = _STARTED[1] if line.tag in ("am_proc_start", "am_proc_bound") else _STARTED[0]
        found = pattern.search(line.text)
        if found:
            known[int(found["pid"])] = found["name"]
    return known


def _java(lines: Sequence[LogLine], at: int) -> CrashRecord | None:
    first = lines[at]
    if not first.text.startswith("FATAL EXCEPTION") or first.tag != "AndroidRuntime":
        return None
    block = [first.text, *_same_writer(lines, at, ("FATAL EXCEPTION", "Error reporting crash"))]
    name, pid = "", first.pid
    rest: list[str] = []
    for text in block[1:]:
        if not rest and (found := _PROCESS.match(text)):
            name, pid = found[1], int(found[2] or pid)
        elif not rest and (found := _PID.match(text)):
            pid = int(found[1])
        elif text:
            rest.append(text)
    return CrashRecord(
        app=package_of(name),
        pid=pid,
        way="java",
        reason=_java_reason(rest),
        at=first.at,
        source="logcat",
        text="\n".join(block),
    )


def _java_reason(rest: Sequence[str]) -> str:
    """The exception and, of a chain of causes, the last."""
    first = rest[0] if rest else "uncaught exception"
    causes = [text.removeprefix("Caused by: ") for text in rest if text.startswith("Caused by: ")]
    return f"{first[:250]}, caused by {causes[-1][:250]}" if causes else first[:500]


def _same_writer(lines: Sequence[LogLine], at: int, stops: tuple[str, ...]) -> Iterator[str]:
    """The texts after `at` of the same process, tag and level, up to one that starts another block."""
    first, count = lines[at], 0
    for line in lines[at + 1 : at + _REACH]:
        if (line.pid, line.tag, line.level) != (first.pid, first.tag, first.level):
            continue
        count += 1
        if count >= _BLOCK or line.text.startswith(stops):
            return
        yield line.text


def _signal(lines: Sequence[LogLine], at: int) -> CrashRecord | None:
    line = lines[at]
    found = _SIGNAL.search(line.text) if line.tag == "libc" else None
    if found is None:
        return None
    owner = _SIGNAL_OF.search(found[3])
    pid = int(owner[1]) if owner else line.pid
    reason = f"signal {found[1]} ({found[2]})"
    return CrashRecord(package_of(owner[2]) if owner else "", pid, "native", reason, line.at, "logcat", line.text)


def _tombstone(lines: Sequence[LogLine], at: int) -> CrashRecord | None:
    line = lines[at]
    found = _TOMBSTONE.search(line.text) if line.tag in ("DEBUG", "crash_dump64", "crash_dump32") else None
    if found is None:
        return None
    block = [line.text, *_same_writer(lines, at, ("*** ***", "pid: "))]
    told = [text for text in block[1:] if text.startswith(("signal ", "Abort message:"))]
    reason = "; ".join(told[:2])[:400] or "native crash"
    return CrashRecord(package_of(found[2]), int(found[1]), "native", reason, line.at, "logcat", "\n".join(block))


def _anr(lines: Sequence[LogLine], at: int) -> CrashRecord | None:
    line = lines[at]
    found = _ANR.match(line.text) if line.tag == "ActivityManager" else None
    if found is None:
        return None
    block = [line.text, *_same_writer(lines, at, ("ANR in", "Killing ", "Start proc"))]
    pid = next((int(told[1]) for text in block if (told := _PID.match(text))), 0)
    reason = next((text.removeprefix("Reason: ") for text in block if text.startswith("Reason: ")), "not responding")
    return CrashRecord(package_of(found[1]), pid, "anr", reason[:400], line.at, "logcat", "\n".join(block[:20]))


def _event(lines: Sequence[LogLine], at: int) -> CrashRecord | None:
    return read_event(lines[at])


_READERS: tuple[Callable[[Sequence[LogLine], int], CrashRecord | None], ...] = (
    _java, _signal, _tombstone, _anr, _event,
)  # fmt: skip
