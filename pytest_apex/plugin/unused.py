"""Approved pictures and trees that no test of a run asked for."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

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
