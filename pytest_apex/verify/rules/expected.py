"""Rule 5: what is there by intention. Observations only: it never decides, and never turns a failure into a pass."""

from __future__ import annotations

from pytest_apex.model.case import Case
from pytest_apex.verify.dialogs import permission_dialog
from pytest_apex.verify.rules.base import Rule, Ruling


def ask(case: Case) -> Ruling:
    """A permission dialog that is not in the way; a control disabled while its form is incomplete; what the app's
    manual declares."""
    notes = []
    asks = permission_dialog(case.now) if case.now is not None else None
    if asks is not None:
        notes.append(f"expected: a permission dialog of {asks.app} is open, not in the way of this check")
    if case.failure.because:
        notes.append(f"expected: disabled while the form is incomplete ({case.failure.because})")
    notes.extend(f"expected: {line}" for line in case.declared)
    if not notes:
        return Ruling("nothing to note")
    return Ruling("noted, decides nothing", tuple(notes), notes=tuple(notes))


RULE = Rule("expected", "What of this is there by intention?", ask)
