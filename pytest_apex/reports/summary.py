"""The end of a run in the terminal: a table by category, what is suspect, what was only observed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pytest_apex.model.verdict import Attempt, Category, Outcome
from pytest_apex.reports.results import LEFT_OUT, MANUALS, SUSPICIOUS, UNDONE, key_of

WIDTH = 120
#: Observations and flaky tests that are listed by name; the rest are counted.
_LISTED = 20
#: What notes about the look of screens begin with.
_LOOKS = {"visual": "defects on the way, not judged", "accessibility": "accessibility warnings"}
_MISSED_TOUCH = re.compile(r"transient\.missed_touch: (?:step-\d+ )?(.+?)(?: had no effect.*)?")

#: Rows of the table in their order, with what the reader must know of each.
ROWS = (
    ("functional", "the app does the wrong thing"),
    ("visual", "the app looks wrong"),
    ("crash", "the app died or froze"),
    ("suspect: test", "functional, but the test may be at fault: see the near miss"),
    ("test", "the test's own mistake"),
    ("transient", "in the way or not settled: no defect"),
    ("unsure", "could not be told: no defect, never green"),
)
_DEFECTS = ("functional", "visual", "crash")


@dataclass(frozen=True)
class Judged:
    """A test's last attempt, the row it belongs to ("" for a pass), and how many attempts came before."""

    attempt: Attempt
    row: str
    earlier: tuple[Attempt, ...]


def summary_lines(attempts: Iterable[Attempt]) -> list[str]:
    """The summary as plain lines of at most 120 characters; none for a run without attempts, and no table where
    nothing failed.

    A test counts once, by its last attempt on each device; what came before is listed if it went otherwise. Transient
    and unsure are never counted among the defects, nor is what `--apex-fail-on` left out.
    """
    judged = last_attempts(attempts)
    if not judged:
        return []
    counted = [test for test in judged if LEFT_OUT not in test.attempt.facts]
    table = [*_table(counted), ""] if any(test.row in dict(ROWS) for test in counted) else []
    lines = [*table, *totals(judged), *_failures(counted), *remarks(judged)]
    return [_cut(line) for line in lines]


def totals(judged: Sequence[Judged]) -> list[str]:
    """How many tests of each sort, what was not judged, which manuals were used, what the guard let through."""
    left_out = [test for test in judged if LEFT_OUT in test.attempt.facts]
    counted = [test for test in judged if LEFT_OUT not in test.attempt.facts]
    return [_totals(counted), *_not_judged(left_out), *_known(judged)]


def remarks(judged: Sequence[Judged]) -> list[str]:
    """What is flaky, what may need two taps, what was observed: a heading, and its indented lines, each."""
    return [*_flaky(judged), *_two_taps(judged), *_observations(judged)]


def kinds_by_row(judged: Sequence[Judged]) -> dict[str, Counter[str]]:
    """How often each kind, without its category, in each row of the table; what was left out does not count."""
    kinds: dict[str, Counter[str]] = {row: Counter() for row, _ in ROWS}
    for test in judged:
        if test.row in kinds and LEFT_OUT not in test.attempt.facts:
            kinds[test.row][_short_kind(test)] += 1
    return kinds


def last_attempts(attempts: Iterable[Attempt]) -> list[Judged]:
    """Each test once, by its last attempt on each device."""
    by_test: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        by_test.setdefault(key_of(attempt), []).append(attempt)
    ordered = [sorted(tries, key=lambda attempt: attempt.n) for tries in by_test.values()]
    return [Judged(tries[-1], row_of(tries[-1]), tuple(tries[:-1])) for tries in ordered]


def row_of(attempt: Attempt) -> str:
    """The row of the table that an attempt belongs to; "" for a pass. `skipped` (what did not run) and `xfailed` (what
    the test itself expects to fail) have no row."""
    verdict = attempt.verdict
    if attempt.outcome == "xfailed" and LEFT_OUT not in attempt.facts:
        return "xfailed"
    if verdict.outcome is Outcome.NOT_RUN or attempt.outcome == "skipped":
        return "skipped"
    if verdict.outcome is Outcome.PASS:
        return ""
    if verdict.category is Category.FUNCTIONAL and verdict.suspect:
        return "suspect: test"
    if verdict.category is not None:
        return verdict.category.value
    return "unsure" if verdict.outcome is Outcome.UNSURE or verdict.kind.startswith("unsure") else "test"


def _table(judged: Sequence[Judged]) -> list[str]:
    kinds = kinds_by_row(judged)
    lines = [f"{'category':<14} {'tests':>5}  kinds"]
    for row, meaning in ROWS:
        words = ", ".join(f"{kind} {count}" for kind, count in kinds[row].most_common())
        lines.append(f"{row:<14} {kinds[row].total():>5}  {words or f'({meaning})'}".rstrip())
    return lines


def _short_kind(test: Judged) -> str:
    """The kind without the category, which the row says already: `no_effect`."""
    kind = test.attempt.verdict.kind
    first, _, rest = kind.partition(".")
    return rest if rest and first in (test.row, "functional", "test", "unsure", "transient") else kind or "no kind"


