"""The confusion matrix: what the demo suite calls each fault of the built-in phone, beside what it has to call it.

    python tests/quality/matrix.py                    every fault placed in the demo app, and none
    python tests/quality/matrix.py --only dead_button --only slow_load
    python tests/quality/matrix.py --write            store the result in matrix.md

Ends with 1 if a failing test has another category than its fault, if a fault is shown by no test, if a placed fault has
no expected category, if fewer faults are shown than in the stored matrix, or if a run is judged otherwise when it is
judged again from what it stored.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import yaml
from expected import CATEGORIES, EXPECTED, INNOCENT, Run

from pytest_apex.reports.rejudge import judge_run

ROOT = Path(__file__).parents[2]
SUITE = "examples/notes_app"
STORED = Path(__file__).with_name("matrix.md")
NOT_THE_APPS = "test"
COLUMNS = (*CATEGORIES, NOT_THE_APPS, INNOCENT)
#: Seconds for one run of the suite; a run that takes longer hangs.
PATIENCE = 600


@dataclass
class Found:
    """What one run of the suite said. `failing` holds category, kind and test of each test that failed or is unsure."""

    run: Run
    failing: list[tuple[str, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    passed: int = 0
    seconds: float = 0.0
    trouble: str = ""
    platform: str = "android"
    again: list[str] = field(default_factory=list)

    @property
    def cells(self) -> Counter[str]:
        """How many failing tests by category; a run without any counts once, as innocent."""
        return Counter(category for category, _, _ in self.failing) or Counter({INNOCENT: 1})

    @property
    def mistakes(self) -> list[str]:
        """Why this row is not as it has to be."""
        run, wrong = self.run, list(self.again)
        if self.trouble:
            return [self.trouble]
        strays = [f"{test}: {kind or category}" for category, kind, test in self.failing if category != run.category]
        if strays:
            more = f"; and {len(strays) - 3} more" if len(strays) > 3 else ""
            wrong.append(f"expected {run.category}, found {'; '.join(strays[:3])}{more}")
        elif run.category != INNOCENT and not self.failing:
            wrong.append(f"expected {run.category}, but every test passed")
        elif run.kind and not any(kind.startswith(run.kind) for _, kind, _ in self.failing):
            wrong.append(f"expected the kind {run.kind}, found {', '.join(sorted({k for _, k, _ in self.failing}))}")
        told = not run.told_by or self.platform in run.told_by
        if run.note and told and not any(note.startswith(run.note) for note in self.notes):
            wrong.append(f"expected the note {run.note} on record of a test that passed")
        if not self.passed and not self.failing:
            wrong.append("no test ran")
        return wrong

    def line(self) -> str:
        kinds = Counter(kind or category for category, kind, _ in self.failing)
        told = ", ".join(f"{kind} ×{count}" for kind, count in sorted(kinds.items()))
        told = "did not run to its end" if self.trouble else told or "all passed"
        return f"{self.run.name:<48} {self.run.category:<11} {told}"


def placed_faults() -> list[str]:
    """The faults that the demo app's file says where to put."""
    app = yaml.safe_load((ROOT / SUITE / "app.yaml").read_text("utf-8"))
    return list(app.get("faults") or {})


def chosen(only: Sequence[str]) -> tuple[list[Run], list[str]]:
    """The runs to make, and what is wrong with the table."""
    placed = placed_faults()
    known = {run.fault for run in EXPECTED}
    wrong = [f"{fault}: placed in {SUITE}/app.yaml, but expected.py does not say what it is" for fault in placed
             if fault not in known]  # fmt: skip
    wrong += [f"{fault}: not placed in {SUITE}/app.yaml" for fault in only if fault not in (*placed, "none")]
    runs = [run for run in EXPECTED if not run.fault or run.fault in placed]
    return [run for run in runs if not only or (run.fault or "none") in only], wrong


