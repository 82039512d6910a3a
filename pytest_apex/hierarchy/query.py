"""Finding controls in a snapshot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from pytest_apex.errors import ConfigError, TargetAmbiguous
from pytest_apex.hierarchy.around import incomplete_field, is_touchable, row_around, touchable
from pytest_apex.hierarchy.criteria import accepts, find_words
from pytest_apex.hierarchy.names import plain
from pytest_apex.hierarchy.near import near_misses
from pytest_apex.hierarchy.same import find_again
from pytest_apex.hierarchy.visible import visible_boxes
from pytest_apex.hierarchy.xpath import find_xpath
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree
from pytest_apex.model.target import CRITERIA, By, Pinned, Target

__all__ = ["ImageSearch", "find", "find_unseen", "incomplete_field", "near_misses", "touchable"]

#: Finds an image (a path) on a snapshot's picture; answers in the units of the tree. The room of pictures offers one.
ImageSearch: TypeAlias = Callable[[Snapshot, str], Sequence[Rect]]

_VISIBLE = int(NodeState.VISIBLE)
#: Criteria that look at what the others have left: a text falls back on labels, a point takes the smallest.
_LAST = frozenset({"text", "point", "image"})


def find(snapshot: Snapshot, target: Target, *, images: ImageSearch | None = None) -> list[Node]:
    """All visible controls that a target means, in document order.

    All criteria must hold. Words are compared exactly and with case; `exact=False` asks for a part of them in any
    case; a compiled pattern is searched for (`re.search`: anchor it to match the whole). A `text` is looked for in the
    texts, and only if none fits in the labels, and only then in the placeholders of text fields. An `id` is the whole
    one or the part after `:id/`. `index` is the number in the indexed state of this snapshot. `point` is the smallest
    control there, in the topmost window. What the target's `names` call by the text is meant too: another control than
    the one that shows it makes two. Nested controls with the same words count once (see `_collapsed`). What the
    system's bars show (its clock, its icons) is meant only if nothing else fits.

    Raises `TargetAmbiguous` when `within` fits several, `ConfigError` for a target that can't be meant.
    """
    start, stop = 0, len(snapshot)
    if target.within is not None:
        place = _place(snapshot, target.within, images)
        if place is None:
            return []
        start, stop = place.index + 1, place.tree.ends[place.index]
    found = _matches(snapshot, target, range(start, stop), images)
    found = [node for node in found if node.window.kind != "status_bar"] or found
    if target.nth is None:
        return found
    return [found[target.nth]] if -len(found) <= target.nth < len(found) else []


def find_unseen(snapshot: Snapshot, target: Target) -> list[Node]:
    """The controls that a target would mean if all of the tree were visible, and that are not: scrolled away or
    hidden. Criteria that look at a place of the screen or the state's numbers mean visible ones only: none then."""
    if any(by.kind in ("point", "image", "index", "pinned") for by in target.by):
        return []
    tree = snapshot.tree
    whole = replace(snapshot, tree=replace(tree, states=tuple(state | _VISIBLE for state in tree.states)))
    try:
        found = find(whole, target)
    except TargetAmbiguous:
        return []
    return [Node(tree, node.index) for node in found if not tree.states[node.index] & _VISIBLE]


def _place(snapshot: Snapshot, within: Target, images: ImageSearch | None) -> Node | None:
    """The one control to look in. A label without anything in it stands for the row around it."""
    found = find(snapshot, within, images=images)
    if len(found) > 1:
        error = TargetAmbiguous(
            f"the place to look in is not clear: {within}",
            seen="\n".join(map(str, found[:5])),
            likely=f"{len(found)} controls fit",
            cure="say which one, with role=, id= or nth=",
        )
        error.target, error.candidates = within, tuple(found)
        raise error
    return row_around(found[0]) if found else None


def _matches(snapshot: Snapshot, target: Target, scope: range, images: ImageSearch | None) -> list[Node]:
    tree = snapshot.tree
    if not target.by:
        raise ConfigError("a target needs a criterion", cure=f"give one of {', '.join(CRITERIA)}")
    candidates: Sequence[int] = [index for index in scope if tree.states[index] & _VISIBLE]
    for by in target.by:
        if by.kind not in _LAST:
            candidates = _narrowed(snapshot, by, target.exact, candidates)
    others = candidates
    for by in target.by:
        if by.kind == "text":
            candidates = find_words(tree, accepts(by, target.exact), candidates)
    if any(by.kind in ("text", "label") for by in target.by):
        candidates = _collapsed(tree, candidates)
    if target.names is not None and target.exact:
        candidates = _with_named(snapshot, target, candidates, others)
    for by in target.by:
        if by.kind == "point":
            candidates = _at(snapshot, target, _point(by), candidates)
        elif by.kind == "image":
            candidates = _on_image(snapshot, by, candidates, images)
    return [Node(tree, index) for index in candidates]