def _totals(counted: Sequence[Judged]) -> str:
    rows = Counter(test.row for test in counted)
    defects = sum(rows[row] for row in _DEFECTS)
    parts = [f"{rows['']} passed", f"{defects} defect{'' if defects == 1 else 's'} of the app"]
    if rows["suspect: test"]:
        parts.append(f"{rows['suspect: test']} suspect: test")
    if rows["test"]:
        parts.append(f"{rows['test']} of the tests' own")
    open_ones = rows["transient"] + rows["unsure"]
    if open_ones:
        parts.append(f"{open_ones} transient or unsure")
    parts.extend(f"{rows[row]} {row}" for row in ("xfailed", "skipped") if rows[row])
    return ", ".join(parts)


def _not_judged(left_out: Sequence[Judged]) -> list[str]:
    kinds = Counter(test.attempt.facts[LEFT_OUT] for test in left_out)
    words = ", ".join(f"{kind} {count}" for kind, count in kinds.most_common())
    return [f"{len(left_out)} not judged, left out by --apex-fail-on: {words}"] if left_out else []


def _known(judged: Sequence[Judged]) -> list[str]:
    """Which manuals were used, and what the guard let through."""
    manuals, acts, words = (_counted(judged, name) for name in (MANUALS, UNDONE, SUSPICIOUS))
    lines = [f"manual: {manual}: {count} test{'' if count == 1 else 's'}" for manual, count in manuals.most_common()]
    if acts:
        lines.append(f"can't be undone, done with leave: {acts.total()} ({_listed(acts)})")
    expected = sum(note.startswith("expected") for test in judged for note in _notes(test))
    if expected:
        lines.append(f"expected: {expected} observation{'' if expected == 1 else 's'}, see below")
    if words:
        lines.append(f"may not be undone, by the words of the control: {words.total()} ({_listed(words)})")
    return lines


def _counted(judged: Sequence[Judged], fact: str) -> Counter[str]:
    tries = (attempt for test in judged for attempt in (*test.earlier, test.attempt))
    return Counter(line for attempt in tries for line in attempt.facts.get(fact, "").splitlines())


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.most_common())


def _failures(judged: Sequence[Judged]) -> list[str]:
    """One line for each test that failed, by the order of the table."""
    order = {row: place for place, (row, _) in enumerate(ROWS)}
    failed = sorted((test for test in judged if test.row in order), key=lambda test: order[test.row])
    lines: list[str] = []
    for test in failed:
        verdict = test.attempt.verdict
        reason = " ".join(verdict.reason.split())
        where = f" ({test.attempt.device})" if test.attempt.device else ""
        lines.extend((f"  {test.attempt.test}{where}", f"    [{verdict.kind or test.row}] {reason}"))
    return ["", *lines] if lines else []


def _flaky(judged: Sequence[Judged]) -> list[str]:
    lines = []
    for test in judged:
        other = [attempt for attempt in test.earlier if row_of(attempt) != test.row]
        if other:
            went = ", ".join(f"attempt {attempt.n}: {attempt.verdict.kind or attempt.outcome}" for attempt in other)
            lines.append(f"  {test.attempt.test}: {went}; attempt {test.attempt.n}: {_short(test)}")
    return _section("flaky: went differently when run again", lines)


def _short(test: Judged) -> str:
    return test.attempt.verdict.kind or test.attempt.outcome if test.row else "passed"


def _two_taps(judged: Sequence[Judged]) -> list[str]:
    """Controls that missed their touch in two tests or more."""
    missed: dict[str, set[str]] = {}
    for test in judged:
        for note in _notes(test):
            found = _MISSED_TOUCH.fullmatch(note)
            if found:
                missed.setdefault(found[1], set()).add(key_of(test.attempt))
    lines = [
        f"  {control}: missed its touch in {len(tests)} tests" for control, tests in missed.items() if len(tests) > 1
    ]
    return _section("may need two taps", lines)


def _observations(judged: Sequence[Judged]) -> list[str]:
    """What was noted of the tests; defects that a look at a new screen found, and accessibility warnings, apart."""
    seen = Counter(note for test in judged for note in dict.fromkeys(_notes(test)))
    sections: dict[str, list[str]] = {title: [] for title in (*_LOOKS.values(), "observed")}
    for note, count in seen.most_common():
        title = _LOOKS.get(note.partition(".")[0], "observed")
        sections[title].append(f"  {note}" + (f" ({count} tests)" if count > 1 else ""))
    return [line for title, lines in sections.items() for line in _section(title, lines)]


def _notes(test: Judged) -> tuple[str, ...]:
    return tuple(" ".join(note.split()) for note in (*test.attempt.verdict.notes, *test.attempt.also))


def _section(title: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    more = [f"  and {len(lines) - _LISTED} more"] if len(lines) > _LISTED else []
    return ["", f"{title}:", *lines[:_LISTED], *more]


def _cut(line: str) -> str:
    return line if len(line) <= WIDTH else f"{line[: WIDTH - 1]}…"
