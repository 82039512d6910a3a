"""Screens of a running app: those that are open, how one turns into another, and what is left of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_apex.phone.parts import ScreenPart


@dataclass(slots=True, eq=False)
class Page:
    """A screen that is open. `scrolls` holds the pixels scrolled, by the key of the box; `covers` counts the loads that
    lay a progress sign over it."""

    part: ScreenPart
    scrolls: dict[str, int] = field(default_factory=dict)
    covers: int = 0


@dataclass(frozen=True, slots=True)
class SavedState:
    """What an app leaves for its return when the system ends it in the background: variables, the screens that are
    open with what is scrolled on them, and its dialog."""

    values: Mapping[str, Any]
    pages: tuple[tuple[str, Mapping[str, int]], ...]
    dialog: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """From one page to another: `kind` slide or fade, `forward` or back, since `started`, over `seconds`."""

    kind: str
    forward: bool
    started: float
    seconds: float
    before: Page


@dataclass(frozen=True, slots=True)
class Fling:
    """Content that runs on after the finger has left it."""

    key: str
    start: int
    distance: float
    started: float
    seconds: float = 0.5

    def offset(self, now: float) -> int:
        share = min(1.0, max(0.0, (now - self.started) / self.seconds))
        return round(self.start + self.distance * (1 - (1 - share) ** 3))
