"""One hand: how it misses a place, and how long it takes, within what keeps a gesture what it is."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from pytest_apex.gestures.jitter import jitter_duration, jitter_interval, jitter_point
from pytest_apex.gestures.personas import HumanizeConfig
from pytest_apex.gestures.room import kept_inside, whole
from pytest_apex.gestures.rules import TouchRules
from pytest_apex.model.geometry import Point, Rect


@dataclass(frozen=True, slots=True)
class Hand:
    """A config, the platform's rules, and the chance of one gesture."""

    config: HumanizeConfig
    rules: TouchRules
    rng: random.Random

    def place(self, about: Point, area: Rect | None, radius: float) -> Point:
        """A touch meant for `about`; exactly there if nothing is known around it or there is nothing to choose."""
        inside = whole(area) if area is not None else None
        if inside is None:
            return about
        return kept_inside(jitter_point(about.x, about.y, radius=radius, rng=self.rng), inside)

    def hold(self, ms: float, most: float = math.inf) -> int:
        """A hold that stays what it is: a tap stays shorter, a press longer than the platform's limit."""
        if ms <= 0:
            return 0
        if ms < self.rules.long_press_ms:
            return self.duration(ms, self.rules.slot_ms, min(most, self.rules.longest_tap_ms))
        return self.duration(ms, self.rules.shortest_press_ms)

    def duration(self, ms: float, least: float, most: float = math.inf) -> int:
        return self.rules.fit(jitter_duration(ms, spread=self.config.spread, rng=self.rng), least, most)

    def pause(self, ms: float, hold_ms: int) -> int:
        """The pause of a double tap whose first touch lasted `hold_ms`."""
        shortest, longest = self.rules.pauses(hold_ms)
        return self.rules.fit(jitter_interval(ms, spread=self.config.spread, rng=self.rng), shortest, longest)
