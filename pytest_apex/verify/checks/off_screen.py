"""Controls and texts that stick out of the screen."""

from __future__ import annotations

from itertools import islice

from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import page_of, surroundings

#: What sticks out by less is rounding or a shadow, in dp.
_SLACK_DP = 1.0
_TOUCHED = NodeState.CLICKABLE | NodeState.LONG_CLICKABLE | NodeState.CHECKABLE | NodeState.EDITABLE
_CONTENT = frozenset({"text", "image", "icon", "button", "link"})
#: Containers whose content is meant to wait outside of the screen.
_MOVING = frozenset({"picker", "menu"})
#: How far up such a container is looked for.
_LEVELS = 50


class OffScreen:
    """Reads frames. A platform that reports only what is inside the screen (Android) has none that stick out; there a
    text that the screen's edge cuts is told by its ink (`truncated`)."""

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
            beyond = _beyond(node, snapshot, _SLACK_DP * page.dp, *scrolled[node.index])
            if beyond and not _waits_outside(node):
                inside_found = node.tree.ends[node.index]
                reason = f"{node} sticks out of the screen by {beyond}"
                findings.append(Finding(self.name, self.kind, reason, nodes=(str(node),), box=node.bounds))
        return result(self, findings)


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
