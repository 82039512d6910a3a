"""How a look at the screen ended: at rest or not, and where a finger can land."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class Settled:
    """The screen is at rest. `alive` names regions that change by themselves (clock, video, caret)."""

    snapshot: Snapshot
    waited_ms: float
    probes: int
    by: str = ""
    alive: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Unsettled:
    """The time ran out before the screen came to rest.

    `why` is `loading`, `animating` or `keyboard`; `moving` names what still moves, with its rectangle; `limit` names
    the
    time-out that ran out.
    """

    snapshot: Snapshot
    waited_ms: float
    probes: int
    why: str
    moving: tuple[str, ...] = ()
    limit: str = ""

    def __str__(self) -> str:
        what = f": {', '.join(self.moving[:3])}" if self.moving else ""
        return f"{self.why} after {self.waited_ms / 1000:.1f} s{what}"


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a finger reaches `node`: `point` in the free rectangle `area`; `why` says how it was found."""

    node: Node
    point: Point
    area: Rect
    why: str = "visible and uncovered"


@dataclass(frozen=True, slots=True)
class Obscured:
    """`node` can't be reached.

    `why` is `covered`, `off_screen`, `no_area`, `hidden` or `remote`; `by` is the control that covers it; `how` says
    how to
    reach it.
    """

    node: Node
    why: str
    by: Node | None = None
    how: str = ""

    def __str__(self) -> str:
        if self.by is not None:
            owner = f" of {self.by.window.app}" if self.by.window.app != self.node.window.app else ""
            return f"{self.node} is covered by {self.by}{owner}"
        return f"{self.node} is {self.why.replace('_', ' ')}"
