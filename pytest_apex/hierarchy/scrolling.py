"""Lists that were scrolled: one fact, instead of a move for each row."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pytest_apex.hierarchy.match import Matching, columns, is_unique
from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.hierarchy.visible import EVERYWHERE, Box, clips, has_area, overlap, visible_boxes
from pytest_apex.model.snapshot import Snapshot, Tree

#: Edges that move less than this many units are rounding (bounds to pixels, spring animations that have ended).
STILL = 2.0
#: Nobody pushed the content in any direction (x and y, each -1, 0 or 1).
NO_PUSH = (0, 0)
#: So large a share of what has the same words may have gone another way: words that other rows have too.
_ASTRAY = 0.25


@dataclass(frozen=True, slots=True)
class Scroll:
    """`container` is its index in the earlier tree; its content went by `x` and `y`."""

    container: int
    x: float
    y: float

    @property
    def direction(self) -> str:
        """What came into view: `down` shows what is below."""
        if abs(self.x) > abs(self.y):
            return "left" if self.x > 0 else "right"
        return "up" if self.y > 0 else "down"

    @property
    def distance(self) -> float:
        return max(abs(self.x), abs(self.y))


@dataclass(frozen=True, slots=True)
class Scrolling:
    """What was scrolled, and the nodes whose move, coming or going it explains.

    `others` are pairs, by their earlier node, of one that went out of view and one that came in: two controls that say
    the same ("2 minutes ago"), and not one.
    """

    scrolls: tuple[Scroll, ...] = ()
    moved: frozenset[int] = frozenset()
    others: frozenset[int] = frozenset()
    came_in: frozenset[int] = frozenset()
    went_out: frozenset[int] = frozenset()


NO_SCROLLING = Scrolling()


def find_scrolling(
    before: Snapshot,
    after: Snapshot,
    found: Matching,
    movers: Sequence[tuple[int, int]],
    pushed: tuple[int, int] = NO_PUSH,
) -> Scrolling:
    """The scrolling containers whose content went by one distance, nearly all of it; `movers` are pairs that moved.

    One row that came or went and makes up for the distance is an insertion or a removal, and no scrolling. At the
    beginning of a list that fills its view the trees of both are the same: there it is a scrolling if the content went
    where it was `pushed`.
    """
    holders = _holders(before.tree)
    busy = {holders[a] for a, _ in movers} - {-1}
    if not busy:
        return NO_SCROLLING
    page = _Page(before, after, found, pushed)
    inside: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for a, b in found.pairs:
        if holders[a] in busy and 0 <= found.to[holders[a]] == page.holders_after[b]:
            inside[holders[a]].append((a, b))
    scrolls = []
    for container in sorted(busy):
        base = page.base_of(container)
        own = page.own_shift(container, inside[container], base)
        page.shifts[container] = (base[0] + own[0], base[1] + own[1])
        if own != (0.0, 0.0):
            scrolls.append(Scroll(container, *own))
    if not scrolls:
        return NO_SCROLLING
    moved = frozenset(a for a, b in movers if page.explains(a, b))
    return Scrolling(
        tuple(scrolls),
        moved,
        frozenset(a for a, b in movers if a not in moved and page.went_out(a) and page.came_in(b)),
        frozenset(b for b in found.appeared if page.came_in(b)),
        frozenset(a for a in found.vanished if page.went_out(a)),
    )


class _Page:
    """Two looks at a page with things that scroll in it. `shifts` tells for each container how far its content went,
    on the screen."""

    def __init__(self, before: Snapshot, after: Snapshot, found: Matching, pushed: tuple[int, int]) -> None:
        self.found = found
        self.pushed = pushed
        self.before, self.after = before.tree, after.tree
        self.holders, self.holders_after = _holders(before.tree), _holders(after.tree)
        self.known = columns(before.tree)
        self.boxes, self.boxes_after = self.known.boxes, columns(after.tree).boxes
        self.views = visible_boxes(before.tree, before.screen.bounds)
        self.views_after = visible_boxes(after.tree, after.screen.bounds)
        self.shifts: dict[int, tuple[float, float]] = {}

    @cached_property
    def around(self) -> list[int]:
        return _partners_around(self.holders, self.found.to)

    @cached_property
    def around_after(self) -> list[int]:
        return _partners_around(self.holders_after, self.found.back)

    def shift_of(self, container: int) -> tuple[float, float]:
        """How far the content of a container went on the screen; that of the one around it where it was not looked
        at."""
        passed = []
        while container >= 0 and container not in self.shifts:
            passed.append(container)
            container = self.holders[container]
        shift = self.shifts[container] if container >= 0 else (0.0, 0.0)
        self.shifts.update(dict.fromkeys(passed, shift))
        return shift

    def base_of(self, container: int) -> tuple[float, float]:
        """How far the container itself went: with the content of the one around it, or with its own upper left
        corner."""
        partner = self.found.to[container]
        if partner < 0 or self.explains(container, partner):
            return self.shift_of(self.holders[container])
        one, two = self.boxes[container], self.boxes_after[partner]
        return two[0] - one[0], two[1] - one[1]

    def own_shift(
        self, container: int, pairs: Sequence[tuple[int, int]], base: tuple[float, float]
    ) -> tuple[float, float]:
        """How far the content of a container went, beside the container itself; 0, 0 for no scrolling."""
        shifts = [shift for a, b in self._witnesses(pairs) if (shift := self._shift(a, b, container, base))]
        if not shifts:
            return 0.0, 0.0
        (x, y), _ = Counter((round(x), round(y)) for x, y in shifts).most_common(1)[0]
        near = [shift for shift in shifts if abs(shift[0] - x) <= STILL and abs(shift[1] - y) <= STILL]
        pinned = sum(1 for shift in shifts if max(map(abs, shift)) <= STILL)
        astray = len(shifts) - len(near) - pinned
        if max(abs(x), abs(y)) <= STILL or astray > len(shifts) * _ASTRAY or len(near) <= pinned:
            return 0.0, 0.0
        own = min(near, key=lambda shift: abs(shift[0] - x) + abs(shift[1] - y))
        self.shifts[container] = (base[0] + own[0], base[1] + own[1])
        return (0.0, 0.0) if self._is_no_scroll(container, pairs, own) else own

    def _witnesses(self, pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
        """The pairs that are beyond doubt: nothing else says the same, and nothing beside them says something else now.
        (Two rows may well share a date.)"""
        parents, keys = self.before.parents, self.known.keys
        known = [(a, b) for a, b in pairs if a in self.found.sure and is_unique(self.known, a)]
        doubtful = {parents[a] for a, _ in pairs if a not in self.found.sure and (keys[a][3] or keys[a][4])}
        return [(a, b) for a, b in known if parents[a] not in doubtful] or known

    def _shift(self, a: int, b: int, container: int, base: tuple[float, float]) -> tuple[float, float] | None:
        """How far a control went, by edges that the view did not cut off; None where nobody can tell."""
        view, later = self._views(container)
        one, two = self.boxes[a], self.boxes_after[b]
        went = []
        for axis in (0, 1):
            low = one[axis] <= view[axis] + 1 or two[axis] <= later[axis] + 1
            high = one[axis + 2] >= view[axis + 2] - 1 or two[axis + 2] >= later[axis + 2] - 1
            moves = two[axis] - one[axis], two[axis + 2] - one[axis + 2]
            if low and high and abs(moves[0] - moves[1]) > STILL:
                return None
            went.append((moves[1] if low else moves[0]) - base[axis])
        return (went[0], went[1]) if math.isfinite(went[0]) and math.isfinite(went[1]) else None

    def _views(self, container: int) -> tuple[Box, Box]:
        partner = self.found.to[container]
        return self.views[container] or EVERYWHERE, (self.views_after[partner] or EVERYWHERE)

    def _is_no_scroll(self, container: int, pairs: Sequence[tuple[int, int]], own: tuple[float, float]) -> bool:
        """Whether rows that came or went make up for the distance, or there was nothing to scroll: the content ends
        inside the view before and after."""
        axis = 0 if abs(own[0]) > abs(own[1]) else 1
        distance, view, later = abs(own[axis]), *self._views(container)
        came = [b for b in self.found.appeared if self.holders_after[b] == self.found.to[container]]
        went = [a for a in self.found.vanished if self.holders[a] == container]
        earlier = [self.boxes[a] for a in (*(a for a, _ in pairs), *went)]
        others = [self.boxes_after[b] for b in (*(b for _, b in pairs), *came)]
        if max(box[axis + 2] for box in earlier) < view[axis + 2] - STILL and (
            max(box[axis + 2] for box in others) < later[axis + 2] - STILL
        ):
            return True
        forward = own[axis] > 0
        rows = _roots(self.after, self.found.back, came) if forward else _roots(self.before, self.found.to, went)
        boxes, is_outside = (self.boxes_after, self.came_in) if forward else (self.boxes, self.went_out)
        amid = [boxes[row] for row in rows if not is_outside(row)]
        outside = [boxes[row] for row in rows if is_outside(row)]
        if _makes_up(amid, axis, distance):
            return True
        if own[axis] * self.pushed[axis] > 0:
            return False
        begins, start = min(box[axis] for box in earlier), min(box[axis] for box in others)
        if abs(begins - start) > STILL or len(outside) != 1 or not _makes_up(outside, axis, distance):
            return False
        return not self._is_cut(pairs, axis, begins, start, outside[0])

    def _is_cut(self, pairs: Sequence[tuple[int, int]], axis: int, begins: float, start: float, row: Box) -> bool:
        """Whether the view cuts off the first row before or after, or the row that came or went: it is shorter than
        those that stayed."""
        lengths = [(_length(self.boxes[a], axis), _length(self.boxes_after[b], axis)) for a, b in pairs]
        first = [
            one - two
            for (one, two), (a, b) in zip(lengths, pairs, strict=True)
            if self.boxes[a][axis] - begins <= STILL or self.boxes_after[b][axis] - start <= STILL
        ]
        return any(abs(more) > STILL for more in first) or _length(row, axis) < min(map(max, lengths)) - STILL

    def explains(self, a: int, b: int) -> bool:
        """Whether the scrolling around it moved a control as far as it went. Edges at the edge of a view may lag."""
        container = self.holders[a]
        if container < 0 or not 0 <= self.found.to[container] == self.holders_after[b]:
            return False
        x, y = self.shift_of(container)
        if (x, y) == (0.0, 0.0):
            return False
        view, later = self._views(container)
        one, two = self.boxes[a], self.boxes_after[b]
        return all(
            abs(two[edge] - one[edge] - shift) <= STILL
            or _is_cut_edge(edge > 1, one[edge], two[edge], shift, view[edge], later[edge])
            for edge, shift in enumerate((x, y, x, y))
        )

    def came_in(self, b: int) -> bool:
        """Whether scrolling brought a control into view: it lay outside of the view before."""
        container = self.around_after[b]
        x, y = self.shift_of(container)
        return (x, y) != (0.0, 0.0) and _is_outside(_moved(self.boxes_after[b], -x, -y), self.views[container])

    def went_out(self, a: int) -> bool:
        """Whether scrolling took a control out of view."""
        other = self.around[a]
        x, y = self.shift_of(self.found.back[other] if other >= 0 else -1)
        return (x, y) != (0.0, 0.0) and _is_outside(_moved(self.boxes[a], x, y), self.views_after[other])


def _partners_around(holders: Sequence[int], partners: Sequence[int]) -> list[int]:
    """For each node the partner of the nearest container around it that has one; -1 for none."""
    found: list[int] = []
    for holder in holders:
        known = -1 if holder < 0 else partners[holder]
        found.append(known if known >= 0 or holder < 0 else found[holder])
    return found


def _is_cut_edge(is_end: bool, one: float, two: float, shift: float, view: float, later: float) -> bool:
    """Whether an edge that did not go by `shift` is where the view cuts it off: exactly there, or, if it was cut off
    before and nobody knows where it really was, anywhere between the view's edge and where it could be at most."""
    if is_end:
        one, two, shift, view, later = -one, -two, -shift, -view, -later
    furthest = max(one + shift, later)
    return two <= furthest + STILL if one <= view + 1 else abs(two - furthest) <= STILL


