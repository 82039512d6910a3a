"""The phone's own clock, and what is due on it."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(order=True, slots=True)
class _Event:
    at: float
    number: int
    do: Callable[[], None] = field(compare=False)
    owner: object = field(compare=False)


class Timeline:
    """A clock that moves only when told to; events run in the order of their time, then of their planning.

    `owner` groups events, so that those of a dead process can be dropped together.
    """

    def __init__(self) -> None:
        self._now = 0.0
        self._events: list[_Event] = []
        self._number = 0

    def now(self) -> float:
        """Seconds since the phone was switched on."""
        return self._now

    def sleep(self, seconds: float) -> None:
        """Let time pass and run what becomes due."""
        self.advance_to(self._now + max(0.0, seconds))

    def advance_to(self, moment: float) -> None:
        while self._events and self._events[0].at <= moment:
            event = heapq.heappop(self._events)
            self._now = max(self._now, event.at)
            event.do()
        self._now = max(self._now, moment)

    def after(self, seconds: float, do: Callable[[], None], owner: object = None) -> None:
        """Run `do` in `seconds` from now."""
        self._number += 1
        heapq.heappush(self._events, _Event(self._now + seconds, self._number, do, owner))

    def has_plans(self, owner: object) -> bool:
        return any(event.owner is owner for event in self._events)

    def drop(self, owner: object) -> None:
        """Forget what `owner` had planned."""
        self._events = [event for event in self._events if event.owner is not owner]
        heapq.heapify(self._events)
