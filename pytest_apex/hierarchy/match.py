"""Which control of a later tree is which one of an earlier tree."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.hierarchy.visible import Box, boxes_of
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Tree

_VISIBLE = int(NodeState.VISIBLE)
_EDITABLE = int(NodeState.EDITABLE)
_TOUCHED = int(
    NodeState.CLICKABLE
    | NodeState.LONG_CLICKABLE
    | NodeState.CHECKABLE
    | NodeState.EDITABLE
    | NodeState.SCROLLABLE
    | NodeState.FOCUSED
)
#: Containers that say nothing unless they carry words or can be touched.
_WRAPPERS = frozenset({"group", "other", "window", "application"})

#: Owner (app and kind of window), role, id, text, label. What was typed into a text field is no name for it.
Key: TypeAlias = tuple[str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class Columns:
    """What is asked of a tree again and again while it is compared, a cell for each node.

    `rows` hold all that a change is told of. `words` and `ids` are the keys and ids that one control alone has.
    """

    keys: Sequence[Key]
    boxes: Sequence[Box]
    rows: Sequence[tuple[object, ...]]
    counted: Sequence[int]
    words: Mapping[Hashable, int]
    ids: Mapping[Hashable, int]


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of (before, after) indexes, and what is left on either side; nodes that count only (`counted`).

    `sure` holds the pairs with the same words, the same unique id, or the same id at the same place; the others share
    only their place. `to` and
    `back` lead from every node, wrappers included, to its partner in the other tree; -1 for none.
    """

    pairs: list[tuple[int, int]]
    sure: set[int]
    vanished: list[int]
    appeared: list[int]
    to: list[int]
    back: list[int]


def is_unique(known: Columns, index: int) -> bool:
    """Whether no other control has its words, or its id."""
    key = known.keys[index]
    return known.words.get(key) == index or known.ids.get((key[0], key[2])) == index


@per_tree
def columns(tree: Tree) -> Columns:
    owners = [f"{window.app} {window.kind}" for window in tree.windows]
    owner = [owners[at] for at in tree.window_of]
    keys: list[Key] = list(zip(owner, tree.roles, tree.identifiers, tree.texts, tree.labels, strict=True))
    for index, state in enumerate(tree.states):
        if state & _EDITABLE:
            keys[index] = (owner[index], tree.roles[index], tree.identifiers[index], "", tree.labels[index])
    boxes = boxes_of(tree)
    shown = counted(tree)
    words = [index for index in shown if keys[index][3] or keys[index][4]]
    ids = [index for index in shown if keys[index][2]]
    return Columns(
        keys,
        boxes,
        list(zip(keys, boxes, tree.states, tree.values, tree.texts, strict=True)),
        shown,
        _unique([(keys[index], index) for index in words]),
        _unique([((owner[index], tree.identifiers[index]), index) for index in ids]),
    )


def _unique(named: Sequence[tuple[Hashable, int]]) -> dict[Hashable, int]:
    counts = Counter(name for name, _ in named)
    return {name: index for name, index in named if counts[name] == 1}


@per_tree
def counted(tree: Tree) -> list[int]:
    """The nodes that a change is told of: visible, not in the status bar, and no empty wrappers."""
    texts, labels, values = tree.texts, tree.labels, tree.values
    kept = [
        index
        for index, (state, role) in enumerate(zip(tree.states, tree.roles, strict=True))
        if state & _VISIBLE
        and (role not in _WRAPPERS or state & _TOUCHED or texts[index] or labels[index] or values[index])
    ]
    bars = {window.index for window in tree.windows if window.kind == "status_bar"}
    if not bars and "status_bar" not in tree.roles:
        return kept
    inside = _in_status_bar(tree, bars)
    return [index for index in kept if not inside[index]]


def _in_status_bar(tree: Tree, windows: set[int]) -> bytearray:
    inside = bytearray(len(tree))
    for index, parent in enumerate(tree.parents):
        bar = tree.roles[index] == "status_bar" or tree.window_of[index] in windows
        inside[index] = bar or (parent >= 0 and inside[parent])
    return inside


