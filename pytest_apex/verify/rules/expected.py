"""Rule 5: what is there by intention. Observations only: it never decides, and never turns a failure into a pass."""

from __future__ import annotations

import re

from pytest_apex.model.case import Case
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.dialogs import permission_dialog
from pytest_apex.verify.rules.base import Rule, Ruling
from pytest_apex.verify.rules.facts import is_missing
from pytest_apex.verify.windows import foreground

#: Words of a placeholder, at its beginning or end.
_EMPTY = re.compile(
    r"^(no|nothing|none|keine?|nichts|noch keine?|aucune?|rien|ning[uú]n\w*|nada|nenhum\w*|нет|ничего|没有|暂无)\b"
    r"|\bis empty\b|\b(ist|sind) leer\b|\best vide\b|\bestá vac[ií]o\b|\byet[.!]?$",
    re.IGNORECASE,
)
_ROWS = frozenset({"cell", "card"})


def ask(case: Case) -> Ruling:
    """A permission dialog that is not in the way; a control disabled while its form is incomplete; an empty list that
    says so; what the app's manual declares."""
    notes = []
    asks = permission_dialog(case.now) if case.now is not None else None
    if asks is not None:
        notes.append(f"expected: a permission dialog of {asks.app} is open, not in the way of this check")
    if case.failure.because:
        notes.append(f"expected: disabled while the form is incomplete ({case.failure.because})")
    empty = _empty_state(case.now) if case.now is not None and is_missing(case) else ""
    if empty:
        notes.append(f'expected: an empty state with its placeholder: "{empty}"')
    notes.extend(f"expected: {line}" for line in case.declared)
    if not notes:
        return Ruling("nothing to note")
    return Ruling("noted, decides nothing", tuple(notes), notes=tuple(notes))


def _empty_state(look: Snapshot) -> str:
    """The words that stand where rows would; "" where there are rows, or none that say so."""
    front = foreground(look)
    inside = [node for node in look.nodes if node.visible and front is not None and node.window.index == front.index]
    if any(node.role in _ROWS for node in inside):
        return ""
    return next((node.text for node in inside if node.role == "text" and _EMPTY.search(node.text)), "")


RULE = Rule("expected", "What of this is there by intention?", ask)
