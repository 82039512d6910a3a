"""Cheap fingerprints of a tree, for waiting until it rests."""

from __future__ import annotations

import math
from hashlib import blake2b

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot, Tree

_VISIBLE = int(NodeState.VISIBLE)
#: Focus is left out: it moves by itself when a keyboard comes up, and says nothing about rest.
_KEPT_STATES = int(NodeState.VISIBLE | NodeState.ENABLED | NodeState.CHECKED | NodeState.SELECTED)


def structure(snapshot: Snapshot) -> str:
    """Which controls are where, whatever they say.

    Role, class, id, bounds to 2 units, and enabled, checked, selected of the visible nodes; without the status bar,
    whose clock never rests. Equal for equal trees in every process.
    """
    return _digest(snapshot.tree, False)


def full(snapshot: Snapshot) -> str:
    """As `structure`, with texts, labels, values and placeholders."""
    return _digest(snapshot.tree, True)


@per_tree
def _digest(tree: Tree, words: bool) -> str:
    skipped = {window.index for window in tree.windows if window.kind == "status_bar"}
    columns = [tree.roles, tree.classes, tree.identifiers]
    if words:
        columns += [tree.texts, tree.labels, tree.values, tree.hints]
    flat = tree.boxes
    digest = blake2b(digest_size=16)
    index = 0
    while index < len(tree):
        if tree.window_of[index] in skipped or tree.roles[index] == "status_bar":
            index = tree.ends[index]
            continue
        state = tree.states[index]
        if state & _VISIBLE:
            row = [*(column[index] for column in columns), state & _KEPT_STATES, tree.parents[index]]
            row += [_rounded(x) for x in flat[index * 4 : index * 4 + 4]]
            digest.update(repr(row).encode("utf-8", "surrogatepass"))
        index += 1
    return digest.hexdigest()


def _rounded(x: float) -> float:
    return round(x / 2) if math.isfinite(x) else math.inf
