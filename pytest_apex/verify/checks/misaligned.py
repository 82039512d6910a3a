"""Rows that are out of line with the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice, pairwise

from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import Page, page_of

#: So many rows, and such a share of them with the very same edge, make a line.
_ROWS, _AGREE = 4, 0.7
#: Off by less is rounding (pixels), by more a level of its own (dp).
_LEAST_PX, _MOST_DP = 2.0, 16.0
#: So many controls of a row are compared with those of the others.
_PARTS = 40
_LISTS = frozenset({"list", "scroll"})
_ROW_ROLES = frozenset({"cell", "card", "group", "button", "text_field", "switch", "checkbox", "radio", "menu_item"})


class Misaligned:
    """Left edges of repeated siblings, and of what stands at the same place inside them. Reads frames only."""

    name = "misaligned"
    claim = "rows of a list are in line"
    kind = "visual.misaligned"

    def applies(self, snapshot: Snapshot) -> bool:
        return len(snapshot) > 0

    def run(self, snapshot: Snapshot) -> CheckResult:
        page = page_of(snapshot)
        findings: list[Finding] = []
        for rows in _groups(page):
            for line in _lines(rows):
                odd = _out_of_line(line, page)
                inside = odd is not None and any(str(above) in f.nodes for f in findings for above in odd[0].ancestors)
                if odd is not None and not inside:
                    node, by = odd
                    side = "right" if by > 0 else "left"
                    reason = f"{node} is {abs(by):.0f} units too far {side}, {len(line)} rows are in one line"
                    findings.append(Finding(self.name, self.kind, reason, nodes=(str(node),), box=node.bounds))
        return result(self, findings)


def _groups(page: Page) -> Iterator[list[Node]]:
    """Siblings of the same role and class, one below the other."""
    groups: defaultdict[tuple[int, str, str], list[Node]] = defaultdict(list)
    for node in page.nodes:
        parent = node.parent
        listed = parent is not None and (parent.role in _LISTS or parent.has(NodeState.SCROLLABLE))
        if parent is not None and not node.bounds.is_empty and (node.role in _ROW_ROLES or listed):
            groups[parent.index, node.role, node.class_name].append(node)
    for rows in groups.values():
        stacked = all(below.bounds.top >= above.bounds.top + 1 for above, below in pairwise(rows))
        if len(rows) >= _ROWS and stacked:
            yield rows


def _lines(rows: list[Node]) -> Iterator[list[Node]]:
    """The rows themselves, then what stands at the same place in rows that are built alike."""
    yield rows
    shapes = Counter(_shape(row) for row in rows)
    shape, _ = shapes.most_common(1)[0]
    alike = [row for row in rows if _shape(row) == shape]
    for offset in range(1, len(shape)):
        yield [Node(row.tree, row.index + offset) for row in alike]


def _shape(row: Node) -> tuple[str, ...]:
    return (row.role, *(inner.role for inner in islice(row.descendants, _PARTS)))


def _out_of_line(line: list[Node], page: Page) -> tuple[Node, float] | None:
    """The one control whose left edge is off while nearly all others agree, and by how much.

    Right edges that agree better mean that the line is on the right (numbers, right-to-left scripts).
    """
    if len(line) < _ROWS:
        return None
    lefts = Counter(round(node.bounds.left, 2) for node in line)
    rights = Counter(round(node.bounds.right, 2) for node in line)
    left, agreeing = lefts.most_common(1)[0]
    odd = [node for node in line if abs(node.bounds.left - left) > 0.01]
    if agreeing < _AGREE * len(line) or len(odd) != 1 or rights.most_common(1)[0][1] == len(line):
        return None
    by = odd[0].bounds.left - left
    scale = page.look.screen.scale
    return (odd[0], by) if abs(by) * scale >= _LEAST_PX and abs(by) <= _MOST_DP * page.dp else None
