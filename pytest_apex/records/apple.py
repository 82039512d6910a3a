"""Apple's crash reports: `.ips` files (a JSON head and a JSON body) and the older text form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.apple_log import way_of_signal
from pytest_apex.records.timescale import read_time

#: Termination code of the watchdog for an app that did not answer in time ("ate bad food").
_WATCHDOG = 0x8BADF00D
#: Report types that tell of a crash; others hold stack shots and analytics of the whole system.
_CRASH_TYPES = ("309", "109", "")
#: Report of all processes at the moment in which some of them were killed for their memory.
_JETSAM = "298"
#: What says that an exception or a trap of the language ended it, and no fault in memory.
_OF_THE_LANGUAGE = ("uncaught exception", "Fatal error")

_FIELD = re.compile(r"^([A-Z][A-Za-z/ ]{1,40}):[ \t]*(.*)$", re.MULTILINE)
_SIGNAL = re.compile(r"\b(SIG[A-Z]{2,})\b")
_PROCESS = re.compile(r"\[(\d{1,9})\]")


def read_ips(text: str) -> list[CrashRecord]:
    """The crash that an `.ips` file tells of, or the processes that one tells were killed for memory."""
    documents = _documents(text) if text.lstrip()[:1] == "{" else []
    if not documents or not ("bug_type" in documents[0] or "incident" in documents[-1]):
        return []
    head, body = documents[0], documents[-1]
    kind = str(head.get("bug_type", ""))
    if kind == _JETSAM:
        return _killed_for_memory(head, body)
    if kind not in _CRASH_TYPES:
        return []
    app = _text(head, "bundleID") or _text(_part(body, "bundleInfo"), "CFBundleIdentifier") or _text(body, "procName")
    return [
        CrashRecord(
            app=app,
            pid=pid if isinstance(pid := body.get("pid"), int) else 0,
            way=_ips_way(body),
            reason=_ips_reason(body),
            at=read_time(_text(body, "captureTime") or _text(head, "timestamp")),
            source="ips",
            text=text[:20_000],
        )
    ]


def _killed_for_memory(head: Mapping[str, Any], body: Mapping[str, Any]) -> list[CrashRecord]:
    """Those of the listed processes that have a reason to have been killed; they are named by their program."""
    listed = body.get("processes")
    at = read_time(_text(body, "date") or _text(head, "timestamp"))
    return [
        CrashRecord(
            app=_text(process, "name"),
            pid=pid if isinstance(pid := process.get("pid"), int) else 0,
            way="low_memory",
            reason=f"killed for memory: {_text(process, 'reason')}"[:400],
            at=at,
            source="jetsam",
            text=json.dumps(process)[:2000],
        )
        for process in (listed if isinstance(listed, list) else [])
        if isinstance(process, dict) and _text(process, "reason") and _text(process, "name")
    ]


def _ips_way(body: Mapping[str, Any]) -> str:
    end, signal = _part(body, "termination"), _text(_part(body, "exception"), "signal")
    if end.get("code") == _WATCHDOG:
        return "anr"
    if _text(end, "namespace") == "JETSAM":
        return "low_memory"
    if not signal or any(word in str(line) for line in _told(body) for word in _OF_THE_LANGUAGE):
        return "ios"
    return "ios" if "lastExceptionBacktrace" in body else way_of_signal(signal)


def _told(body: Mapping[str, Any]) -> list[str]:
    """What libraries said of it, a line each."""
    return [str(line)[:200] for lines in _part(body, "asi").values() if isinstance(lines, list) for line in lines[:1]]


def _documents(text: str) -> list[dict[str, Any]]:
    decoder, at = json.JSONDecoder(), 0
    found: list[dict[str, Any]] = []
    while (at := text.find("{", at)) >= 0 and len(found) < 2:
        try:
            value, at = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            break
        found.append(value)
    return found


def _part(document: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = document.get(name)
    return value if isinstance(value, dict) else {}


def _text(document: Mapping[str, Any], name: str) -> str:
    value = document.get(name)
    return value if isinstance(value, str) else ""


def _ips_reason(body: Mapping[str, Any]) -> str:
    exception, end = _part(body, "exception"), _part(body, "termination")
    kind, signal = _text(exception, "type"), _text(exception, "signal")
    first = f"{kind} ({signal})" if kind and signal else kind or signal or "crash report"
    reasons = end.get("reasons")
    why = [str(line)[:200] for line in reasons[:1]] if isinstance(reasons, list) else []
    told = [_text(exception, "subtype"), _text(end, "indicator"), *why, *_told(body)]
    return ": ".join([first, *[word for word in told if word]])[:400]


def read_report(text: str) -> list[CrashRecord]:
    """The crash that a text report (`.crash`) tells of."""
    if "Incident Identifier:" not in text or "Process:" not in text:
        return []
    fields: dict[str, str] = {}
    for found in _FIELD.finditer(text[:20_000]):
        fields.setdefault(found[1], found[2].strip())
    pid = _PROCESS.search(fields.get("Process", ""))
    reason = fields.get("Exception Type") or fields.get("Termination Reason") or "crash report"
    told = _paragraph(text, "Application Specific Information:")
    return [
        CrashRecord(
            app=fields.get("Identifier") or fields.get("Process", "").partition(" [")[0],
            pid=int(pid[1]) if pid else 0,
            way=_report_way(text[:20_000], fields, told),
            reason=(f"{reason}: {told}" if told else reason)[:400],
            at=read_time(fields.get("Date/Time", "")),
            source="apple report",
            text=text[:20_000],
        )
    ]


def _report_way(text: str, fields: Mapping[str, str], told: str) -> str:
    if "8badf00d" in text.lower() or "main thread deadlocked" in text:
        return "anr"
    if any(word in told for word in _OF_THE_LANGUAGE) or "Last Exception Backtrace:" in text:
        return "ios"
    signal = _SIGNAL.search(fields.get("Exception Type", ""))
    return way_of_signal(signal[1]) if signal is not None else "ios"


def _paragraph(text: str, head: str) -> str:
    at = text.find(head)
    return text[at + len(head) : at + len(head) + 400].strip().split("\n")[0].strip() if at >= 0 else ""
