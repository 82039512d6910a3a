"""What two trees differ in, in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pytest_apex.hierarchy.match import Matching, counted, match
from pytest_apex.hierarchy.names import in_words
from pytest_apex.hierarchy.visible import clips
from pytest_apex.model.change import FieldChange
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree

#: Edges that move less than this many units are rounding (bounds to pixels, spring animations that have ended).
_STILL = 2.0

#: From this many named controls on, a screen whose larger part is replaced is another screen.
_ENOUGH = 2

_FLAGS = (
    ("enabled", int(NodeState.ENABLED)),
    ("checked", int(NodeState.CHECKED)),
    ("selected", int(NodeState.SELECTED)),
    ("focused", int(NodeState.FOCUSED)),
)
_FLAG_BITS = sum(bit for _, bit in _FLAGS)
_PASSWORD = int(NodeState.PASSWORD)


@dataclass(frozen=True, slots=True)
class TreeDiff:
    """Controls in words, in document order; the fields are those of `model.change.Change`."""

    appeared: tuple[str, ...] = ()
    vanished: tuple[str, ...] = ()
    moved: tuple[str, ...] = ()
    altered: tuple[FieldChange, ...] = ()
    navigated: bool = False


def diff(before: Snapshot, after: Snapshot) -> TreeDiff:
    """What changed from one snapshot to the other.

    The status bar, invisible nodes and wrappers without words or touch are left out. Controls keep their identity
    when they move or change their words. What stands in a password field is not told.
    """
    left = before.app.id, before.app.activity
    right = after.app.id, after.app.activity
    if before.tree is after.tree or before.tree == after.tree:
        return TreeDiff(navigated=left != right)
    found = match(before.tree, after.tree)
    return TreeDiff(
        appeared=tuple(in_words(Node(after.tree, index)) for index in found.appeared),
        vanished=tuple(in_words(Node(before.tree, index)) for index in found.vanished),
        moved=tuple(in_words(Node(before.tree, a)) for a, b in found.pairs if _moved(before.tree, a, after.tree, b)),
        altered=tuple(_altered(before.tree, after.tree, found)),
        navigated=left != right or _replaced(before, after, found),
    )


def _moved(before: Tree, a: int, after: Tree, b: int) -> bool:
    earlier, later = before.boxes[a * 4 : a * 4 + 4], after.boxes[b * 4 : b * 4 + 4]
    return earlier != later and any(abs(x - y) > _STILL for x, y in zip(earlier, later, strict=True))


def _altered(before: Tree, after: Tree, found: Matching) -> Iterator[FieldChange]:
    for a, b in found.pairs:
        hidden = (before.states[a] | after.states[b]) & _PASSWORD
        for name, earlier, later in (
            ("text", before.texts[a], after.texts[b]),
            ("label", before.labels[a], after.labels[b]),
            ("value", before.values[a], after.values[b]),
        ):
            if earlier != later:
                words = in_words(Node(before, a))
                if hidden and name != "label":
                    yield FieldChange(words, name, _veiled(earlier), _veiled(later, ", another"))
                else:
                    yield FieldChange(words, name, repr(earlier), repr(later))
        if (before.states[a] ^ after.states[b]) & _FLAG_BITS:
            for name, bit in _FLAGS:
                was, is_now = bool(before.states[a] & bit), bool(after.states[b] & bit)
                if was != is_now:
                    yield FieldChange(in_words(Node(before, a)), name, str(was), str(is_now))


def _veiled(text: str, more: str = "") -> str:
    return f"(hidden{more})" if text else "(empty)"


def _replaced(before: Snapshot, after: Snapshot, found: Matching) -> bool:
    """Whether the larger part of what the app's windows name is another on both sides.

    What lies in a scrolling container that is still there does not count, as scrolling replaces it; unless the heading
    above it is another one too.
    """
    kept = {a for a, _ in found.pairs if a in found.sure}
    kept_after = {b for a, b in found.pairs if a in found.sure}
    scrolls = [(a, b) for a, b in found.pairs if clips(before.tree, a) and clips(after.tree, b)]
    earlier = _named(before, {a for a, _ in scrolls})
    later = _named(after, {b for _, b in scrolls})
    if _mostly_gone(earlier, kept) and _mostly_gone(later, kept_after):
        return True
    if _heading(before, earlier) == _heading(after, later):
        return False
    return _mostly_gone(_named(before, set()), kept) and _mostly_gone(_named(after, set()), kept_after)


def _mostly_gone(named: list[int], kept: set[int]) -> bool:
    gone = sum(1 for index in named if index not in kept)
    return len(named) >= _ENOUGH and gone > len(named) / 2


def _heading(snapshot: Snapshot, outside: list[int]) -> str:
    """The topmost text outside of what scrolls: what the screen is called, where it is called anything."""
    tree = snapshot.tree
    texts = [index for index in outside if tree.roles[index] == "text" and tree.texts[index]]
    top = min(texts, key=lambda index: tree.boxes[index * 4 + 1], default=None)
    return tree.texts[top] if top is not None else ""


def _named(snapshot: Snapshot, scrolls: set[int]) -> list[int]:
    """The named controls of application windows, outside of these scrolling containers."""
    tree = snapshot.tree
    names = []
    skip_to = 0
    for index in counted(tree):
        if index < skip_to or tree.windows[tree.window_of[index]].kind != "application":
            continue
        if index in scrolls:
            skip_to = tree.ends[index]
        elif tree.texts[index] or tree.labels[index] or tree.identifiers[index]:
            names.append(index)
    return names
