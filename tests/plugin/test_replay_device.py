"""`--device=replay:RUN_DIR`: checks tried against what a run stored."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.reports.results import read_results
from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]

LIVE = """
    from pytest_apex import expect

    def test_go(device):
        device.tap("Go")
        expect(device.find("Done")).to_have_text("Finished")

    def test_typed(device):
        device.find(id="typed").fill("hello")
        assert device.find(id="typed").text == "no"
"""
#: The same tests as someone works on them, with what they look at alone.
LOOKING = """
    from pytest_apex import expect

    def test_go(device):
        expect(device.find("Done")).to_have_text("Done")
        expect(device.find("Hello")).to_be_hidden()
        expect(device.screen).to_have_no_defects()

    def test_typed(device):
        expect(device.find(id="typed")).to_have_text("hello")
        device.raw.show("step-002 before")
        expect(device.find(id="typed")).to_have_text("")

    def test_new(device):
        assert device.find(id="typed").text == "hello"

    def test_still_wrong(device):
        expect(device.find("Donne")).to_be_visible()

    def test_acts(device):
        device.tap("Go")
"""


@pytest.fixture
def stored(small: Project, pytester: pytest.Pytester) -> Callable[..., Path]:
    """A stored run of `LIVE`."""

    def make(*options: str, test: str = LIVE) -> Path:
        small(test, "--apex-artifacts=stored", *options)
        return pytester.path / "stored"

    return make


def test_checks_on_stored_screens(small: Project, pytester: pytest.Pytester, stored: Callable[..., Path]) -> None:
    stored()
    result = small(LOOKING, "--device=replay:stored")
    result.assert_outcomes(passed=3, failed=2)
    kinds = {line["test"].partition("::")[2]: line["kind"] for line in results_of(pytester.path)}
    assert kinds["test_acts"] == "test.capability"
    assert kinds["test_still_wrong"] == "functional.missing_element"
    assert "can't tap" in result.stdout.str()


def test_the_run_that_is_looked_at_stays_as_it_is(small: Project, stored: Callable[..., Path]) -> None:
    run = stored()
    before = {path: path.read_bytes() for path in run.rglob("*") if path.is_file()}
    small(LOOKING, "--device=replay:stored")
    assert {path: path.read_bytes() for path in run.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("fault", ["", "dead_button", "crash_on_tap", "permission_dialog"])
def test_a_check_fails_as_it_did(
    small: Project, pytester: pytest.Pytester, stored: Callable[..., Path], fault: str
) -> None:
    """The failing check alone, on what is stored, has the verdict that it had."""
    check = "expect(device.find('Done')).to_have_text('Finished', timeout=1)"
    live = f"from pytest_apex import expect\n\ndef test_it(device):\n    device.tap('Go', repeat=False)\n    {check}\n"
    run = stored(f"--device=virtual?fault={fault}" if fault else "--device=virtual", test=live)
    (was,) = (attempt.verdict for attempt in read_results(run))
    small(live.replace("    device.tap('Go', repeat=False)\n", ""), f"--device=replay:{run}")
    (now,) = results_of(pytester.path)
    assert (now["category"], now["kind"]) == (was.category, was.kind)


def test_the_last_run_by_its_pointer(small: Project, pytester: pytest.Pytester) -> None:
    small(LIVE)
    assert last_run(pytester.path).is_dir()
    small("def test_typed(device):\n    assert device.find(id='typed').text == 'hello'\n",
          "--device=replay:.apex/latest").assert_outcomes(passed=1)  # fmt: skip


def test_no_run_is_a_usage_error(small: Project) -> None:
    result = small(LIVE, "--device=replay:nowhere")
    assert result.ret == 4
    assert "there is no run in nowhere" in result.stdout.str() + result.stderr.str()


def test_under_xdist(small: Project, stored: Callable[..., Path]) -> None:
    stored()
    small(LOOKING, "--device=replay:stored", "-n2", plugins=("xdist",)).assert_outcomes(passed=3, failed=2)
