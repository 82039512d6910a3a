"""Whether a control of an earlier look is still there, and still the same."""

from __future__ import annotations

from itertools import islice

from pytest_apex.hierarchy.diff import is_another_screen
from pytest_apex.hierarchy.match import Matching, columns, is_unique, match
from pytest_apex.hierarchy.names import in_words, shown_text
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Pinned

#: A row is not further around its controls than this.
_LEVELS = 30


def find_again(pinned: Pinned, now: Snapshot) -> Node | str:
    """The same control in a later look, or why there is none, in words that read on after "7: "."""
    before = Node(pinned.look.tree, pinned.index)
    if pinned.look.tree is now.tree:
        return before
    found = match(pinned.look.tree, now.tree)
    partner = found.to[pinned.index]
    if is_another_screen(pinned.look, now, found):
        return "another screen is shown now"
    if partner < 0:
        return "it is gone"
    after = Node(now.tree, partner)
    if not after.visible:
        return "it is still in the tree, but not visible"
    return after if _is_same(before, after, found) else f"{in_words(after)} is in its place now"


def _is_same(before: Node, after: Node, found: Matching) -> bool:
    """Words or an id that nothing else has settle it. What has none, a switch or one of many buttons "Delete", is what
    the row around it is; of a row that changed, some words of its own have to be left."""
    known = columns(before.tree)
    chains = zip((before, *before.ancestors), (after, *after.ancestors), strict=False)
    for earlier, later in islice(chains, _LEVELS):
        if found.to[earlier.index] != later.index:
            return False
        if earlier.index in found.sure and is_unique(known, earlier.index):
            return True
        if _words(earlier) != _words(later):
            inside = range(earlier.index + 1, earlier.tree.ends[earlier.index])
            return any(index in found.sure and is_unique(known, index) for index in inside)
    return True


def _words(node: Node) -> str:
    """What a person reads on it; what was typed into a text field is not its name."""
    return node.label or node.hint if node.has(NodeState.EDITABLE) else shown_text(node)
