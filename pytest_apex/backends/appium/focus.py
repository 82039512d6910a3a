"""Which field has the focus on iOS. Its tree does not tell: WebDriverAgent (`FBXPath.m`) writes `focused` on tvOS."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.wire import Refused
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Tree

#: How WebDriver marks an element's id.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
#: The tree has whole points, rounded outward.
_ROUNDED = 2.0


def focused_field(connection: Connection) -> str:
    """The id of the element with the focus. Raises `Refused` where none has it."""
    told = connection.refused_or("/element/active", None, "asking for the focused field")
    field = told.get(ELEMENT) if isinstance(told, dict) else None
    if not isinstance(field, str) or not field:
        raise Refused("no such element", "no field has the focus")
    return field


def with_focus(connection: Connection, tree: Tree) -> Tree:
    """The tree with the focused field marked; asked only where there is a field."""
    editable = int(NodeState.EDITABLE)
    fields = [index for index, states in enumerate(tree.states) if states & editable]
    if not fields:
        return tree
    try:
        told = connection.refused_or(f"/element/{focused_field(connection)}/rect", None, "asking where the focus is")
        x, y, width, height = (float(told[name]) for name in ("x", "y", "width", "height"))
    except (Refused, TypeError, KeyError, ValueError):
        return tree
    around = Rect(x, y, x + width, y + height)
    states = list(tree.states)
    for index in fields:
        if same_place(tree.rect(index), around):
            states[index] |= int(NodeState.FOCUSED)
            break
    return replace(tree, states=tuple(states))


def same_place(one: Rect, other: Rect) -> bool:
    """Whether two frames are the same but for their rounding."""
    edges = zip(
        (one.left, one.top, one.right, one.bottom), (other.left, other.top, other.right, other.bottom), strict=True
    )
    return all(abs(a - b) <= _ROUNDED for a, b in edges)
