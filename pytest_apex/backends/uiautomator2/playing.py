"""A gesture told event by event, each at its moment on the phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_apex.backends.uiautomator2.fingers import MOVE, Event
from pytest_apex.clock import Clock

#: A move that is later than this is left out when the next one is due as well: the way is kept, and its time.
_LATE_MS = 4.0


def play(events: Sequence[Event], send: Callable[[Event], None], clock: Clock) -> tuple[float, int]:
    """Send each event when it is due. Returns how much longer than planned it took, in ms, and how many moves were left
    out because the connection was too slow for them."""
    started = clock.now()
    left_out = 0
    for at, event in enumerate(events):
        now_ms = (clock.now() - started) * 1000
        following = events[at + 1] if at + 1 < len(events) else None
        overtaken = following is not None and following.t_ms <= now_ms
        if event.action == MOVE and overtaken and now_ms - event.t_ms > _LATE_MS:
            left_out += 1
            continue
        clock.sleep((event.t_ms - now_ms) / 1000)
        send(event)
    return (clock.now() - started) * 1000 - events[-1].t_ms, left_out
