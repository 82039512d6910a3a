"""Gestures on the screen itself: on what scrolls most of it."""

from __future__ import annotations

from pytest_apex.device import arguments
from pytest_apex.device.acting import act
from pytest_apex.device.acting.act import NO_WORDS, Words
from pytest_apex.device.context import Context
from pytest_apex.errors import ConfigError
from pytest_apex.gestures.aim import DIRECTIONS, fling_in, swipe_in
from pytest_apex.gestures.compile import END_HOLD_MS
from pytest_apex.hierarchy import digest
from pytest_apex.model.action import SWIPE_MS
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step

_OPPOSITE = {"up": "down", "down": "up", "left": "right", "right": "left"}


def swipe(ctx: Context, direction: str, duration_ms: int = SWIPE_MS, *, words: Words = NO_WORDS) -> Step:
    """`direction` is where the finger moves."""
    arguments.milliseconds(duration_ms, "duration_ms", least=1)
    area = scroll_area(act.settle_before(ctx).snapshot)
    return act.gesture(ctx, swipe_in(area, direction, duration_ms), area, named=f"swipe {direction}", words=words)


def fling(ctx: Context, direction: str, *, words: Words = NO_WORDS) -> Step:
    """`direction` is where the finger moves."""
    area = scroll_area(act.settle_before(ctx).snapshot)
    return act.gesture(ctx, fling_in(area, direction), area, named=f"fling {direction}", words=words)


def scroll(ctx: Context, direction: str, *, words: Words = NO_WORDS) -> Step:
    """Show what lies in `direction`: the finger moves the other way, inside the largest area that scrolls, and rests
    before it lifts, so that nothing flies past."""
    if direction not in _OPPOSITE:
        raise ConfigError(f"can't scroll {direction!r}", cure=f"one of {', '.join(DIRECTIONS)}")
    area = scroll_area(act.settle_before(ctx).snapshot)
    finger = swipe_in(area, _OPPOSITE[direction], rest_ms=END_HOLD_MS)
    return act.gesture(ctx, finger, area, named=f"scroll {direction}", words=words, scrolls=True)


def scroll_area(snapshot: Snapshot) -> Rect:
    """The largest visible area that scrolls, else the app's area."""
    whole = snapshot.screen.app_area
    areas = [node.bounds.intersect(whole) for node in snapshot.nodes if node.has(NodeState.SCROLLABLE) and node.visible]
    best = max(areas, key=lambda area: area.area, default=whole)
    return best if not best.is_empty else whole


class Patience:
    """How long a screen that does not scroll is waited for: an app may still fill it in. It lasts for the time-out of
    finding, all in all."""

    _EACH_S = 0.2

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx
        self._left = ctx.settings.timeouts.check

    def sees_more(self, before: Snapshot) -> bool:
        """Whether the screen is, or becomes in time, another one than it was before it was scrolled in vain."""
        known = digest.structure(before)
        while digest.structure(self._ctx.eyes.look()) == known:
            if self._left <= 0:
                return False
            self._left -= self._EACH_S
            self._ctx.backend.clock.sleep(self._EACH_S)
        return True