def _narrowed(snapshot: Snapshot, by: By, exact: bool, candidates: Sequence[int]) -> Sequence[int]:
    tree = snapshot.tree
    columns = {"id": tree.identifiers, "label": tree.labels, "role": tree.roles}
    if by.kind in columns:
        accept, column = accepts(by, exact), columns[by.kind]
        return [index for index in candidates if accept(column[index])]
    if by.kind == "xpath":
        hits = find_xpath(tree, by)
        return [index for index in candidates if index in hits]
    if by.kind == "index":
        return _numbered(snapshot, by, candidates)
    if isinstance(by.value, Pinned):
        again = find_again(by.value, snapshot)
        return [again.index] if isinstance(again, Node) and again.index in candidates else []
    raise ConfigError(f"controls can't be found by {by.kind!r}", cure=f"use one of {', '.join(CRITERIA)}")


def _numbered(snapshot: Snapshot, by: By, candidates: Sequence[int]) -> Sequence[int]:
    from pytest_apex.hierarchy.state import index_state  # only who asks for an index pays for the folding

    if not isinstance(by.value, int):
        raise ConfigError(f"an index is a whole number, got {by.value!r}")
    nodes = index_state(snapshot).nodes
    meant = nodes[by.value].index if 0 <= by.value < len(nodes) else -1
    return [meant] if meant in candidates else []


def _collapsed(tree: Tree, found: Sequence[int]) -> list[int]:
    """Nested controls with the same words, counted once.

    Android puts the words of a button on the text inside it as well, iOS repeats a label on up to ten nested
    ancestors. A control that can't be touched stands for the nearest touchable one around it with the same words; if
    there is none, only the innermost of its kind counts. Of nested touchable ones the innermost counts, unless an
    outer one has such words of its own: a row "Wi-Fi" with a switch "Wi-Fi" in it are two controls.
    """
    above: dict[int, int] = {}  # the match around each match, if its words are the same
    holder: dict[int, int] = {}  # the nearest touchable one among those
    wrapper: set[int] = set()  # has a match inside it
    open_matches: list[int] = []
    for index in found:
        while open_matches and tree.ends[open_matches[-1]] <= index:
            open_matches.pop()
        if open_matches and _words(tree, open_matches[-1]) & _words(tree, index):
            outer = open_matches[-1]
            above[index] = outer
            wrapper.add(outer)
            if is_touchable(tree, outer):
                holder[index] = outer
            elif outer in holder:
                holder[index] = holder[outer]
        open_matches.append(index)
    touch_inside: set[int] = set()
    for index in reversed(found):
        if index in above and (index in touch_inside or is_touchable(tree, index)):
            touch_inside.add(above[index])
    kept: set[int] = set()
    for index in found:
        if is_touchable(tree, index):
            kept.update(() if index in touch_inside else (index,))
        elif index in holder and index not in touch_inside:
            kept.add(holder[index])
        elif index not in wrapper:
            kept.add(index)
    return sorted(kept)


def _words(tree: Tree, index: int) -> set[str]:
    return {plain(word) for word in (tree.texts[index], tree.labels[index], tree.hints[index]) if word}


def _with_named(snapshot: Snapshot, target: Target, found: Sequence[int], others: Sequence[int]) -> Sequence[int]:
    """What has the words, and what of the others is called by them; one that is both counts once."""
    word = next((by.value for by in target.by if by.kind == "text" and isinstance(by.value, str)), "")
    if target.names is None or not word:
        return found
    allowed = set(others)
    named = [node for node in target.names.called(snapshot, word) if node.index in allowed]
    takers = {touchable(node) for node in named}
    shown = [index for index in found if touchable(node := Node(snapshot.tree, index)) not in takers
             and not any(node.is_inside(other) for other in named)]  # fmt: skip
    return sorted({*shown, *(node.index for node in named)})


def _at(snapshot: Snapshot, target: Target, point: Point, candidates: Sequence[int]) -> list[int]:
    """The candidate that is meant by a point, else the smallest one there (see `_smallest`)."""
    meant = target.names.at(snapshot, point) if target.names is not None else None
    if meant is not None and meant.index in candidates:
        return [meant.index]
    return _smallest(snapshot, point, candidates)


def _smallest(snapshot: Snapshot, point: Point, candidates: Sequence[int]) -> list[int]:
    """The smallest candidate at a point, in the topmost window that has one; of equal ones the innermost."""
    boxes = visible_boxes(snapshot.tree, snapshot.screen.bounds)
    best, rank = -1, (-1, 0.0)
    for index in candidates:
        box = boxes[index]
        if box is None or not (box[0] <= point.x < box[2] and box[1] <= point.y < box[3]):
            continue
        here = (snapshot.tree.window_of[index], -(box[2] - box[0]) * (box[3] - box[1]))
        if here >= rank or best < 0:
            best, rank = index, here
    return [best] if best >= 0 else []


def _point(by: By) -> Point:
    if not isinstance(by.value, Point):
        raise ConfigError(f"a point is a Point(x, y), got {by.value!r}")
    return by.value


def _on_image(snapshot: Snapshot, by: By, candidates: Sequence[int], images: ImageSearch | None) -> Sequence[int]:
    """The candidates in the middle of each place where the image is on the picture."""
    if images is None or not isinstance(by.value, str):
        raise ConfigError(
            "an image is found on the picture of a device",
            seen=repr(by.value),
            cure="give the path of a PNG to device.find(image=…)",
        )
    found = {index for rect in images(snapshot, by.value) for index in _smallest(snapshot, rect.center, candidates)}
    return sorted(found)
