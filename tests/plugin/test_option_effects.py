"""Options that change what the device does, each seen from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.evidence.journal import read_journal
from pytest_apex.testing import last_run, results_of

Project = Callable[..., pytest.RunResult]

GOES = """
    from pytest_apex import expect

    def test_it(device):
        device.tap("Go")
        expect(device.find("Done")).to_be_visible()
        device.press("back")
"""


def record(pytester: pytest.Pytester) -> dict[str, Any]:
    (only,) = results_of(pytester.path)
    return only


def touch(pytester: pytest.Pytester) -> dict[str, Any]:
    """The journal's intent of the one tap."""
    (journal,) = last_run(pytester.path).rglob("steps.jsonl")
    return next(line for line in read_journal(journal) if line["event"] == "intent" and line["verb"] == "tap")


@pytest.mark.parametrize(
    ("options", "limit"),
    [
        (("--apex-timeout=1",), "--apex-timeout 1 s (command line)"),
        (("--apex-timeout=1", "--apex-slow=2"), "--apex-timeout 2 s (command line)"),
        (("-o", "apex_timeout=1.5"), "--apex-timeout 1.5 s (command line)"),
    ],
)
def test_a_failure_names_the_limit_that_ran_out(small: Project, options: tuple[str, ...], limit: str) -> None:
    result = small("def test_it(device):\n    device.tap('Nothing')\n", *options)
    assert f"limit {limit}" in result.stdout.str()


@pytest.mark.parametrize(("repeat", "kind", "notes"), [("on", "", 1), ("off", "functional.missing_element", 0)])
def test_repeat_touch(small: Project, pytester: pytest.Pytester, repeat: str, kind: str, notes: int) -> None:
    small(GOES, "--device=virtual?fault=lost_touch", f"--apex-repeat-touch={repeat}")
    found = record(pytester)
    assert found["kind"] == kind
    assert len([note for note in found["notes"] if note.startswith("transient.missed_touch")]) == notes


@pytest.mark.parametrize(("answer", "kind"), [("allow", ""), ("report", "transient.blocked")])
def test_permissions(small: Project, pytester: pytest.Pytester, answer: str, kind: str) -> None:
    small(GOES, "--device=virtual?fault=permission_dialog", f"--apex-permissions={answer}")
    assert record(pytester)["kind"] == kind


def test_humanize_off_is_exact_and_on_is_not(small: Project, pytester: pytest.Pytester) -> None:
    small(GOES, "--apex-humanize=off").assert_outcomes(passed=1)
    exact = touch(pytester)
    assert exact.get("seed") is None
    assert exact["at"] == exact["point"]
    small(GOES, "--apex-humanize=on", "--apex-seed=7").assert_outcomes(passed=1)
    assert touch(pytester)["at"] != exact["at"]


def test_one_seed_one_hand(small: Project, pytester: pytest.Pytester) -> None:
    hands = []
    for seed in (7, 7, 8):
        small(GOES, f"--apex-seed={seed}").assert_outcomes(passed=1)
        hands.append((touch(pytester)["at"], touch(pytester)["duration_ms"]))
    assert hands[0] == hands[1]
    assert hands[0] != hands[2]
