"""Two targets of one name: who hears the screen can't tell them apart."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice

from pytest_apex.hierarchy.names import cut, plain, shown_text
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import page_of
from pytest_apex.verify.checks.touch_target import TOUCHED

_LEVELS = 50
_ROWS = frozenset({"cell", "card"})
#: Controls whose name is what they contain.
_HOLDERS = frozenset({"list", "scroll", "group", "other", "web", "window", "application"})


class DuplicateLabel:
    """As in Google's Accessibility Test Framework: visible targets with one name, at different places, with no
    clickable ancestor in common. Beyond it, the same button in each row of a list is told apart by the row it is read
    with."""

    name = "duplicate_label"
    claim = "no two controls have the same name"
    kind = "accessibility.duplicate_label"

    def applies(self, snapshot: Snapshot) -> bool:
        return len(snapshot) > 0

    def run(self, snapshot: Snapshot) -> CheckResult:
        named: defaultdict[str, list[Node]] = defaultdict(list)
        for node in page_of(snapshot).nodes:
            if node.has(TOUCHED) and node.role not in _HOLDERS and not node.bounds.is_empty and not _is_typed(node):
                named[plain(shown_text(node))].append(node)
        findings = []
        for name, nodes in named.items():
            apart = _apart(nodes) if name else []
            if len(apart) > 1:
                reason = f"{len(apart)} controls are called {cut(shown_text(apart[0]), 60)!r}"
                words = tuple(map(str, apart))
                findings.append(Finding(self.name, self.kind, reason, "warn", words, apart[1].bounds))
        return result(self, findings)


def _is_typed(node: Node) -> bool:
    return node.has(NodeState.EDITABLE)


def _apart(nodes: Sequence[Node]) -> list[Node]:
    """Those that are different targets."""
    kept: list[Node] = []
    for node in nodes:
        same = any(node.bounds == other.bounds or _belong_together(node, other) for other in kept)
        if not same and not any(_in_different_rows(node, other) for other in kept):
            kept.append(node)
    return kept


def _belong_together(one: Node, other: Node) -> bool:
    if one.is_inside(other) or other.is_inside(one):
        return True
    around = {above.index for above in islice(one.ancestors, _LEVELS) if above.has(TOUCHED)}
    return any(above.index in around for above in islice(other.ancestors, _LEVELS))


def _in_different_rows(one: Node, other: Node) -> bool:
    rows = [next((above for above in islice(node.ancestors, _LEVELS) if _is_row(above)), None) for node in (one, other)]
    return rows[0] is not None and rows[1] is not None and rows[0] != rows[1]


def _is_row(node: Node) -> bool:
    parent = node.parent
    listed = parent is not None and (parent.role == "list" or parent.has(NodeState.SCROLLABLE))
    return node.role in _ROWS or listed
