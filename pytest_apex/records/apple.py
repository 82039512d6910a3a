"""Apple's crash reports: `.ips` files (a JSON head and a JSON body) and the older text form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from pytest_apex.model.case import CrashRecord
from pytest_apex.records.timescale import read_time

#: Termination code of the watchdog for an app that did not answer in time ("ate bad food").
_WATCHDOG = 0x8BADF00D
#: Report types that tell of a crash; others hold memory pressure, stack shots and analytics of the whole system.
_CRASH_TYPES = ("309", "109", "")

_FIELD = re.compile(r"^([A-Z][A-Za-z/ ]{1,40}):[ \t]*(.*)$", re.MULTILINE)
_PROCESS = re.compile(r"\[(\d{1,9})\]")


def read_ips(text: str) -> list[CrashRecord]:
    """The crash that an `.ips` file tells of."""
    documents = _documents(text) if text.lstrip()[:1] == "{" else []
    if not documents or not ("bug_type" in documents[0] or "incident" in documents[-1]):
        return []
    head, body = documents[0], documents[-1]
    if str(head.get("bug_type", "")) not in _CRASH_TYPES:
        return []
    app = _text(head, "bundleID") or _text(_part(body, "bundleInfo"), "CFBundleIdentifier") or _text(body, "procName")
    frozen = _part(body, "termination").get("code") == _WATCHDOG
    return [
        CrashRecord(
            app=app,
            pid=pid if isinstance(pid := body.get("pid"), int) else 0,
            way="anr" if frozen else "ios",
            reason=_ips_reason(body),
            at=read_time(_text(body, "captureTime") or _text(head, "timestamp")),
            source="ips",
            text=text[:20_000],
        )
    ]


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
    told = [_text(exception, "subtype"), _text(end, "indicator")]
    for lines in _part(body, "asi").values():
        if isinstance(lines, list):
            told.extend(str(line)[:200] for line in lines[:1])
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
    frozen = "8badf00d" in text[:20_000].lower() or "main thread deadlocked" in text[:20_000]
    return [
        CrashRecord(
            app=fields.get("Identifier") or fields.get("Process", "").partition(" [")[0],
            pid=int(pid[1]) if pid else 0,
            way="anr" if frozen else "ios",
            reason=(f"{reason}: {told}" if told else reason)[:400],
            at=read_time(fields.get("Date/Time", "")),
            source="apple report",
            text=text[:20_000],
        )
    ]


def _paragraph(text: str, head: str) -> str:
    at = text.find(head)
    return text[at + len(head) : at + len(head) + 400].strip().split("\n")[0].strip() if at >= 0 else ""
