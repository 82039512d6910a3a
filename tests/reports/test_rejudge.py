"""Runs judged again: what changed is told, what is damaged is said with its line, and the rest is judged."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.errors import ConfigError
from pytest_apex.evidence.cases import JudgedFailure, write_cases
from pytest_apex.evidence.store import Store, attempt_folder
from pytest_apex.model.case import Case, CrashRecord, Failure
from pytest_apex.model.verdict import Attempt, Outcome, Verdict
from pytest_apex.reports import rejudge
from pytest_apex.reports.rejudge import judge_run, write_changes
from pytest_apex.reports.results import ResultsWriter, read_results
from pytest_apex.verify.judge import judge

WRONG = Case(Failure("error", "KeyError: 'x'", exception="KeyError"))
CRASHED = Case(
    Failure("error", "cleaning failed", exception="RuntimeError"), app="com.example.notes", pid=5, pid_now=0,
    records=(CrashRecord("com.example.notes", 5, "java", "boom", 1.0),),
)  # fmt: skip


class Run:
    """A run made from values."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results = ResultsWriter(folder)

    def add(self, name: str, *cases: tuple[str, Case], verdict: Verdict | None = None, stored: bool = True) -> str:
        """A failing attempt; its verdict is that of its first case, or the one given."""
        test = f"tests/test_it.py::{name}"
        folder = attempt_folder(test, 1)
        if stored:
            failures = [JudgedFailure(phase, case) for phase, case in cases]
            write_cases(self.folder / folder, Store(self.folder), failures)
        told = verdict or judge(cases[0][1])
        self.results.attempt(Attempt(test, 1, "failed", told, folder=folder))
        return folder


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path / "run")


def spoil(path: Path, change: Callable[[bytes], bytes]) -> None:
    path.write_bytes(change(path.read_bytes()))


def test_nothing_changed(run: Run) -> None:
    run.add("test_a", ("call", WRONG))
    run.add("test_b", ("call", CRASHED))
    run.results.attempt(Attempt("tests/test_it.py::test_c", 1, "passed", Verdict(Outcome.PASS)))
    result = judge_run(run.folder)
    assert (result.changes, result.same, result.passed) == ([], 2, 1)
    assert (result.damage, result.without, result.reworded) == ([], [], 0)


def test_a_rule_that_changed(run: Run) -> None:
    old = judge(WRONG)
    run.add("test_a", ("call", WRONG), verdict=replace(old, kind="test.setup"))
    run.add("test_b", ("call", WRONG))
    (change,) = judge_run(run.folder).changes
    assert (change.old.kind, change.new.kind, change.line) == ("test.setup", "test.error", 1)


def test_other_words_are_no_change(run: Run) -> None:
    run.add("test_a", ("call", WRONG), verdict=replace(judge(WRONG), reason="said otherwise"))
    result = judge_run(run.folder)
    assert (result.changes, result.same, result.reworded) == ([], 1, 1)


@pytest.mark.parametrize("field", ["suspect", "outcome", "rules"])
def test_what_is_a_change(run: Run, field: str) -> None:
    other: dict[str, Any] = {"suspect": "test", "outcome": Outcome.UNSURE, "rules": ()}
    run.add("test_a", ("call", WRONG), verdict=replace(judge(WRONG), **{field: other[field]}))
    assert len(judge_run(run.folder).changes) == 1


def test_the_worst_phase_decides(run: Run) -> None:
    """A crash in the tear-down is worse than an error in the call."""
    run.add("test_a", ("call", WRONG), ("teardown", CRASHED), verdict=judge(CRASHED))
    assert judge_run(run.folder).same == 1


def test_a_verdict_that_no_rule_gave_stays(run: Run) -> None:
    strict = Verdict(Outcome.FAIL, None, "test.xpass", "it passed")
    folder = run.add("test_a", verdict=strict, stored=False)
    write_cases(run.folder / folder, Store(run.folder), [JudgedFailure("call", None, strict)])
    assert judge_run(run.folder).same == 1


def test_without_a_case(run: Run) -> None:
    run.add("test_a", ("call", WRONG), stored=False)
    run.add("test_b", ("call", WRONG))
    result = judge_run(run.folder)
    assert result.same == 1
    (line,) = result.without
    assert line.startswith("tests/test_it.py::test_a#1: no case.json in tests/")


def test_a_run_that_kept_nothing_says_so(run: Run) -> None:
    run.add("test_a", ("call", WRONG), stored=False)
    options = {"keep": {"value": "never", "origin": "command line"}}
    (run.folder / "run.json").write_text(json.dumps({"options": options}), "utf-8")
    assert judge_run(run.folder).without == ["tests/test_it.py::test_a#1: the run was made with --apex-keep never"]


def test_a_torn_line(run: Run) -> None:
    """The attempt is judged from its own file."""
    run.add("test_a", ("call", WRONG))
    folder = run.add("test_b", ("call", WRONG))
    spoil(run.folder / "results.jsonl", lambda data: data[:-40])
    result = judge_run(run.folder)
    assert result.same == 2
    assert result.damage[0].startswith("results.jsonl:2: is cut short")
    assert result.damage[1] == f"{folder}/verdict.json:1: its line in results.jsonl is missing; judged from here"


