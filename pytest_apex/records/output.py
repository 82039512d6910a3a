"""Ends that an app tells of on its standard output and error, as a console or a debugger shows them.

Forms: Foundation's line about an exception that nobody caught (plain, behind the head of NSLog, or of the system log);
traps of Swift, before and since 5.4; libc++abi; Kotlin/Native; `assert` of C; what lldb and Xcode say of a signal;
Android's block without the head of logcat. What an app prints of trouble that it survives is none: an exception of
Dart, an error of JavaScript, words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.apple_log import time_of, way_of_signal
from pytest_apex.records.merge import package_of

SOURCE = "standard output"
#: One of these is in each line that tells of an end.
_WORDS = ("Fatal error", "uncaught exception", "libc++abi", "Uncaught Kotlin exception: ", "Assertion failed: ",
          "FATAL EXCEPTION", "signal SIG", "EXC_")  # fmt: skip
#: So far behind the cause stands what only repeats it: the stack of an exception is between.
_REACH = 200
_LONGEST_LINE = 2000

_NSLOG = (
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[^ ]{0,20} (?P<program>[^\[\n]{1,100})\[(?P<pid>\d{1,9})(?::[0-9a-fx]{1,16})?\] "
)
_SYSLOG = (
    r"[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d[^ ]{0,12} (?:\S{1,100} )?(?P<program>[^\[\](:\n]{1,100})"
    r"(?:\([^)\n]{0,100}\))?"
    r"\[(?P<pid>\d{1,9})\](?: <\w{1,20}>)?: "
)
_HEADS = (re.compile(_NSLOG), re.compile(_SYSLOG))
_UNCAUGHT = re.compile(
    r"\*\*\* Terminating app due to uncaught exception '(?P<name>[^']{1,200})'(?:, reason: '(?P<why>.{0,400}))?"
)
_TRAPS = (
    re.compile(r"(?:\S{1,300}\.swift:\d{1,7}: )(?P<told>Fatal error(?:: .{1,400})?)$"),
    re.compile(r"(?P<told>Fatal error(?:: .{0,400})?): file \S.{0,300}\.swift, line \d{1,7}$"),
    re.compile(r"(?P<told>Uncaught Kotlin exception: .{1,400})$"),
)
_ASSERTION = re.compile(r"Assertion failed: \(?.{1,400}?, function .{1,200}, file .{1,300}, line \d{1,7}\.$")
_LIBCXX = re.compile(
    r"libc\+\+abi(?:\.dylib)?: terminating (?:due to|with) uncaught (?:foreign )?exception(?P<type>.{0,300})"
)
_STOPPED = re.compile(
    r"(?:\* )?[Tt]hread #?\d{1,5}(?::|,.{0,400}? stop reason =) "
    r"(?P<why>signal (?P<signal>SIGABRT|SIGSEGV|SIGBUS|SIGILL|SIGTRAP|SIGFPE|SIGSYS)"
    r"|EXC_(?P<exception>BAD_ACCESS|BREAKPOINT|CRASH|BAD_INSTRUCTION|ARITHMETIC|GUARD)).{0,200}"
)
_PROCESS = re.compile(r"Process: ([\w.:]{1,200})(?:, PID: (\d{1,9}))?$")


def read_output(text: str, owner: str = "") -> list[CrashRecord]:
    """One record for each end, in the order of the text. `owner` is the application that printed all of it; without it
    a record names the program of its line's head, if there is one."""
    if not any(word in text for word in _WORDS) or text.lstrip()[:1] == "{" or "Incident Identifier:" in text:
        return []
    rows = [row[:_LONGEST_LINE].rstrip() for row in text.splitlines()]
    found: list[CrashRecord] = []
    told: dict[int, int] = {}
    for at, row in enumerate(rows):
        head = next((match for pattern in _HEADS if (match := pattern.match(row))), None)
        rest = row[head.end() :] if head else row
        end = _end(rest) or _java(rest, rows[at + 1 : at + 3])
        if end is None:
            continue
        way, reason, repeats, app, pid = end
        pid = int(head["pid"]) if head else pid
        cause = max((told[known] for known in {pid, 0} & told.keys()), default=-_REACH - 1)
        if not (repeats and at - cause <= _REACH):
            app = app or owner or (head["program"].rpartition(" ")[2] if head else "")
            found.append(CrashRecord(app, pid, way, reason[:400], time_of(row) if head else None, SOURCE, row))
        told[pid] = at
    return found


#: Way, reason, whether it may but repeat what was told before, application, pid.
_End = tuple[str, str, bool, str, int]


def _end(row: str) -> _End | None:
    if uncaught := _UNCAUGHT.match(row):
        why = uncaught["why"] or ""
        return "ios", f"{uncaught['name']}: {why.rpartition(chr(39))[0] or why}".rstrip(": "), False, "", 0
    for trap in _TRAPS:
        if found := trap.match(row):
            return "ios", found["told"], False, "", 0
    if _ASSERTION.match(row):
        return "native", row, False, "", 0
    if found := _LIBCXX.match(row):
        return "ios" if "NSException" in found["type"] else "native", row, True, "", 0
    if found := _STOPPED.match(row):
        apples = found["exception"] == "BREAKPOINT" or way_of_signal(found["signal"] or "") == "ios"
        return "ios" if apples else "native", found["why"], True, "", 0
    return None


def _java(row: str, following: Sequence[str]) -> _End | None:
    if not row.startswith("FATAL EXCEPTION: ") or not following:
        return None
    process = _PROCESS.match(following[0].strip())
    if process is None:
        return None
    why = next(_texts(following[1:]), "uncaught exception")
    return "java", why, False, package_of(process[1]), int(process[2] or 0)


def _texts(rows: Sequence[str]) -> Iterator[str]:
    return (row.strip() for row in rows if row.strip())
