"""A stored run judged again by the present rules, without a device."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from pytest_apex.errors import ApexError, ConfigError, SourceError
from pytest_apex.evidence.cases import CASE_FILE, JudgedFailure, read_cases
from pytest_apex.evidence.journal import read_numbered
from pytest_apex.evidence.plain import json_line
from pytest_apex.evidence.store import attempt_folder, write_atomic
from pytest_apex.model.verdict import Attempt, Outcome, Verdict
from pytest_apex.reports.results import attempt_from_dict, attempt_to_dict, file_text
from pytest_apex.verify.judge import judge, weight

_RESULTS = "results.jsonl"
#: Starting processes takes as long as judging so many attempts.
_WORTH_PROCESSES = 40


@dataclass(frozen=True, slots=True)
class Change:
    """An attempt whose verdict is another one now. `line` is that of `results.jsonl`, 0 when it has none."""

    attempt: Attempt
    new: Verdict
    line: int = 0

    @property
    def old(self) -> Verdict:
        return self.attempt.verdict


@dataclass
class Rejudged:
    """What judging a run again came to.

    `same` attempts have the verdict they had; `reworded` of them say it in other words; `passed` had nothing to judge.
    `without` names attempts whose case was not stored, and why; `damage` is what could not be read, `file:line: …`.
    """

    changes: list[Change] = field(default_factory=list)
    same: int = 0
    reworded: int = 0
    passed: int = 0
    without: list[str] = field(default_factory=list)
    damage: list[str] = field(default_factory=list)


def deciding_rule(verdict: Verdict) -> str:
    """The rule that decided; "" for a verdict that none did."""
    return next((answer.rule for answer in verdict.rules if answer.decided), "")


def judge_run(run_dir: Path, processes: int = 1) -> Rejudged:
    """Judge each failing attempt of a stored run anew. Nothing is written. Raises `ConfigError` for a folder that is
    no run's.

    Up to so many `processes` share a large run; they import the caller's main module, which has to keep what it does
    under `if __name__ == "__main__"`.
    """
    result = Rejudged()
    never = _kept_never(run_dir)
    failing = []
    for line, attempt in stored_attempts(run_dir, result.damage):
        if attempt.verdict.outcome in (Outcome.PASS, Outcome.NOT_RUN):
            result.passed += 1
        else:
            failing.append((line, attempt))
    answers = _answers(run_dir, [attempt.folder for _, attempt in failing], processes)
    for (line, attempt), answer in zip(failing, answers, strict=True):
        _take(line, attempt, answer, never, result)
    return result


@dataclass(frozen=True, slots=True)
class _Answer:
    """What became of one attempt, as it comes back from another process. No `verdict`: what decides was never judged
    by rules; `missing`: no case is stored; `damage`: why it can't be judged."""

    verdict: Verdict | None = None
    missing: bool = False
    damage: str = ""


def _answers(run_dir: Path, folders: Sequence[str], processes: int) -> list[_Answer]:
    """Nearly all of the time is spent on decoding and reading pictures: work for all cores."""
    ask = partial(_answer, run_dir)
    if processes > 1 and len(folders) >= _WORTH_PROCESSES:
        try:
            with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
                return list(pool.map(ask, folders, chunksize=8))
        except (BrokenExecutor, OSError, ImportError):
            pass  # no semaphores, no room for a process, or one was killed: it takes longer here, and says the same
    return [ask(folder) for folder in folders]


def _answer(run_dir: Path, folder: str) -> _Answer:
    try:
        return _Answer(_judge_again(run_dir, folder))
    except FileNotFoundError:
        return _Answer(missing=True)
    except ApexError as error:
        return _Answer(damage=f"{error.tried}{f' ({error.seen})' if error.seen else ''}")
    except Exception as error:  # noqa: BLE001 - values that no capture has break rules in any way; the rest is judged
        return _Answer(damage=f"{folder}/{CASE_FILE}:1: can't be judged ({type(error).__name__}: {error})")


def _judge_again(run_dir: Path, folder: str) -> Verdict | None:
    return _verdict_now(read_cases(run_dir, folder))


def _take(line: int, attempt: Attempt, answer: _Answer, never: bool, result: Rejudged) -> None:
    new = answer.verdict
    if answer.missing:
        why = "the run was made with --apex-keep never" if never else f"no {CASE_FILE} in {attempt.folder}"
        result.without.append(f"{attempt.test}#{attempt.n}: {why}")
    elif answer.damage:
        result.damage.append(answer.damage)
    elif new is None:
        result.same += 1
    elif _what(new) == _what(attempt.verdict):
        result.same += 1
        result.reworded += new.reason != attempt.verdict.reason
    else:
        result.changes.append(Change(attempt, new, line))


def _verdict_now(failures: list[JudgedFailure]) -> Verdict | None:
    """The verdict on an attempt; None if what decides was never judged by rules (an xfail that passed)."""
    judged = [(failure.phase, judge(failure.case) if failure.case else failure.verdict) for failure in failures]
    told = [(phase, verdict) for phase, verdict in judged if verdict is not None]
    return min(told, key=lambda pair: weight(*pair))[1] if told else None


def _what(verdict: Verdict) -> tuple[object, ...]:
    """What makes two verdicts the same; sentences may be worded anew, and may have been masked."""
    return (verdict.outcome, verdict.category, verdict.kind, verdict.suspect, deciding_rule(verdict))


