"""Controls that are small for a finger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import islice

from pytest_apex.hierarchy.visible import boxes_of
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.checks.page import Page, page_of

TOUCHED = NodeState.CLICKABLE | NodeState.LONG_CLICKABLE
#: The smallest side, in dp or points: Google's Accessibility Test Framework, Apple's Human Interface Guidelines.
_LEAST = {"android": 48.0, "ios": 44.0}
#: On Android at the screen's edge, along that axis, and in the keyboard (the same framework).
_LEAST_AT_AN_EDGE = 32.0
#: WCAG 2.2, 2.5.8: smaller ones need a circle of this width around their centre that meets no other target.
_TINY = 24.0
#: Bounds are whole pixels.
_ROUNDING = 1.0
_LEVELS = 50
_TELEVISION, _OLD_TABLET = (960, 540), 900


class TouchTarget:
    """A warning, whatever the size: a control that is hard to hit looks no worse for it. Not judged: what is clipped,
    what lies at the edge of a scrolling container, content of web pages, and what a larger target around it takes the
    touches of."""

    name = "touch_target"
    claim = "every control is large enough for a finger"
    kind = "accessibility.touch_target"

    def applies(self, snapshot: Snapshot) -> bool:
        return snapshot.platform in _LEAST and not _is_television(snapshot)

    def run(self, snapshot: Snapshot) -> CheckResult:
        page = page_of(snapshot)
        if _is_density_untold(snapshot):
            return result(self, [], ("the capture does not tell the screen's density",))
        targets = [node for node in page.nodes if node.has(TOUCHED) and node.enabled and not node.bounds.is_empty]
        alike: defaultdict[tuple[int, str], list[Node]] = defaultdict(list)
        for node in targets:
            small = _too_small(page, node)
            if small and not _excused(page, node):
                alike[node.parent.index if node.parent is not None else -1, small].append(node)
        return result(self, [self._finding(page, small, nodes, targets) for (_, small), nodes in alike.items()])

    def _finding(self, page: Page, small: str, nodes: list[Node], targets: Sequence[Node]) -> Finding:
        """One report for the keys of a pad, the tabs of a bar: siblings of one size."""
        crowded = " and close to another" if any(_is_crowded(page, node, targets) for node in nodes) else ""
        more = f", and so are {len(nodes) - 1} beside it" if len(nodes) > 1 else ""
        reason = f"{nodes[0]} is {small}{crowded}{more}"
        return Finding(self.name, self.kind, reason, "warn", tuple(map(str, nodes)), nodes[0].bounds)


def _is_television(look: Snapshot) -> bool:
    """Android's televisions are 960×540 dp (as a rule at 1920×1080), and nobody touches them."""
    dp = look.screen.density / look.screen.scale if look.screen.scale > 0 else 1.0
    size = look.screen.size
    return look.platform == "android" and (round(size.width / dp), round(size.height / dp)) == _TELEVISION


def _is_density_untold(look: Snapshot) -> bool:
    """Files of hierarchies say nothing about the density. One pixel a dp is an old tablet's at most."""
    size = look.screen.size
    return look.platform == "android" and look.screen.density <= 1 and min(size.width, size.height) > _OLD_TABLET


def _too_small(page: Page, node: Node) -> str:
    """Its size and the one wanted, in words; "" if it is large enough."""
    box, screen, dp = node.bounds, page.look.screen.bounds, page.dp
    least = _LEAST[page.look.platform]
    lower = least if page.look.platform != "android" else _LEAST_AT_AN_EDGE
    keyboard = node.role == "key" or node.window.kind == "keyboard"
    beside = keyboard or box.left <= screen.left or box.right >= screen.right
    over = keyboard or box.top <= screen.top or box.bottom >= screen.bottom
    wide, high = (lower if beside else least), (lower if over else least)
    slack = _ROUNDING / dp
    if box.width / dp >= wide - slack and box.height / dp >= high - slack:
        return ""
    unit = "dp" if page.look.platform == "android" else "points"
    return f"{box.width / dp:.0f}×{box.height / dp:.0f} {unit}; {wide:.0f}×{high:.0f} are needed"


def _excused(page: Page, node: Node) -> bool:
    if page.is_partial(node):
        return True
    for above in islice(node.ancestors, _LEVELS):
        if above.role == "web" or (above.has(TOUCHED) and not _too_small(page, above)):
            return True
    return False


def _is_crowded(page: Page, node: Node, targets: Sequence[Node]) -> bool:
    if min(node.bounds.width, node.bounds.height) >= _TINY * page.dp:
        return False
    center, reach = node.bounds.center, _TINY * page.dp / 2
    around = Rect(center.x - reach, center.y - reach, center.x + reach, center.y + reach)
    boxes = boxes_of(node.tree)
    return any(
        around.overlaps(Rect(*boxes[other.index]))
        for other in targets
        if other != node and not node.is_inside(other) and not other.is_inside(node)
    )
