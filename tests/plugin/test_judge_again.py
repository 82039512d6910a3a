"""What a live run stores is judged again to the same verdicts, in every part."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pytest_apex.evidence.cases import read_cases
from pytest_apex.reports.rejudge import judge_run
from pytest_apex.reports.results import read_results
from pytest_apex.testing import last_run
from pytest_apex.verify.judge import judge

Project = Callable[..., pytest.RunResult]

#: Failures of all sorts, among them ones whose words and pixels are secret.
TESTS = """
    import pytest
    from pytest_apex import expect

    def test_dead_or_crashed(device):
        device.tap("Go")
        expect(device.find("Done")).to_be_visible()

    def test_missing(device):
        expect(device.find("Helo")).to_be_visible()

    def test_value(device):
        device.find(id="typed").fill("conf-secret-55 is typed")
        expect(device.find(id="typed")).to_have_value("conf-secret-56")

    def test_password(device):
        device.find(id="pin").fill("hunter2-word")
        expect(device.find(id="hello")).to_have_text("hunter2-word")

    def test_app_by_a_secret_word(device):
        device.find(id="typed").fill("small", secret=True)
        assert device.find(id="hello").text == "small"

    def test_looks(device):
        expect(device.screen).to_match_tree("never approved")

    def test_own_mistake(device):
        nonsense

    def test_refused(device):
        device.press("no such key")

    @pytest.fixture
    def late(device):
        yield
        device.find(id="typed").fill("Hello", secret=True)
        raise RuntimeError("cleaning failed")

    def test_secret_that_is_learnt_late(late, device):
        expect(device.find(id="hello")).to_have_text("Goodbye")

    @pytest.mark.xfail(strict=True)
    def test_passes_against_its_mark(device):
        pass

    @pytest.mark.xfail
    def test_known(device):
        expect(device.find("nowhere")).to_be_visible(timeout=1)
"""


def assert_same(run: Path) -> None:
    result = judge_run(run)
    assert (result.changes, result.damage, result.without, result.reworded) == ([], [], [], 0)
    assert result.same >= 9


@pytest.mark.parametrize("fault", ["", "dead_button", "crash_on_tap", "device_lost", "permission_dialog", "lost_touch"])
def test_the_same_verdicts(small: Project, pytester: pytest.Pytester, fault: str) -> None:
    device = f"virtual?fault={fault}" if fault else "virtual"
    small(TESTS, f"--device={device}", "-o", "apex_redact=conf-secret-55")
    assert_same(last_run(pytester.path))


@pytest.mark.parametrize("more", [("-n2",), ("--apex-keep=always",), ("--apex-fail-on=functional,crash",)])
def test_with_other_options(small: Project, pytester: pytest.Pytester, more: tuple[str, ...]) -> None:
    small(TESTS, *more, plugins=("xdist",) if "-n2" in more else ())
    assert_same(last_run(pytester.path))


def test_each_answer_of_each_rule_is_the_same(small: Project, pytester: pytest.Pytester) -> None:
    """Not the decision alone: what every rule answered, and the evidence it read."""
    small("def test_it(device):\n    device.tap('Go')\n    assert device.find('Done').text == 'no'\n")
    run = last_run(pytester.path)
    (record,) = read_results(run)
    (failure,) = read_cases(run, record.folder)
    assert failure.case is not None
    assert replace(judge(failure.case), notes=()) == replace(record.verdict, notes=())


def test_nothing_is_kept_under_never(small: Project, pytester: pytest.Pytester) -> None:
    small("def test_it(device):\n    nonsense\n", "--apex-keep=never")
    run = last_run(pytester.path)
    assert not list(run.rglob("case.json"))
    assert judge_run(run).without == ["test_it.py::test_it#1: the run was made with --apex-keep never"]


def test_a_passing_run_stores_no_case(small: Project, pytester: pytest.Pytester) -> None:
    small("def test_it(device):\n    device.tap('Go')\n")
    assert not list(last_run(pytester.path).rglob("case.json"))


def test_a_hook_that_breaks_keeps_the_case_away(small: Project, pytester: pytest.Pytester) -> None:
    breaks = "def pytest_apex_redact(snapshot):\n    raise ValueError('no idea')\n"
    small({"conftest.py": breaks, "test_it.py": "def test_it(device):\n    assert device.find('Hello').text == 'x'\n"})
    (record,) = read_results(last_run(pytester.path))
    assert record.verdict.kind == "functional.assertion"
    assert any("can't keep the picture" in line for line in record.also)
    # The log is no picture, and masked by what is known to be secret: no hook has to look at it.
    assert {artifact.kind for artifact in record.evidence} == {"log"}
    assert {path.name for path in last_run(pytester.path).rglob("store/*")} == {Path(record.evidence[0].path).name}
