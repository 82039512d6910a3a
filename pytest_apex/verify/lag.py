"""Whether a tree still follows the picture beside it.

Drivers keep what they know of a screen, and may go on telling it when another one is shown. No picture is read here:
what can be told is whether the drawing of a control is another one while the tree says the same as before, or whether
nothing at all is drawn where the tree says that there are texts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pytest_apex.hierarchy import digest
from pytest_apex.hierarchy.visible import visible_boxes
from pytest_apex.model.geometry import Rect, union
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.checks.page import page_of
from pytest_apex.verify.pictures import app_area, app_ground, fits, is_black, leaves
from pytest_apex.vision import ink

#: A drawing with less in common with an earlier one is another. The same text in other colours has 0.8 and more, in
#: bold 0.6; two texts of one length 0.1 to 0.35.
_OTHER = 0.45
#: So many texts, and such a share of them, have to be drawn otherwise, over such a share of the height that all of them
#: take: a keyboard or sheet that the tree leaves out covers the lower half at most, and one control may be drawn anew
#: for many reasons. (A heading that two screens share stays.)
_SOME, _SHARE, _SPREAD = 3, 0.5, 0.6
#: A smaller share is a toast, a highlight or a ticker: the tree as a whole follows.
_FEW = 0.25
#: So many texts, and such a share of them, have to be missing from the picture, over such a share of the app's height.
_MISSING, _MOST, _TALL = 4, 0.6, 0.5
#: A text of n letters has at least so many n separate strokes: less is a bar in its place, or a sign.
_STROKES = 0.3
#: What draws something else than it says, or changes without a word in the tree.
_PICTURES = frozenset(
    {"image", "icon", "video", "map", "web", "progress", "slider", "picker", "keyboard", "key", "toast"}
)
_RESTLESS = NodeState.PASSWORD | NodeState.LIVE | NodeState.EDITABLE | NodeState.FOCUSED
#: Nobody looks at more texts of a screen than that, and they say as much.
_ENOUGH = 60


@dataclass(frozen=True, slots=True)
class Lag:
    """A tree that does not go with its picture. `sure` is False where something else may explain it as well: `words`
    say what was seen."""

    sure: bool
    words: str


def same_tree(before: Snapshot, after: Snapshot) -> bool:
    """Whether two trees tell the same, but for clocks in the status bar."""
    return before.tree is after.tree or (
        digest.full(before) == digest.full(after) and _focused(before) == _focused(after)
    )


def lag_between(before: Snapshot, after: Snapshot) -> Lag | None:
    """Of two looks at rest: whether the later picture shows another screen while the tree is that of the earlier one.

    None where tree and picture agree, or where it can't be told: maps, games and videos say nothing in the tree that
    could be compared; a theme changes colours and no drawing; a text that was not drawn yet is drawn now.
    """
    if before.picture is None or after.picture is None or before.picture.key == after.picture.key:
        return None
    if not same_tree(before, after) or not fits(before) or is_black(before) or is_black(after):
        return None
    if before.picture.size != after.picture.size:
        return Lag(True, f"the picture turned to {after.picture.size}, and the tree still tells {after.screen.size}")
    told: list[Node] = []
    other: list[Node] = []
    for node, box in _texts(before):
        alike = ink.likeness(before.picture, after.picture, box)
        if alike is None or not _reads(before, node, box):
            continue
        told.append(node)
        if alike < _OTHER:
            other.append(node)
    if len(other) < max(1, _FEW * len(told)):
        return None
    named = ", ".join(map(str, other[:3])) + (" …" if len(other) > 3 else "")
    sure = len(other) >= max(_SOME, _SHARE * len(told)) and _height(other) >= _SPREAD * _height(told)
    return Lag(sure, f"{len(other)} of {len(told)} texts are drawn otherwise, and the tree did not follow: {named}")


def lag_in(look: Snapshot) -> Lag | None:
    """Of one look: whether the picture shows nothing where most texts of the tree should be, and something elsewhere.

    None where tree and picture agree, or where it can't be told.
    """
    if look.picture is None or not fits(look):
        return None
    ground = app_ground(look)
    if ground is None or ground.uniform:
        return None
    texts = [text for text in page_of(look).texts if not (text.partial or text.shared or text.typed)]
    texts = [text for text in texts if text.node.role not in _PICTURES and not text.node.has(_RESTLESS)][:_ENOUGH]
    missing: list[Node] = []
    for asked, text in enumerate(texts, 1):
        if ink.is_plain(look.picture, text.pixels):
            missing.append(text.node)
        elif asked - len(missing) > (1 - _MOST) * len(texts):
            return None  # enough of them are drawn: the others would not change that
    if len(texts) < _MISSING or len(missing) < _MOST * len(texts) or _height(missing) < _TALL * app_area(look).height:
        return None
    named = ", ".join(map(str, missing[:3])) + (" …" if len(missing) > 3 else "")
    return Lag(True, f"{len(missing)} of {len(texts)} texts of the tree are not in the picture: {named}")


def _focused(look: Snapshot) -> list[int]:
    return [index for index, states in enumerate(look.tree.states) if states & NodeState.FOCUSED]


def _texts(look: Snapshot) -> Iterator[tuple[Node, Rect]]:
    """What the tree says is written on the screen, in whole, and where that is on the picture."""
    area, scale = app_area(look), look.screen.scale
    parts = visible_boxes(look.tree, look.screen.bounds)
    found = 0
    for node in leaves(look):
        box, part = node.bounds, parts[node.index]
        if part is None or not (node.text or node.label).strip() or node.role in _PICTURES or node.has(_RESTLESS):
            continue
        if Rect(*part) != box or not area.encloses(box, 1) or box.area > 0.3 * area.area or found >= _ENOUGH:
            continue
        found += 1
        yield node, box.scaled(scale)


def _reads(look: Snapshot, node: Node, box: Rect) -> bool:
    """Whether what is drawn may be its text: enough strokes for its letters."""
    if look.picture is None:
        return False
    drawn = ink.read_ink(look.picture, box)
    letters = len("".join((node.text or node.label).split()))
    return drawn is not None and drawn.is_clear and drawn.runs >= _STROKES * letters


def _height(nodes: Sequence[Node]) -> float:
    """How far they reach from top to bottom."""
    return union(node.bounds for node in nodes).height
