"""A text that something opaque lies over."""

from __future__ import annotations

from collections.abc import Iterator

from pytest_apex.hierarchy.names import cut
from pytest_apex.hierarchy.visible import Box, boxes_of, overlap
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.glyphs import TOO_FEW, can_be_counted, letters_of
from pytest_apex.verify.checks.page import Page, Shown, page_of, surroundings
from pytest_apex.vision import color

#: A cover takes at least this share of the text's box, and at most that: a text wholly behind something may be the
#: other side of a card, or a page that was left.
_LEAST, _MOST = 0.3, 0.95
#: The common part is of one colour by this share: opaque, without an ink of its own, and without the text's.
_PLAIN = 0.97
#: With a cover in place, a few letters are enough to count.
_LETTERS = 4
#: A cover that takes more of the app's area is a page over a page.
_PAGE = 0.5
#: Overlays that come and go by themselves.
_PASSING = frozenset({"toast", "dialog", "alert", "sheet", "menu", "keyboard"})


class Occluded:
    """Frames say what lies over a text; pixels, that it is opaque there and that letters stop at its edge or are
    missing. What lies still over content that scrolls (a floating button, a bar) is no cover: it can be scrolled out.
    """

    name = "occluded"
    claim = "nothing lies over a text"
    kind = "visual.occluded"

    def applies(self, snapshot: Snapshot) -> bool:
        return page_of(snapshot).has_pixels

    def run(self, snapshot: Snapshot) -> CheckResult:
        page, findings, unknown = page_of(snapshot), [], []
        for text in page.texts:
            found = _cover(page, text) if not text.typed else None
            if found is None:
                continue
            cover, common = found
            hidden = _hides(page, text, common)
            if hidden:
                reason = f"{cover} lies over {cut(text.text, 60)!r}"
                findings.append(Finding(self.name, self.kind, reason, nodes=(str(text.node),), box=text.part))
            elif hidden is None:
                unknown.append(f"{text.node}: whether {cover} hides letters of it can't be told")
        return result(self, findings, tuple(unknown))


def _cover(page: Page, text: Shown) -> tuple[Node, Rect] | None:
    """What takes most of a text's box, of all that is drawn later, and their common part."""
    best: tuple[Node, Rect] | None = None
    whole: Box = (text.part.left, text.part.top, text.part.right, text.part.bottom)
    for node, box in _later(page, text.node):
        left, top, right, bottom = overlap(box, whole)
        if right - left < 1 or bottom - top < 1:
            continue
        share = (right - left) * (bottom - top) / text.part.area
        if share >= _LEAST and (best is None or share > best[1].area / text.part.area):
            best = node, Rect(left, top, right, bottom)
    return best if best is None or best[1].area <= _MOST * text.part.area else None


def _later(page: Page, text: Node) -> Iterator[tuple[Node, Box]]:
    """What is drawn after a text in the same surroundings, smaller than a page."""
    around, boxes = surroundings(text.tree), boxes_of(text.tree)
    scrolled_by, most = around.clipping[text.index], _PAGE * page.area.area
    for node in page.nodes:
        if node.index < text.tree.ends[text.index] or around.clipping[node.index] != scrolled_by:
            continue
        box = boxes[node.index]
        if (box[2] - box[0]) * (box[3] - box[1]) <= most and node.role not in _PASSING:
            yield node, box


def _hides(page: Page, text: Shown, common: Rect) -> bool | None:
    """Whether letters are hidden; None where that can't be told."""
    if page.look.picture is None:
        return None
    scale = page.look.screen.scale
    # Edges in points lie between pixels: the outermost ones may be half of what is below.
    if color.uniform_share(page.look.picture, common.scaled(scale).grown(-1))[1] <= _PLAIN:
        return False
    rest, edge = _rest(text.part, common)
    seen = page.ink(rest.scaled(scale))
    if seen is None or not seen.is_clear or not seen.lines:
        return None
    if edge in seen.cut:
        return True
    letters = letters_of(text.text)
    if edge in ("top", "bottom") or len(letters) < _LETTERS or not can_be_counted(letters):
        return None
    return seen.runs < TOO_FEW * len(letters)


def _rest(part: Rect, common: Rect) -> tuple[Rect, str]:
    """The largest piece of a text that is not covered, and its edge at the cover."""
    pieces = (
        (Rect(part.left, part.top, common.left, part.bottom), "right"),
        (Rect(common.right, part.top, part.right, part.bottom), "left"),
        (Rect(part.left, part.top, part.right, common.top), "bottom"),
        (Rect(part.left, common.bottom, part.right, part.bottom), "top"),
    )
    return max(pieces, key=lambda piece: piece[0].area)
