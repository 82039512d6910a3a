"""Which control of a later tree is which one of an earlier tree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable
from dataclasses import dataclass

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Tree

_VISIBLE = int(NodeState.VISIBLE)
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


@dataclass(frozen=True, slots=True)
class Matching:
    """Pairs of (before, after) indexes, and what is left on either side; nodes that count only (`counted`).

    `sure` holds the pairs with the same words or the same unique id; the others share only their place.
    """

    pairs: list[tuple[int, int]]
    sure: set[int]
    vanished: list[int]
    appeared: list[int]


@per_tree
def counted(tree: Tree) -> list[int]:
    """The nodes that a change is told of: visible, not in the status bar, and no empty wrappers."""
    skipped = {window.index for window in tree.windows if window.kind == "status_bar"}
    kept = []
    index = 0
    while index < len(tree):
        if tree.window_of[index] in skipped or tree.roles[index] == "status_bar":
            index = tree.ends[index]
            continue
        if tree.states[index] & _VISIBLE and (tree.roles[index] not in _WRAPPERS or _speaks(tree, index)):
            kept.append(index)
        index += 1
    return kept


def _speaks(tree: Tree, index: int) -> bool:
    return bool(tree.texts[index] or tree.labels[index] or tree.values[index] or tree.states[index] & _TOUCHED)


def match(before: Tree, after: Tree) -> Matching:
    """Pair the controls of two trees: by all their words, then by an id that occurs once, then by their place.

    Of several with the same words those that stayed where they were are paired first, the others in their order. The
    place is the path of roles and ids from the top, so that a label whose words change keeps its identity.
    """
    left, right = dict.fromkeys(counted(before)), dict.fromkeys(counted(after))
    pairs: list[tuple[int, int]] = []
    _pair_ends(before, after, left, right, pairs)
    if left and right:
        _pair(_by_words(before, left, True), _by_words(after, right, True), left, right, pairs)
        _pair(_by_words(before, left, False), _by_words(after, right, False), left, right, pairs)
        _pair(_by_id(before, left), _by_id(after, right), left, right, pairs)
    sure = {index for index, _ in pairs}
    if left and right:
        _pair(_by_place(before, left), _by_place(after, right), left, right, pairs)
    return Matching(sorted(pairs), sure, list(left), list(right))


def _pair(
    earlier: dict[Hashable, list[int]],
    later: dict[Hashable, list[int]],
    left: dict[int, None],
    right: dict[int, None],
    pairs: list[tuple[int, int]],
) -> None:
    """Pair what has the same key, in order; paired ones are taken out of `left` and `right`."""
    for key, indexes in earlier.items():
        for a, b in zip(indexes, later.get(key, ()), strict=False):
            pairs.append((a, b))
            del left[a], right[b]


def _pair_ends(
    before: Tree, after: Tree, left: dict[int, None], right: dict[int, None], pairs: list[tuple[int, int]]
) -> None:
    """Pair the equal beginnings and ends of two trees; most of a screen usually stays as it is."""
    a, b = list(left), list(right)
    same = 0
    while same < min(len(a), len(b)) and _row(before, a[same]) == _row(after, b[same]):
        same += 1
    tail = 0
    while tail < min(len(a), len(b)) - same and _row(before, a[-1 - tail]) == _row(after, b[-1 - tail]):
        tail += 1
    equal = [*zip(a[:same], b[:same], strict=True), *zip(a[len(a) - tail :], b[len(b) - tail :], strict=True)]
    for one, other in equal:
        pairs.append((one, other))
        del left[one], right[other]


def _row(tree: Tree, index: int) -> tuple[object, ...]:
    return (
        tree.roles[index],
        tree.identifiers[index],
        tree.texts[index],
        tree.labels[index],
        tree.values[index],
        tree.states[index],
        _owner(tree, index),
        tree.boxes[index * 4 : index * 4 + 4],
    )


def _owner(tree: Tree, index: int) -> tuple[str, str]:
    window = tree.windows[tree.window_of[index]]
    return window.app, window.kind


def _grouped(keys: Iterable[tuple[int, Hashable]]) -> dict[Hashable, list[int]]:
    groups: dict[Hashable, list[int]] = defaultdict(list)
    for index, key in keys:
        groups[key].append(index)
    return groups


def _by_words(tree: Tree, indexes: Iterable[int], in_place: bool) -> dict[Hashable, list[int]]:
    """By role, id and words (and bounds); controls without words or id are left to their place."""
    return _grouped(
        (
            index,
            (
                tree.roles[index],
                tree.identifiers[index],
                tree.texts[index],
                tree.labels[index],
                _owner(tree, index),
                tuple(tree.boxes[index * 4 : index * 4 + 4]) if in_place else None,
            ),
        )
        for index in indexes
        if tree.texts[index] or tree.labels[index] or (in_place and tree.identifiers[index])
    )


def _by_id(tree: Tree, indexes: Iterable[int]) -> dict[Hashable, list[int]]:
    """By an id that only one control has."""
    counts: dict[str, int] = defaultdict(int)
    for index in counted(tree):
        counts[tree.identifiers[index]] += 1
    return _grouped(
        (index, (tree.identifiers[index], _owner(tree, index)))
        for index in indexes
        if tree.identifiers[index] and counts[tree.identifiers[index]] == 1
    )


def _by_place(tree: Tree, indexes: Iterable[int]) -> dict[Hashable, list[int]]:
    paths = _paths(tree)
    return _grouped((index, paths[index]) for index in indexes)


@per_tree
def _paths(tree: Tree) -> list[int]:
    """For each node a number made of owner, role, id and rank among its like siblings, and those of its ancestors."""
    paths: list[int] = []
    ranks: dict[tuple[int, str, str], int] = defaultdict(int)
    for index, parent in enumerate(tree.parents):
        above = paths[parent] if parent >= 0 else hash(_owner(tree, index))
        like = (above, tree.roles[index], tree.identifiers[index])
        ranks[like] += 1
        paths.append(hash((like, ranks[like])))
    return paths
