"""Scripted cases: short tests against the apps of the built-in phone, each with one fault or an innocent twin, and
what has to be said of it.

    python tests/quality/cases.py                     every case; compares with cases.md
    python tests/quality/cases.py --only no_effect    cases whose line holds this
    python tests/quality/cases.py --write             store the matrix in cases.md

A case is a line of a table in `cases/`: app | phone | fault | test | expected. The words of phone, fault and test are
those of `case_words.py`. What is expected is a kind (`functional.no_effect`), with ` suspect` where the test has to be
suspected, ` sure` where it must not be; `not KIND` for an innocent twin: the test passes; or `not KIND noted NOTE`: it
passes with that note. Each failure is stored and judged again as well: the second verdict has to be the first in every
answer.

Ends with 1 if a category is wrong, a twin fails, fewer than 95 % of the kinds are right, a kind has fewer than three
faults or three twins, there are fewer than 120 cases, or the matrix is not the stored one.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from case_faults import CasePhone
from case_words import Stage, Words, check_text, playing

from pytest_apex.device.examining.failure import failure_of
from pytest_apex.evidence.cases import JudgedFailure, read_cases, write_cases
from pytest_apex.evidence.store import Store
from pytest_apex.model.case import Case
from pytest_apex.verify.judge import judge

HERE = Path(__file__).parent
TABLES, STORED = HERE / "cases", HERE / "cases.md"
CATEGORIES = ("functional", "visual", "crash", "transient", "test", "–")
LEAST, LEAST_OF_A_KIND, LEAST_RIGHT = 120, 3, 0.95
TWIN = "–"


@dataclass(frozen=True)
class Scripted:
    """One line of a table. `kind` is what has to be said, or what an innocent `twin` could be mistaken for."""

    where: str
    stage: Stage
    test: str
    kind: str
    twin: bool = False
    suspect: bool = False
    sure: bool = False
    note: str = ""

    @property
    def words(self) -> str:
        """The line without its place: it stays the same when others come before it."""
        cells = (self.stage.app, self.stage.phone, self.stage.fault or "-", self.test, self.kind)
        return f"`{' | '.join(cells)}`"

    @property
    def line(self) -> str:
        return f"{self.where}: {self.stage.app} | {self.stage.phone} | {self.stage.fault or '-'} | {self.test}"

    @property
    def category(self) -> str:
        return TWIN if self.twin else category_of(self.kind)


@dataclass(frozen=True)
class Said:
    """What was said of a case: nothing (`kind` is empty) if its test passed."""

    case: Scripted
    kind: str = ""
    reason: str = ""
    suspect: str = ""
    notes: tuple[str, ...] = ()

    @property
    def category(self) -> str:
        return category_of(self.kind) if self.kind else TWIN

    @property
    def wrong(self) -> str:
        """Why it is not what has to be said, or ""."""
        case, found = self.case, f"{self.kind or 'passed'}{f': {self.reason}' if self.reason else ''}"
        if self.kind != ("" if case.twin else case.kind):
            return f"expected {'a pass' if case.twin else case.kind}, found {found}"
        if case.suspect and not self.suspect:
            return f"{found}, but the test is not suspected"
        if case.sure and self.suspect:
            return f"{found}, but the test is suspected"
        if case.note and not any(note.startswith(case.note) for note in self.notes):
            return f"passed without the note {case.note}; noted: {', '.join(self.notes) or 'nothing'}"
        return ""

    @property
    def mistaken(self) -> bool:
        """Whether another one is blamed than has to be."""
        return self.category != self.case.category


def category_of(kind: str) -> str:
    word = kind.partition(".")[0]
    return word if word in CATEGORIES else "test"


def read_tables() -> tuple[list[Scripted], list[str]]:
    """All cases, and what is wrong with the tables."""
    cases, wrong = [], []
    for file in sorted(TABLES.glob("*.txt")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
            if not line.strip() or line.startswith("#"):
                continue
            where, cells = f"{file.name}:{number}", [cell.strip() for cell in line.split(" | ")]
            if len(cells) != 5:
                wrong.append(f"{where}: {len(cells)} cells, not 5: app | phone | fault | test | expected")
                continue
            case = _case(where, *cells)
            wrong += [f"{where}: {problem}" for problem in (*case.stage.problems(), check_text(case.test)) if problem]
            cases.append(case)
    doubles = Counter((case.stage, case.test) for case in cases)
    wrong += [f"there twice: {stage.app} | {stage.phone} | {test}" for (stage, test), n in doubles.items() if n > 1]
    return cases, wrong


def _case(where: str, app: str, phone: str, fault: str, test: str, expected: str) -> Scripted:
    stage = Stage(app, phone, "" if fault == "-" else fault)
    head, _, note = expected.partition(" noted ")
    words = head.split()
    twin = words[0] == "not"
    return Scripted(
        where, stage, test, words[1] if twin else words[0], twin, "suspect" in words, "sure" in words, note.strip()
    )


def play(case: Scripted) -> Said:
    """Run one case in this process, and judge what failed as the plugin would."""
    with (
        tempfile.TemporaryDirectory(prefix="apex-case-") as folder,
        playing(case.stage, Path(folder)) as (device, start),
    ):
        phase = "setup"
        try:
            start()
            phase = "call"
            exec(compile(case.test, f"<{case.where}>", "exec"), Words(device).names())
            device.raise_soft()
        except Exception as error:  # noqa: BLE001 - whatever a test may raise
            try:
                if isinstance(device.context.backend, CasePhone):
                    device.context.backend.refuses |= device.context.backend.refuses_then
                seen = device.examine(failure_of(error, phase), error)
                verdict = judge(seen)
                if judge(stored(seen, Path(folder))) != verdict:
                    return Said(
                        case, "unsure.judged_otherwise", f"{verdict.kind}, and another verdict when judged again"
                    )
            except Exception:  # noqa: BLE001
                return Said(case, "unsure.judge_error", traceback.format_exc())
            return Said(case, verdict.kind, verdict.reason, verdict.suspect, (*verdict.notes, *device.context.notes))
        return Said(case, notes=tuple(device.context.notes))


def stored(seen: Case, folder: Path) -> Case:
    """The case as a run keeps it, read back: its verdict must be the same in every answer."""
    write_cases(folder / "attempt", Store(folder), [JudgedFailure("call", seen)])
    (back,) = read_cases(folder, "attempt")
    assert back.case is not None
    return back.case


def by_category(said: Sequence[Said]) -> list[str]:
    cells = Counter((item.case.category, item.category) for item in said)
    head = f"| {'expected':<11} | " + " | ".join(f"{name:>10}" for name in CATEGORIES) + " |"
    lines = [head, "|" + "-" * 13 + "|" + "|".join("-" * 11 + ":" for _ in CATEGORIES) + "|"]
    rows = ((row, " | ".join(f"{cells[row, name]:>10}" for name in CATEGORIES)) for row in CATEGORIES)
    return [*lines, *(f"| {row:<11} | {counts} |" for row, counts in rows)]


def by_kind(said: Sequence[Said]) -> list[str]:
    """Faults and twins of each kind, and how often the kind was said, with right and without."""
    kinds = sorted({item.case.kind for item in said} | {item.kind for item in said if item.kind})
    lines = ["| kind | faults | twins | right | missed | wrongly said | precision | recall |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]  # fmt: skip
    for kind in kinds:
        faults = [item for item in said if not item.case.twin and item.case.kind == kind]
        twins = sum(item.case.twin and item.case.kind == kind for item in said)
        right = sum(item.kind == kind for item in faults)
        strays = sum(item.kind == kind and (item.case.twin or item.case.kind != kind) for item in said)
        precision, recall = _share(right, right + strays), _share(right, len(faults))
        missed = len(faults) - right
        lines.append(f"| {kind} | {len(faults)} | {twins} | {right} | {missed} | {strays} | {precision} | {recall} |")
    return lines


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}" if whole else "–"


def document(said: Sequence[Said]) -> str:
    """What is stored. No times: it changes only when a case or a verdict does."""
    wrong = [f"- {item.case.words}: found {item.kind or 'a pass'}" for item in said if item.wrong]
    twins = sum(item.case.twin for item in said)
    return "\n".join(
        [
            "# Confusion matrix of the scripted cases",
            "",
            f"Written by `python tests/quality/cases.py --write`. {len(said)} cases: {len(said) - twins} faults and",
            f"{twins} innocent twins. A twin counts for the kind that it could be mistaken for.",
            "",
            *by_category(said),
            "",
            *by_kind(said),
            "",
            *(["Not as it has to be:", "", *wrong, ""] if wrong else []),
        ]
    )


def too_few(cases: Sequence[Scripted]) -> list[str]:
    """Where the tables are too small to say anything."""
    wrong = [f"{len(cases)} cases, fewer than {LEAST}"] if len(cases) < LEAST else []
    faults = Counter(case.kind for case in cases if not case.twin)
    twins = Counter(case.kind for case in cases if case.twin)
    return wrong + [
        f"{kind}: {faults[kind]} faults and {twins[kind]} twins, fewer than {LEAST_OF_A_KIND}"
        for kind in sorted({*faults, *twins})
        if min(faults[kind], twins[kind]) < LEAST_OF_A_KIND
    ]


def mistakes(said: Sequence[Said]) -> list[str]:
    """What makes the command fail."""
    wrong = [f"{item.case.line}: {item.wrong}" for item in said if item.wrong and (item.mistaken or item.case.twin)]
    wrong += [
        f"{item.case.line}: {item.wrong}" for item in said if item.wrong and (item.case.suspect or item.case.sure)
    ]
    faults = [item for item in said if not item.case.twin]
    right = sum(not item.wrong for item in faults)
    if faults and right / len(faults) < LEAST_RIGHT:
        wrong.append(f"{right} of {len(faults)} kinds are right, fewer than {LEAST_RIGHT:.0%}")
    return list(dict.fromkeys(wrong))


def main() -> int:
    parser = argparse.ArgumentParser(description="scripted cases, their verdicts and the confusion matrix")
    parser.add_argument("--only", action="append", default=[], metavar="WORDS", help="cases whose line holds this")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="processes")
    parser.add_argument("--write", action="store_true", help=f"store the result in {STORED.name}")
    asked = parser.parse_args()

    cases, wrong = read_tables()
    chosen = [case for case in cases if all(word in f"{case.line} | {case.kind}" for word in asked.only)]
    began = time.monotonic()
    with ProcessPoolExecutor(asked.jobs) as pool:
        said = list(pool.map(play, chosen, chunksize=4))
    for item in said:
        if asked.only or item.wrong:
            told = item.wrong or f"{item.kind or 'passed'}{f': {item.reason}' if item.reason else ''}"
            print(f"{'WRONG' if item.wrong else 'ok':<5} {item.case.line}\n        {told}")
    print("", *by_category(said), "", sep="\n")
    print(f"{len(said)} cases in {time.monotonic() - began:.0f} s")
    wrong += mistakes(said)
    if not asked.only:
        wrong += too_few(cases)
        if asked.write:
            STORED.write_text(document(said), "utf-8")
        elif not STORED.exists() or STORED.read_text("utf-8") != document(said):
            wrong.append(f"not as stored in {STORED.name}; --write stores it")
    for line in wrong:
        print(f"WRONG  {line}")
    print("the cases are as they have to be" if not wrong else f"{len(wrong)} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
