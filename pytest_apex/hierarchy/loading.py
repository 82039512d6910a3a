"""Signs that something is still being loaded."""

from __future__ import annotations

import re

from pytest_apex.hierarchy.covers import takes_touches
from pytest_apex.hierarchy.visible import visible_box, visible_boxes
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot

#: A sign that takes this share of the app's area loads the screen, not a part of it.
_SCREEN_SHARE = 0.5

#: How far a bar has come: `40`, `40%`, `0.4`, `3 of 7`, `3/7`. Such a bar stands still until its work goes on, and is
#: no sign of loading by itself.
_MEASURED = re.compile(r"\s*-?\d+(?:[.,]\d+)?\s*(?:%|percent|(?:of|/)\s*\d+)?\s*", re.IGNORECASE)


def loading_signs(snapshot: Snapshot) -> list[Node]:
    """Visible progress indicators that do not say how far they are.

    Only the role counts: a label with the word "Loading" is content until an indicator stands beside it. iOS
    indicators say `In progress` while they turn, others have no value; both are signs.
    """
    tree = snapshot.tree
    if "progress" not in tree.roles:
        return []
    boxes = visible_boxes(tree, snapshot.screen.bounds)
    return [
        Node(tree, index)
        for index, role in enumerate(tree.roles)
        if role == "progress"
        and tree.states[index] & int(NodeState.VISIBLE)
        and boxes[index] is not None
        and not _MEASURED.fullmatch(tree.values[index])
    ]


def covers(sign: Node, node: Node, snapshot: Snapshot) -> bool:
    """Whether a loading sign keeps a control from being used: it lies on it, the layer it turns on does, or it is as
    large as the screen."""
    mark, control = visible_box(snapshot, sign), visible_box(snapshot, node)
    if mark is None:
        return False
    area = snapshot.screen.app_area.area
    if area and mark.area >= area * _SCREEN_SHARE:
        return True
    if control is None:
        return False
    return mark.overlaps(control) or _layer_covers(sign, node, snapshot)


def _layer_covers(sign: Node, node: Node, snapshot: Snapshot) -> bool:
    """Whether a container around the sign, but not around the control, comes later, takes touches and lies over it."""
    control = visible_box(snapshot, node)
    for layer in sign.ancestors:
        if node.is_inside(layer):
            return False
        if layer.index > node.index and takes_touches(layer.tree, layer.index):
            box = visible_box(snapshot, layer)
            if control is not None and box is not None and box.overlaps(control):
                return True
    return False
