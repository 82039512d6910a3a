"""Which controls a difference touches, and whether it is but the caret."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot

#: Places that are told, and controls of each.
_PLACES, _NAMES = 6, 3
#: Android's caret and Apple's are two density-independent units wide; half a pixel at each side is smoothed.
_CARET_UNITS = 2
#: A caret is at least so many times as high as it is wide.
_SLIM = 3


def named(snapshot: Snapshot, boxes: Sequence[Rect]) -> list[str]:
    """The innermost visible controls under each box (units of the tree), with the box; the largest boxes first."""
    largest = sorted(boxes, key=lambda box: -box.area)
    lines = []
    for box in largest[:_PLACES]:
        nodes = _under(snapshot, box)
        words = ", ".join(str(node) for node in nodes[:_NAMES]) + (", …" if len(nodes) > _NAMES else "")
        lines.append(f"{box}: {words}" if words else str(box))
    if len(largest) > _PLACES:
        lines.append(f"{len(largest) - _PLACES} more places")
    return lines


def _under(snapshot: Snapshot, box: Rect) -> list[Node]:
    """Visible controls that the box touches, without those that have such a one inside."""
    touched = [node for node in snapshot.nodes if node.visible and node.bounds.overlaps(box)]
    outer = set()
    for node in touched:
        above = node.parent
        while above is not None and above.index not in outer:
            outer.add(above.index)
            above = above.parent
    return [node for node in touched if node.index not in outer]


def caret(snapshot: Snapshot, boxes: Sequence[Rect]) -> Rect | None:
    """The one box (units of the tree) inside of the focused text field that may be its blinking caret."""
    screen = snapshot.screen
    widest = (math.ceil(_CARET_UNITS * screen.density) + 1) / screen.scale
    for node in snapshot.nodes:
        if not (node.visible and node.has(NodeState.FOCUSED) and node.has(NodeState.EDITABLE)):
            continue
        inside = [box for box in boxes if node.bounds.grown(1).encloses(box)]
        if len(inside) == 1 and inside[0].width <= widest and inside[0].height >= _SLIM * inside[0].width:
            return inside[0]
    return None
