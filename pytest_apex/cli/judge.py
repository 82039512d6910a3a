"""`pytest-apex judge RUN_DIR`: a stored run judged again by the present rules, without a device."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_apex.reports.rejudge import Change, Rejudged


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "judge",
        help="judge a stored run again by the present rules",
        description="Ends with 0 when no verdict changed, 1 when one did, 2 when none did but something can't be read.",
    )
    parser.add_argument("folder", type=Path, metavar="RUN_DIR", help="folder of a run, or .apex/latest")
    parser.add_argument("--write", action="store_true", help="put new verdicts into results.jsonl and verdict.json")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.errors import ConfigError
    from pytest_apex.evidence.store import run_folder
    from pytest_apex.reports.rejudge import judge_run, write_changes

    folder = run_folder(arguments.folder)
    try:
        result = judge_run(folder, processes=os.cpu_count() or 1)
    except ConfigError as error:
        print(f"pytest-apex judge: {error}", file=sys.stderr)
        return 2
    for change in result.changes:
        print(*_told(change), sep="\n")
    for line in (*result.damage, *result.without):
        print(f"not judged: {line}" if line in result.without else line, file=sys.stderr)
    print(_counted(result))
    if arguments.write and result.changes:
        write_changes(folder, result.changes)
        print(f"written to {folder / 'results.jsonl'}")
    if result.changes:
        return 1
    return 2 if result.damage else 0


def _told(change: Change) -> list[str]:
    from pytest_apex.reports.rejudge import deciding_rule

    old, new = change.old, change.new
    rules = [deciding_rule(verdict) or "none" for verdict in (old, new)]
    rule = f"rule: {rules[0]} → {rules[1]}" if rules[0] != rules[1] else f"rule: {rules[0]}"
    names = [
        f"{verdict.kind or verdict.outcome}{' (suspect: test)' if verdict.suspect else ''}" for verdict in (old, new)
    ]
    lines = [f"{change.attempt.test}#{change.attempt.n}", f"  {names[0]} → {names[1]}   ({rule})"]
    return [*lines, f"  was: {old.reason}", f"  now: {new.reason}", *(f"       {line}" for line in new.why)]


def _counted(result: Rejudged) -> str:
    judged = len(result.changes) + result.same
    parts = [f"{judged} judged again: {len(result.changes)} changed, {result.same} the same"]
    parts += [f"{result.reworded} of them in other words"] if result.reworded else []
    parts += [f"{result.passed} passed or did not run"] if result.passed else []
    parts += [f"{len(result.without)} without a stored case"] if result.without else []
    places = f"{len(result.damage)} place{'' if len(result.damage) == 1 else 's'} damaged"
    parts += [places] if result.damage else []
    return "; ".join(parts)
