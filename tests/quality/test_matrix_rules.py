"""What the fault matrix calls wrong, and what it does not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def matrix() -> Iterator[ModuleType]:
    """The command as a module; it imports its neighbour as a script does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        import matrix

        yield matrix
    for name in ("matrix", "expected"):
        sys.modules.pop(name, None)


def record(verdict: str, category: str | None = None, kind: str = "", test: str = "test_a") -> dict[str, object]:
    outcome = {"pass": "passed", "not_run": "skipped"}.get(verdict, "failed")
    return {"test": test, "outcome": outcome, "verdict": verdict, "category": category, "kind": kind, "notes": []}


PASSED = record("pass", test="test_b")
NO_EFFECT = record("fail", "functional", "functional.no_effect")
MISPLACED = record("fail", "visual", "visual.overlap", "test_c")
OWN = record("fail", None, "test.error")
UNSURE = record("unsure", "transient", "transient.harness.device_lost")


@pytest.mark.parametrize(
    ("fault", "category", "kind", "records", "wrong"),
    [
        ("dead_button", "functional", "", [PASSED, NO_EFFECT], ""),
        ("dead_button", "functional", "functional.no_effect", [PASSED, NO_EFFECT], ""),
        ("dead_button", "functional", "functional.stuck_loading", [NO_EFFECT], "expected the kind"),
        ("dead_button", "functional", "", [PASSED], "every test passed"),
        ("dead_button", "functional", "", [NO_EFFECT, MISPLACED], "test_c: visual.overlap"),
        ("dead_button", "functional", "", [NO_EFFECT, {**OWN, "test": "test_d"}], "test_d: test.error"),
        ("device_lost", "transient", "transient.harness.", [UNSURE], ""),
        ("slow_load", "–", "", [PASSED], ""),
        ("slow_load", "–", "", [PASSED, NO_EFFECT], "expected –"),
        ("slow_load", "–", "", [PASSED, UNSURE], "expected –"),
        ("slow_load", "–", "", [], "no test ran"),
        ("slow_load", "–", "", [{**record("pass"), "outcome": "failed"}], "without a verdict"),
    ],
)
def test_a_row_is_wrong_when_a_verdict_is(
    matrix: ModuleType, fault: str, category: str, kind: str, records: list[dict[str, object]], wrong: str
) -> None:
    found = matrix.Found(matrix.Run(fault, category, kind))
    for item in records:
        matrix._count(found, item)
    assert bool(found.mistakes) is bool(wrong)
    assert wrong in "\n".join(found.mistakes)


@pytest.mark.parametrize(("notes", "mistakes"), [(["transient.missed_touch: step-007 …"], 0), ([], 1), (["other"], 1)])
def test_an_innocent_fault_may_have_to_be_noted(matrix: ModuleType, notes: list[str], mistakes: int) -> None:
    found = matrix.Found(matrix.Run("lost_touch", "–", note="transient.missed_touch"))
    matrix._count(found, {**PASSED, "notes": notes})
    assert len(found.mistakes) == mistakes


@pytest.mark.parametrize(("platform", "mistakes"), [("android", 1), ("ios", 0)])
def test_a_note_is_asked_for_where_the_platform_tells_of_it(matrix: ModuleType, platform: str, mistakes: int) -> None:
    run = matrix.Run("other_app_crash", "–", note="harness.other_app", told_by=("android",))
    found = matrix.Found(run, platform=platform)
    matrix._count(found, PASSED)
    assert len(found.mistakes) == mistakes


def test_a_run_that_ends_badly_is_wrong(matrix: ModuleType) -> None:
    found = matrix.Found(matrix.Run("dead_button", "functional"), trouble="pytest ended with 3")
    assert found.mistakes == ["pytest ended with 3"]


def test_only_the_last_attempt_of_a_test_counts(matrix: ModuleType) -> None:
    assert matrix._last_attempts([NO_EFFECT, record("pass")]) == [record("pass")]


def test_a_cell_counts_failing_tests_and_the_last_column_faults_without_any(matrix: ModuleType) -> None:
    shown = matrix.Found(matrix.Run("dead_button", "functional"), [("functional", "functional.no_effect", "a")] * 2)
    quiet = matrix.Found(matrix.Run("slow_load", "–"), passed=3)
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in matrix.table([shown, quiet])]
    assert rows[0] == ["expected", "functional", "visual", "crash", "transient", "test", "–"]
    assert rows[2] == ["functional", "2", "0", "0", "0", "0", "0"]
    assert rows[-1] == ["–", "0", "0", "0", "0", "0", "1"]


def test_a_fault_that_the_stored_matrix_had_is_missed(
    matrix: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = matrix.Found(matrix.Run("slow_load", "–"), passed=3)
    gone = matrix.Found(matrix.Run("permission_dialog", "–", options=("--apex-permissions=allow",)), passed=3)
    stored = tmp_path / "matrix.md"
    monkeypatch.setattr(matrix, "STORED", stored)
    assert matrix.lost([quiet]) == []
    stored.write_text(matrix.document([quiet, gone]), "utf-8")
    assert matrix.lost([quiet, gone]) == []
    assert matrix.lost([quiet]) == [
        "permission_dialog --apex-permissions=allow: in the stored matrix, but not placed any more"
    ]


def test_every_category_is_expected_of_some_fault_and_every_run_is_one_of_a_kind(matrix: ModuleType) -> None:
    assert {run.category for run in matrix.EXPECTED} == {*matrix.CATEGORIES, matrix.INNOCENT}
    names = [run.name for run in matrix.EXPECTED]
    assert len(names) == len(set(names))
    assert all(len(name) < 48 for name in names)
