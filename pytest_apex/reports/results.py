"""Attempts as plain dictionaries, and the files of a run that hold them: results.jsonl, run.json, verdict.json."""

from __future__ import annotations

import json
import platform
from collections.abc import Mapping, Sequence
from datetime import datetime, timezone
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from pytest_apex.errors import SourceError
from pytest_apex.evidence.journal import LineFile, read_journal
from pytest_apex.evidence.plain import plain
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import attempt_folder, write_atomic
from pytest_apex.model.run import RunInfo
from pytest_apex.model.step import Step
from pytest_apex.model.verdict import Artifact, Attempt, Category, Outcome, RuleAnswer, Verdict

#: Key of `Attempt.facts`: what `--apex-fail-on` left out (`transient`, `unsure`, `visual`), for an attempt that is
#: reported as xfailed because of it.
LEFT_OUT = "left_out"
#: Key of `Attempt.facts`: the app manuals that were used, and by what each was found; one a line.
MANUALS = "manuals"
#: What was done although it can't be undone, by name; words of touched controls that say so. One a line each time.
UNDONE, SUSPICIOUS = "irreversible", "destructive_words"
#: Approved pictures and trees that were asked for, one a line, and the folder of all: from the project's folder on.
BASELINES, BASELINE_FOLDER = "baselines", "baseline_folder"
#: Those that were written, one a line each time.
BASELINES_WRITTEN = "baselines_written"
#: Packages whose versions a run is described by.
_PACKAGES = ("pytest", "pytest-xdist", "Appium-Python-Client", "uiautomator2", "allure-pytest", "pillow", "lxml")


def attempt_to_dict(attempt: Attempt) -> dict[str, Any]:
    """One line of `results.jsonl`; also what crosses from an xdist worker. Nothing but JSON's own types."""
    verdict = attempt.verdict
    return {
        "test": attempt.test,
        "outcome": attempt.outcome,
        "verdict": verdict.outcome.value,
        "category": verdict.category.value if verdict.category is not None else None,
        "kind": verdict.kind,
        "reason": verdict.reason,
        "suspect": verdict.suspect,
        "device": attempt.device,
        "attempt": attempt.n,
        "duration_s": round(attempt.duration_s, 3),
        "evidence": [plain(artifact) for artifact in attempt.evidence],
        "also": list(attempt.also),
        "notes": list(verdict.notes),
        "try": verdict.cure,
        "phase": attempt.phase,
        "folder": attempt.folder,
        "facts": dict(attempt.facts),
        "rules": [plain(answer) for answer in verdict.rules],
    }


def attempt_from_dict(fields: Mapping[str, Any]) -> Attempt:
    """The attempt that `attempt_to_dict` was given. Raises `SourceError` for a dictionary that is none."""
    try:
        return Attempt(
            test=str(fields["test"]),
            n=int(fields["attempt"]),
            outcome=str(fields["outcome"]),
            verdict=_verdict(fields),
            device=str(fields.get("device", "")),
            duration_s=float(fields.get("duration_s", 0.0)),
            folder=str(fields.get("folder", "")),
            evidence=tuple(Artifact(**item) for item in fields.get("evidence", ())),
            also=tuple(fields.get("also", ())),
            phase=str(fields.get("phase", "call")),
            facts={str(name): str(value) for name, value in fields.get("facts", {}).items()},
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise SourceError(
            "can't read the record of an attempt",
            seen=f"{type(error).__name__}: {error} in {str(fields)[:160]}",
            likely="it was written by another version of pytest-apex, or cut short",
        ) from error


def _verdict(fields: Mapping[str, Any]) -> Verdict:
    category = fields.get("category")
    rules = (dict(rule) for rule in fields.get("rules", ()))
    return Verdict(
        outcome=Outcome(fields["verdict"]),
        category=None if category is None else Category(category),
        kind=str(fields.get("kind", "")),
        reason=str(fields.get("reason", "")),
        rules=tuple(RuleAnswer(**{**rule, "evidence": tuple(rule.get("evidence", ()))}) for rule in rules),
        suspect=str(fields.get("suspect", "")),
        notes=tuple(fields.get("notes", ())),
        cure=str(fields.get("try", "")),
    )


def key_of(attempt: Attempt) -> str:
    """What attempts of one test have in common. The folder tells tests apart whose masked ids are the same."""
    return attempt.folder.rpartition("/")[0] or attempt.test


def read_results(run_dir: Path) -> list[Attempt]:
    """All attempts of a stored run, in the order they ended. A line cut short is left out. Raises `ApexError` when
    there is no such run."""
    lines = read_journal(run_dir / "results.jsonl")
    return [attempt_from_dict(fields) for fields in lines if fields.get("event") != "torn"]


class ResultsWriter:
    """Writes `results.jsonl`, `run.json` and each attempt's `verdict.json`; a `Sink`. Under pytest-xdist the
    controller alone has one. Raises `ApexError` when the folder can't be written."""

    def __init__(self, run_dir: Path, redactor: Redactor | None = None) -> None:
        self._run_dir = run_dir
        self._redactor = redactor or Redactor()
        self._lines = LineFile(run_dir / "results.jsonl")
        self._run: RunInfo | None = None
        self._counts: dict[str, int] = {}

    def open(self, run: RunInfo) -> None:
        self._run = run
        self._write_run(ended="")

    def step(self, attempt_key: str, step: Step) -> None:
        """Steps are in the attempt's journal already."""

    def attempt(self, attempt: Attempt, steps: Sequence[Step] = ()) -> None:  # noqa: ARG002 - journal has them
        fields = self._redactor.value(attempt_to_dict(attempt))
        self._counts[attempt.outcome] = self._counts.get(attempt.outcome, 0) + 1
        self._lines.append(fields)
        folder = attempt.folder or attempt_folder(attempt.test, attempt.n)
        self._write(f"{folder}/verdict.json", fields)

    def close(self) -> None:
        self._lines.close()
        if self._run is not None:
            self._write_run(ended=datetime.now(timezone.utc).isoformat(timespec="seconds"))

    def _write_run(self, ended: str) -> None:
        assert self._run is not None
        self._write("run.json", self._redactor.value(run_to_dict(self._run) | {"ended": ended, "counts": self._counts}))

    def _write(self, name: str, fields: Mapping[str, Any]) -> None:
        write_atomic(self._run_dir / name, file_text(fields))


def file_text(fields: Mapping[str, Any]) -> bytes:
    """What `run.json` and `verdict.json` hold: JSON for people."""
    return json.dumps(fields, indent=2, ensure_ascii=False).encode("utf-8", "backslashreplace") + b"\n"


def run_to_dict(run: RunInfo) -> dict[str, Any]:
    """What `run.json` says of a run, its end aside."""
    return {
        "version": run.version,
        "started": run.started,
        "seed": run.seed,
        "devices": [plain(device) for device in run.devices],
        "options": {name: {"value": value, "origin": origin} for name, (value, origin) in run.options.items()},
        "manuals": list(run.manuals),
        "versions": versions(),
        "folder": run.folder,
    }


def versions() -> dict[str, str]:
    """Versions of Python, the host and the packages that matter; one that is not installed is left out."""
    installed = {name: _version(name) for name in _PACKAGES}
    facts = {"python": platform.python_version(), "host": platform.platform(terse=True), **installed}
    return {name: text for name, text in facts.items() if text}


@cache
def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