def match(before: Tree, after: Tree) -> Matching:
    """Pair the controls of two trees.

    First what is equal from the beginning or end on; then by an id that occurs once and by words that occur once.
    Containers are paired by what is in them, so that a row keeps its identity when it moves, with its icons and
    buttons. What is left inside paired containers is paired by its words (those that stayed in place first, then in
    order), and then by its place between siblings, so that a label whose words change keeps its identity. At last,
    equal words at the same place of the screen.
    """
    pairing = _Pairing(before, after)
    pairing.pair_equal_ends()
    pairing.pair_unique(pairing.left.ids, pairing.right.ids)
    pairing.pair_unique(pairing.left.words, pairing.right.words)
    pairing.pair_containers()
    pairing.pair_inside()
    if pairing.pair_leftovers():
        pairing.pair_inside()
    return pairing.result()


class _Pairing:
    def __init__(self, before: Tree, after: Tree) -> None:
        self.before, self.after = before, after
        self.left, self.right = columns(before), columns(after)
        self.to, self.back = [-1] * len(before), [-1] * len(after)

    def pair_equal_ends(self) -> None:
        """Most of a screen usually stays as it is, from its beginning and from its end on. Paired are controls that are
        equal with all that is in them, if any of it says something that nothing else says: of equal buttons in rows
        that differ nobody knows yet which they are."""
        rows, others = self.left.rows, self.right.rows
        above, over = self.before.parents, self.after.parents
        same = 0
        for row, other, one, two in zip(rows, others, above, over, strict=False):
            if row != other or one != two:
                break
            same += 1
        ends, stops = self.before.ends, self.after.ends
        shift = len(others) - len(rows)
        tail = len(rows)
        while tail > same and tail + shift > same:
            if rows[tail - 1] != others[tail - 1 + shift] or ends[tail - 1] + shift != stops[tail - 1 + shift]:
                break
            tail -= 1
        index = 0
        while index < same:
            is_whole = ends[index] <= same and stops[index] <= same
            index = self._pair_equal(index, 0) if is_whole else index + 1
        index = tail
        while index < len(rows):
            index = self._pair_equal(index, shift)

    def _pair_equal(self, top: int, shift: int) -> int:
        """Pair two equal controls with all that is in them; returns where they end."""
        end = self.before.ends[top]
        if any(self._is_known(index, shift) for index in range(top, end)):
            self.to[top:end] = range(top + shift, end + shift)
            self.back[top + shift : end + shift] = range(top, end)
        return end

    def _is_known(self, index: int, shift: int) -> bool:
        key = self.left.keys[index]
        if self.left.words.get(key) == index:
            return self.right.words.get(key) == index + shift
        name = (key[0], key[2])
        return self.left.ids.get(name) == index and self.right.ids.get(name) == index + shift

    def pair_unique(self, earlier: Mapping[Hashable, int], later: Mapping[Hashable, int]) -> None:
        to, back = self.to, self.back
        for name, a in earlier.items():
            b = later.get(name, -1)
            if b >= 0 and to[a] < 0 and back[b] < 0:
                to[a], back[b] = b, a

    def pair_containers(self) -> None:
        """From the inside out: a container is the one that most of its children are in now, if it is of its kind."""
        to, back = self.to, self.back
        above, over = self.before.parents, self.after.parents
        votes: dict[int, dict[int, int]] = {}
        for a in range(len(to) - 1, -1, -1):
            b = to[a]
            if b < 0:
                if a not in votes:
                    continue
                b = self._elected(a, votes.pop(a))
                if b < 0:
                    continue
                to[a], back[b] = b, a
            outer, other = above[a], over[b]
            if outer >= 0 and other >= 0 and to[outer] < 0:
                given = votes.setdefault(outer, {})
                given[other] = given.get(other, 0) + 1

    def _elected(self, a: int, votes: Mapping[int, int]) -> int:
        kind, place = self.left.keys[a][:3], self.left.boxes[a]
        fitting = [
            (count, self.right.boxes[b] == place, -b)
            for b, count in votes.items()
            if self.back[b] < 0 and self.right.keys[b][:3] == kind
        ]
        return -max(fitting)[2] if fitting else -1

    def pair_inside(self) -> None:
        """From the outside in: the children of paired containers."""
        rest = _by_container(self.before, self.left, self.to)
        others = _by_container(self.after, self.right, self.back)
        for outer, children in rest.items():
            # A container comes before its children, so that it has its partner by now, if it gets one.
            partner = self.to[outer] if isinstance(outer, int) else outer
            candidates = others.get(partner)
            if candidates is None:
                continue
            self._pair_words(children, candidates, in_place=True)
            self._pair_words(children, candidates, in_place=False)
            self._pair_places(outer, partner)

    def pair_leftovers(self) -> bool:
        """Words that others have too, at the same place but in another container; whether there are any. Elsewhere
        nobody knows whose they are."""
        rest = _speaking(self.left, self.to)
        others = _speaking(self.right, self.back)
        if not rest or not others:
            return False
        self._pair_words(rest, others, in_place=True)
        return any(self.to[index] >= 0 for index in rest)

    def _pair_words(self, rest: Iterable[int], others: Iterable[int], *, in_place: bool) -> None:
        """In place, controls without words and without anything in them count as well: icons, say."""
        to, back = self.to, self.back
        waiting: dict[Hashable, list[int]] = defaultdict(list)
        for b in others:
            key = self.right.keys[b]
            if back[b] < 0 and (key[3] or key[4] or (in_place and self.after.ends[b] == b + 1)):
                waiting[(key, self.right.boxes[b]) if in_place else key].append(b)
        for queue in waiting.values():
            queue.reverse()
        for a in rest:
            if to[a] < 0:
                name = (self.left.keys[a], self.left.boxes[a]) if in_place else self.left.keys[a]
                found = waiting.get(name)
                if found:
                    b = found.pop()
                    to[a], back[b] = b, a

    def _pair_places(self, outer: int | str, partner: int | str) -> None:
        """Siblings of one kind that follow the same paired sibling, in their order."""
        gaps: dict[Hashable, list[int]] = defaultdict(list)
        last = -1
        for b in _children(self.after, self.right, partner):
            if self.back[b] >= 0:
                last = self.back[b]
            else:
                gaps[(last, self.right.keys[b][:3])].append(b)
        for queue in gaps.values():
            queue.reverse()
        last = -1
        for a in _children(self.before, self.left, outer):
            if self.to[a] >= 0:
                last = a
            elif found := gaps.get((last, self.left.keys[a][:3])):
                b = found.pop()
                self.to[a], self.back[b] = b, a

    def result(self) -> Matching:
        to, back = self.to, self.back
        is_counted = bytearray(len(back))
        for b in self.right.counted:
            is_counted[b] = 1
        pairs, vanished = [], []
        for a in self.left.counted:
            b = to[a]
            if b >= 0 and is_counted[b]:
                pairs.append((a, b))
                is_counted[b] = 0
            else:
                vanished.append(a)
        appeared = [b for b in self.right.counted if is_counted[b]]
        return Matching(pairs, {a for a, b in pairs if self._is_sure(a, b)}, vanished, appeared, to, back)

    def _is_sure(self, a: int, b: int) -> bool:
        key, other = self.left.keys[a], self.right.keys[b]
        if key == other and (key[3] or key[4]):
            return True
        if not key[2]:
            # A text field without label or id is known by what stands in it.
            return bool(self.before.texts[a]) and self.before.texts[a] == self.after.texts[b]
        unique = self.left.ids.get((key[0], key[2])) == a and self.right.ids.get((other[0], other[2])) == b
        return (unique and key[2] == other[2]) or (key == other and self.left.boxes[a] == self.right.boxes[b])


def _by_container(tree: Tree, known: Columns, partners: Sequence[int]) -> dict[int | str, list[int]]:
    """The unpaired nodes by their parent; the topmost ones by the owner of their window."""
    found: dict[int | str, list[int]] = defaultdict(list)
    parents = tree.parents
    for index, partner in enumerate(partners):
        if partner < 0:
            above = parents[index]
            found[above if above >= 0 else known.keys[index][0]].append(index)
    return found


def _speaking(known: Columns, partners: Sequence[int]) -> list[int]:
    """The unpaired nodes that count and have words of their own."""
    keys = known.keys
    return [index for index in known.counted if partners[index] < 0 and (keys[index][3] or keys[index][4])]


def _children(tree: Tree, known: Columns, container: int | str) -> Iterator[int]:
    ends = tree.ends
    if isinstance(container, int):
        index, end = container + 1, ends[container]
        while index < end:
            yield index
            index = ends[index]
        return
    index = 0
    while index < len(ends):
        if known.keys[index][0] == container:
            yield index
        index = ends[index]
