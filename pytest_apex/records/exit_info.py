"""`dumpsys activity exit-info` (API 30 and later): why a process ended, without a stack."""

from __future__ import annotations

import re

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.merge import package_of
from pytest_apex.records.timescale import read_time

#: Reason codes of `android.app.ApplicationExitInfo`.
_WAYS = {
    0: "exit", 1: "exit", 2: "killed", 3: "low_memory", 4: "java", 5: "native", 6: "anr", 7: "exit", 8: "user",
    9: "killed", 10: "user", 11: "user", 12: "killed", 13: "killed", 14: "killed", 15: "user", 16: "user",
}  # fmt: skip

_HEAD = re.compile(r"^[ \t]*ApplicationExitInfo #\d+:", re.MULTILINE)
_PID = re.compile(r"\bpid=(\d{1,9})")
_PROCESS = re.compile(r"\bprocess=(\S+)")
_TIMESTAMP = re.compile(r"\btimestamp=(\S+ \S+)")
#: Android writes `reason=5 (APP CRASH(NATIVE))`.
_REASON = re.compile(r"\breason=(\d{1,4})(?: \(((?:[^()\n]|\([^()\n]*\))*)\))?")
_DETAIL = re.compile(r"\bdescription=([^\n]*?)(?: state=|$)", re.MULTILINE)


def read_exit_info(text: str) -> list[CrashRecord]:
    """All exit records, in the order in which they stand."""
    blocks = (block[:4000] for block in _HEAD.split(text)[1:])
    return [record for block in blocks if (record := _record(block)) is not None]


def _record(block: str) -> CrashRecord | None:
    pid, process, reason = _PID.search(block), _PROCESS.search(block), _REASON.search(block)
    if pid is None or process is None or reason is None:
        return None
    when, detail = _TIMESTAMP.search(block), _DETAIL.search(block)
    told = detail[1].strip() if detail else ""
    words = (reason[2] or f"reason {reason[1]}").lower().replace("_", " ")
    return CrashRecord(
        app=package_of(process[1]),
        pid=int(pid[1]),
        way=_WAYS.get(int(reason[1]), "exit"),
        reason=f"{words}: {told}" if told and told != "null" else words,
        at=read_time(when[1]) if when else None,
        source="exit-info",
        text=block.strip(),
    )
