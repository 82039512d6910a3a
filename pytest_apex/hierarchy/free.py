"""The largest rectangle that is left of a region when others are laid over it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pytest_apex.hierarchy.visible import Box, has_area, overlap

#: Up to this many covers the free rectangles are cut out one cover after the other.
_FEW = 4
#: Up to this many covers one grid over all their edges is searched; more are split into parts first, as a grid grows
#: with the square of their number.
_GRID_LIMIT = 48


def largest_free(region: Box, covers: Sequence[Box]) -> Box | None:
    """The largest rectangle inside `region` that meets none of `covers`; None exactly when nothing is left.

    With more than 48 covers inside the region the answer is the largest one that does not cross the lines at which
    the region was split.
    """
    best: Box | None = None
    waiting = [(region, _inside(region, covers))] if has_area(region) else []
    while waiting:
        part, over = waiting.pop()
        if best is not None and _area(part) <= _area(best):
            continue
        if any(cover == part for cover in over):
            continue
        if len(over) > _GRID_LIMIT:
            waiting.extend((half, _inside(half, over)) for half in _halves(part, over))
            continue
        found = _cut_out(part, over) if len(over) <= _FEW else _in_grid(part, over)
        if found is not None and (best is None or _area(found) > _area(best)):
            best = found
    return best


def _area(box: Box) -> float:
    return (box[2] - box[0]) * (box[3] - box[1])


def _inside(region: Box, covers: Iterable[Box]) -> list[Box]:
    """The parts of the covers inside the region, each once; without those that lie in the one before, as the buttons of
    a row do."""
    kept: dict[Box, None] = {}
    last = (0.0, 0.0, 0.0, 0.0)
    for cover in covers:
        part = overlap(cover, region)
        is_in_last = part[0] >= last[0] and part[1] >= last[1] and part[2] <= last[2] and part[3] <= last[3]
        if not is_in_last and has_area(part):
            kept[part] = None
            last = part
    return list(kept)


def _halves(part: Box, over: Sequence[Box]) -> tuple[Box, Box]:
    """Split at the middle one of the edges inside, along the axis that has more of them."""
    left, top, right, bottom = part
    columns = sorted({x for box in over for x in (box[0], box[2]) if left < x < right})
    rows = sorted({y for box in over for y in (box[1], box[3]) if top < y < bottom})
    if len(columns) >= len(rows):
        x = columns[len(columns) // 2]
        return (left, top, x, bottom), (x, top, right, bottom)
    y = rows[len(rows) // 2]
    return (left, top, right, y), (left, y, right, bottom)


def _cut_out(part: Box, over: Sequence[Box]) -> Box | None:
    """Exact search among all rectangles that can't grow: each cover leaves up to four of each that it meets."""
    free = [part]
    for left, top, right, bottom in over:
        rest = []
        for box in free:
            if left >= box[2] or right <= box[0] or top >= box[3] or bottom <= box[1]:
                rest.append(box)
                continue
            if left > box[0]:
                rest.append((box[0], box[1], left, box[3]))
            if right < box[2]:
                rest.append((right, box[1], box[2], box[3]))
            if top > box[1]:
                rest.append((box[0], box[1], box[2], top))
            if bottom < box[3]:
                rest.append((box[0], bottom, box[2], box[3]))
        free = rest
    return max(free, key=_area, default=None)


def _in_grid(part: Box, over: Sequence[Box]) -> Box | None:
    """Exact search: the largest rectangle under the free heights of each row of the grid of all edges."""
    left, top, right, bottom = part
    xs = sorted({left, right, *(x for box in over for x in (box[0], box[2]))})
    ys = sorted({top, bottom, *(y for box in over for y in (box[1], box[3]))})
    column = {x: at for at, x in enumerate(xs)}
    ceilings = [top] * (len(xs) - 1)  # for each column: from where on down to this row it is free
    best: Box | None = None
    for upper, lower in pairwise(ys):
        for box in over:
            if box[1] <= upper and box[3] >= lower:
                first, last = column[box[0]], column[box[2]]
                ceilings[first:last] = [lower] * (last - first)
        found = _under(xs, ceilings, lower)
        if found is not None and (best is None or _area(found) > _area(best)):
            best = found
    return best


def _under(xs: Sequence[float], ceilings: Sequence[float], floor: float) -> Box | None:
    """The largest rectangle that stands on `floor` and reaches no higher than each column's ceiling."""
    best: Box | None = None
    size = 0.0
    open_at: list[tuple[float, float]] = []  # (where it begins, its ceiling), ceilings falling lower to the left
    for at in range(len(xs)):
        ceiling = ceilings[at] if at < len(ceilings) else floor
        begins = xs[at]
        while open_at and open_at[-1][1] <= ceiling:
            begins, above = open_at.pop()
            area = (xs[at] - begins) * (floor - above)
            if area > size:
                best, size = (begins, above, xs[at], floor), area
        if ceiling < floor:
            open_at.append((begins, ceiling))
    return best
