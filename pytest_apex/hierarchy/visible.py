"""The part of each control that is not clipped away, whatever may lie over it."""

from __future__ import annotations

import math
from typing import TypeAlias

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree

#: Left, top, right, bottom.
Box: TypeAlias = tuple[float, float, float, float]

#: Content is cut at the edges of these even where the platform does not call them scrollable.
CLIPPING_ROLES = frozenset({"scroll", "list", "web"})

_SCROLLABLE = int(NodeState.SCROLLABLE)

EVERYWHERE: Box = (-math.inf, -math.inf, math.inf, math.inf)


def overlap(a: Box, b: Box) -> Box:
    """The common part; may be inverted. Not-a-number in `a` stays, so that such a box is empty."""
    return (max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3]))


def has_area(box: Box) -> bool:
    """Whether width and height are positive and finite."""
    return 0 < box[2] - box[0] < math.inf and 0 < box[3] - box[1] < math.inf


def clips(tree: Tree, index: int) -> bool:
    """Whether a control cuts its children off at its edges."""
    return tree.roles[index] in CLIPPING_ROLES or bool(tree.states[index] & _SCROLLABLE)


@per_tree
def visible_boxes(tree: Tree, screen: Rect) -> list[Box | None]:
    """For each node its bounds cut by the screen, its window and the scrolling containers around it; None: nothing
    is left.

    A screen or window without a known size cuts nothing. Visibility flags are not looked at.
    """
    outer = _known(screen, EVERYWHERE)
    of_window = [_known(window.bounds, outer, within=outer) for window in tree.windows]
    limits: list[Box] = []
    parts: list[Box | None] = []
    flat = tree.boxes
    for index, parent in enumerate(tree.parents):
        limit = limits[parent] if parent >= 0 else of_window[tree.window_of[index]]
        at = index * 4
        box = (flat[at], flat[at + 1], flat[at + 2], flat[at + 3])
        part = overlap(box, limit)
        parts.append(part if has_area(part) else None)
        limits.append(part if has_area(box) and clips(tree, index) else limit)
    return parts


def _known(rect: Rect, otherwise: Box, within: Box = EVERYWHERE) -> Box:
    box = (rect.left, rect.top, rect.right, rect.bottom)
    return overlap(box, within) if has_area(box) else otherwise


def visible_box(snapshot: Snapshot, node: Node) -> Rect | None:
    """The unclipped part of one control."""
    box = visible_boxes(snapshot.tree, snapshot.screen.bounds)[node.index]
    return None if box is None else Rect(*box)
