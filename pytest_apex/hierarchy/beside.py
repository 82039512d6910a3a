"""The control that a label stands for: the one switch, field or slider in its row, or on its line."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.hierarchy.around import is_touchable, row_around
from pytest_apex.hierarchy.visible import clips
from pytest_apex.model.node import Node


def controls_of(label: Node, fits: Callable[[Node], bool]) -> list[Node]:
    """The visible controls that fit and belong to a label, in document order.

    That is the label itself; else those inside it or inside the row around it; else those on its line: in the same
    scrolling container and window, at the same height, and not in a row of their own.
    """
    row = row_around(label)
    for place in (label, row):
        if fits(place):
            return [place]
    inside = [node for node in row.descendants if node.visible and fits(node)]
    return inside or _on_line(label, fits)


def _on_line(label: Node, fits: Callable[[Node], bool]) -> list[Node]:
    page = _page_around(label)
    others = page.descendants if page is not None else (label.tree.node(at) for at in range(len(label.tree)))
    return [
        node
        for node in others
        if node.visible
        and node.window == label.window
        and fits(node)
        and _at_one_height(label, node)
        and _page_around(node) == page
        and not _has_own_row(node, label)
    ]


def _page_around(node: Node) -> Node | None:
    return next((above for above in node.ancestors if clips(above.tree, above.index)), None)


def _at_one_height(label: Node, node: Node) -> bool:
    """The middle of one lies beside the other."""
    one, two = label.bounds, node.bounds
    return one.top <= two.center.y < one.bottom or two.top <= one.center.y < two.bottom


def _has_own_row(node: Node, label: Node) -> bool:
    """Whether a touchable row around it is not around the label."""
    rows = (above for above in node.ancestors if is_touchable(above.tree, above.index) or above.role == "cell")
    return any(not label.is_inside(row) for row in rows)