# Reading


def stored_attempts(run_dir: Path, damage: list[str]) -> Iterator[tuple[int, Attempt]]:
    """All attempts of a run: by `results.jsonl` (each with its line), then those whose line is missing, by their own
    `verdict.json`. What can't be read is added to `damage`. Raises `ConfigError` for a folder that is no run's."""
    # A project has a folder `tests`, too.
    if not (run_dir / _RESULTS).is_file() and not any(run_dir.glob("tests/*/attempt-*")):
        raise ConfigError(
            f"there is no run in {run_dir}",
            seen="neither results.jsonl nor attempts in tests/" if run_dir.is_dir() else "no such folder",
            cure="name the folder of a run, such as .apex/latest",
        )
    told: set[str] = set()
    for line, fields in _lines(run_dir, damage):
        place = f"{_RESULTS}:{line}"
        try:
            if fields.get("event") == "torn":
                raise SourceError("is cut short or damaged", seen=str(fields.get("text"))[:60])
            attempt = attempt_from_dict(fields)
        except SourceError as error:
            damage.append(f"{place}: {error.tried} ({error.seen})")
            continue
        attempt = replace(attempt, folder=attempt.folder or attempt_folder(attempt.test, attempt.n))
        told.add(attempt.folder)
        _check_own(run_dir, attempt.folder, damage)
        yield line, attempt
    for folder in attempt_folders(run_dir):
        if folder not in told:
            attempt_or_none = _by_its_own(run_dir, folder, damage)
            if attempt_or_none is not None:
                yield 0, attempt_or_none


def _lines(run_dir: Path, damage: list[str]) -> list[tuple[int, dict[str, Any]]]:
    try:
        return read_numbered(run_dir / _RESULTS)
    except ApexError as error:
        damage.append(f"{_RESULTS}:1: {error.seen}; attempts are read from their own folders")
        return []


def attempt_folders(run_dir: Path) -> list[str]:
    """The folders of all attempts, relative to the run's."""
    return sorted(path.relative_to(run_dir).as_posix() for path in (run_dir / "tests").glob("*/attempt-*"))


def _own_verdict(run_dir: Path, folder: str) -> Attempt | None:
    """The attempt as its `verdict.json` has it, None without one. Raises `SourceError` that begins with its place."""
    name = f"{folder}/verdict.json"
    try:
        return attempt_from_dict(json.loads((run_dir / name).read_bytes()))
    except FileNotFoundError:
        return None
    except json.JSONDecodeError as error:
        raise SourceError(f"{name}:{error.lineno}: is cut short or damaged ({error.msg})") from error
    except (OSError, ValueError) as error:
        raise SourceError(f"{name}:1: can't be read ({error})") from error
    except SourceError as error:
        raise SourceError(f"{name}:1: {error.tried} ({error.seen})") from error


def _check_own(run_dir: Path, folder: str, damage: list[str]) -> None:
    try:
        _own_verdict(run_dir, folder)
    except SourceError as error:
        damage.append(error.tried)


def _by_its_own(run_dir: Path, folder: str, damage: list[str]) -> Attempt | None:
    """An attempt that `results.jsonl` does not tell of: the run was killed before, or its line is damaged."""
    try:
        attempt = _own_verdict(run_dir, folder)
    except SourceError as error:
        attempt = None
        damage.append(error.tried)
    if attempt is None:
        damage.append(f"{folder}/verdict.json:1: no verdict is stored; {_now(run_dir, folder)}")
        return None
    damage.append(f"{folder}/verdict.json:1: its line in {_RESULTS} is missing; judged from here")
    return attempt


def _now(run_dir: Path, folder: str) -> str:
    """What an attempt without a verdict is called now, if its case is there."""
    try:
        verdict = _judge_again(run_dir, folder)
    except FileNotFoundError:
        return "the run was cut off while it ran"
    except ApexError as error:
        return error.tried
    return f"judged now: {verdict}" if verdict is not None else "nothing to judge"


def _kept_never(run_dir: Path) -> bool:
    try:
        options = json.loads((run_dir / "run.json").read_bytes())["options"]
        return bool(options["keep"]["value"] == "never")
    except (OSError, ValueError, KeyError, TypeError):
        return False  # not said, or not readable: then nothing is known of it


# Writing


def write_changes(run_dir: Path, changes: list[Change]) -> None:
    """Put the new verdicts into `results.jsonl` and each `verdict.json`; what they were is noted in `also`. Everything
    else stays as it is, damaged lines too. Raises `ApexError` when a file can't be written."""
    path = run_dir / _RESULTS
    lines = path.read_bytes().split(b"\n") if path.is_file() else []
    for change in changes:
        fields = attempt_to_dict(_updated(change))
        if change.line:
            lines[change.line - 1] = json_line(fields).rstrip(b"\n")
        write_atomic(run_dir / change.attempt.folder / "verdict.json", file_text(fields))
    if any(change.line for change in changes):
        write_atomic(path, b"\n".join(lines))


def _updated(change: Change) -> Attempt:
    attempt, old = change.attempt, change.old
    notes = (*change.new.notes, *(note for note in old.notes if note not in change.new.notes))
    also = (*attempt.also, f"judged again: it was {old.kind or old.outcome}")
    return replace(attempt, verdict=replace(change.new, notes=notes), also=also)