def test_a_line_that_is_no_attempt(run: Run) -> None:
    run.add("test_a", ("call", WRONG))
    spoil(run.folder / "results.jsonl", lambda data: b'{"verdict": "fail"}\n' + data)
    result = judge_run(run.folder)
    assert result.same == 1
    assert result.damage[0].startswith("results.jsonl:1: can't read the record of an attempt")


def test_a_damaged_case_and_a_damaged_verdict(run: Run) -> None:
    broken = run.add("test_a", ("call", WRONG))
    odd = run.add("test_b", ("call", WRONG))
    run.add("test_c", ("call", WRONG))
    spoil(run.folder / broken / "case.json", lambda data: data[:60])
    spoil(run.folder / odd / "verdict.json", lambda data: data[:60])
    result = judge_run(run.folder)
    assert result.same == 2
    assert sorted(line.partition(":")[0] for line in result.damage) == [f"{broken}/case.json", f"{odd}/verdict.json"]
    assert all(line.partition(":")[2].partition(":")[0].isdigit() for line in result.damage)


def test_a_case_that_breaks_a_rule(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = run.add("test_a", ("call", WRONG))
    run.add("test_b", ("call", CRASHED))

    def fragile(case: Case) -> Verdict:
        if case == WRONG:
            raise IndexError("out of range")
        return judge(case)

    monkeypatch.setattr(rejudge, "judge", fragile)
    result = judge_run(run.folder)
    assert result.same == 1
    assert result.damage == [f"{folder}/case.json:1: can't be judged (IndexError: out of range)"]


def test_several_processes_say_the_same_as_one(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.add("test_a", ("call", WRONG), verdict=replace(judge(WRONG), kind="test.setup"))
    run.add("test_b", ("call", CRASHED))
    run.add("test_c", ("call", WRONG), stored=False)
    spoil(run.folder / run.add("test_d", ("call", WRONG)) / "case.json", lambda data: data[:60])
    alone = judge_run(run.folder)
    monkeypatch.setattr(rejudge, "_WORTH_PROCESSES", 2)
    assert judge_run(run.folder, processes=2) == alone
    assert (len(alone.changes), alone.same, len(alone.without), len(alone.damage)) == (1, 1, 1, 1)


def test_where_no_process_can_be_started_it_is_judged_here(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    run.add("test_a", ("call", WRONG))
    asked = []

    def refused(*_args: object, **_more: object) -> None:
        asked.append(True)
        raise OSError("no semaphores here")

    monkeypatch.setattr(rejudge, "_WORTH_PROCESSES", 1)
    monkeypatch.setattr(rejudge, "ProcessPoolExecutor", refused)
    assert judge_run(run.folder, processes=2).same == 1
    assert asked


def test_killed_before_the_results_were_written(run: Run) -> None:
    """Without results.jsonl, and without one verdict: nothing is lost."""
    run.add("test_a", ("call", WRONG))
    begun = run.add("test_b", ("call", WRONG))
    under_way = run.folder / attempt_folder("tests/test_it.py::test_c", 1)
    under_way.mkdir(parents=True)
    (run.folder / "results.jsonl").unlink()
    (run.folder / begun / "verdict.json").unlink()
    result = judge_run(run.folder)
    assert result.same == 1
    said = "\n".join(result.damage)
    assert "results.jsonl:1: FileNotFoundError" in said
    assert f"{begun}/verdict.json:1: no verdict is stored; judged now: test.error: KeyError: 'x'" in said
    assert "no verdict is stored; the run was cut off while it ran" in said


def test_no_run(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="there is no run in"):
        judge_run(tmp_path)
    with pytest.raises(ConfigError, match="there is no run in"):
        judge_run(tmp_path / "nowhere")
    (tmp_path / "tests" / "unit").mkdir(parents=True)  # a project's own
    with pytest.raises(ConfigError, match="there is no run in"):
        judge_run(tmp_path)


def test_written_verdicts_are_those_of_now(run: Run) -> None:
    run.add("test_a", ("call", WRONG), verdict=replace(judge(WRONG), kind="test.setup", notes=("observed",)))
    folder = run.add("test_b", ("call", WRONG))
    spoil(run.folder / "results.jsonl", lambda data: data + b'{"torn')
    before = (run.folder / "results.jsonl").read_bytes().splitlines()
    write_changes(run.folder, judge_run(run.folder).changes)
    after = (run.folder / "results.jsonl").read_bytes().splitlines()
    assert after[1:] == before[1:]
    assert after[2] == b'{"torn'
    changed, other = read_results(run.folder)
    assert changed.verdict.kind == "test.error"
    assert changed.verdict.notes == ("observed",)
    assert changed.also == ("judged again: it was test.setup",)
    assert other.also == ()
    assert other.folder == folder
    assert judge_run(run.folder).changes == []
