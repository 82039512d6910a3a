"""What lies at a point of the screen: window, app, and the smallest control there."""

from __future__ import annotations

from dataclasses import dataclass

from pytest_apex.errors import ActionRefused
from pytest_apex.hierarchy.at_point import free_around, smallest_at, window_at
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Hit
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot, Window

_NOT_SENT = "it was not sent; device.state() says what is on the screen, device.snapshot() where"


@dataclass(frozen=True)
class Place:
    """Where a bare coordinate lands. `node` is None where the window lists nothing there; `area` is a visible,
    uncovered part of the node around the point, None where something else takes the touch."""

    point: Point
    window: Window
    node: Node | None = None
    area: Rect | None = None

    @property
    def hit(self) -> Hit | None:
        if self.node is None:
            return None
        at = self.point
        return Hit(self.node, at, self.area or Rect(at.x, at.y, at.x, at.y), why="the coordinates were given")

    @property
    def named(self) -> str:
        """The control in words; nothing where there is none."""
        return f" on {self.node}" if self.node is not None else ""

    def __str__(self) -> str:
        title = f"window {self.window.title!r}" if self.window.title else f"a window ({self.window.kind})"
        return f"{self.point} is {self.node or 'nothing listed'} in {title} of {self.window.app}"


def resolve(snapshot: Snapshot, point: Point) -> Place:
    """What a touch at a point reaches first.

    Raises `ActionRefused` for a point outside the screen, on a sleeping screen, or with no window of a known app there.
    """
    screen = snapshot.screen
    need_awake(snapshot, f"touch {point}")
    if not screen.bounds.is_empty and not screen.bounds.contains(point):
        raise outside(point, f"the screen is {screen.size} ({screen.orientation})")
    window = window_at(snapshot, point)
    if window is None or not window.app:
        listed = ", ".join(f"{each.title or each.kind} of {each.app or '?'} {each.bounds}" for each in snapshot.windows)
        raise ActionRefused(
            f"can't touch {point}: no window of a known app is there",
            seen=f"windows: {listed}" if listed else "no window at all",
            likely="the driver does not see what is on the screen there",
            cure=_NOT_SENT,
        )
    node = smallest_at(snapshot, point, window)
    return Place(point, window, node, free_around(snapshot, node, point) if node is not None else None)


def need_awake(snapshot: Snapshot, what: str) -> None:
    """Raise `ActionRefused` on a sleeping screen: it takes no touch and no text."""
    if not snapshot.screen.awake:
        raise ActionRefused(
            f"can't {what}: the screen is asleep",
            likely="it went off by itself, or by the power button",
            cure='it was not sent; wake the screen first: device.press("power")',
        )


def outside(point: Point, seen: str) -> ActionRefused:
    return ActionRefused(
        f"can't touch {point}: it is outside the screen",
        seen=seen,
        likely="coordinates of another device or orientation, or pixels where the tree has points",
        cure=_NOT_SENT,
    )
