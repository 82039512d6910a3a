"""What takes the touches on a control of iOS. Its tree has views without a name over controls, and tells of none
whether it lets touches through: WebDriverAgent answers that for one element (`hittable`), by XCTest's own hit point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pytest_apex.backends.appium.by_element import found_on_screen
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.wire import Refused
from pytest_apex.errors import ActionRefused, DeviceProblem
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Tree

#: It is slow on a device: so many views are asked for on one screen.
_MOST = 3


def with_covers(connection: Connection, tree: Tree, source: str) -> Tree:
    """The tree with the views marked that take the touches on what they lie over. Asked only where one lies over a
    control wholly, and once while `source` stays the same."""
    app = tree.windows[0].app if tree.windows else ""
    asked, taking = connection.covers.get(app, ("", ()))
    if asked != source:
        taking = tuple(over.index for under, over in _suspects(tree) if _is_out_of_reach(connection, under))
        connection.covers[app] = (source, taking)
    if not taking:
        return tree
    states = list(tree.states)
    for index in taking:
        states[index] |= int(NodeState.CLICKABLE)
    return replace(tree, states=tuple(states))


def _suspects(tree: Tree) -> Iterator[tuple[Node, Node]]:
    """A control and a view without a name over it; the first control of each view."""
    nodes = [tree.node(index) for index in range(len(tree))]
    wanted = NodeState.CLICKABLE | NodeState.ENABLED | NodeState.VISIBLE
    controls = [node for node in nodes if node.has(wanted) and (node.identifier or node.label)]
    views = [node for node in nodes if _is_blank(tree, node)]
    count = 0
    for over in views:
        under = next(
            (node for node in controls if tree.ends[node.index] <= over.index and _lies_over(over, node)), None
        )
        if under is not None and count < _MOST:
            count += 1
            yield under, over


def _is_blank(tree: Tree, node: Node) -> bool:
    """A leaf that shows and does nothing, as far as the tree tells."""
    plain = node.role == "other" and not (node.identifier or node.label or node.text or node.value)
    leaf = tree.ends[node.index] == node.index + 1
    return plain and leaf and node.has(NodeState.VISIBLE) and not node.has(NodeState.CLICKABLE)


def _lies_over(over: Node, under: Node) -> bool:
    return over.window == under.window and over.bounds.intersect(under.bounds) == under.bounds


def _is_out_of_reach(connection: Connection, node: Node) -> bool:
    try:
        element = found_on_screen(connection, node)
        told = connection.refused_or(f"/element/{element}/attribute/hittable", None, f"asking what is over {node}")
    except (Refused, ActionRefused, DeviceProblem):
        return False
    return str(told).lower() in ("false", "0")
