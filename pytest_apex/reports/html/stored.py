"""What the folder of a run tells of its attempts, as values for the page. Reads only; what is damaged is said."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pytest_apex.errors import ApexError
from pytest_apex.evidence.cases import CASE_FILE
from pytest_apex.evidence.journal import read_journal
from pytest_apex.model.verdict import Attempt, Outcome, Verdict
from pytest_apex.reports.rejudge import attempt_folders, stored_attempts

#: Events that are told otherwise, or tell nothing to a reader.
_SILENT = frozenset({"closed", "evidence", "web_driver"})
_CUT_OFF = "the run was cut off while this test ran: its last step is maybe done"


@dataclass
class Act:
    """A step as the journal has it; not `done`: it was begun and maybe done. `pictures` are kind → path."""

    id: str
    named: str
    purpose: str = ""
    source: str = ""
    done: bool = False
    expected: str = ""
    change: str = ""
    effect: str = ""
    note: str = ""
    took_ms: float | None = None
    pictures: dict[str, str] = field(default_factory=dict)


@dataclass
class Said:
    """Anything else that happened: a check (`holds`), or an event by its name."""

    what: str
    words: str
    holds: bool | None = None
    pictures: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class StoredAttempt:
    """An attempt, all that happened in it, and what was raised: (phase, message) each."""

    attempt: Attempt
    story: tuple[Act | Said, ...] = ()
    raised: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class StoredPage:
    """All that a page is made from. `described` is `run.json`; `damage` what could not be read."""

    run_dir: Path
    described: Mapping[str, Any]
    attempts: tuple[StoredAttempt, ...] = ()
    damage: tuple[str, ...] = ()


def read_page(run_dir: Path) -> StoredPage:
    """Read a stored run, even one that was killed. Raises `ConfigError` for a folder that is none."""
    damage: list[str] = []
    attempts = [attempt for _line, attempt in stored_attempts(run_dir, damage)]
    told = {attempt.folder for attempt in attempts}
    attempts += [_cut_off(folder) for folder in attempt_folders(run_dir) if folder not in told]
    described = _json(run_dir / "run.json")
    if not isinstance(described, dict):
        damage.append("run.json can't be read: what is known of devices and options is in it")
        described = {}
    stored = tuple(
        StoredAttempt(attempt, tuple(_story(run_dir, attempt.folder)), tuple(_raised(run_dir, attempt.folder)))
        for attempt in attempts
    )
    return StoredPage(run_dir, described, stored, tuple(damage))


def _cut_off(folder: str) -> Attempt:
    name, _, number = folder.rpartition("/attempt-")
    n = int(number) if number.isdecimal() else 1
    return Attempt(name.rpartition("/")[2], n, "cut off", Verdict(Outcome.NOT_RUN, reason=_CUT_OFF), folder=folder)


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None


def _raised(run_dir: Path, folder: str) -> list[tuple[str, str]]:
    """What each failing phase raised, in its own words: tried, seen, likely, try."""
    stored = _json(run_dir / folder / CASE_FILE)
    failures = stored.get("failures") if isinstance(stored, dict) else None
    found = []
    for failure in failures if isinstance(failures, list) else ():
        try:
            found.append((str(failure["phase"]), str(failure["case"]["failure"]["message"])))
        except (KeyError, TypeError):  # noqa: PERF203 - judged without a case, or damaged: the reason is told anyway
            continue
    return found


def _story(run_dir: Path, folder: str) -> list[Act | Said]:
    try:
        events = read_journal(run_dir / folder / "steps.jsonl")
    except ApexError:
        return []  # nothing was done, as in a test whose set-up failed before the device was touched
    acts: dict[str, Act] = {}
    story: list[Act | Said] = []
    for event in events:
        step = str(event.get("step") or "")
        name = str(event.get("event") or "")
        if name in ("intent", "done"):
            if step not in acts:
                acts[step] = Act(step, str(event.get("named") or ""))
                story.append(acts[step])
            _tell(acts[step], event, done=name == "done")
        if name == "evidence" and step in acts:
            acts[step].pictures |= _pictures(event)
        elif name not in ("intent", "done", *_SILENT):
            story.append(_said(name, event))
    return story


def _tell(act: Act, event: Mapping[str, Any], *, done: bool) -> None:
    act.named = str(event.get("named") or act.named)
    act.purpose = str(event.get("purpose") or act.purpose)
    act.source = str(event.get("source") or act.source)
    if not done:
        return
    change, took = event.get("change"), event.get("took_ms")
    act.done = True
    act.expected = str(event.get("expected_outcome") or "")
    act.change = str(change.get("words") or "") if isinstance(change, dict) else ""
    act.effect = str(event.get("effect") or "")
    act.note = str(event.get("note") or "")
    act.took_ms = float(took) if isinstance(took, int | float) else None
    act.pictures |= _pictures(event)


def _pictures(event: Mapping[str, Any]) -> dict[str, str]:
    kept = event.get("evidence")
    return {
        str(item["kind"]): str(item["path"])
        for item in (kept if isinstance(kept, list) else ())
        if isinstance(item, dict) and item.get("path") and item.get("media_type") == "image/png"
    }


def _said(name: str, event: Mapping[str, Any]) -> Said:
    if name == "check":
        holds, seen = event.get("holds") is True, str(event.get("seen") or "")
        return Said("check", str(event.get("claim") or "") + (f"; seen: {seen}" if seen and not holds else ""), holds)
    if name == "attached":
        return Said("attached", str(event.get("caption") or ""), pictures=_pictures(event))
    facts = (f"{key}={value}" for key, value in event.items() if key not in ("event", "time") and value)
    return Said(name.replace("_", " "), ", ".join(facts))
