"""Where a finger reaches a control."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from pytest_apex.hierarchy.covers import Cover, Covers, covers_of
from pytest_apex.hierarchy.free import largest_free
from pytest_apex.hierarchy.visible import EVERYWHERE, Box, clips, has_area, overlap
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Hit, Obscured
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import Snapshot, Window

_VISIBLE = int(NodeState.VISIBLE)
#: Windows that may lie in the space of the system bars.
_SYSTEM_KINDS = frozenset({"system", "status_bar", "keyboard"})


def find_hit(snapshot: Snapshot, node: Node) -> Hit | Obscured:
    """The middle of the largest free rectangle of a control, or why there is none.

    Free is what clipping leaves (screen, window, scrolling containers around it), minus what takes touches above it:
    later windows, later controls of other branches, and controls inside it that have a touch of their own. System
    bars are avoided where another part is free. A container that its own controls fill is touched through them.
    """
    return hit_among(covers_of(node.tree, snapshot.screen.bounds), snapshot.screen, node)


def hit_among(covers: Covers, screen: Screen, node: Node) -> Hit | Obscured:
    """The same, for who asks for many controls of one snapshot."""
    index = node.index
    if index in covers.remote:
        how = "its content belongs to another process: activate that app, or touch a point"
        return Obscured(node, "remote", how=how)
    if not has_area(covers.bounds[index]):
        return Obscured(node, "no_area", how="it has no size on the screen: use the control around it, or a point")
    region = covers.parts[index]
    if region is None or not node.tree.states[index] & _VISIBLE:
        return _unseen(node, region)
    end = node.tree.ends[index]
    outside = _outside(covers, node, region)
    inside = list(_until_full(region, covers.over(region, index + 1, end))) if end > index + 1 else []
    everything = [box for _, box in chain(outside, inside)]
    for part in _preferred(screen, node, region):
        free = largest_free(part, everything) if everything else part
        if free is not None:
            return Hit(node, _middle(free), Rect(*free))
    free = largest_free(region, [box for _, box in outside]) if inside else None
    if free is not None:
        return Hit(node, _middle(free), Rect(*free), why="filled by its own controls: the touch goes through them")
    return _covered(node, region, outside)


def window_hit(snapshot: Snapshot, window: Window) -> Point | None:
    """The middle of the largest part of a window that no later window lies over."""
    screen = snapshot.screen.bounds
    whole = (screen.left, screen.top, screen.right, screen.bottom) if not screen.is_empty else EVERYWHERE
    bounds = window.bounds
    region = overlap((bounds.left, bounds.top, bounds.right, bounds.bottom), whole)
    later = covers_of(snapshot.tree, screen).windows[window.index + 1 :]
    free = largest_free(region, [cover[1] for cover in later if cover is not None])
    return _middle(free) if free is not None else None


def _unseen(node: Node, region: Box | None) -> Obscured:
    if region is not None:
        return Obscured(node, "hidden", how="the platform says that it is not visible: do first what shows it")
    container = next((above for above in node.ancestors if clips(above.tree, above.index)), None)
    if container is None:
        return Obscured(node, "off_screen", how="nothing around it scrolls: do first what brings it onto the screen")
    return Obscured(node, "off_screen", how=f"scroll {_direction(node.bounds, container.bounds)} in {container}")


def _direction(bounds: Rect, view: Rect) -> str:
    """Which way its middle lies outside of a view, along the axis on which it is farther away."""
    here, there = view.center, bounds.center
    across, along = there.x - here.x, there.y - here.y
    if abs(across) > abs(along):
        return "right" if across > 0 else "left"
    return "down" if along > 0 else "up"


def _outside(covers: Covers, node: Node, region: Box) -> list[Cover]:
    """What lies over the region and is not part of the control; whole windows first, from the top."""
    tree, index = node.tree, node.index
    later = covers.over(region, tree.ends[index], len(covers.bounds))
    windows = covers.windows[tree.window_of[index] + 1 :] if len(covers.windows) > 1 else ()
    if not windows:
        return list(_until_full(region, later))
    above = (cover for cover in reversed(windows) if cover is not None and has_area(overlap(cover[1], region)))
    return list(_until_full(region, chain(above, later)))


def _until_full(region: Box, covers: Iterable[Cover]) -> Iterator[Cover]:
    """The covers up to the first one that leaves nothing."""
    left, top, right, bottom = region
    for cover in covers:
        yield cover
        box = cover[1]
        if box[0] <= left and box[1] <= top and box[2] >= right and box[3] >= bottom:
            return


def _preferred(screen: Screen, node: Node, region: Box) -> tuple[Box, ...]:
    """The region without the space of the system bars, if it reaches out of it; then all of it."""
    bars, size = screen.insets, screen.size
    inner = overlap(region, (bars.left, bars.top, size.width - bars.right, size.height - bars.bottom))
    if inner == region or not has_area(inner) or node.window.kind in _SYSTEM_KINDS:
        return (region,)
    return inner, region


def _covered(node: Node, region: Box, outside: Sequence[Cover]) -> Obscured:
    """Names the cover with the largest part of the region; of equal ones the first."""

    def share(cover: Cover) -> float:
        box = overlap(cover[1], region)
        return (box[2] - box[0]) * (box[3] - box[1])

    index = max(outside, key=share)[0]
    by = Node(node.tree, index) if index >= 0 else None
    is_keyboard = by is not None and by.window.kind == "keyboard"
    how = "hide the keyboard" if is_keyboard else "close what covers it, or scroll it out from under it"
    return Obscured(node, "covered", by=by, how=how)


def _middle(free: Box) -> Point:
    """The middle, moved to whole units where that stays inside."""
    return Point(_whole(free[0], free[2]), _whole(free[1], free[3]))


def _whole(low: float, high: float) -> float:
    middle = (low + high) / 2
    return float(whole) if low <= (whole := math.floor(middle)) < high else middle
