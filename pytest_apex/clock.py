"""Time of a device: real, or virtual on the built-in phone. The only place that sleeps."""

from __future__ import annotations

import time
from typing import Protocol


class Clock(Protocol):
    """Seconds on a device's clock."""

    def now(self) -> float:
        """The time, in seconds; only differences mean something."""

    def sleep(self, seconds: float) -> None:
        """Let `seconds` pass on this clock."""


class RealClock:
    """The host's monotonic clock."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        if seconds > 0:
            time.sleep(seconds)
