"""`pytest-apex report RUN_DIR`."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_apex.cli import main
from pytest_apex.model.verdict import Attempt, Outcome, Verdict
from pytest_apex.reports.results import ResultsWriter
from pytest_apex.reports.runs import point_latest


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / ".apex" / "runs" / "one"
    ResultsWriter(folder).attempt(Attempt("tests/test_it.py::test_a", 1, "passed", Verdict(Outcome.PASS)))
    point_latest(tmp_path / ".apex", folder)
    return folder


def test_it_says_where_the_page_is(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run)]) == 0
    assert capsys.readouterr().out == f"{run / 'report.html'}\n"
    assert "tests/test_it.py::test_a" in (run / "report.html").read_text("utf-8")


def test_the_last_run_and_another_file(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["report", str(tmp_path / ".apex" / "latest"), "--out", str(page)]) == 0
    assert capsys.readouterr().out == f"{page}\n"
    assert page.is_file()
    assert not (run / "report.html").exists()


def test_a_folder_without_a_run_is_one_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(tmp_path)]) == 1
    told = capsys.readouterr().err
    assert told.startswith(f"pytest-apex report: there is no run in {tmp_path}\n")
    assert "neither results.jsonl nor attempts in tests/" in told
