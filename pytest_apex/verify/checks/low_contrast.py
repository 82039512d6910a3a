"""Text that can hardly be told from its ground.

One measurement, two rules: below 1.5:1 nobody reads it, and the screen looks broken; below what WCAG 2.2 asks for
(1.4.3) it is a warning for those who see less well.
"""

from __future__ import annotations

from collections.abc import Iterator

from pytest_apex.hierarchy.names import cut
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.glyphs import is_icon, text_size
from pytest_apex.verify.checks.page import BARE, Page, Shown, is_disabled, page_of

#: Nobody reads what stands out less (a light grey such as #D6D6D6 on white).
UNREADABLE = 1.5
#: WCAG 2.2, 1.4.3: text; large text, and icons (1.4.11). Google's Accessibility Test Framework allows .01 less.
_NORMAL, _LARGE, _TOLERANCE = 4.5, 3.0, 0.01
#: From here on (sp, points) a bold text is a large one; whether it is bold can't be told. Only smaller ones are held to
#: the stricter ratio, as that framework does where it has nothing but pixels.
_MAY_BE_LARGE = 14.0
#: Pictures and pages of another make draw their own grounds.
_OWN_DRAWING = frozenset({"image", "icon", "web", "map", "video", "text_field"})


class LowContrast:
    """Reads the ink of texts. Not judged: what is disabled, clipped or covered, typed text, and text on a photo or
    gradient; a text of which no ink is seen may be transparent on purpose."""

    name = "low_contrast"
    claim = "every text can be told from its ground"
    kind = "visual.low_contrast"

    def applies(self, snapshot: Snapshot) -> bool:
        return page_of(snapshot).has_pixels

    def run(self, snapshot: Snapshot) -> CheckResult:
        page, findings, unknown = page_of(snapshot), [], []
        for text in _judged(page):
            measured = page.contrast(text)
            if measured is None:
                unknown.append(f"{text.node}: {_untold(page, text)}")
            elif measured < UNREADABLE:
                reason = f"{cut(text.text, 60)!r} stands out from its ground by {measured:.2f}:1 only"
                findings.append(Finding(self.name, self.kind, reason, nodes=(str(text.node),), box=text.box))
        return result(self, findings, tuple(unknown))


class Contrast:
    """The same texts by the ratios of WCAG; warnings for those who see less well."""

    name = "contrast"
    claim = "every text has the contrast that WCAG 2.2 asks for"
    kind = "accessibility.contrast"

    def applies(self, snapshot: Snapshot) -> bool:
        return page_of(snapshot).has_pixels

    def run(self, snapshot: Snapshot) -> CheckResult:
        page, findings = page_of(snapshot), []
        for text in _judged(page):
            measured, wanted = page.contrast(text), _wanted(page, text)
            if measured is not None and UNREADABLE <= measured < wanted - _TOLERANCE:
                reason = f"{cut(text.text, 60)!r} has a contrast of {measured:.1f}:1; WCAG asks for {wanted:g}:1"
                findings.append(Finding(self.name, self.kind, reason, "warn", (str(text.node),), text.box))
        return result(self, findings)


def _judged(page: Page) -> Iterator[Shown]:
    for text in page.texts:
        aside = text.partial or text.shared or text.typed or text.node.has(NodeState.PASSWORD)
        if not aside and text.node.role not in _OWN_DRAWING and not is_disabled(text.node):
            yield text


def _untold(page: Page, text: Shown) -> str:
    seen = page.ink(text.core)
    if seen is None or not seen.is_clear:
        return "its ink can't be told from its ground"
    return "nothing is drawn there, which may be meant"


def _wanted(page: Page, text: Shown) -> float:
    seen = page.ink(text.core)
    if seen is None or (text.node.role not in BARE and is_icon(seen)):
        return _LARGE
    units = page.look.screen.density * page.look.screen.font_scale
    size = text_size(text.text, seen) / units if units > 0 else _MAY_BE_LARGE
    return _NORMAL if 0 < size < _MAY_BE_LARGE else _LARGE
