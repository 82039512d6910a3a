"""What the end of a run says of approved files and of leaves: asked for by no test, or written by several."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_apex.plugin.stash import SETTINGS

if TYPE_CHECKING:
    from pytest_apex.model.verdict import Attempt

#: What the end of a file's name says of the device that it is for.
_KEY = re.compile(r"\.((?:android|ios|tvos|watchos)(?:-\d+\..+\.png|\.tree\.txt))$")
#: Files that are listed; the rest are counted.
_LISTED = 20
#: Options that leave out tests which may ask for more.
_CHOOSING = ("keyword", "markexpr", "deselect", "lf", "last_failed", "stepwise", "collectonly")


def unused_lines(config: pytest.Config, attempts: Iterable[Attempt]) -> list[str]:
    """The files that nobody asked for, of devices like those of this run, one a line; none after a run of some tests
    only, which says nothing about the others'."""
    if _some_only(config):
        return []
    found = sorted(str(_shown(path, config.rootpath)) for path in _unused(attempts, config.rootpath))
    if not found:
        return []
    more = [f"  and {len(found) - _LISTED} more"] if len(found) > _LISTED else []
    return ["", "approved, and asked for by no test:", *(f"  {path}" for path in found[:_LISTED]), *more]


def idle_leaves(config: pytest.Config, attempts: Sequence[Attempt]) -> list[str]:
    """Patterns of `--apex-allow` that let nothing be done, a line each; none after a run of some tests only."""
    from pytest_apex.reports.results import UNDONE
    from pytest_apex.verify.irreversible import fits

    if not attempts or _some_only(config):
        return []
    done = {name for attempt in attempts for name in attempt.facts.get(UNDONE, "").splitlines()}
    idle = [leave for leave in config.stash[SETTINGS].touch.allow if not any(fits(leave, name) for name in done)]
    return [f"--apex-allow {leave!r} was needed by no test of this run" for leave in idle]


def written_twice(attempts: Iterable[Attempt]) -> list[str]:
    """Approved files that were written more than once, each time with another content: the last one stands."""
    from pytest_apex.reports.results import BASELINES_WRITTEN, key_of

    last = {key_of(attempt): attempt for attempt in sorted(attempts, key=lambda one: one.n)}
    writers: dict[str, list[str]] = defaultdict(list)
    for attempt in last.values():
        for file in attempt.facts.get(BASELINES_WRITTEN, "").splitlines():
            writers[file].append(attempt.test)
    return [
        f"{file} was approved more than once in this run, each time another: by {', then '.join(tests)}; the last one "
        "stands: give each its own name"
        for file, tests in sorted(writers.items()) if len(tests) > 1
    ]  # fmt: skip


def _some_only(config: pytest.Config) -> bool:
    session = config.pluginmanager.get_plugin("session")
    chosen = any(getattr(config.option, name, None) for name in _CHOOSING)
    ended_early = session is not None and bool(session.shouldstop or session.shouldfail)
    return chosen or ended_early or any("::" in str(arg) for arg in config.args)


def _unused(attempts: Iterable[Attempt], root: Path) -> Iterator[Path]:
    from pytest_apex.reports.results import BASELINE_FOLDER, BASELINES

    asked: dict[Path, set[Path]] = defaultdict(set)
    for attempt in attempts:
        files = attempt.facts.get(BASELINES, "").splitlines()
        if files:
            asked[root / attempt.facts[BASELINE_FOLDER]].update(root / file for file in files)
    for folder, files_asked in asked.items():
        keys = {_key(file) for file in files_asked} - {""}
        for file in (*folder.rglob("*.png"), *folder.rglob("*.tree.txt")):
            if file not in files_asked and _key(file) in keys:
                yield file


def _key(file: Path) -> str:
    """Which devices a file is for; "" for one that is none of ours."""
    found = _KEY.search(file.name)
    return found[1] if found else ""


def _shown(path: Path, root: Path) -> Path:
    return path.relative_to(root) if path.is_relative_to(root) else path
