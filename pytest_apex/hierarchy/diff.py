"""What two trees differ in: control by control, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_apex.hierarchy.around import is_touchable
from pytest_apex.hierarchy.match import Matching, columns, counted, match
from pytest_apex.hierarchy.names import in_words, plain
from pytest_apex.hierarchy.scrolling import NO_PUSH, NO_SCROLLING, STILL, Scrolling, find_scrolling
from pytest_apex.hierarchy.visible import clips
from pytest_apex.model.change import FieldChange
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree

#: From this many named controls on, a screen whose larger part is replaced is another screen.
_ENOUGH = 2

#: On Apple's platforms these bear the name of the app, whatever screen it shows.
_FRAMES = frozenset({"application", "window"})

#: A label lies not deeper than this in the control that it belongs to.
_LEVELS = 8

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
    scrolled: tuple[str, ...] = ()
    navigated: bool = False


@dataclass(frozen=True, slots=True)
class Altered:
    """One field of a control, before and after; what stands in a password field is not told."""

    before: Node
    after: Node
    field: str
    was: str
    is_now: str


@dataclass(frozen=True, slots=True)
class Scrolled:
    """A container whose content went by `distance`; `direction` is what came into view."""

    before: Node
    after: Node
    direction: str
    distance: float


@dataclass(frozen=True, slots=True)
class NodeDiff:
    """Which controls differ. `appeared` are of the later tree, `vanished` of the earlier, pairs are (before, after).

    Left out: rows that scrolling moved, brought or took away; what moved along with a control around it; labels that
    came or went with a control that is called by them.
    """

    appeared: tuple[Node, ...] = ()
    vanished: tuple[Node, ...] = ()
    moved: tuple[tuple[Node, Node], ...] = ()
    altered: tuple[Altered, ...] = ()
    scrolled: tuple[Scrolled, ...] = ()
    navigated: bool = False

    def in_words(self) -> TreeDiff:
        return TreeDiff(
            appeared=tuple(map(in_words, self.appeared)),
            vanished=tuple(map(in_words, self.vanished)),
            moved=tuple(in_words(before) for before, _ in self.moved),
            altered=tuple(
                FieldChange(in_words(item.before), item.field, item.was, item.is_now) for item in self.altered
            ),
            scrolled=tuple(
                f"{in_words(item.before)} {item.direction} by {round(item.distance, 1):g}" for item in self.scrolled
            ),
            navigated=self.navigated,
        )


def diff(before: Snapshot, after: Snapshot, pushed: tuple[int, int] = NO_PUSH) -> TreeDiff:
    """What changed from one snapshot to the other, in words; see `node_diff`."""
    return node_diff(before, after, pushed).in_words()


def node_diff(before: Snapshot, after: Snapshot, pushed: tuple[int, int] = NO_PUSH) -> NodeDiff:
    """What changed from one snapshot to the other.

    The status bar, invisible nodes and wrappers without words or touch are left out. Controls keep their identity
    when they move, change their order or their words. `pushed` is where a finger or a key in between pushed the
    content (x and y, each -1, 0 or 1): trees alone do not tell a full list that went on by exactly one row from one
    whose first row was added or taken away.
    """
    if before.tree is after.tree or before.tree == after.tree:
        return NodeDiff(navigated=(before.app.id, before.app.activity) != (after.app.id, after.app.activity))
    found = match(before.tree, after.tree)
    changed = _changed(before.tree, after.tree, found)
    movers = _movers(before.tree, after.tree, changed)
    scrolling = find_scrolling(before, after, found, movers, pushed) if movers else NO_SCROLLING
    changed = [(a, b) for a, b in changed if a not in scrolling.others]
    return NodeDiff(
        appeared=_told(after.tree, [b for b in found.appeared if b not in scrolling.came_in]),
        vanished=_told(before.tree, [a for a in found.vanished if a not in scrolling.went_out]),
        moved=_moves(before.tree, after.tree, [(a, b) for a, b in movers if a not in scrolling.others], scrolling),
        altered=tuple(_altered(before.tree, after.tree, changed)),
        scrolled=tuple(
            Scrolled(
                Node(before.tree, it.container), Node(after.tree, found.to[it.container]), it.direction, it.distance
            )
            for it in scrolling.scrolls
        ),
        navigated=is_another_screen(before, after, found),
    )


def is_another_screen(before: Snapshot, after: Snapshot, found: Matching) -> bool:
    """Whether another app or activity is in front, or the larger part of what is named is replaced."""
    left, right = before.app, after.app
    return (left.id, left.activity) != (right.id, right.activity) or _replaced(before, after, found)


def _changed(before: Tree, after: Tree, found: Matching) -> list[tuple[int, int]]:
    rows, others = columns(before).rows, columns(after).rows
    return [(a, b) for a, b in found.pairs if rows[a] != others[b]]


def _movers(before: Tree, after: Tree, changed: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    boxes, others = columns(before).boxes, columns(after).boxes
    return [
        (a, b)
        for a, b in changed
        if boxes[a] != others[b] and any(abs(x - y) > STILL for x, y in zip(boxes[a], others[b], strict=True))
    ]


def _told(tree: Tree, nodes: Sequence[int]) -> tuple[Node, ...]:
    """Those that came or went, without labels that the control around them, which did so too, is called by."""
    there = set(nodes)
    names: dict[int, str] = {}
    told = []
    for index in nodes:
        owner = _owner(tree, index) if not is_touchable(tree, index) else -1
        if owner in there:
            if owner not in names:
                names[owner] = plain(in_words(Node(tree, owner)))
            words = plain(tree.texts[index] or tree.labels[index])
            if tree.ends[index] == index + 1 and words in names[owner]:
                continue
        told.append(Node(tree, index))
    return tuple(told)


def _owner(tree: Tree, index: int) -> int:
    """The nearest control or row around a label, at most a few levels up; -1 for none."""
    above = tree.parents[index]
    for _ in range(_LEVELS):
        if above < 0 or is_touchable(tree, above) or tree.roles[above] in ("cell", "card"):
            return above
        above = tree.parents[above]
    return -1


def _moves(
    before: Tree, after: Tree, movers: Sequence[tuple[int, int]], scrolling: Scrolling
) -> tuple[tuple[Node, Node], ...]:
    """Without what scrolling moved, and what moved along with a control around it that is told."""
    left, right = columns(before).boxes, columns(after).boxes
    ways: dict[int, tuple[float, ...]] = {}
    kept = []
    carriers = _carriers(before) if movers else []
    for a, b in movers:
        if a in scrolling.moved:
            continue
        way = tuple(y - x for x, y in zip(left[a], right[b], strict=True))
        carrier = ways.get(carriers[a])
        ways[a] = way
        if carrier is None or any(abs(x - y) > STILL for x, y in zip(way, carrier, strict=True)):
            kept.append((Node(before, a), Node(after, b)))
    return tuple(kept)


def _carriers(tree: Tree) -> list[int]:
    """For each node the nearest one around it that counts; -1 for none."""
    counts = bytearray(len(tree))
    for index in counted(tree):
        counts[index] = 1
    carriers: list[int] = []
    for parent in tree.parents:
        carriers.append(parent if parent >= 0 and counts[parent] else (carriers[parent] if parent >= 0 else -1))
    return carriers


def _altered(before: Tree, after: Tree, changed: Sequence[tuple[int, int]]) -> Iterator[Altered]:
    for a, b in changed:
        hidden = (before.states[a] | after.states[b]) & _PASSWORD
        for name, earlier, later in (
            ("text", before.texts[a], after.texts[b]),
            ("label", before.labels[a], after.labels[b]),
            ("value", before.values[a], after.values[b]),
        ):
            # On Apple's platforms the label is the text as well: told once.
            repeated = name == "label" and not hidden and (earlier, later) == (before.texts[a], after.texts[b])
            if earlier != later and not repeated:
                veil = hidden and name != "label"
                was, is_now = (_veiled(earlier), _veiled(later, ", another")) if veil else (repr(earlier), repr(later))
                yield Altered(Node(before, a), Node(after, b), name, was, is_now)
        if (before.states[a] ^ after.states[b]) & _FLAG_BITS:
            for name, bit in _FLAGS:
                was_on, is_on = bool(before.states[a] & bit), bool(after.states[b] & bit)
                if was_on != is_on:
                    yield Altered(Node(before, a), Node(after, b), name, str(was_on), str(is_on))


def _veiled(text: str, more: str = "") -> str:
    return f"(hidden{more})" if text else "(empty)"


def _replaced(before: Snapshot, after: Snapshot, found: Matching) -> bool:
    """Whether the larger part of what the app's windows name is another on both sides.

    What lies in a scrolling container that is still there does not count, as scrolling replaces it; unless the heading
    above it is another one too.
    """
    unsure = len(found.pairs) - len(found.sure)
    if min(len(found.vanished), len(found.appeared)) + unsure < _ENOUGH:
        return False
    gone_before = set(found.vanished)
    others = {
        a
        for a, b in found.pairs
        if (a not in found.sure and _says_else(before.tree, a, after.tree, b))
        # The row that was touched gives its words to the screen that it leads to: the words stay, and nothing else.
        or (before.tree.roles[a] == "text" and _owner(before.tree, a) in gone_before)
    }
    gone = {*gone_before, *others}
    gone_after = {*found.appeared, *(b for a, b in found.pairs if a in others)}
    scrolls = [(a, b) for a, b in found.pairs if clips(before.tree, a) and clips(after.tree, b)]
    earlier = _named(before, {a for a, _ in scrolls})
    later = _named(after, {b for _, b in scrolls})
    if _mostly_in(gone, earlier) and _mostly_in(gone_after, later):
        return True
    if _heading(before, earlier) == _heading(after, later):
        return False
    return _mostly_in(gone, _named(before, set())) and _mostly_in(gone_after, _named(after, set()))


def _says_else(before: Tree, a: int, after: Tree, b: int) -> bool:
    return before.texts[a] != after.texts[b] or before.labels[a] != after.labels[b]


def _mostly_in(gone: set[int], named: list[int]) -> bool:
    return len(named) >= _ENOUGH and sum(1 for index in named if index in gone) > len(named) / 2


def _heading(snapshot: Snapshot, outside: list[int]) -> str:
    """The topmost text outside of what scrolls: what the screen is called, where it is called anything."""
    tree = snapshot.tree
    texts = [index for index in outside if tree.roles[index] == "text" and tree.texts[index]]
    top = min(texts, key=lambda index: tree.boxes[index * 4 + 1], default=None)
    return tree.texts[top] if top is not None else ""


def _named(snapshot: Snapshot, scrolls: set[int]) -> list[int]:
    """The named controls of application windows, outside of these scrolling containers; without frames."""
    tree = snapshot.tree
    names = []
    skip_to = 0
    for index in counted(tree):
        if index < skip_to or tree.windows[tree.window_of[index]].kind != "application":
            continue
        if index in scrolls:
            skip_to = tree.ends[index]
        elif tree.roles[index] not in _FRAMES and (tree.texts[index] or tree.labels[index] or tree.identifiers[index]):
            names.append(index)
    return names
