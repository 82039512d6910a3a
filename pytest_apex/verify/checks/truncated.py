"""Text that does not show all of itself: cut within a glyph, ended by an ellipsis, or shorter than its words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import partial

from pytest_apex.hierarchy.names import cut
from pytest_apex.hierarchy.visible import boxes_of
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Picture, Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.glyphs import ENOUGH_LETTERS, is_icon, is_shorter, needs_more
from pytest_apex.verify.checks.lost_height import is_cut_at, may_be_cut
from pytest_apex.verify.checks.off_screen import OffScreen, screen_edge
from pytest_apex.verify.checks.page import BARE, Page, Shown, page_of
from pytest_apex.vision import color, ocr
from pytest_apex.vision.edges import fills_corners
from pytest_apex.vision.ink import Ink, runs_of

#: A box that ends with the screen is a sign of its own.
_ENOUGH_AT_AN_EDGE = 5
#: A cover takes at least this share of the text's box, and is of one colour there by that.
_COVERS, _PLAIN = 0.15, 0.97
_OWN_LABEL = frozenset({"button", "link", "tab", "menu_item", "checkbox", "switch", "radio", "stepper"})
_TITLES = frozenset({"toolbar", "tab_bar", "tab", "button", "menu_item"})


class Truncated:
    """Compares each text with its ink. The tree holds the whole text even where the picture shows an ellipsis."""

    name = "truncated"
    claim = "every text is shown whole"
    kind = "visual.truncated"

    def applies(self, snapshot: Snapshot) -> bool:
        return page_of(snapshot).has_pixels

    def run(self, snapshot: Snapshot) -> CheckResult:
        findings, unknown = [], []
        page = page_of(snapshot)
        for text in page.texts:
            if text.partial or text.shared or text.typed or text.node.has(NodeState.PASSWORD):
                continue
            seen = page.ink(text.core)
            if snapshot.picture is None or seen is None or not seen.is_clear:
                unknown.append(f"{text.node}: its ink can't be told from its ground")
                continue
            edge = screen_edge(text.box, snapshot.screen.bounds)
            edges, untold = _edges(snapshot.picture, text, seen)
            unknown += [
                f"{text.node}: whether it is cut at the {side}, or ends there, can't be told" for side in untold
            ]
            found = self._cut(snapshot.picture, text, seen, edges, edge)
            if found is None and _is_short(text, seen, edge):
                if _may_be_covered(page, text):
                    unknown.append(f"{text.node}: what lies over it may hide a part of it")
                    continue
                found = self._part(snapshot.picture, text, edge)
            if found is not None:
                findings.append(found)
        return result(self, findings, tuple(unknown))

    def _cut(self, picture: Picture, text: Shown, seen: Ink, edges: Sequence[str], edge: str) -> Finding | None:
        """Cut within a glyph at `edges`, or ended by an ellipsis. `edge` is that of the screen which the text's box
        ends at, if any."""
        # What a badge with a round ground lies over shows in its corners.
        if edges and text.laid_over and not fills_corners(picture, text.core, seen.ground):
            edges = []
        if edges and (text.node.role in BARE or edge in edges):
            return self._finding(text, f"{cut(text.text, 60)!r} is cut at the {' and '.join(edges)}", "fail", edge)
        if seen.ellipsis and not text.text.rstrip().endswith(("...", "…", "..")):
            severity = "fail" if is_own_label(text.node) else "warn"
            return self._finding(text, f"{cut(text.text, 60)!r} ends in an ellipsis", severity)
        return None

    def _part(self, picture: Picture, text: Shown, edge: str) -> Finding | None:
        own = is_own_label(text.node)
        if own and _reads_whole(picture, text):
            return None
        reason = f"only a part of {cut(text.text, 60)!r} is shown"
        return self._finding(text, reason, "fail" if own or edge else "warn", edge)

    def _finding(self, text: Shown, reason: str, severity: str, edge: str = "") -> Finding:
        """At an edge of the screen, the text sticks out: a platform that reports only what is inside the screen
        (Android) lets its box end there."""
        kind = OffScreen.kind if edge and severity == "fail" else self.kind
        if kind == OffScreen.kind:
            reason += f": it sticks out of the screen at the {edge}"
        return Finding(self.name, kind, reason, severity, (str(text.node),), text.box)


def _edges(picture: Picture, text: Shown, seen: Ink) -> tuple[list[str], list[str]]:
    """The edges of its box at which a text is cut, and those where that can't be told."""
    told = {
        side: is_cut_at(side, text.text, seen, partial(runs_of, picture, text.core))
        for side in ("top", "bottom")
        if may_be_cut(side, text.text, seen)
    }
    beside = [side for side in ("left", "right") if side in seen.cut and side != _first_edge(text.text)]
    return [side for side, cut in told.items() if cut] + beside, [side for side, cut in told.items() if cut is None]


def _is_short(text: Shown, seen: Ink, edge: str) -> bool:
    """Whether far fewer glyphs are drawn than the text has letters, or a label that is too long for its control shows
    its middle from edge to edge."""
    if text.node.role not in BARE and is_icon(seen):
        return False
    fills = text.node.role not in BARE and seen.width >= text.core.width - 2
    if fills and needs_more(text.text, seen, text.pixels.width):
        return True
    return is_shorter(text.text, seen, enough=_ENOUGH_AT_AN_EDGE if edge else ENOUGH_LETTERS, at_edge=bool(edge))


def _may_be_covered(page: Page, text: Shown) -> bool:
    """Whether a later control, a panel or a drawer, lies over a part of a text where nothing is drawn."""
    if page.look.picture is None:
        return False
    boxes = boxes_of(text.node.tree)
    for node in page.nodes:
        if node.index < text.node.tree.ends[text.node.index]:
            continue
        common = text.part.intersect(Rect(*boxes[node.index]))
        if not common.is_empty and common.area >= _COVERS * text.part.area:
            plain = color.uniform_share(page.look.picture, common.scaled(page.look.screen.scale).grown(-1))[1]
            if plain > _PLAIN:
                return True
    return False


def _reads_whole(picture: Picture, text: Shown) -> bool:
    """A second opinion on what only the number of glyphs tells, where texts can be read: letters of the font may hang
    together."""
    if not ocr.is_installed():
        return False
    rows = ocr.in_rows(ocr.read_text(picture, text.pixels))
    return ocr.same_words(" ".join(row.text for row in rows), text.text)


def _first_edge(text: str) -> str:
    """Where a text begins: a letter without room beside it ("M" in some fonts) starts at full strength there."""
    strong = (unicodedata.bidirectional(letter) for letter in text)
    return "right" if next((kind for kind in strong if kind in ("L", "R", "AL")), "L") != "L" else "left"


def is_own_label(node: Node) -> bool:
    """Whether a text is the name of a control or of the screen, and not content."""
    return node.role in _OWN_LABEL or any(above.role in _TITLES for above in node.ancestors)
