"""What stands around a control and belongs to it."""

from __future__ import annotations

from collections import deque

from pytest_apex.hierarchy.visible import clips
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree

_TOUCHABLE = int(NodeState.CLICKABLE | NodeState.LONG_CLICKABLE | NodeState.CHECKABLE | NodeState.EDITABLE)
#: Beyond these is no control that a label inside could belong to.
_BORDERS = frozenset({"application", "window", "dialog", "alert", "sheet", "web", "toolbar", "tab_bar", "keyboard"})
#: What a label stands for when it is named as the place to look in.
_ROWS = frozenset({"cell", "card", "dialog", "alert", "sheet", "menu_item"})
_MODAL_ROLES = frozenset({"dialog", "alert", "sheet"})
#: A touchable container this much of its window, on both axes, is a backdrop and not the control around a label.
_BACKDROP = 0.9


def is_touchable(tree: Tree, index: int) -> bool:
    return bool(tree.states[index] & _TOUCHABLE)


def touchable(node: Node) -> Node:
    """The control that takes the touch on a label: itself, or the nearest one around it that can be touched.

    The search ends at scrolling containers, bars, dialogs and windows; a touchable container as large as its window
    (one that hides the keyboard, say) is not meant. The node itself when there is none.
    """
    tree = node.tree
    if is_touchable(tree, node.index):
        return node
    for above in node.ancestors:
        if above.role in _BORDERS or clips(tree, above.index):
            return node
        if is_touchable(tree, above.index):
            return node if _is_backdrop(above) else above
    return node


def row_around(node: Node) -> Node:
    """A control with others in it; for a bare label the touchable control, or the row, that it names."""
    if node.tree.ends[node.index] > node.index + 1:
        return node
    around = touchable(node)
    if around != node:
        return around
    return next((above for above in node.ancestors if above.role in _ROWS), node)


def incomplete_field(snapshot: Snapshot, node: Node) -> Node | None:
    """The control of the same dialog or window that explains why `node` is disabled.

    One that is marked invalid; else the first enabled text field that is empty, or required box that is unchecked.
    """
    dialog = next((above for above in node.ancestors if above.role in _MODAL_ROLES), None)
    around = dialog.descendants if dialog is not None else iter(snapshot.nodes)
    fields = [other for other in around if other.visible and other.window == node.window and other != node]
    invalid = next((other for other in fields if other.has(NodeState.INVALID)), None)
    return invalid or next((other for other in fields if other.enabled and _is_incomplete(other)), None)


def _is_incomplete(node: Node) -> bool:
    if node.has(NodeState.EDITABLE):
        return not node.text
    return node.has(NodeState.REQUIRED) and node.has(NodeState.CHECKABLE) and not node.has(NodeState.CHECKED)


def _is_backdrop(node: Node) -> bool:
    window = _window_bounds(node)
    return node.bounds.width >= window.width * _BACKDROP and node.bounds.height >= window.height * _BACKDROP


def _window_bounds(node: Node) -> Rect:
    """The bounds of its window; where the platform does not tell them, those of the outermost node."""
    if not node.window.bounds.is_empty:
        return node.window.bounds
    return deque([node, *node.ancestors], maxlen=1)[0].bounds
