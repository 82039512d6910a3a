"""What the judge read of an attempt's failures, stored: `case.json` beside `verdict.json`, its looks in the store.

The judge of a live run reads a case that was masked first, so that the stored one, which can't say more, gives the same
verdict.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pytest_apex.errors import SourceError
from pytest_apex.evidence import blackout
from pytest_apex.evidence.codec import NotThat, decode, encode
from pytest_apex.evidence.keep import ExtraBoxes
from pytest_apex.evidence.looks import get_look, put_look
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store, write_atomic
from pytest_apex.model.case import Case, CrashRecord, Failure
from pytest_apex.model.look import Unsettled
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import Finding, Verdict

CASE_FILE = "case.json"
#: Grows when what is stored can't be read by what came before.
_FORMAT = 1


@dataclass(frozen=True, slots=True)
class JudgedFailure:
    """A failing phase: the case that was judged, or the verdict that was given without one."""

    phase: str
    case: Case | None = None
    verdict: Verdict | None = None


# Masking


def masked(case: Case, redactor: Redactor, extra_boxes: ExtraBoxes = lambda _look: ()) -> Case:
    """The case without secrets; the same object where there is nothing to hide.

    Ids of apps and words of our own stay: rules compare them. Raises `ApexError` when a hook that says what to hide
    fails.
    """
    looks: dict[int, Snapshot] = {}

    def look(snapshot: Snapshot | None) -> Snapshot | None:
        if snapshot is None:
            return None
        if id(snapshot) not in looks:
            looks[id(snapshot)] = _masked_look(snapshot, redactor, extra_boxes)
        return looks[id(snapshot)]

    hidden = replace(
        case,
        failure=_masked_failure(case.failure, redactor.text),
        before=look(case.before),
        now=look(case.now),
        unsettled=_masked_unsettled(case.unsettled, redactor.text, look),
        records=tuple(_masked_record(record, redactor.text) for record in case.records),
        harness=tuple(replace(event, detail=redactor.text(event.detail)) for event in case.harness),
        last_touch=replace(case.last_touch, target=redactor.text(case.last_touch.target)) if case.last_touch else None,
        findings_now=_masked_findings(case.findings_now, redactor.text),
        environment=redactor.text(case.environment),
        declared=tuple(map(redactor.text, case.declared)),
        interrupted=redactor.text(case.interrupted),
    )
    return case if hidden == case else hidden


def _masked_look(snapshot: Snapshot, redactor: Redactor, extra_boxes: ExtraBoxes) -> Snapshot:
    """Without its secrets, and so that rules see what they would have seen: what is drawn and what is not."""
    boxes = [*redactor.boxes(snapshot), *extra_boxes(snapshot)]
    return blackout.hatch(redactor.texts(snapshot), boxes)


def _masked_failure(failure: Failure, text: Callable[[str], str]) -> Failure:
    return replace(
        failure,
        message=text(failure.message),
        target=text(failure.target),
        near_misses=tuple(map(text, failure.near_misses)),
        covered_by=text(failure.covered_by),
        because=text(failure.because),
        timeout_name=text(failure.timeout_name),
        findings=_masked_findings(failure.findings, text),
        source=text(failure.source),
    )


def _masked_findings(findings: tuple[Finding, ...], text: Callable[[str], str]) -> tuple[Finding, ...]:
    return tuple(
        replace(finding, reason=text(finding.reason), nodes=tuple(map(text, finding.nodes))) for finding in findings
    )


def _masked_unsettled(
    unsettled: Unsettled | None, text: Callable[[str], str], look: Callable[[Snapshot | None], Snapshot | None]
) -> Unsettled | None:
    if unsettled is None:
        return None
    snapshot = look(unsettled.snapshot)
    assert snapshot is not None
    return replace(unsettled, snapshot=snapshot, moving=tuple(map(text, unsettled.moving)), limit=text(unsettled.limit))


def _masked_record(record: CrashRecord, text: Callable[[str], str]) -> CrashRecord:
    return replace(record, reason=text(record.reason), source=text(record.source), text=text(record.text))


# Storing


def write_cases(folder: Path, store: Store, failures: Sequence[JudgedFailure]) -> None:
    """Write an attempt's `case.json`; its cases are free of secrets. Raises `ApexError` when it can't be written."""
    known: dict[int, dict[str, Any]] = {}

    def keep(snapshot: Snapshot) -> dict[str, Any]:
        if id(snapshot) not in known:
            known[id(snapshot)] = put_look(store, snapshot)
        return known[id(snapshot)]

    fields = {"format": _FORMAT, "failures": [encode(failure, keep) for failure in failures]}
    # ASCII: half a surrogate pair, which devices do send, has to come back as it was.
    write_atomic(folder / CASE_FILE, json.dumps(fields, indent=1, ensure_ascii=True).encode() + b"\n")


def read_cases(run_dir: Path, folder: str) -> list[JudgedFailure]:
    """The failures of an attempt; `folder` is relative to the run's. Raises `SourceError` that says `file:line` when
    they can't be read, and `FileNotFoundError` when none were stored."""
    name = f"{folder}/{CASE_FILE}"
    try:
        text = (run_dir / name).read_text("utf-8")
        fields = json.loads(text)
    except FileNotFoundError:
        raise
    except json.JSONDecodeError as error:
        raise SourceError(f"{name}:{error.lineno}: is cut short or damaged", seen=error.msg) from error
    except (OSError, ValueError) as error:
        raise SourceError(f"{name}:1: can't be read", seen=f"{type(error).__name__}: {error}") from error
    looks: dict[str, Snapshot] = {}

    def load(told: Any) -> Snapshot:
        key = json.dumps(told)
        if key not in looks:
            looks[key] = get_look(run_dir, told)
        return looks[key]

    try:
        if not isinstance(fields, dict) or fields.get("format") != _FORMAT:
            raise NotThat("format", f"an object with the format {_FORMAT}", str(fields)[:80])
        failures: list[JudgedFailure] = decode(list[JudgedFailure], fields.get("failures"), load, "failures")
    except NotThat as error:
        raise SourceError(f"{name}:{_line_of(text, error.place)}: {error.tried}", seen=error.seen) from error
    except SourceError as error:
        raise SourceError(f"{error.tried} (named in {name})", seen=error.seen, likely=error.likely) from error
    return failures


def _line_of(text: str, place: str) -> int:
    """The line of a field; the first one of that name, which is good enough to find a mistake."""
    field = re.sub(r"\[\d+\]", "", place).rpartition(".")[2]
    return next((number for number, line in enumerate(text.splitlines(), 1) if f'"{field}":' in line), 1)
