"""The table at the end of a run, line by line."""

from __future__ import annotations

import pytest

from pytest_apex.model.verdict import Attempt, Outcome, Verdict
from pytest_apex.reports.results import LEFT_OUT
from pytest_apex.reports.summary import WIDTH, row_of, summary_lines


def counts(lines: list[str]) -> dict[str, int]:
    table = lines[1:8]
    return {line[:15].strip(): int(line[15:20]) for line in table}


@pytest.fixture
def each(attempt):
    """Tests t0, t1, … with the kinds given."""

    def make(*kinds: str, **more) -> list[Attempt]:
        return [attempt(kind, test=f"tests/test_a.py::t{number}", **more) for number, kind in enumerate(kinds)]

    return make


def test_a_run_without_attempts_says_nothing() -> None:
    assert summary_lines([]) == []


def test_the_table_has_a_row_for_each_category_and_one_for_the_tests(each) -> None:
    kinds = ("functional.no_effect", "functional.no_effect", "functional.wrong_value", "visual.overlap", "crash.anr")
    lines = summary_lines(
        each(*kinds, "test.error", "transient.loading", "transient.harness.device_lost", "unsure", "", "")
    )
    assert lines[:10] == [
        "category       tests  kinds",
        "functional         3  no_effect 2, wrong_value 1",
        "visual             1  overlap 1",
        "crash              1  anr 1",
        "suspect: test      0  (functional, but the test may be at fault: see the near miss)",
        "test               1  error 1",
        "transient          2  loading 1, harness.device_lost 1",
        "unsure             1  unsure 1",
        "",
        "2 passed, 5 defects of the app, 1 of the tests' own, 3 transient or unsure",
    ]


def test_transient_and_unsure_are_never_defects(each) -> None:
    lines = summary_lines(each("transient.blocked", "unsure.no_picture"))
    assert "0 passed, 0 defects of the app, 2 transient or unsure" in lines


def test_suspects_are_counted_apart(each, attempt) -> None:
    suspect = attempt("functional.missing_element", suspect="test", test="tests/test_a.py::typo")
    lines = summary_lines([*each("functional.missing_element"), suspect])
    assert counts(lines)["functional"] == 1
    assert counts(lines)["suspect: test"] == 1
    assert "0 passed, 1 defect of the app, 1 suspect: test" in lines


def test_what_was_left_out_is_not_judged_and_in_no_row(each, attempt) -> None:
    left_out = [
        attempt(kind, test=f"tests/test_b.py::t{kind}", outcome="xfailed", facts={LEFT_OUT: kind.partition(".")[0]})
        for kind in ("transient.loading", "transient.blocked", "unsure.x")
    ]
    lines = summary_lines([*each("transient.loading", ""), *left_out])
    assert counts(lines)["transient"] == 1
    assert counts(lines)["unsure"] == 0
    assert lines[9:11] == [
        "1 passed, 0 defects of the app, 1 transient or unsure",
        "3 not judged, left out by --apex-fail-on: transient 2, unsure 1",
    ]


def test_what_a_test_expects_to_fail_is_no_defect(each) -> None:
    lines = summary_lines(each("functional.no_effect", outcome="xfailed"))
    assert lines == ["0 passed, 0 defects of the app, 1 xfailed"]


def test_each_failure_is_named_with_its_reason_in_the_order_of_the_table(each, attempt) -> None:
    lines = summary_lines([attempt("test.error", "a\nname"), *each("crash.anr")])
    assert lines[11:15] == [
        "  tests/test_a.py::t0 (virtual)",
        "    [crash.anr] it does not",
        "  tests/test_notes.py::test_save (virtual)",
        "    [test.error] a name",
    ]


def test_a_test_counts_once_by_its_last_attempt(attempt) -> None:
    first, second = attempt("transient.loading", n=1), attempt(n=2)
    lines = summary_lines([second, first])
    assert not any(line.startswith("category") for line in lines), "nothing failed: no table"
    assert "1 passed, 0 defects of the app" in lines
    assert lines[-2:] == [
        "flaky: went differently when run again:",
        "  tests/test_notes.py::test_save: attempt 1: transient.loading; attempt 2: passed",
    ]
    same = summary_lines([attempt("crash.anr", n=1), attempt("crash.anr", n=2)])
    assert counts(same)["crash"] == 1
    assert not any("went differently" in line for line in same)


