"""Colours that are none of the declared ones."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice

from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import Page, is_disabled, page_of
from pytest_apex.vision import color
from pytest_apex.vision.color import Swatch
from pytest_apex.vision.pixels import Color

#: Farther from the nearest declared colour (CIEDE2000) than most people take for the same at a glance.
TOLERANCE = 3.0
#: What is drawn flat, in colours of the theme. Pictures, maps and pages bring colours of their own.
_FLAT = frozenset({"text", "link", "button", "tab", "menu_item"})
#: With a smaller share of one colour a control lies on a photo or gradient.
_CLEAR = 0.4
#: How far up a snackbar, which has the colours of the opposite theme, is looked for.
_LEVELS = 50
#: Of more pixels every second row and column is enough.
_MANY = 4000
#: A blend of two declared colours, as smoothed letters and transparent ink give, is searched in so many steps.
_BLENDS = 16


class WrongColor:
    """Only with a palette. Looks at the ground and the ink of flat controls; what is clipped, covered, disabled,
    focused or selected has a state's colour, and letters may be blends of two declared colours."""

    name = "wrong_color"
    claim = "every colour is one of the declared"
    kind = "visual.wrong_color"

    def __init__(self, palette: Sequence[Color], tolerance: float = TOLERANCE) -> None:
        self._palette = tuple(palette)
        self._tolerance = tolerance

    def applies(self, snapshot: Snapshot) -> bool:
        return bool(self._palette) and page_of(snapshot).has_pixels

    def run(self, snapshot: Snapshot) -> CheckResult:
        page, findings, unknown = page_of(snapshot), [], []
        told: set[Color] = set()
        for node in page.nodes:
            swatch = _swatch(page, node)
            if swatch is None:
                continue
            if swatch.share < _CLEAR:
                unknown.append(f"{node}: it lies on a photo or gradient")
                continue
            for shade, what in self._strange(swatch):
                # One cause, one report: a wrong ground is the ground of all that stands on it.
                if what == "its ground" and shade in told:
                    continue
                told.add(shade)
                nearest, away = self._nearest(shade)
                reason = f"{node}: {what} is {color.to_hex(shade)}, {away:.1f} from {color.to_hex(nearest)}"
                findings.append(Finding(self.name, self.kind, reason, nodes=(str(node),), box=node.bounds))
                break
        return result(self, findings, tuple(unknown))

    def _strange(self, swatch: Swatch) -> list[tuple[Color, str]]:
        found = []
        if self._nearest(swatch.background)[1] > self._tolerance:
            found.append((swatch.background, "its ground"))
        if self._nearest(swatch.foreground)[1] > self._tolerance and not self._is_blend(swatch):
            found.append((swatch.foreground, "its ink"))
        return found

    def _nearest(self, shade: Color) -> tuple[Color, float]:
        return min(((known, color.delta_e2000(shade, known)) for known in self._palette), key=lambda pair: pair[1])

    def _is_blend(self, swatch: Swatch) -> bool:
        for known in self._palette:
            for step in range(1, _BLENDS):
                mixed = tuple(
                    round(ground + (ink - ground) * step / _BLENDS)
                    for ground, ink in zip(swatch.background, known, strict=True)
                )
                if color.delta_e2000(swatch.foreground, (mixed[0], mixed[1], mixed[2])) <= self._tolerance:
                    return True
        return False


def _swatch(page: Page, node: Node) -> Swatch | None:
    """The colours of a control that is judged; None for one that is not."""
    shown = page.part(node)
    if node.role not in _FLAT or page.look.picture is None or shown is None or is_disabled(node):
        return None
    if node.has(NodeState.FOCUSED) or node.has(NodeState.SELECTED) or page.is_partial(node) or page.is_covered(node):
        return None
    if node.role == "text" and not node.text.strip():
        return None
    if any(above.role == "toast" for above in islice(node.ancestors, _LEVELS)):
        return None
    pixels = shown.scaled(page.look.screen.scale)
    return color.dominant(page.look.picture, pixels, step=2 if pixels.area > _MANY else 1)
