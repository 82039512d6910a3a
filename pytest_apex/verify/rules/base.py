"""What a rule is, and what it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_apex.model.case import Case


@dataclass(frozen=True, slots=True)
class Ruling:
    """The answer of one rule to one case.

    A rule that holds sets `kind` (dotted, see the rubric) and `reason`, one sentence that a person can act on. `notes`
    go to the verdict whether it holds or not.
    """

    answer: str
    evidence: tuple[str, ...] = ()
    kind: str = ""
    reason: str = ""
    suspect: str = ""
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return bool(self.kind)


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule of the rubric."""

    name: str
    question: str
    ask: Callable[[Case], Ruling]
