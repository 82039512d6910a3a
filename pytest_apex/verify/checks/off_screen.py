"""Controls and texts that stick out of the screen."""

from __future__ import annotations

from itertools import islice

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import Page, page_of, surroundings
from pytest_apex.vision.edges import ink_at_side

#: What sticks out by less is rounding or a shadow, in dp.
_SLACK_DP = 1.0
_TOUCHED = NodeState.CLICKABLE | NodeState.LONG_CLICKABLE | NodeState.CHECKABLE | NodeState.EDITABLE
_CONTENT = frozenset({"text", "image", "icon", "button", "link"})
#: What is drawn in ink on one ground, and so much ink at the last column, in pixels and in dp: the stroke of an icon.
_INKED = frozenset({"text", "icon", "button", "link"})
_LEAST_ROWS, _LEAST_INK_DP = 2, 1.0
#: Containers whose content is meant to wait outside of the screen.
_MOVING = frozenset({"picker", "menu"})
#: How far up such a container is looked for.
_LEVELS = 50


class OffScreen:
    """Reads frames. A platform that reports only what is inside the screen (Android) has none that stick out: there, a
    text, button or icon whose box ends with the screen does so if its ink reaches the last column, too."""

    name = "off_screen"
    claim = "no control or text sticks out of the screen"
    kind = "visual.off_screen"

    def applies(self, snapshot: Snapshot) -> bool:
        return not snapshot.screen.bounds.is_empty

    def run(self, snapshot: Snapshot) -> CheckResult:
        page = page_of(snapshot)
        scrolled = surroundings(snapshot.tree).scrolled
        findings: list[Finding] = []
        inside_found = 0
        for node in page.nodes:
            # One cause, one report: what lies inside a control that sticks out sticks out with it.
            if node.index < inside_found:
                continue
            sideways, upright = scrolled[node.index]
            beyond = _beyond(node, snapshot, _SLACK_DP * page.dp, sideways, upright)
            if beyond and not _waits_outside(node):
                reason = f"{node} sticks out of the screen by {beyond}"
            elif not sideways and (side := _cut_off(page, node)):
                reason = f"{node} sticks out of the screen at the {side}: it is cut there"
            else:
                continue
            inside_found = node.tree.ends[node.index]
            findings.append(Finding(self.name, self.kind, reason, nodes=(str(node),), box=node.bounds))
        return result(self, findings)


def screen_edge(box: Rect, screen: Rect) -> str:
    """The one side at which a box ends with the screen; "" for none, or both: what is as wide as the screen is cut by
    its own width."""
    if screen.is_empty:
        return ""
    sides = [name for name, room in (("right", screen.right - box.right), ("left", box.left - screen.left)) if room < 1]
    return sides[0] if len(sides) == 1 else ""


def _cut_off(page: Page, node: Node) -> str:
    """The side of the screen at which the ink of a control is cut; "" for none."""
    side = screen_edge(node.bounds, page.look.screen.bounds)
    if not side or not page.has_pixels or node.role not in _INKED or node.has(NodeState.EDITABLE) or _holds(node):
        return ""
    shown = page.part(node)
    if shown is None or page.look.picture is None or page.is_covered(node):
        return ""
    pixels = shown.scaled(page.look.screen.scale)
    seen = page.ink(pixels)
    if seen is None or not seen.is_clear:
        return ""
    rows = ink_at_side(page.look.picture, pixels, side, seen.ground)
    return side if rows >= max(_LEAST_ROWS, _LEAST_INK_DP * page.look.screen.density) else ""


def _holds(node: Node) -> bool:
    """Whether it is drawn by what is inside it."""
    return any(inner.role in _CONTENT for inner in islice(node.descendants, _LEVELS))


def _beyond(node: Node, look: Snapshot, slack: float, sideways: bool, upright: bool) -> str:
    """By how much, and where, in words; content of what scrolls `sideways` or `upright` may wait there."""
    box, screen = node.bounds, look.screen.bounds
    if not (node.has(_TOUCHED) or (node.role in _CONTENT and node.name)):
        return ""
    # Entirely outside: a page, drawer or row that waits there. Larger than the screen: a frame around content.
    if not box.overlaps(screen) or box.width > screen.width * 1.5 or box.height > screen.height * 1.5:
        return ""
    out = []
    if not sideways:
        out += [(box.right - screen.right, "right"), (screen.left - box.left, "left")]
    if not upright:
        out += [(box.bottom - screen.bottom, "bottom"), (screen.top - box.top, "top")]
    return ", ".join(f"{by:.0f} at the {edge}" for by, edge in out if by > slack)


def _waits_outside(node: Node) -> bool:
    """Whether a container around it is itself mostly outside, such as a drawer or page on its way, or turns like a
    wheel."""
    window = node.window.bounds
    for above in islice(node.ancestors, _LEVELS):
        if above.role in _MOVING:
            return True
        if not window.is_empty and above.bounds.intersect(window).area < above.bounds.area * 0.5:
            return True
    return False
