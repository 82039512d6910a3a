"""One act on the device, with everything that was seen before and after it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pytest_apex.model.action import Action, Receipt, Track
from pytest_apex.model.change import Change
from pytest_apex.model.look import Hit, Settled, Unsettled
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Target
from pytest_apex.model.verdict import Artifact, CheckResult


@dataclass(frozen=True, slots=True)
class Source:
    """The line of the test that asked for it."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True, slots=True, repr=False)
class Step:
    """What an acting verb returns.

    `effect` is `changed`, `none` or `unknown`; `note` says what was special (repeated touch, recovered device, …).
    `started` is seconds on the device's clock. `named` is the action in words, secrets masked. `wall` is when the act
    began and ended on the host, in seconds since the epoch; the recorder sets it. `doer` leads to who did it, so that
    checks can be asked of the step; it is in no record.
    """

    id: str
    verb: str
    named: str
    action: Action | None = None
    target: Target | None = None
    purpose: str = ""
    expected_outcome: str = ""
    settled_before: Settled | Unsettled | None = None
    hit: Hit | None = None
    track: Track | None = None
    receipt: Receipt | None = None
    settled_after: Settled | Unsettled | None = None
    change: Change | None = None
    effect: str = "unknown"
    checks: tuple[CheckResult, ...] = ()
    evidence: tuple[Artifact, ...] = ()
    started: float = 0.0
    took_ms: float = 0.0
    source: Source | None = None
    note: str = ""
    wall: tuple[float, float] | None = None
    doer: Callable[[], Any] | None = field(default=None, compare=False)

    @property
    def before(self) -> Snapshot | None:
        """The last look before the act."""
        return self.settled_before.snapshot if self.settled_before else None

    @property
    def after(self) -> Snapshot | None:
        """The look after it, when the screen was at rest or the time was up."""
        return self.settled_after.snapshot if self.settled_after else None

    def __str__(self) -> str:
        change = f": {self.change}" if self.change is not None else ""
        return f"{self.id} {self.named}{change}"

    def __repr__(self) -> str:
        return f"<{self}>"