def test_tests_whose_masked_ids_are_the_same_stay_apart(attempt) -> None:
    masked = "tests/test_a.py::test_login[•••]"
    one, two = (attempt(test=masked, folder=f"tests/test_a-test_login-{name}/attempt-1") for name in ("aa", "bb"))
    assert "2 passed, 0 defects of the app" in summary_lines([one, two])


def test_observations_are_listed_once_with_their_number(each, attempt) -> None:
    seen = each("", "", notes=("a permission dialog was shown",))
    lines = summary_lines([*seen, attempt("crash.anr", also=("setup: x",))])
    assert lines[lines.index("observed:") :] == [
        "observed:",
        "  a permission dialog was shown (2 tests)",
        "  setup: x",
    ]


def test_defects_on_the_way_and_accessibility_warnings_stand_apart(each, attempt) -> None:
    also = ("visual.overlap: two texts", "accessibility.contrast: pale", "a dialog")
    lines = summary_lines([attempt("", also=also)])
    at = lines.index("defects on the way, not judged:")
    assert [line for line in lines[at:] if line] == [
        "defects on the way, not judged:",
        "  visual.overlap: two texts",
        "accessibility warnings:",
        "  accessibility.contrast: pale",
        "observed:",
        "  a dialog",
    ]


def test_a_control_that_missed_its_touch_in_two_tests_may_need_two_taps(attempt) -> None:
    note = 'transient.missed_touch: step-00{} tap "Save" had no effect, step-004 had'
    tests = [attempt(test=f"t{number}", notes=(note.format(number),)) for number in (1, 2)]
    lines = summary_lines(tests)
    at = lines.index("may need two taps:")
    assert lines[at + 1] == '  tap "Save": missed its touch in 2 tests'
    assert not any("two taps" in line for line in summary_lines(tests[:1]))
    again = attempt(test="t1", n=2, notes=tests[1].verdict.notes)
    assert not any("two taps" in line for line in summary_lines([tests[0], again]))


def test_lines_are_plain_and_fit_a_terminal(attempt) -> None:
    lines = summary_lines([attempt("functional.assertion", "x" * 500, test="t" * 200, notes=("n" * 300,))])
    assert max(map(len, lines)) == WIDTH
    assert all(line.isprintable() for line in lines)


def test_many_observations_are_cut_and_counted(attempt) -> None:
    lines = summary_lines([attempt(notes=tuple(f"note {number}" for number in range(30)))])
    assert lines[-1] == "  and 10 more"


@pytest.mark.parametrize(
    ("verdict", "outcome", "row"),
    [
        (Verdict(Outcome.PASS, kind="transient.missed_touch"), "passed", ""),
        (Verdict(Outcome.NOT_RUN), "skipped", "skipped"),
        (Verdict(Outcome.FAIL, None, "test.setup"), "error", "test"),
        (Verdict(Outcome.UNSURE, None, "unsure.no_tree"), "failed", "unsure"),
        (Verdict(Outcome.UNSURE), "failed", "unsure"),
    ],
)
def test_each_attempt_belongs_to_one_row(verdict: Verdict, outcome: str, row: str) -> None:
    assert row_of(Attempt("t", 1, outcome, verdict)) == row


def test_manuals_and_what_the_guard_let_through(each) -> None:
    facts = {
        "manuals": "notes (manuals/notes.yaml), by bundle id",
        "irreversible": "control:delete\ncontrol:delete\nkey:enter",
        "destructive_words": "log out",
    }
    lines = summary_lines(each("", "", facts=facts, also=("expected: the label is cut (known)",)))
    assert lines[1:5] == [
        "manual: notes (manuals/notes.yaml), by bundle id: 2 tests",
        "can't be undone, done with leave: 6 (control:delete 4, key:enter 2)",
        "expected: 2 observations, see below",
        "may not be undone, by the words of the control: 2 (log out 2)",
    ]
    assert not any("manual" in line or "undone" in line for line in summary_lines(each("")))
