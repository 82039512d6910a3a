"""The tables of scripted cases can be read, and their runner calls wrong what is wrong."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pytest_apex.backends.virtual import read_app

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def cases() -> Iterator[ModuleType]:
    """The command as a module; it imports its neighbour as a script does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        import cases

        yield cases
    for name in ("cases", "case_words", "case_faults"):
        sys.modules.pop(name, None)


def scripted(cases: ModuleType, expected: str, test: str = 'see("Sign in")', app: str = "notes", fault: str = "-"):  # type: ignore[no-untyped-def]
    return cases._case("x.txt:1", app, "android quick", fault, test, expected)


def test_every_line_can_be_read_and_the_tables_are_large_enough(cases: ModuleType) -> None:
    found, wrong = cases.read_tables()
    assert wrong == []
    assert cases.too_few(found) == []
    assert len({case.stage.app for case in found}) >= 4
    assert {case.stage.phone.split()[0] for case in found} == {"android", "ios"}


def test_the_stored_matrix_is_of_these_tables(cases: ModuleType) -> None:
    found, _ = cases.read_tables()
    stored = cases.STORED.read_text("utf-8")
    assert f"{len(found)} cases: {sum(not case.twin for case in found)} faults" in " ".join(stored.split())
    for kind in {case.kind for case in found}:
        faults = sum(case.kind == kind and not case.twin for case in found)
        twins = sum(case.kind == kind and case.twin for case in found)
        assert f"| {kind} | {faults} | {twins} |" in stored


@pytest.mark.parametrize("name", ["shop", "share_sheet", "trips", "gallery"])
def test_the_apps_can_be_read(name: str) -> None:
    assert read_app(ROOT / f"fixtures/virtual_apps/{name}.yaml").screens


@pytest.mark.parametrize(
    ("expected", "test", "fault", "wrong"),
    [
        ("not functional.missing_element", 'see("Sign in")', "-", ""),
        ("not functional.missing_element", 'see("Sing in")', "-", "expected a pass, found functional.missing_element"),
        ("functional.missing_element suspect", 'see("Sing in")', "-", ""),
        ("functional.missing_element suspect", 'see("Weather")', "-", "the test is not suspected"),
        ("functional.missing_element", 'see("Sign in")', "-", "expected functional.missing_element, found passed"),
        ("crash.process_died", 'tap("Forgot password?"); runs()', "native_crash control=forgot", "found crash.native"),
        ("crash.native", 'tap("Forgot password?"); runs()', "native_crash control=forgot", ""),
        ("not functional.no_effect noted transient.missed_touch", 'see("Sign in")', "-", "passed without the note"),
        ("test.error", "nothing_of_the_kind()", "-", ""),
    ],
)
def test_what_is_wrong(cases: ModuleType, expected: str, test: str, fault: str, wrong: str) -> None:
    said = cases.play(scripted(cases, expected, test, fault=fault))
    assert (wrong in said.wrong) if wrong else not said.wrong


def test_a_twin_that_fails_and_a_wrong_category_are_mistakes_a_wrong_kind_alone_is_not(cases: ModuleType) -> None:
    right = [cases.Said(scripted(cases, "crash.anr"), "crash.anr") for _ in range(30)]
    assert cases.mistakes(right) == []
    assert cases.mistakes([*right, cases.Said(scripted(cases, "crash.anr"), "crash.native")]) == []
    assert len(cases.mistakes([*right, cases.Said(scripted(cases, "crash.anr"), "functional.no_effect")])) == 1
    assert len(cases.mistakes([*right, cases.Said(scripted(cases, "not crash.anr"), "crash.anr")])) == 1
    assert len(cases.mistakes([*right, cases.Said(scripted(cases, "functional.x suspect"), "functional.x")])) == 1
    few = [*right[:10], cases.Said(scripted(cases, "crash.anr"), "crash.native")]
    assert cases.mistakes(few) == ["10 of 11 kinds are right, fewer than 95%"]


def test_precision_and_recall(cases: ModuleType) -> None:
    anr, native = scripted(cases, "crash.anr"), scripted(cases, "crash.native")
    twin = scripted(cases, "not crash.anr")
    said = [cases.Said(anr, "crash.anr"), cases.Said(anr, "crash.native"), cases.Said(native, "crash.native"),
            cases.Said(twin), cases.Said(twin, "crash.anr")]  # fmt: skip
    rows = cases.by_kind(said)
    assert rows[2] == "| crash.anr | 2 | 2 | 1 | 1 | 1 | 50% | 50% |"
    assert rows[3] == "| crash.native | 1 | 0 | 1 | 0 | 1 | 50% | 100% |"


@pytest.mark.parametrize(
    ("line", "what"),
    [
        ("notes | android | - | see('x')", "4 cells, not 5"),
        ("notes | androd | - | see('x') | test.error", "unknown word of a phone: androd"),
        ("nots | android | - | see('x') | test.error", "unknown app nots"),
        ("notes | android | - | see('x' | test.error", "was never closed"),
    ],
)
def test_lines_that_cannot_be_read(
    cases: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, line: str, what: str
) -> None:
    (tmp_path / "a.txt").write_text(f"# head\n\n{line}\n")
    monkeypatch.setattr(cases, "TABLES", tmp_path)
    _, wrong = cases.read_tables()
    assert len(wrong) == 1
    assert wrong[0].startswith("a.txt:3: ")
    assert what in wrong[0]
