"""Whether an act had any effect: tree, pixels outside of what lives by itself, focus, log, process; and why not."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.device.context import Context
from pytest_apex.device.looking.living import ALIVE_AREA, changed_boxes, is_clock_text, outside
from pytest_apex.device.looking.settle import only_in
from pytest_apex.hierarchy import digest
from pytest_apex.hierarchy.around import touchable
from pytest_apex.hierarchy.at_point import taker_at, under
from pytest_apex.hierarchy.diff import node_diff
from pytest_apex.hierarchy.match import match
from pytest_apex.model.action import Action, Crown, Fling, Press, Remote, Swipe
from pytest_apex.model.change import Change
from pytest_apex.model.geometry import Point
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot

#: What shows pictures may well change them without a word in the tree.
_PICTURES = frozenset({"image", "video", "map", "web"})
#: Keys that go to what lies below, above …: the content moves the other way.
_KEYS = {"up": (0, 1), "down": (0, -1), "left": (1, 0), "right": (-1, 0), "page_up": (0, 1), "page_down": (0, -1)}


def log_mark(ctx: Context) -> int:
    """Where the device's log ends now; 0 where it has none."""
    if "log" not in ctx.backend.capabilities:
        return 0
    return ctx.backend.log(-1).cursor


def effect_of(ctx: Context, change: Change, before: Snapshot, after: Snapshot, mark: int) -> str:
    """`changed` or `none`. What says nothing of the act (a ticking clock, the caret) does not count."""
    if shows(ctx, change, before, after) or ctx.watch.died() is not None:
        return "changed"
    return "changed" if _app_logged(ctx, mark) else "none"


def shows(ctx: Context, change: Change, before: Snapshot, after: Snapshot) -> bool:
    """Whether the screen shows a change that is not one of its own (a ticking clock, the caret)."""
    # What a region that fills the screen shows may well be the act's doing.
    live = [box for box in ctx.live_regions(after) if box.area <= ALIVE_AREA * after.screen.bounds.area]
    if live and only_in(node_diff(before, after), live):
        change = replace(change, appeared=(), vanished=(), moved=(), scrolled=(), altered=())
    altered = [item for item in change.altered if not (item.field == "text" and is_clock_text(item.after))]
    if change.appeared or change.vanished or change.moved or change.scrolled or altered or change.navigated:
        return True
    return bool(outside(changed_boxes(before, after), [*ctx.living.boxes, *live]))


def _app_logged(ctx: Context, mark: int) -> bool:
    if "log" not in ctx.backend.capabilities or not ctx.watch.pid:
        return False
    pid = f" {ctx.watch.pid} "
    return any(pid in line for line in ctx.backend.log(mark).text.splitlines())


def pushed(action: Action | None) -> tuple[int, int]:
    """Where an act pushes the content of a list, as x and y of -1, 0 or 1; 0, 0 for what pushes none.

    A finger takes the content along; the crown and the keys of a remote bring into view what lies that way. A drag
    holds what it moves, and pushes nothing.
    """
    if isinstance(action, (Swipe, Fling)):
        x, y = action.end.x - action.start.x, action.end.y - action.start.y
        return (_sign(x), 0) if abs(x) > abs(y) else (0, _sign(y))
    if isinstance(action, Crown):
        return 0, -_sign(action.turns)
    name = action.button if isinstance(action, Remote) else action.key if isinstance(action, Press) else ""
    return _KEYS.get(name, (0, 0))


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def why_unchanged(ctx: Context, action: Action | None, node: Node | None, after: Snapshot) -> str:
    """The one cause that applies when an act had no effect, in words; `node` is what it was aimed at.

    Off the screen, disabled, covered, a tree that no longer follows the picture; else truly no effect.
    """
    point = _point_of(action)
    if point is not None:
        if not after.screen.bounds.is_empty and not after.screen.bounds.contains(point):
            return f"off screen: {point} is outside of the screen ({after.screen.size})"
        now = _now(node, after)
        if now is not None and not touchable(now).enabled:
            return f"disabled: {touchable(now)}"
        taker = taker_at(after, point)
        if now is not None and taker is not None and not (taker.is_inside(now) or now.is_inside(taker)):
            return f"covered: {taker} takes the touch at {point}"
        beneath = under(after, point, now) if now is not None and not now.name else None
        if beneath is not None:
            return f"covered: {now} takes the touch at {point}, over {beneath}"
        if now is None and node is not None:
            return f"off screen: {node} is not there any more"
        lagging = _lagging_since(ctx, node, after)
        if lagging:
            return f"stale tree: at {lagging} the picture of {node} changed, and the tree did not follow"
    return "no effect: neither tree nor picture, focus, log or process changed"


def _point_of(action: Action | None) -> Point | None:
    """Where a finger went down first."""
    for name in ("at", "start", "center"):
        point = getattr(action, name, None)
        if isinstance(point, Point):
            return point
    return None


def _now(node: Node | None, after: Snapshot) -> Node | None:
    """The same control in the look after the act."""
    if node is None or node.tree is after.tree:
        return node
    partner = match(node.tree, after.tree).to[node.index]
    return after.tree.node(partner) if partner >= 0 and after.tree.node(partner).visible else None


def _lagging_since(ctx: Context, node: Node | None, after: Snapshot) -> str:
    """The step before this one, if it changed the picture of the control and nothing in the tree, then or since."""
    last = ctx.last_act.step if ctx.last_act is not None else None
    if last is None or last.change is None or last.before is None or node is None or node.role in _PICTURES:
        return ""
    if last.change.in_tree or last.change.navigated or digest.full(last.before) != digest.full(after):
        return ""
    box = node.bounds
    changed = sum(box.intersect(region).area for region in last.change.regions)
    return last.id if box.area and changed >= box.area / 2 else ""