def run_suite(run: Run, seed: int, platform: str, keep: Path | None = None) -> Found:
    """Run the demo suite once, in a process of its own; its results are left in a folder below `keep`."""
    found = Found(run, platform=platform or "android")
    with tempfile.TemporaryDirectory(prefix="apex-matrix-") as folder:
        began = time.monotonic()
        try:
            done = subprocess.run(
                _command(run, seed, platform, folder), cwd=ROOT, env=_environment(), timeout=PATIENCE,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            found.trouble = f"the suite did not end within {PATIENCE} s"
            return found
        found.seconds = time.monotonic() - began
        records = [json.loads(line) for file in Path(folder).rglob("results.jsonl") for line in file.open("rb")]
        found.again = judged_again(Path(folder) / "run") if records else []
        if keep is not None and records:
            (keep / run.folder).mkdir(parents=True, exist_ok=True)
            shutil.copy(Path(folder) / "run" / "results.jsonl", keep / run.folder)
    if done.returncode not in (0, 1) or not records:
        found.trouble = f"pytest ended with {done.returncode}, {len(records)} results:\n{_tail(done.stdout)}"
    for record in _last_attempts(records):
        _count(found, record)
    return found


def judged_again(run_dir: Path) -> list[str]:
    """What is not the same when the stored run is judged again."""
    result = judge_run(run_dir)
    changed = [f"{change.attempt.test}: {change.old.kind} is {change.new.kind}" for change in result.changes]
    words = [f"{result.reworded} verdicts are worded otherwise"] if result.reworded else []
    return [f"judged again: {line}" for line in (*changed, *words, *result.damage, *result.without)]


def _command(run: Run, seed: int, platform: str, folder: str) -> list[str]:
    query = "&".join(part for part in (run.fault and f"fault={run.fault}", platform and f"platform={platform}") if part)
    device = f"virtual?{query}" if query else "virtual"
    # From an installed package the plugin comes by itself; in a work tree it has to be named.
    installed = any(entry.name == "apex" for entry in entry_points(group="pytest11"))
    plugin = [] if installed else ["-p", "pytest_apex.plugin"]
    return [
        sys.executable, "-m", "pytest", SUITE, *plugin, f"--apex-device={device}", f"--apex-artifacts={folder}/run",
        f"--apex-seed={seed}", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:asyncio", *run.options,
    ]  # fmt: skip


def _environment() -> dict[str, str]:
    """The caller's, without what would choose a device or options."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("APEX_", "ANDROID_", "PYTEST_"))}
    return {**kept, "PYTHONPATH": str(ROOT)}


def _tail(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.strip().splitlines()[-15:])


def _last_attempts(records: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One record a test: what its last attempt came to."""
    last: dict[str, dict[str, Any]] = {}
    for record in records:
        last[record["test"]] = record
    return list(last.values())


def _count(found: Found, record: dict[str, Any]) -> None:
    if record["verdict"] in ("fail", "unsure"):
        found.failing.append((record["category"] or NOT_THE_APPS, record["kind"] or "", record["test"]))
    elif record["outcome"] in ("failed", "error"):
        found.failing.append((NOT_THE_APPS, f"{record['outcome']} without a verdict", record["test"]))
    elif record["outcome"] == "passed":
        found.passed += 1
        found.notes += record["notes"]


def table(found: Sequence[Found]) -> list[str]:
    """Rows: what the fault is. Columns: what its failing tests were called (–: no test failed)."""
    rows = {category: Counter[str]() for category in (*CATEGORIES, INNOCENT)}
    for row in found:
        if not row.trouble:
            rows[row.run.category].update(row.cells)
    head = f"| {'expected':<11} | " + " | ".join(f"{name:>10}" for name in COLUMNS) + " |"
    lines = [head, "|" + "-" * 13 + "|" + "|".join("-" * 11 + ":" for _ in COLUMNS) + "|"]
    for category, cells in rows.items():
        lines.append(f"| {category:<11} | " + " | ".join(f"{cells[name]:>10}" for name in COLUMNS) + " |")
    return lines


def document(found: Sequence[Found]) -> str:
    """What is stored. No times: it changes only when a verdict does."""
    return "\n".join(
        [
            "# Confusion matrix of the demo suite",
            "",
            "Written by `python tests/quality/matrix.py --write`. Cells count failing tests; the last column counts",
            "faults that no test failed for.",
            "",
            *table(found),
            "",
            "```",
            *[row.line().rstrip() for row in found],
            "```",
            "",
        ]
    )


def lost(found: Sequence[Found]) -> list[str]:
    """Runs of the stored matrix that are right no longer, or are gone. Wrong ones are told by themselves."""
    if not STORED.exists():
        return []
    stored = STORED.read_text("utf-8").partition("```\n")[2].partition("```")[0].splitlines()
    names = {row.run.name for row in found}
    known = {line[:48].rstrip() for line in stored}
    return [f"{name}: in the stored matrix, but not placed any more" for name in sorted(known - names)]


def main() -> int:
    parser = argparse.ArgumentParser(description="the confusion matrix of the demo suite")
    parser.add_argument("--only", action="append", default=[], metavar="FAULT", help="a fault, or none; repeatable")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N", help="runs at a time")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="seed of each run (default: 1)")
    parser.add_argument("--platform", default="", metavar="NAME", help="platform of the phone (default: android)")
    parser.add_argument("--write", action="store_true", help=f"store the result in {STORED.name}")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="leave the results there, for wire_matrix.py --here"
    )
    arguments = parser.parse_args()

    runs, wrong = chosen(arguments.only)
    began = time.monotonic()
    found = []
    with ThreadPoolExecutor(arguments.jobs) as pool:
        for row in pool.map(lambda run: run_suite(run, arguments.seed, arguments.platform, arguments.keep), runs):
            found.append(row)
            wrong += [f"{row.run.name}: {mistake}" for mistake in row.mistakes]
            print(f"{row.line():<110} {row.seconds:5.1f} s  {'WRONG' if row.mistakes else 'ok'}", flush=True)
    print("", *table(found), "", sep="\n")
    print(f"{len(runs)} runs of the suite in {time.monotonic() - began:.0f} s")
    whole = not arguments.only and not arguments.platform
    if arguments.write and whole:
        STORED.write_text(document(found), "utf-8")
    elif whole:
        wrong += lost(found)
        if STORED.exists() and STORED.read_text("utf-8") != document(found):
            print(f"not as stored in {STORED.name}; --write stores it")
    for line in wrong:
        print(f"WRONG  {line}")
    print("the matrix is as it has to be" if not wrong else f"{len(wrong)} mistakes")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
