"""Ends of processes in Apple's system log, as `syslog_relay` and `log stream` write it.

Forms: what SpringBoard (FrontBoard) and `runningboardd` say of a process that ended, with the domain and code of XNU's
`sys/reason.h`; the kernel's `memorystatus` lines; Foundation's line about an exception that nobody caught.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.timescale import log_seconds, read_time

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
#: `syslog_relay` writes whole seconds: it happened at the end of that second at the latest.
_CUT_S = 0.999
_STAMP = re.compile(r"([A-Z][a-z]{2}) +(\d{1,2}) (\d\d):(\d\d):(\d\d)(\.\d{1,9})? ")
_ISO = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d")

#: `[app<com.example.notes(…)>:412]`, `[application<…>:412]`
#: On a Mac `[app<application.com.example.notes.1.2(501)>:412]`.
#: One in brackets belongs to a process that works for the app, such as a web view's.
_WHO = re.compile(r"(?<!\()\[app(?:lication)?<([^<>()]{1,200})(?:\([^()<>]{0,80}\))?>:(\d{1,9})\]")
_MAC = re.compile(r"application\.(.+?)(?:\.\d+){2}$")
_STATUS = re.compile(r"status:<RBSProcessExitStatus\| domain:(\w+)\(\d+\) code:([^>]{1,80})>")
_LAUNCHD = re.compile(r"termination reported by launchd \((\d{1,3}), (\d{1,20}), (\d{1,10})\)")
_DOMAINS = {0: "exit", 1: "jetsam", 2: "signal", 3: "codesigning", 6: "dyld", 10: "frontboard", 15: "runningboard"}
_MEMORY = re.compile(r"memorystatus: killing(?:_\w+)?(?: process)?(?: pid)? (\d{1,9}) \[([^\]]{0,100})\](.{0,160})")
_UNCAUGHT = re.compile(r"Terminating app due to uncaught exception '([^']{1,200})', reason: '(.{0,400})")
_WRITER = re.compile(r"[\w)]\[(\d{1,9})(?::[0-9a-f]+)?\]")

_SIGNALS = {
    4: "SIGILL", 5: "SIGTRAP", 6: "SIGABRT", 7: "SIGEMT", 8: "SIGFPE", 9: "SIGKILL", 10: "SIGBUS", 11: "SIGSEGV",
    12: "SIGSYS", 13: "SIGPIPE", 15: "SIGTERM",
}  # fmt: skip
#: Asked for by a user, a tool or another process.
_FORCE_QUIT = ("force-quit", "0xfbfbfbfb", str(0xFBFBFBFB))
_WATCHDOG = ("0x8badf00d", str(0x8BADF00D), "8badf00d")


@dataclass(frozen=True, slots=True)
class _End:
    """What one line says of the end of a process."""

    way: str
    reason: str


def read_apple_log(text: str) -> list[CrashRecord]:
    """One record for each process that ended, in the order of the log."""
    if "app<" not in text and "application<" not in text and "memorystatus:" not in text:
        return []
    known: dict[int, str] = {}
    found: list[CrashRecord] = []
    for line in text.splitlines():
        row = line[:2000]
        who = _WHO.search(row)
        if who is not None:
            known[int(who[2])] = _bundle(who[1])
        found += _records(row, who)
    return list(_joined(found, known))


def way_of_signal(name: str) -> str:
    """How a process died that a signal ended. Swift's own traps are SIGTRAP: an error of the language, as an exception
    is."""
    return "killed" if name in ("SIGKILL", "SIGTERM") else "ios" if name == "SIGTRAP" else "native"


def _records(row: str, who: re.Match[str] | None) -> Iterator[CrashRecord]:
    end = _end(row) if who is not None else None
    if who is not None and end is not None:
        yield _record(row, _bundle(who[1]), int(who[2]), end)
    elif memory := _MEMORY.search(row):
        yield _record(row, memory[2], int(memory[1]), _End("low_memory", f"killed for memory{memory[3]}".strip()))
    elif uncaught := _UNCAUGHT.search(row):
        writer = _WRITER.search(row)
        if writer is not None:
            told = f"{uncaught[1]}: {uncaught[2].rpartition(chr(39))[0] or uncaught[2]}"
            yield _record(row, "", int(writer[1]), _End("ios", told))


def _record(row: str, app: str, pid: int, end: _End) -> CrashRecord:
    return CrashRecord(app, pid, end.way, end.reason[:400], time_of(row), "apple log", row.strip()[:800])


def _end(row: str) -> _End | None:
    if status := _STATUS.search(row):
        return _of(status[1], status[2].strip())
    if launchd := _LAUNCHD.search(row):
        domain, code = _DOMAINS.get(int(launchd[1]), f"domain {launchd[1]}"), launchd[2]
        if domain == "exit":
            return _End("exit", f"exited with code {int(launchd[3]) >> 8}")
        return _of(domain, f"{_SIGNALS.get(int(code), 'signal')}({code})" if domain == "signal" else code)
    if "Process exited" in row and "RBSProcessExitContext| voluntary" in row:
        return _End("exit", "exited by itself")
    return None


def _of(domain: str, code: str) -> _End:
    if domain == "signal":
        name = code.partition("(")[0]
        return _End(way_of_signal(name), f"signal {code}")
    if domain == "jetsam":
        return _End("low_memory", f"killed for memory: {code}")
    low = code.lower()
    if any(word in low for word in _FORCE_QUIT):
        return _End("user", f"{domain}: {code}")
    return _End("anr" if any(word in low for word in _WATCHDOG) else "killed", f"{domain}: {code}")


def _joined(found: Iterable[CrashRecord], known: dict[int, str]) -> Iterator[CrashRecord]:
    """One record a process: the exception that nobody caught tells more than its signal, a kill for memory more than a
    plain kill, and both more than an exit."""
    best: dict[int, CrashRecord] = {}
    ranks = {"ios": 0, "anr": 1, "low_memory": 2, "user": 3, "native": 4, "killed": 5, "exit": 6}
    for record in found:
        named = replace(record, app=known.get(record.pid, record.app))
        before = best.get(record.pid)
        if before is None or ranks[named.way] < ranks[before.way]:
            best[record.pid] = named
    yield from best.values()


def _bundle(name: str) -> str:
    mac = _MAC.match(name)
    return mac[1] if mac else name


def time_of(row: str) -> float | None:
    """The time at the head of a line, as `log_seconds`; None where there is none."""
    stamp = _STAMP.match(row)
    if stamp is None:
        return read_time(row) if _ISO.match(row) else None
    if stamp[1] not in _MONTHS:
        return None
    at = log_seconds(_MONTHS.index(stamp[1]) + 1, *(int(part) for part in stamp.groups()[1:5]))
    return None if at is None else at + (float(stamp[6]) if stamp[6] else _CUT_S)
