"""Text that does not show all of itself: cut within a glyph, ended by an ellipsis, or shorter than its words."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from pytest_apex.hierarchy.names import cut
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.off_screen import OffScreen
from pytest_apex.verify.checks.page import Shown, page_of
from pytest_apex.vision import ink
from pytest_apex.vision.ink import Ink

#: Below this share of the runs, and of the width, that the words should have, some are missing. In 2,500 texts in 20
#: cuts of DejaVu it blamed none; of those that showed the first half it found nine of ten. Shorter texts vary too much.
_TOO_FEW, _FAR_TOO_FEW, _ENOUGH_LETTERS = 0.72, 0.65, 8
#: A box that ends with the screen is a sign of its own.
_ENOUGH_AT_AN_EDGE = 5
#: Letters that hang together, or are reordered: their runs say nothing.
_JOINED_SCRIPTS = (
    "ARABIC", "SYRIAC", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA", "TAMIL", "TELUGU",
    "KANNADA", "MALAYALAM", "SINHALA", "THAI", "LAO", "TIBETAN", "MYANMAR", "KHMER", "NKO", "THAANA",
)  # fmt: skip
_OWN_LABEL = frozenset({"button", "link", "tab", "menu_item", "checkbox", "switch", "radio", "stepper"})
#: Texts without a ground of their own: only their boxes end where the ink does.
_BARE = frozenset({"text", "link"})
#: A corner as round as can be (half the height) lies outside of a box smaller by this share at each edge.
_CORNER = 0.15
#: Ink of at most so many runs a line and about as wide as high, by this share, is an icon: Apple's tree gives its
#: accessibility label as a button's title.
_ICON_RUNS, _ICON_WIDTH = 3, 1.5
_TITLES = frozenset({"toolbar", "tab_bar", "tab", "button", "menu_item"})
#: Widths of letters in em, as in sans-serif fonts at their narrower end; what is in none of these is _USUAL.
_WIDTHS = {0.25: "iljI|.,:;'!·", 0.32: 'ftr()[]{} -/\\"', 0.8: "mwMW@%—…", 0.62: "ABCDEFGHKLNOPQRSTUVXYZ&"}
_WIDTH_OF = {letter: width for width, letters in _WIDTHS.items() for letter in letters}
_USUAL, _WIDE = 0.5, 0.9
_ASCENDING, _DESCENDING = "bdfhkltij()[]|/@$&'", "gjpqyQ,;()[]|/@$"


class Truncated:
    """Compares each text with its ink. The tree holds the whole text even where the picture shows an ellipsis."""

    name = "truncated"
    claim = "every text is shown whole"
    kind = "visual.truncated"

    def applies(self, snapshot: Snapshot) -> bool:
        return page_of(snapshot).has_pixels

    def run(self, snapshot: Snapshot) -> CheckResult:
        findings, unknown = [], []
        for text in page_of(snapshot).texts:
            if text.partial or text.shared or text.typed or text.node.has(NodeState.PASSWORD):
                continue
            seen = ink.read_ink(snapshot.picture, _core(text)) if snapshot.picture is not None else None
            if seen is None or not seen.is_clear:
                unknown.append(f"{text.node}: its ink can't be told from its ground")
                continue
            found = self._look(text, seen, edge=_screen_edge(text.box, snapshot.screen.bounds))
            if found is not None:
                findings.append(found)
        return result(self, findings, tuple(unknown))

    def _look(self, text: Shown, seen: Ink, *, edge: str) -> Finding | None:
        """`edge` is that of the screen which the text's box ends at, if any."""
        edges = [side for side in seen.cut if side != _first_edge(text.text)]
        if edges and (text.node.role in _BARE or edge in edges):
            return self._finding(text, f"{cut(text.text, 60)!r} is cut at the {' and '.join(edges)}", "fail", edge)
        own = is_own_label(text.node)
        if seen.ellipsis and not text.text.rstrip().endswith(("...", "…", "..")):
            return self._finding(text, f"{cut(text.text, 60)!r} ends in an ellipsis", "fail" if own else "warn")
        if text.node.role not in _BARE and is_icon(seen):
            return None
        if is_shorter(text.text, seen, enough=_ENOUGH_AT_AN_EDGE if edge else _ENOUGH_LETTERS):
            reason = f"only a part of {cut(text.text, 60)!r} is shown"
            return self._finding(text, reason, "fail" if own else "warn", edge)
        return None

    def _finding(self, text: Shown, reason: str, severity: str, edge: str = "") -> Finding:
        """At an edge of the screen, the text sticks out: a platform that reports only what is inside the screen
        (Android) lets its box end there."""
        kind = OffScreen.kind if edge and severity == "fail" else self.kind
        if kind == OffScreen.kind:
            reason += f": it sticks out of the screen at the {edge}"
        return Finding(self.name, kind, reason, severity, (str(text.node),), text.box)


