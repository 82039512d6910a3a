"""One-line messages about processes: the events buffer, and what the activity manager, zygote and lmkd write."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TypeAlias

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.lines import LogLine
from pytest_apex.records.merge import package_of

#: Words of a kill's reason that tell of the user, a tool or the package manager: nobody's crash.
_ASKED_FOR = (
    "stop ", "force", "remove task", "by user", "from pid", "deletepackage", "installpackage", "updated", "pkg removed",
    "start instr", "finished inst", "clear data", "clear app", "permission", "uninstall",
)  # fmt: skip
_MEMORY = ("lmk", "low memory", "low mem", "lowmem", "empty for", "cached", "too many")

_DIED = re.compile(r"Process (\S{1,200}) \(pid (\d{1,9})\) has died(.{0,200})")
_KILLING = re.compile(r"Killing (\d{1,9}):([^\s/]{1,200})/\S{1,40} \(adj [^)]{0,20}\): (.{1,300})")
_FORCE_STOP = re.compile(r"Force stopping (\S{1,200}) (.{0,200})")
_LMKD = re.compile(r"[Kk]ill(?:ing)? '([^']{1,200})' \((\d{1,9})\)(.{0,200})")
_ZYGOTE = re.compile(r"Process (\d{1,9}) exited (.{1,200})")


_Told: TypeAlias = tuple[str, int, str, str]


def read_event(line: LogLine) -> CrashRecord | None:
    """The record that one line makes, if it makes one."""
    read = _READERS.get(line.tag)
    told = read(line.text) if read is not None else None
    if told is None:
        return None
    name, pid, way, reason = told
    return CrashRecord(package_of(name), pid, way, reason[:400], line.at, "logcat", f"{line.tag}: {line.text}"[:800])


def _list(text: str, count: int) -> list[str] | None:
    """The first `count` parts of an event's list, the last with all that follows; without the user, if it has one."""
    if text[:1] != "[":
        return None
    parts = text[1:].rstrip("]").split(",", count)
    # Before Android 4.2 the list began with the pid.
    if len(parts) > 1 and parts[0].isdecimal() and parts[1].isdecimal():
        parts = parts[1:]
    return parts if len(parts) >= 3 and parts[0].isdecimal() and len(parts[0]) < 10 else None


def _am_crash(text: str) -> _Told | None:
    parts = _list(text, 5)
    if parts is None or len(parts) < 4:
        return None
    what, rest = parts[3], parts[4] if len(parts) > 4 else ""
    message = rest.rsplit(",", 2)[0]
    native = what.strip() == "Native crash"
    return parts[1], int(parts[0]), "native" if native else "java", f"{what}: {message}" if message else what


def _am_anr(text: str) -> _Told | None:
    parts = _list(text, 4)
    return (parts[1], int(parts[0]), "anr", parts[-1]) if parts is not None else None


def _am_kill(text: str) -> _Told | None:
    parts = _list(text, 4)
    return (parts[1], int(parts[0]), way_of_kill(parts[-1]), parts[-1]) if parts is not None else None


def _am_proc_died(text: str) -> _Told | None:
    parts = _list(text, 4)
    return (parts[1], int(parts[0]), "exit", "the process died") if parts is not None else None


def way_of_kill(reason: str) -> str:
    """The way of a kill by the activity manager, from its reason."""
    low = reason.lower().strip()
    if "after error" in low:
        return "exit"  # the dialog of a crash or freeze was closed; its own record tells which
    if low.startswith("crash"):
        return "java"
    if "anr" in low.split():
        return "anr"
    if any(word in low for word in _ASKED_FOR):
        return "user"
    return "low_memory" if any(word in low for word in _MEMORY) else "killed"


def _activity_manager(text: str) -> _Told | None:
    if died := _DIED.match(text):
        return died[1], int(died[2]), "exit", f"the process died{died[3]}"
    if killing := _KILLING.match(text):
        return killing[2], int(killing[1]), way_of_kill(killing[3]), killing[3]
    if stop := _FORCE_STOP.match(text):
        return stop[1], 0, "user", f"force stop {stop[2]}".strip()
    return None


def _low_memory(text: str) -> _Told | None:
    found = _LMKD.search(text)
    return (found[1], int(found[2]), "low_memory", f"killed for memory{found[3]}") if found else None


def _zygote(text: str) -> _Told | None:
    found = _ZYGOTE.match(text)
    if found is None:
        return None
    return "", int(found[1]), "exit", f"exited {found[2]}"


_READERS: dict[str, Callable[[str], _Told | None]] = {
    "am_crash": _am_crash,
    "am_anr": _am_anr,
    "am_kill": _am_kill,
    "am_proc_died": _am_proc_died,
    "ActivityManager": _activity_manager,
    "lowmemorykiller": _low_memory,
    "lmkd": _low_memory,
    "Zygote": _zygote,
}
