"""`pytest-apex judge RUN_DIR`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pytest_apex.cli import main
from pytest_apex.evidence.cases import JudgedFailure, write_cases
from pytest_apex.evidence.store import Store, attempt_folder
from pytest_apex.model.case import Case, Failure
from pytest_apex.model.verdict import Attempt
from pytest_apex.reports.results import ResultsWriter, read_results
from pytest_apex.reports.runs import point_latest
from pytest_apex.verify.judge import judge

CASE = Case(Failure("error", "KeyError: 'x'", exception="KeyError"))
TEST = "tests/test_it.py::test_a"


def make_run(folder: Path, kind: str = "test.error") -> Path:
    own = attempt_folder(TEST, 1)
    write_cases(folder / own, Store(folder), [JudgedFailure("call", CASE)])
    ResultsWriter(folder).attempt(Attempt(TEST, 1, "failed", replace(judge(CASE), kind=kind), folder=own))
    return folder


def test_nothing_changed_ends_with_0(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(make_run(tmp_path))]) == 0
    assert capsys.readouterr().out == "1 judged again: 0 changed, 1 the same\n"


def test_a_change_is_told_and_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(make_run(tmp_path, "test.setup"))]) == 1
    told = capsys.readouterr().out.splitlines()
    assert told[0] == f"{TEST}#1"
    assert told[1].strip() == "test.setup → test.error   (rule: not the app's)"
    assert told[2].strip().startswith("was: KeyError")
    assert told[3].strip().startswith("now: KeyError")
    assert told[-1] == "1 judged again: 1 changed, 0 the same"
    assert read_results(tmp_path)[0].verdict.kind == "test.setup"


def test_write_puts_it_on_record(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_run(tmp_path, "test.setup")
    assert main(["judge", str(tmp_path), "--write"]) == 1
    assert "written to" in capsys.readouterr().out
    assert read_results(tmp_path)[0].verdict.kind == "test.error"
    assert main(["judge", str(tmp_path)]) == 0


def test_damage_alone_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    make_run(tmp_path)
    with (tmp_path / "results.jsonl").open("ab") as file:
        file.write(b'{"test": "tests/test_')
    assert main(["judge", str(tmp_path)]) == 2
    said = capsys.readouterr()
    assert said.err.startswith("results.jsonl:2: is cut short or damaged")
    assert "1 the same; 1 place damaged" in said.out


def test_no_run_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", str(tmp_path / "nowhere")]) == 2
    assert "there is no run in" in capsys.readouterr().err


def test_the_last_run_by_its_pointer(tmp_path: Path) -> None:
    home = tmp_path / ".apex"
    run = make_run(home / "runs" / "20261130T120000Z-ab12")
    point_latest(home, run)
    assert main(["judge", str(home / "latest")]) == 0
