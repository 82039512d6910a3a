"""The captures that a run stored, test by test: what was on the screen, step by step, and at the failure."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from pytest_apex.errors import ApexError, ConfigError, SourceError
from pytest_apex.evidence.cases import read_cases
from pytest_apex.evidence.journal import read_journal
from pytest_apex.evidence.looks import stored_picture
from pytest_apex.model.case import Case
from pytest_apex.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class StoredLook:
    """One capture: `name` is `step-003 before`, `step-003 after` or the name it was attached by. Read when asked."""

    name: str
    run_dir: Path
    tree: str
    picture: str = ""

    def snapshot(self) -> Snapshot:
        """The capture, without what was masked when it was stored. Raises `SourceError`."""
        return _read(self)


@lru_cache(maxsize=4)
def _read(look: StoredLook) -> Snapshot:
    try:
        text = (look.run_dir / look.tree).read_text("utf-8")
    except (OSError, ValueError) as error:
        raise SourceError(f"{look.tree}: can't be read", seen=f"{type(error).__name__}: {error}") from error
    return stored_picture(Snapshot.from_text(text), look.run_dir / look.picture if look.picture else None)


@dataclass(frozen=True)
class StoredTest:
    """The last attempt of a test that stored any capture. `case` is what its failure was judged by, if it failed."""

    test: str
    looks: tuple[StoredLook, ...]
    case: Case | None = None

    @property
    def last(self) -> Snapshot | None:
        """What was on the screen at the failure, else after the last step; None if nothing was stored."""
        if self.case is not None and self.case.now is not None:
            return self.case.now
        return self.looks[-1].snapshot() if self.looks else None


class StoredRun:
    """The captures of a stored run. Raises `ConfigError` for a folder that is none."""

    def __init__(self, run_dir: Path) -> None:
        self.run_dir = run_dir
        try:
            self._records = read_journal(run_dir / "results.jsonl")
        except ApexError as error:
            raise ConfigError(
                f"there is no run in {run_dir}", seen=error.seen, cure="name the folder of a run, such as .apex/latest"
            ) from error
        self.of = lru_cache(maxsize=8)(self._of)

    def _of(self, test: str) -> StoredTest | None:
        """The captures of a test, by its node id; None if the run has none of it."""
        own = [record for record in self._records if record.get("test") == test]
        return self._newest(own)

    @property
    def last(self) -> StoredTest | None:
        """The test that stored captures last."""
        return self._newest(self._records)

    def describe(self) -> dict[str, Any]:
        """What `run.json` says; empty where it can't be read."""
        try:
            fields = json.loads((self.run_dir / "run.json").read_bytes())
        except (OSError, ValueError):
            return {}
        return fields if isinstance(fields, dict) else {}

    def _newest(self, records: list[dict[str, Any]]) -> StoredTest | None:
        for record in reversed(records):
            folder = record.get("folder")
            if not isinstance(folder, str) or not folder:
                continue
            case = self._case(folder)
            looks = tuple(self._looks(folder))
            if looks or (case is not None and case.now is not None):
                return StoredTest(str(record.get("test", "")), looks, case)
        return None

    def _case(self, folder: str) -> Case | None:
        try:
            failures = read_cases(self.run_dir, folder)
        except (ApexError, FileNotFoundError):
            return None  # damaged or not stored: `pytest-apex judge` says so, here the steps' looks are left
        return next((failure.case for failure in failures if failure.case is not None), None)

    def _looks(self, folder: str) -> Iterator[StoredLook]:
        try:
            events = read_journal(self.run_dir / folder / "steps.jsonl")
        except ApexError:
            return
        for event in events:
            picture = ""
            for artifact in event.get("evidence") or ():
                if artifact.get("kind") in ("before", "after", "picture"):
                    picture = str(artifact["path"])
                elif artifact.get("kind") == "tree":
                    caption = str(artifact.get("caption", "")).removeprefix("tree ")
                    yield StoredLook(f"{artifact.get('step') or ''} {caption}".strip(), self.run_dir,
                                     str(artifact["path"]), picture)  # fmt: skip
                    picture = ""
