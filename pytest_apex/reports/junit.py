"""What JUnit files say of an attempt beside pytest's own outcome."""

from __future__ import annotations

from pytest_apex.model.verdict import Attempt
from pytest_apex.reports.results import MANUALS, UNDONE


def properties(attempt: Attempt) -> list[tuple[str, str]]:
    """Properties of the test case, and labels of its Allure result. What is empty is left out, so a verdict without a
    category has no `apex.category`; each observation (an expected dialog, a wait on record) is an `apex.note`.

    pytest writes only what is in `item.user_properties` when the tear-down report is made: add them before that.
    """
    verdict = attempt.verdict
    named = (
        ("apex.category", verdict.category.value if verdict.category is not None else ""),
        ("apex.kind", verdict.kind),
        ("apex.device", attempt.device),
        *(("apex.manual", manual) for manual in attempt.facts.get(MANUALS, "").splitlines()),
        *(("apex.irreversible", act) for act in dict.fromkeys(attempt.facts.get(UNDONE, "").splitlines())),
        ("apex.suspect", verdict.suspect),
        *(("apex.note", note) for note in (*verdict.notes, *attempt.also)),
    )
    return [(name, value) for name, value in named if value]
