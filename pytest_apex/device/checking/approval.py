"""A screen against its approved tree."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pytest_apex.device import baselines
from pytest_apex.device.acting import images
from pytest_apex.device.checking.waiting import Answer, Question
from pytest_apex.device.context import Context
from pytest_apex.device.locator import Locator
from pytest_apex.device.looking.living import is_clock
from pytest_apex.errors import CheckFailed, ConfigError
from pytest_apex.hierarchy.approved import MASKED, approved_text, differences, first_flaw
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Target

#: So many lines of a difference are told.
_TOLD = 8


def masks(given: object) -> list[Target]:
    """What `mask=` names: a list of locators, or one. Raises `ConfigError` for anything else."""
    items = [given] if isinstance(given, Locator) else given
    if not isinstance(items, (list, tuple)) or not all(isinstance(item, Locator) for item in items):
        raise ConfigError(
            "mask= takes a list of locators", seen=repr(given)[:120], cure='mask=[device.find(id="clock")]'
        )
    return [item.target for item in items]


class ApprovedTree:
    """One check against an approved tree: asked of looks, and written where it may be."""

    def __init__(self, context: Context, name: str, masks: Sequence[Target], bounds: bool) -> None:
        self._ctx = context
        self._name = name
        self._masks = masks
        self._bounds = bounds
        self._file = context.baselines.file(name, f"{context.info.platform}.tree.txt")
        self._approved = self._read()
        self._writes = context.baselines.may_write(self._approved is not None)
        self._now = ""

    def _read(self) -> str | None:
        try:
            return self._whole(baselines.read(self._file))
        except ConfigError:
            if not self._ctx.baselines.may_write(is_there=True):
                raise
            return ""  # whatever it is, it is renewed

    def _whole(self, text: str | None) -> str | None:
        """The text, if it is an approved tree's from its first to its last line. Raises `ConfigError` otherwise."""
        flaw = first_flaw(text) if text is not None else 0
        if text is not None and flaw:
            raise self._damaged(flaw, text.splitlines()[flaw - 1])
        return text

    def _damaged(self, number: int, line: str) -> ConfigError:
        return ConfigError(
            f"the approved {self._file}:{number} is damaged",
            seen=repr(line)[:120],
            likely="what wrote or merged it was cut off half-way, or it was changed by hand",
            cure="take it from the version control, or approve it anew: --apex-update-baselines all",
        )

    def question(self) -> Question:
        return Question(f'the screen to match the approved tree "{self._name}"', self._ask, settled=True)

    def _ask(self, snapshot: Snapshot) -> Answer:
        masked = {node for mask in self._masks for node in images.seek(snapshot, mask)}
        text = approved_text(snapshot, changes=is_clock, masked=masked, bounds=self._bounds)
        self._need_something(text, masked)
        self._now = self._ctx.recorder.redactor.text(text)
        if self._writes:
            return Answer(True)
        if self._approved is None:
            return Answer(
                False,
                f"there is no {self._file}",
                "unsure.no_baseline",
                "the screen was never approved on this platform",
                "look at the candidate; --apex-update-baselines missing approves it",
                sure=True,
            )
        if self._approved != self._now.rstrip("\n") and self._ends_half_way(self._approved):
            lines = self._approved.splitlines()
            raise self._damaged(len(lines), lines[-1])
        found = differences(self._approved, self._now)
        more = [f"and {len(found) - _TOLD} more"] if len(found) > _TOLD else []
        return Answer(
            not found,
            "\n".join([f"{self._file.name}, - approved, + now:", *found[:_TOLD], *more]),
            "functional.wrong_state",
            "the app shows something else than what was approved",
            "if it is meant: --apex-update-baselines all, or mask= what differs from run to run",
        )

    def _ends_half_way(self, approved: str) -> bool:
        """Whether it is what is shown now, cut off within a line."""
        return not approved.endswith("\n") and self._now.startswith(approved)

    def _need_something(self, text: str, masked: Collection[Node]) -> None:
        """Raise `ConfigError` for masks that leave nothing but themselves: such a check holds on every screen."""
        if not masked or any(not line.endswith(MASKED) for line in text.splitlines() if line.startswith("  ")):
            return
        raise ConfigError(
            f'the masks leave nothing of the screen to compare with the approved tree "{self._name}"',
            seen=", ".join(map(str, self._masks)),
            likely="a mask takes in all that is inside of it",
            cure="mask only what differs from run to run",
        )

    def keep(self) -> None:
        """Write what was seen, if it may be and is another."""
        if self._writes and self._now != self._approved:
            baselines.write(self._file, self._now)
            self._ctx.baselines.written.append(self._file)
            self._ctx.recorder.event("baseline", tree=self._name, file=str(self._file))
            self._ctx.notes.append(f'approved tree "{self._name}" was written: {self._file}')

    def keep_candidate(self, error: CheckFailed) -> None:
        """Leave what was seen with the run's evidence; a screen that never came to rest is nothing to approve."""
        if not self._now:
            return
        kept = self._ctx.recorder.attach(f"{self._file.name} (candidate)", self._now, kind="candidate")
        if kept is not None:
            error.look_at = self._ctx.recorder.place_of(kept)
