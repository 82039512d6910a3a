"""Rows that are out of line with the others."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice, pairwise
from typing import TypeAlias

from pytest_apex.hierarchy.names import in_words
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import Page, page_of

#: So many rows, and such a share of them with the very same edge, make a line.
_ROWS, _AGREE = 4, 0.7
#: Off by less is rounding (pixels), by more a level of its own (dp).
_LEAST_PX, _MOST_DP = 2.0, 16.0
#: Shifts of what moved together differ by no more, in units of the tree: bounds are rounded.
_SAME = 2.0
#: So many controls of a row are compared with those of the others.
_PARTS = 40
#: How far up the row around a control is looked for.
_LEVELS = 50
_LISTS = frozenset({"list", "scroll"})
_ROW_ROLES = frozenset({"cell", "card", "group", "button", "text_field", "switch", "checkbox", "radio", "menu_item"})


#: A control that is out of line, by how much, and to which side.
_Odd: TypeAlias = tuple[Node, float, str]


class Misaligned:
    """Left edges of repeated siblings, and of what stands at the same place inside them; the height at which that
    stands in rows that are equally high. Reads frames only."""

    name = "misaligned"
    claim = "rows of a list are in line"
    kind = "visual.misaligned"

    def applies(self, snapshot: Snapshot) -> bool:
        return len(snapshot) > 0

    def run(self, snapshot: Snapshot) -> CheckResult:
        page = page_of(snapshot)
        findings: list[Finding] = []
        for rows in _groups(page):
            reported = {word for finding in findings for word in finding.nodes}
            odd_ones = [odd for odd in _odd_ones(rows, page) if str(odd[0]) not in reported]
            for moved in _together(rows, odd_ones):
                inside = any(str(above) in reported for above in moved[0][0].ancestors)
                if not inside:
                    findings.append(self._finding(rows, moved))
        return result(self, findings)

    def _finding(self, rows: list[Node], moved: list[_Odd]) -> Finding:
        """`moved` are controls of one row, its own one first where it is among them."""
        node, by, side = moved[0]
        if len(moved) > 1:
            node = next(row for row in rows if node.is_inside(row))
        words = dict.fromkeys(map(str, (node, *(odd[0] for odd in moved))))
        # A row is known by the words in it, rather than by the id that all of them share.
        named = f"{in_words(node)} at {node.bounds.center}" if node.name else str(node)
        reason = f"{named} is {by:.0f} units too far {side}, {len(rows)} rows are in one line"
        return Finding(self.name, self.kind, reason, nodes=tuple(words), box=node.bounds)


def _odd_ones(rows: list[Node], page: Page) -> Iterator[_Odd]:
    for at, line in enumerate(_lines(rows)):
        odd = _out_of_line(line, page) or (_out_of_height(line, page) if at else None)
        if odd is not None:
            yield odd


def _together(rows: list[Node], odd_ones: list[_Odd]) -> list[list[_Odd]]:
    """One cause, one report: what is off in one row, to the same side and as far, moved with it."""
    moved: list[list[_Odd]] = []
    for node, by, side in odd_ones:
        row = next((row for row in rows if node.is_inside(row)), None)
        for others in moved:
            first, as_far, same_side = others[0]
            if row is not None and first.is_inside(row) and side == same_side and abs(by - as_far) <= _SAME:
                others.append((node, by, side))
                break
        else:
            moved.append([(node, by, side)])
    return moved


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


def _out_of_line(line: list[Node], page: Page) -> _Odd | None:
    """The one control whose left edge is off while nearly all others agree.

    Right edges that agree better mean that the line is on the right (numbers, right-to-left scripts).
    """
    if len(line) < _ROWS:
        return None
    found = _odd_one([node.bounds.left for node in line], page)
    rights = Counter(round(node.bounds.right, 2) for node in line)
    if found is None or rights.most_common(1)[0][1] == len(line):
        return None
    at, by = found
    return line[at], abs(by), "right" if by > 0 else "left"


def _out_of_height(line: list[Node], page: Page) -> _Odd | None:
    """The one control that stands higher or lower in its row than the others, by its middle: letters of different
    heights have the same."""
    rows = [_row_of(node) for node in line]
    heights = Counter(round(row.height, 2) for row in rows)
    if len(line) < _ROWS or len(heights) > 1 or any(page.is_partial(node) for node in line):
        return None
    if len({round(node.bounds.height, 2) for node in line}) > 1:
        return None
    found = _odd_one([node.bounds.center.y - row.top for node, row in zip(line, rows, strict=True)], page)
    return None if found is None else (line[found[0]], abs(found[1]), "down" if found[1] > 0 else "up")


def _row_of(node: Node) -> Rect:
    """The row around what stands in one: the nearest container that lies in a list."""
    for above in islice(node.ancestors, _LEVELS):
        outer = above.parent
        if outer is not None and (outer.role in _LISTS or outer.has(NodeState.SCROLLABLE)):
            return above.bounds
    return node.bounds


def _odd_one(values: list[float], page: Page) -> tuple[int, float] | None:
    """The place of the one value that is off while nearly all others agree, and by how much."""
    usual, agreeing = Counter(round(value, 2) for value in values).most_common(1)[0]
    odd = [at for at, value in enumerate(values) if abs(value - usual) > 0.01]
    if agreeing < _AGREE * len(values) or len(odd) != 1:
        return None
    by = values[odd[0]] - usual
    fits = abs(by) * page.look.screen.scale >= _LEAST_PX and abs(by) <= _MOST_DP * page.dp
    return (odd[0], by) if fits else None
