"""What nearly fits, for the message when nothing does."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import SequenceMatcher

from pytest_apex.hierarchy.names import plain, short_id
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree
from pytest_apex.model.target import By, Target

_VISIBLE = int(NodeState.VISIBLE)
_PASSWORD = int(NodeState.PASSWORD)

#: Words less alike than this (share of equal characters, as difflib counts) are no near miss.
_ALIKE = 0.6
#: Short words share that many letters by chance ("Suche", "Schürze"): those of so many letters have to share more.
_SHORT, _ALIKE_SHORT = 7, 0.7
#: Longer words are compared up to here; comparing takes time with the square of the length.
_LENGTH = 120
_WORDS = re.compile(r"\w+")
_NUMBERS = re.compile(r"\d+")


def near_misses(snapshot: Snapshot, target: Target, limit: int = 3) -> list[Node]:
    """The controls that come nearest to a target that nothing fits, nearest first; different names only.

    Compared without case, accents kept, spaces folded: the same words in another case or on an invisible control come
    first, then one inside the other, then the most alike. Without words to compare, invisible controls of the role
    asked for. If what `within` names is missing, its near misses.

    Something else of the same kind is none: "Order 4712" and the tab "Orders" beside the order 4711 that was asked for.
    """
    asked = _words_asked(target)
    if not asked:
        return _hidden_ones(snapshot, target, limit)
    tree = snapshot.tree
    scored: dict[str, tuple[float, int]] = {}
    for by, wanted in asked:
        seen: dict[str, float] = {}
        numbers = _numbers(wanted) if isinstance(by.value, str) else frozenset()  # those of a pattern are none
        for index, name in _named(tree, by):
            if name not in seen:
                seen[name] = _likeness(wanted, name) if numbers <= _numbers(name) else 0.0
            score = seen[name] + (0.01 if tree.states[index] & _VISIBLE else 0.0)
            if seen[name] >= _ALIKE and score > scored.get(name, (0.0, 0))[0]:
                scored[name] = (score, index)
    best = sorted(scored.values(), key=lambda item: (-item[0], item[1]))
    nodes = list(dict.fromkeys(Node(tree, index) for _, index in best))[:limit]
    if not nodes and target.within is not None and not _is_there(tree, target.within):
        return near_misses(snapshot, target.within, limit)
    return nodes


def _is_there(tree: Tree, place: Target) -> bool:
    """Whether a visible control has exactly one of the words that a place is asked for by: then it is no near miss."""
    return any(
        by.value in (tree.texts[index], tree.labels[index], tree.identifiers[index], short_id(tree.identifiers[index]))
        for by in place.by
        if by.kind in ("text", "label", "id") and by.value
        for index in range(len(tree))
        if tree.states[index] & _VISIBLE
    )


def alike(wanted: str, words: str) -> bool:
    """Whether two texts nearly are the same: see `near_misses`."""
    one, other = plain(wanted)[:_LENGTH], plain(words)[:_LENGTH]
    return _numbers(one) <= _numbers(other) and _likeness(one, other) >= _ALIKE


def _words_asked(target: Target) -> list[tuple[By, str]]:
    asked = [
        (by, by.value.pattern if isinstance(by.value, re.Pattern) else by.value)
        for by in target.by
        if by.kind in ("text", "label", "id") and isinstance(by.value, (str, re.Pattern))
    ]
    return [(by, plain(words)[:_LENGTH]) for by, words in asked if words.strip()]


def _named(tree: Tree, by: By) -> Iterator[tuple[int, str]]:
    """Every node with the words that such a criterion reads. The app itself is no control that anybody means."""
    for index in range(len(tree)):
        if tree.roles[index] == "application":
            continue
        if by.kind == "id":
            names = [short_id(tree.identifiers[index])]
        else:
            text = "" if tree.states[index] & _PASSWORD else tree.texts[index]
            names = [text, tree.labels[index], tree.hints[index]]
        for name in names:
            if name:
                yield index, plain(name)[:_LENGTH]


def _likeness(wanted: str, name: str) -> float:
    """From 0 to 1; 1 for the same words."""
    if wanted == name:
        return 1.0
    if min(len(wanted), len(name)) >= 3 and (wanted in name or name in wanted):
        return 0.9
    if set(_WORDS.findall(wanted)) == set(_WORDS.findall(name)) != set():
        return 0.85
    matcher = SequenceMatcher(None, wanted, name, autojunk=False)
    if matcher.real_quick_ratio() < _ALIKE or matcher.quick_ratio() < _ALIKE:
        return 0.0
    ratio = matcher.ratio()
    if ratio < _ALIKE_SHORT and max(len(wanted), len(name)) <= _SHORT:
        return 0.0
    return 0.0 if _is_another(wanted, name) else min(ratio, 0.99)


def _numbers(text: str) -> frozenset[int]:
    """Its numbers, in the digits of any script."""
    return frozenset(map(int, _NUMBERS.findall(text)))


def _is_another(wanted: str, name: str) -> bool:
    """Whether a single word stands beside that word in another form with more words: "Bestellungen" for "Neue
    Bestellung". Words that were written as one ("login", "log in") are the same."""
    few, more = sorted((_WORDS.findall(wanted), _WORDS.findall(name)), key=len)
    if len(few) != 1 or len(more) < 2:
        return False
    alone = few[0]
    likest = max(more, key=lambda word: SequenceMatcher(None, alone, word, autojunk=False).ratio())
    rest = [word for word in more if word != likest]
    return any(word not in alone for word in rest)


def _hidden_ones(snapshot: Snapshot, target: Target, limit: int) -> list[Node]:
    roles = {by.value for by in target.by if by.kind == "role"}
    hidden = (node for node in snapshot.nodes if node.role in roles and not node.visible)
    return [node for node, _ in zip(hidden, range(limit), strict=False)]
