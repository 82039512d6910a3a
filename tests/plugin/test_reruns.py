"""pytest-rerunfailures: each attempt has its own number, record and evidence."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]

FLAKY = """
tries = []

def test_flaky(device):
    tries.append(1)
    device.tap("Go")
    assert device.find("Done").text == "no" or len(tries) > 1
"""
FLAKY_SET_UP = """
import pytest

tries = []

@pytest.fixture
def login(device):
    tries.append(1)
    assert device.find("Hello").text == "no" or len(tries) > 1

def test_flaky(login):
    pass
"""


@pytest.mark.parametrize("test", [FLAKY, FLAKY_SET_UP], ids=["call", "set-up"])
@pytest.mark.parametrize("workers", [(), ("-n1",)], ids=["alone", "xdist"])
def test_fails_then_passes(small: Project, pytester: pytest.Pytester, workers: tuple[str, ...], test: str) -> None:
    plugins = ("rerunfailures", "xdist") if workers else ("rerunfailures",)
    result = small(test, "--reruns=2", *workers, plugins=plugins)
    assert result.ret == 0
    records = results_of(pytester.path)
    assert [(record["attempt"], record["verdict"]) for record in records] == [(1, "fail"), (2, "pass")]
    assert records[0]["kind"] == "functional.assertion"
    folders = [last_run(pytester.path) / record["folder"] for record in records]
    assert [folder.name for folder in folders] == ["attempt-1", "attempt-2"]
    assert all((folder / "steps.jsonl").is_file() and (folder / "verdict.json").is_file() for folder in folders)
    assert "went differently when run again" in result.stdout.str()


def test_never_passes(small: Project, pytester: pytest.Pytester) -> None:
    result = small("def test_it(device):\n    nonsense\n", "--reruns=2", plugins=("rerunfailures",))
    result.stdout.fnmatch_lines(["*1 failed, 2 rerun*"])
    assert [record["attempt"] for record in results_of(pytester.path)] == [1, 2, 3]
