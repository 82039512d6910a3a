"""Controls and texts that stick out of the screen."""

from __future__ import annotations

from pytest_apex.hierarchy.visible import clips
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import page_of, scrolls_sideways

#: What sticks out by less is rounding or a shadow, in dp.
_SLACK_DP = 1.0
_TOUCHED = NodeState.CLICKABLE | NodeState.LONG_CLICKABLE | NodeState.CHECKABLE | NodeState.EDITABLE
_CONTENT = frozenset({"text", "image", "icon", "button", "link"})
#: Containers whose content is meant to wait outside of the screen.
_MOVING = frozenset({"picker", "menu"})


class OffScreen:
    """Reads frames; a platform that reports only what is inside the screen (Android) has nothing to find."""

    name = "off_screen"
    claim = "no control or text sticks out of the screen"
    kind = "visual.off_screen"

    def applies(self, snapshot: Snapshot) -> bool:
        return not snapshot.screen.bounds.is_empty

    def run(self, snapshot: Snapshot) -> CheckResult:
        page = page_of(snapshot)
        findings: list[Finding] = []
        for node in page.nodes:
            beyond = self._beyond(node, snapshot, _SLACK_DP * page.dp)
            # One cause, one report: what lies inside a control that sticks out sticks out with it.
            if beyond and not any(str(above) in finding.nodes for finding in findings for above in node.ancestors):
                reason = f"{node} sticks out of the screen by {beyond}"
                findings.append(Finding(self.name, self.kind, reason, nodes=(str(node),), box=node.bounds))
        return result(self, findings)

    def _beyond(self, node: Node, look: Snapshot, slack: float) -> str:
        box, screen = node.bounds, look.screen.bounds
        if not (node.has(_TOUCHED) or (node.role in _CONTENT and node.name)):
            return ""
        inside = box.intersect(screen)
        # Entirely outside: a page, drawer or row that waits there. Larger than the screen: a frame around content.
        if inside.is_empty or box.width > screen.width * 1.5 or box.height > screen.height * 1.5:
            return ""
        sideways, upright = _free_axes(node)
        out = []
        if not sideways:
            out += [(box.right - screen.right, "right"), (screen.left - box.left, "left")]
        if not upright:
            out += [(box.bottom - screen.bottom, "bottom"), (screen.top - box.top, "top")]
        return ", ".join(f"{by:.0f} at the {edge}" for by, edge in out if by > slack)


def _free_axes(node: Node) -> tuple[bool, bool]:
    """On which axes content may reach beyond the screen: sideways, upright."""
    sideways = upright = False
    for above in node.ancestors:
        if above.role in _MOVING or _reaches_out(above.bounds, node):
            return True, True
        if clips(above.tree, above.index):
            across = scrolls_sideways(above)
            sideways, upright = sideways or across, upright or not across
    return sideways, upright


def _reaches_out(frame: Rect, node: Node) -> bool:
    """A container that is itself mostly outside (a drawer or page on its way) takes its content with it."""
    window = node.window.bounds
    if window.is_empty or frame.is_empty:
        return False
    return frame.intersect(window).area < frame.area * 0.5