def _screen_edge(box: Rect, screen: Rect) -> str:
    """The one side at which a box ends with the screen; "" for none, or both: what is as wide as the screen is cut by
    its own width."""
    if screen.is_empty:
        return ""
    sides = [name for name, room in (("right", screen.right - box.right), ("left", box.left - screen.left)) if room < 1]
    return sides[0] if len(sides) == 1 else ""


def _core(text: Shown) -> Rect:
    """Where the ink of a text is: its box, or for a control with a ground of its own that box without its round
    corners."""
    box = text.pixels
    return box if text.node.role in _BARE else box.grown(-_CORNER * min(box.width, box.height))


def _first_edge(text: str) -> str:
    """Where a text begins: a letter without room beside it ("M" in some fonts) starts at full strength there."""
    strong = (unicodedata.bidirectional(letter) for letter in text)
    return "right" if next((kind for kind in strong if kind in ("L", "R", "AL")), "L") != "L" else "left"


def is_own_label(node: Node) -> bool:
    """Whether a text is the name of a control or of the screen, and not content."""
    return node.role in _OWN_LABEL or any(above.role in _TITLES for above in node.ancestors)


def is_icon(seen: Ink) -> bool:
    """Whether ink looks like a picture of its own, rather than like a text or a part of one."""
    count = len(seen.lines)
    high = seen.lines[-1].end - seen.lines[0].start if count else 0
    return count > 0 and seen.runs <= _ICON_RUNS * count and seen.width <= _ICON_WIDTH * high * count


def is_shorter(text: str, seen: Ink, *, enough: int = _ENOUGH_LETTERS) -> bool:
    """Whether clearly fewer glyphs are drawn than the text has: by their runs, and by their width as well, as
    letters of some words ("fluffy", "WAVE") hang together. With less than `enough` letters nothing is said."""
    letters = [letter for letter in text if not letter.isspace()]
    if len(letters) < enough or not seen.lines or not all(map(_is_separate, letters)):
        return False
    if seen.runs >= _TOO_FEW * len(letters):
        return False
    line, width = max(line.size for line in seen.lines), sum(map(_width, text))
    # Which letters give the line its height: any of them, or only the first ones, which are drawn for sure?
    cautious, likely = (line / _height(part) * width for part in (letters, letters[: seen.runs]))
    return seen.width < max(_TOO_FEW * cautious, _FAR_TOO_FEW * likely)


def _height(letters: Sequence[str]) -> float:
    """How much of an em the ink of a text is high."""
    above = any(letter.isupper() or letter.isdigit() or letter in _ASCENDING for letter in letters)
    below = any(letter in _DESCENDING for letter in letters)
    accent = any(letter.isupper() and unicodedata.decomposition(letter) for letter in letters)
    return 0.56 + 0.2 * above + 0.19 * below + 0.2 * accent


def _width(letter: str) -> float:
    return _WIDTH_OF.get(letter, _WIDE if ord(letter) > 0x2E7F else _USUAL)


def _is_separate(letter: str) -> bool:
    if ord(letter) > 0xFFFF or unicodedata.category(letter) in ("Co", "Cn", "Mn", "Cf"):
        return False
    return not unicodedata.name(letter, "").startswith(_JOINED_SCRIPTS)
