"""What Android keeps of crashes besides its log: entries of the drop box (`dumpsys dropbox --print`), tombstones, and
the thread dumps of apps that did not answer.

Forms: AOSP's `ActivityManagerService.addErrorToDropBox` (heads of the entries), `debuggerd` (tombstones), `Runtime` and
`StackTracesDumpHelper` (`/data/anr`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.merge import package_of
from pytest_apex.records.timescale import read_time

_ENTRY = re.compile(
    r"^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (?:data_app|system_app)_(crash|native_crash|anr)\b[^\n]*$", re.MULTILINE
)
_END = re.compile(r"^={20,}$|^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \w+ \(", re.MULTILINE)
_WAYS = {"crash": "java", "native_crash": "native", "anr": "anr"}
_FIELD = re.compile(r"^(Process|PID|Package|Subject|Reason): *([^\n]{0,400})$", re.MULTILINE)
_EXCEPTION = re.compile(r"\n\n+([A-Za-z_$][\w.$]*(?:Exception|Error|Throwable|[\w$]+)(?:: [^\n]{0,400})?)\n\s*at ")
_TOMBSTONE = re.compile(r"^pid: (\d{1,9}), tid: \d{1,9}, name: [^\n]{0,100}?>>> ([^\n]{1,200}?) <<<$", re.MULTILINE)
_STARS = re.compile(r"^(?:\*\*\* ){8,}\*\*\*$", re.MULTILINE)
_TOLD = re.compile(r"^(?:signal \d|Abort message:)[^\n]{0,300}$", re.MULTILINE)
_DUMP = re.compile(r"^----- pid (\d{1,9}) at ([^\n]{10,60}?) -----\nCmd ?line: ([^\n]{1,200})$", re.MULTILINE)
#: So much of an entry is looked at, and kept.
_LONG, _KEPT = 20_000, 4000


def read_drop_box(text: str) -> list[CrashRecord]:
    """One record an entry of an app; those of other kinds (strict mode, the system's own) tell of no crash."""
    return [record for head, body in _entries(text) if (record := _of_entry(head, body)) is not None]


def _entries(text: str) -> Iterator[tuple[re.Match[str], str]]:
    for head in _ENTRY.finditer(text):
        end = _END.search(text, head.end())
        yield head, text[head.end() : end.start() if end is not None else len(text)][:_LONG]


def _of_entry(head: re.Match[str], body: str) -> CrashRecord | None:
    fields = {found[1]: found[2].strip() for found in reversed(list(_FIELD.finditer(body)))}
    name = fields.get("Process") or fields.get("Package", "").partition(" ")[0]
    if not name:
        return None
    pid = fields.get("PID", "")
    way = _WAYS[head[2]]
    return CrashRecord(
        app=package_of(name),
        pid=int(pid) if pid.isdecimal() and len(pid) < 10 else 0,
        way=way,
        reason=_reason(way, fields, body),
        at=read_time(head[1]),
        source="drop box",
        text=f"{head[0]}{body[:_KEPT]}".strip(),
    )


def _reason(way: str, fields: dict[str, str], body: str) -> str:
    if way == "anr":
        return fields.get("Subject") or fields.get("Reason") or "not responding"
    if way == "native":
        return "; ".join(_TOLD.findall(body)[:2])[:400] or "native crash"
    found = _EXCEPTION.search(body)
    return found[1] if found is not None else "uncaught exception"


def read_tombstone(text: str) -> list[CrashRecord]:
    """What tombstone files tell; those that the log repeats are read there."""
    if _ENTRY.search(text) is not None:
        return []
    records = []
    for found in _TOMBSTONE.finditer(text):
        start = max((star.start() for star in _STARS.finditer(text, 0, found.start())), default=0)
        told = _TOLD.findall(text, found.end(), found.end() + _KEPT)
        stamp = re.search(r"^Timestamp: ([^\n]+)$", text[start : found.start()], re.MULTILINE)
        records.append(
            CrashRecord(
                app=package_of(found[2]),
                pid=int(found[1]),
                way="native",
                reason="; ".join(told[:2])[:400] or "native crash",
                at=read_time(stamp[1]) if stamp is not None else None,
                source="tombstone",
                text=text[start : found.end() + _KEPT].strip(),
            )
        )
    return records


def read_thread_dump(text: str) -> list[CrashRecord]:
    """The process that a file of `/data/anr` is about: the first in it, others were dumped along with it."""
    if _ENTRY.search(text) is not None:
        return []
    found = _DUMP.search(text)
    if found is None:
        return []
    subject = re.search(r"^Subject: ([^\n]{1,400})$", text[: found.start()], re.MULTILINE)
    return [
        CrashRecord(
            app=package_of(found[3]),
            pid=int(found[1]),
            way="anr",
            reason=subject[1] if subject is not None else "not responding: its threads were dumped",
            at=read_time(found[2]),
            source="thread dump",
            text=text[found.start() : found.start() + _KEPT].strip(),
        )
    ]
