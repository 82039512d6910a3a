"""Text over text."""

from __future__ import annotations

from pytest_apex.hierarchy.names import cut
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import Shown, page_of
from pytest_apex.vision import ink
from pytest_apex.vision.ink import Ink

#: Boxes of texts have room for ascenders and line spacing: they have to meet by this much.
_MEET_PX, _MEET_SHARE = 6, 0.25
#: So many pairs are looked at; a screen with more is no screen for people.
_PAIRS = 100
#: What is drawn with a ground of its own covers a text, and does not mix with it.
_GROUNDS = frozenset({"button", "card", "toolbar", "tab_bar", "tab", "sheet", "dialog", "menu", "toast", "keyboard"})
_SAME_GROUND = 12
#: Runs of ink this near to a text's letters are that text alone.
_ALONE = 0.15


class Overlap:
    """Boxes of two texts that meet, confirmed by the ink in them."""

    name = "overlap"
    claim = "no text lies over another"
    kind = "visual.overlap"

    def applies(self, snapshot: Snapshot) -> bool:
        return page_of(snapshot).has_pixels

    def run(self, snapshot: Snapshot) -> CheckResult:
        texts = [text for text in page_of(snapshot).texts if not text.typed]
        findings, unknown = [], []
        pairs = _meeting(texts)
        if len(pairs) > _PAIRS:
            unknown.append(f"{len(pairs) - _PAIRS} more pairs of texts whose boxes meet")
        for one, other in pairs[:_PAIRS]:
            told = self._confirm(snapshot, one, other)
            if told is None:
                unknown.append(f"{one.node} and {other.node}: nothing can be told from the picture")
            elif told:
                box = one.part.intersect(other.part)
                reason = f"{cut(one.text, 60)!r} and {cut(other.text, 60)!r} lie over each other"
                findings.append(Finding(self.name, self.kind, reason, nodes=(str(one.node), str(other.node)), box=box))
        return result(self, findings, tuple(unknown))

    def _confirm(self, look: Snapshot, one: Shown, other: Shown) -> bool | None:
        if look.picture is None:
            return None
        reads = [page_of(look).ink(text.pixels) for text in (one, other)]
        if any(read is None or not read.is_clear for read in reads):
            return None
        if _layered(one, other) or max(abs(a - b) for a, b in _grounds(reads)) > _SAME_GROUND:
            return False
        how = ink.meeting(look.picture, one.pixels, other.pixels)
        if how == "same_place":
            # One of them may be transparent. Two drawn ones don't have the letters of either.
            runs = max(read.runs for read in reads if read is not None)
            letters = [sum(not letter.isspace() for letter in text.text) for text in (one, other)]
            return None if any(abs(runs - count) <= _ALONE * count for count in letters) else True
        return how == "over"


def _layered(one: Shown, other: Shown) -> bool:
    """Whether the upper text stands on a ground drawn over the lower one: a floating button, a card, a badge."""
    lower, upper = sorted((one, other), key=lambda text: text.node.index)
    own = (node for node in (upper.node, *upper.node.ancestors) if not lower.node.is_inside(node))
    return any(node.role in _GROUNDS for node in own)


def _grounds(reads: list[Ink | None]) -> list[tuple[int, int]]:
    one, other = (read.ground if read is not None else (0, 0, 0) for read in reads)
    return list(zip(one, other, strict=True))


def _meeting(texts: list[Shown]) -> list[tuple[Shown, Shown]]:
    """Pairs of texts of different branches whose boxes meet by enough."""
    pairs = []
    ordered = sorted(texts, key=lambda text: text.pixels.top)
    for at, one in enumerate(ordered):
        for other in ordered[at + 1 :]:
            if other.pixels.top >= one.pixels.bottom:
                break
            if _meet(one, other):
                pairs.append((one, other))
    return pairs


def _meet(one: Shown, other: Shown) -> bool:
    if one.text == other.text or one.node.is_inside(other.node) or other.node.is_inside(one.node):
        return False
    common = one.pixels.intersect(other.pixels)
    lower = min(one.pixels.height, other.pixels.height)
    return common.width >= _MEET_PX and common.height >= max(_MEET_PX, _MEET_SHARE * lower)