def _is_outside(box: Box, view: Box | None) -> bool:
    return view is None or not has_area(overlap(_shrunk(box), view))


def _roots(tree: Tree, partners: Sequence[int], nodes: Sequence[int]) -> set[int]:
    """The topmost unpaired nodes around these."""
    tops: dict[int, int] = {}
    for node in nodes:
        passed = [node]
        while passed[-1] not in tops and (above := tree.parents[passed[-1]]) >= 0 and partners[above] < 0:
            passed.append(above)
        tops.update(dict.fromkeys(passed, tops.get(passed[-1], passed[-1])))
    return {tops[node] for node in nodes}


def _makes_up(rows: Sequence[Box], axis: int, distance: float) -> bool:
    """Whether rows fill at least half of a distance, and no more than it: between them may be some space."""
    if not rows:
        return False
    length = max(box[axis + 2] for box in rows) - min(box[axis] for box in rows)
    return distance / 2 <= length <= distance + STILL


def _length(box: Box, axis: int) -> float:
    return box[axis + 2] - box[axis]


def _moved(box: Box, x: float, y: float) -> Box:
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _shrunk(box: Box) -> Box:
    """Without the edges that may be rounding."""
    by = STILL / 2
    return box[0] + by, box[1] + by, box[2] - by, box[3] - by


@per_tree
def _holders(tree: Tree) -> list[int]:
    """For each node the nearest container around it that cuts its content off; -1 for none."""
    holders: list[int] = []
    cuts: list[int] = []
    for index, parent in enumerate(tree.parents):
        holder = -1 if parent < 0 else cuts[parent]
        holders.append(holder)
        cuts.append(index if clips(tree, index) else holder)
    return holders
