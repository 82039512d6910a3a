"""What a touch at a point meets: the window, the smallest control, and how much room that has around the point."""

from __future__ import annotations

from itertools import chain

from pytest_apex.hierarchy.covers import covers_of
from pytest_apex.hierarchy.visible import Box, has_area, overlap, visible_boxes
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot, Window


def window_at(snapshot: Snapshot, point: Point) -> Window | None:
    """The topmost window that takes a touch there. A toast lets it through; a dialog takes those beside it, too."""
    for window in reversed(snapshot.windows):
        if window.kind == "toast":
            continue
        here = smallest_at(snapshot, point, window) if window.bounds.is_empty else window.bounds.contains(point)
        if here or window.kind == "dialog":
            return window
    return None


def smallest_at(snapshot: Snapshot, point: Point, window: Window) -> Node | None:
    """The visible node of a window with the smallest unclipped part around the point; of equal ones the innermost."""
    tree, best, least = snapshot.tree, -1, float("inf")
    for index, box in enumerate(visible_boxes(tree, snapshot.screen.bounds)):
        if box is None or tree.window_of[index] != window.index or not _within(box, point):
            continue
        if _size(box) <= least and tree.node(index).visible:
            best, least = index, _size(box)
    return tree.node(best) if best >= 0 else None


def free_around(snapshot: Snapshot, node: Node, point: Point) -> Rect | None:
    """A rectangle around the point where a touch is the node's own; None if another control takes it at the point.

    Not always the largest one: it is cut beside each thing that takes touches, where that leaves most.
    """
    tree, covers = node.tree, covers_of(node.tree, snapshot.screen.bounds)
    region = covers.parts[node.index]
    if region is None or not _within(region, point):
        return None
    above = (cover for cover in covers.windows[node.window.index + 1 :] if cover is not None)
    inside = covers.over(region, node.index + 1, tree.ends[node.index])
    later = covers.over(region, tree.ends[node.index], len(tree))
    for _, box in chain(above, inside, later):
        if _within(box, point):
            return None
        if has_area(overlap(box, region)):
            region = _cut_beside(region, box, point)
    return Rect(*region)


def taker_at(snapshot: Snapshot, point: Point) -> Node | None:
    """The control that a touch at a point goes to: the last one drawn there that takes touches, in the topmost window;
    of a window without any its best known control. None if nothing is listed there that takes touches."""
    tree, covers = snapshot.tree, covers_of(snapshot.tree, snapshot.screen.bounds)
    there = zip(covers.order, covers.boxes, strict=True)
    taker = max((index for index, box in there if _within(box, point)), default=-1)
    window = window_at(snapshot, point)
    over = covers.windows[window.index] if window is not None and window.index > 0 else None
    if over is not None and window is not None and (taker < 0 or tree.window_of[taker] < window.index):
        taker = over[0]
    return tree.node(taker) if taker >= 0 else None


def under(snapshot: Snapshot, point: Point, cover: Node) -> Node | None:
    """The control that would take a touch at a point if `cover`, and what it is in, were not there."""
    covers = covers_of(snapshot.tree, snapshot.screen.bounds)
    there = zip(covers.order, covers.boxes, strict=True)
    below = [snapshot.tree.node(index) for index, box in there if index < cover.index and _within(box, point)]
    return next((node for node in reversed(below) if not cover.is_inside(node)), None)


def _cut_beside(region: Box, box: Box, point: Point) -> Box:
    """The largest part of a region that is left, right, above or below a box, and holds the point."""
    left, top, right, bottom = region
    sides = ((left, top, box[0], bottom), (box[2], top, right, bottom), (left, top, right, box[1]),
             (left, box[3], right, bottom))  # fmt: skip
    return max((side for side in sides if _within(side, point)), key=_size)


def _within(box: Box, point: Point) -> bool:
    return box[0] <= point.x < box[2] and box[1] <= point.y < box[3]


def _size(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])
