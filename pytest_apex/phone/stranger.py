"""Somebody else's finger on the screen: it does what fingers do, and no tool sent it."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pytest_apex.model.geometry import Point
from pytest_apex.phone.hand import Hand

if TYPE_CHECKING:
    from pytest_apex.phone.phone import Phone

#: How long it stays down, in seconds, and how many touches are remembered.
TAP_S, _REMEMBERED = 0.08, 100


@dataclass(frozen=True, slots=True)
class Touch:
    """Where it came down, in units of the tree, and when."""

    at: float
    place: Point


class StrangersHand:
    """A hand of its own, beside that of the tools: neither takes part in the other's gestures."""

    def __init__(self, phone: Phone) -> None:
        self._phone = phone
        self._hand = Hand(phone)
        self.touches: deque[Touch] = deque(maxlen=_REMEMBERED)

    def tap(self, control: str) -> None:
        """A tap on the control, if it is on the screen."""
        tree = self._phone.tree()
        found = (node for node in map(tree.node, range(len(tree))) if node.identifier.rpartition("/")[2] == control)
        node = next(found, None)
        if node is not None:
            self.touch(node.bounds.center)

    def touch(self, place: Point) -> None:
        """A tap at a place."""
        timeline = self._phone.clock
        self.touches.append(Touch(timeline.now(), place))
        self._hand.event("down", 0, place.x, place.y)
        timeline.after(TAP_S, lambda: self._hand.event("up", 0, place.x, place.y))
