"""Rule 8: is it how the screen looks?"""

from __future__ import annotations

from pytest_apex.model.case import Case
from pytest_apex.verify.pictures import blank
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.facts import after, headline, reads_screen, told


def ask(case: Case) -> Ruling:
    """A blank app area whatever was asked; else the question decides."""
    if not reads_screen(case):
        return Ruling("no: the check does not read the screen")
    empty = blank(case.now) if case.now is not None else None
    if empty:
        reason = f"the app shows a blank screen{after(case)}: {empty} ({headline(case)})"
        return Ruling("yes: the whole app area is blank", (empty,), "visual.blank", reason)
    failure = case.failure
    if not failure.kind.startswith("visual."):
        return Ruling("no: the question was not about looks")
    failing = [finding for finding in failure.findings if finding.severity == "fail"]
    if not failing:
        return Ruling("yes: a check of looks failed", (headline(case),), failure.kind, told(case))
    facts = tuple(f"{finding.rule}: {finding.reason}" for finding in failing)
    more = f", and {len(failing) - 1} more" if len(failing) > 1 else ""
    return Ruling("yes: a check of looks failed", facts, failing[0].kind, failing[0].reason + more)


RULE = Rule("visual", "Is it how the screen looks, and not what it does?", ask)
