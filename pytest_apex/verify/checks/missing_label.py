"""Targets without a name: who hears the screen hears "button"."""

from __future__ import annotations

from itertools import islice

from pytest_apex.hierarchy.names import shown_text
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import page_of
from pytest_apex.verify.checks.touch_target import TOUCHED

_LEVELS = 50
#: Containers, and what has its own way of saying what it is.
_ASIDE = frozenset({"list", "scroll", "web", "map", "video", "window", "application", "key", "keyboard", "picker"})


class MissingLabel:
    """A clickable control needs a text, a label or a placeholder, of its own or inside (WCAG 2.2, 4.1.2). A field may
    be named by a text beside it, which trees do not tell, and a container may be what its content is: `unknown`."""

    name = "missing_label"
    claim = "every control has a name"
    kind = "accessibility.missing_label"

    def applies(self, snapshot: Snapshot) -> bool:
        return len(snapshot) > 0

    def run(self, snapshot: Snapshot) -> CheckResult:
        findings, unknown = [], []
        for node in page_of(snapshot).nodes:
            if not node.has(TOUCHED) or node.role in _ASIDE or node.bounds.is_empty or _is_named(node):
                continue
            if node.has(NodeState.EDITABLE) or node.role in ("group", "other", "cell", "card"):
                unknown.append(f"{node}: it may be named by what is beside it")
                continue
            reason = f"{node.role} at {node.bounds.center} has no name"
            findings.append(Finding(self.name, self.kind, reason, "warn", (str(node),), node.bounds))
        return result(self, findings, tuple(unknown))


def _is_named(node: Node) -> bool:
    if shown_text(node).strip() or node.hint or any(inner.hint for inner in node.descendants):
        return True
    # A switch or check box in a row that is touched as a whole is read with the row.
    above = next((outer for outer in islice(node.ancestors, _LEVELS) if outer.has(TOUCHED)), None)
    return above is not None and bool(shown_text(above).strip())
