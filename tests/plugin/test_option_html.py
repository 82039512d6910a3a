"""`--apex-html FILE`: the report as one page, written at the end of a run by the process in charge."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from pytest_apex.testing import last_run

Project = Callable[..., pytest.RunResult]

TESTS = """
from pytest_apex import expect

def test_fails(device):
    device.find(id="pin").fill("sesame-4711-x", purpose="sesame-4711-x")
    device.tap("Stay")
    expect(device.find("Done")).to_be_visible(timeout=0.2)

def test_passes(device):
    device.tap("Go")
"""
HOSTILE_APP = """
    app: com.example.small
    name: Small
    version: 1.0.0
    size: {width: 360, height: 640, density: 1.0}
    start: main
    screens:
      main:
        title: "</script><script>alert(1)</script>"
        controls:
          - {role: button, id: go, text: "<script>alert(2)</script><img src=x onerror=alert(3)>", on_tap: {goto: main}}
"""


def test_the_page_tells_the_run_and_no_secret(small: Project, pytester: pytest.Pytester) -> None:
    result = small(TESTS, "--apex-html=out/report.html")
    result.assert_outcomes(passed=1, failed=1)
    page = (pytester.path / "out" / "report.html").read_text("utf-8")
    result.stdout.fnmatch_lines(["report: *report.html"])
    assert "functional.missing_element" in page
    assert "test_it.py::test_passes" in page
    assert "tap &quot;Stay&quot;" in page
    assert "<symbol" in page
    assert "sesame" not in page
    assert "•••" in page


def test_texts_of_the_app_are_no_markup(project: Project, pytester: pytest.Pytester) -> None:
    test = """
    def test_it(device):
        device.find(id="go").tap()
        assert device.find(id="go").text == "no"
    """
    config = "[pytest]\napex_app = com.example.small\napex_device = virtual\napex_html = report.html\n"
    project({"app.yaml": HOSTILE_APP, "pytest.ini": config, "test_it.py": test}).assert_outcomes(failed=1)
    page = (pytester.path / "report.html").read_text("utf-8")
    assert "alert(2)" in page
    assert page.count("<script") == 1
    assert "<img" not in page


def test_the_controller_alone_writes_it(small: Project, pytester: pytest.Pytester) -> None:
    small(TESTS, "-n2", "--apex-html=report.html", plugins=("xdist",)).assert_outcomes(passed=1, failed=1)
    page = (pytester.path / "report.html").read_text("utf-8")
    assert page.count('<details class="attempt') == 2
    assert "tap &quot;Stay&quot;" in page


def test_the_command_makes_the_same_page(small: Project, pytester: pytest.Pytester) -> None:
    small(TESTS, "--apex-html=.apex/a.html")
    command = [sys.executable, "-m", "pytest_apex", "report", ".apex/latest", "--out", ".apex/b.html"]
    done = subprocess.run(command, cwd=pytester.path, env=os.environ, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, ".apex/b.html\n", "")
    a, b = ((pytester.path / ".apex" / name).read_bytes() for name in ("a.html", "b.html"))
    assert a == b


def test_without_device_tests_the_page_says_so(project: Project, pytester: pytest.Pytester) -> None:
    project({"test_it.py": "def test_unit():\n    pass\n"}, "--apex-html=report.html").assert_outcomes(passed=1)
    assert "no test used a device" in (pytester.path / "report.html").read_text("utf-8")
    assert not (pytester.path / ".apex").exists()


def test_nothing_is_written_where_nothing_runs(small: Project, pytester: pytest.Pytester) -> None:
    small(TESTS, "--collect-only", "--apex-html=report.html")
    assert not (pytester.path / "report.html").exists()


def test_without_it_there_is_no_page(small: Project, pytester: pytest.Pytester) -> None:
    small(TESTS)
    assert list(last_run(pytester.path).rglob("*.html")) == []


def test_a_folder_is_refused_before_the_run(small: Project, pytester: pytest.Pytester) -> None:
    (pytester.path / "out").mkdir()
    result = small(TESTS, "--apex-html=out")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "--apex-html=out (command line): expected a file, but" in result.stderr.str()


def test_a_page_that_cant_be_written_fails_no_test(small: Project, pytester: pytest.Pytester) -> None:
    test = """
    from pathlib import Path

    def test_it(device):
        Path("report.html").mkdir()
    """
    result = small(test, "--apex-html=report.html")
    result.assert_outcomes(passed=1)
    result.stdout.fnmatch_lines(["trouble: --apex-html=*can't write the report*"])
