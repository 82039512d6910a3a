"""Asking a manual about what is on the screen. Functions over values; `seek` finds the controls that a target means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias, TypeVar

from pytest_apex.hierarchy.names import plain
from pytest_apex.hierarchy.query import find
from pytest_apex.manual.versions import fits
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.manual import (
    EnvironmentScreen,
    ExpectedBehaviour,
    Interruption,
    LiveRegion,
    Manual,
    ManualControl,
    ManualScreen,
    Shown,
)
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Target

Seek: TypeAlias = Callable[[Snapshot, Target], Sequence[Node]]
_Appearing = TypeVar("_Appearing", Interruption, EnvironmentScreen, ExpectedBehaviour)

#: Regions are in thousandths of the window.
_WHOLE = Rect(0, 0, 1000, 1000)


@dataclass(frozen=True, slots=True)
class NamedControl:
    """A control that the manual has a name for: the nodes that it is on this screen, or, where nothing else tells it,
    the part of the screen in which it lies."""

    control: ManualControl
    nodes: tuple[Node, ...]
    box: Rect | None


def control_called(manual: Manual, word: str) -> ManualControl | None:
    """The control with this name or alias, in any case."""
    wanted = plain(word)
    return next((one for one in manual.controls if wanted in map(plain, (one.name, *one.aliases))), None)


def named(manual: Manual, snapshot: Snapshot, word: str, seek: Seek = find) -> NamedControl | None:
    """What a word means by this manual; None if it is no name of it."""
    control = control_called(manual, word)
    if control is None:
        return None
    nodes = nodes_of(control, snapshot, seek)
    box = to_rect(control.region, app_window(snapshot)) if control.region is not None and not nodes else None
    return NamedControl(control, nodes, box)


def nodes_of(control: ManualControl, snapshot: Snapshot, seek: Seek = find) -> tuple[Node, ...]:
    """What the first of its targets that fits anything fits."""
    return next((tuple(nodes) for target in control.targets if (nodes := seek(snapshot, target))), ())


def control_at(manual: Manual, snapshot: Snapshot, point: Point) -> ManualControl | None:
    """The control in whose declared region a point lies; of several the smallest."""
    window = app_window(snapshot)
    inside = [
        (box.area, at, control)
        for at, control in enumerate(manual.controls)
        if control.region is not None and (box := to_rect(control.region, window)).contains(point)
    ]
    return min(inside)[2] if inside else None


def holds(shown: Shown, snapshot: Snapshot, seek: Seek = find) -> bool:
    """Whether all of `shows` and none of `hides` is on the screen; what names neither holds nowhere."""
    if not shown.shows and not shown.hides:
        return False
    return all(seek(snapshot, one) for one in shown.shows) and not any(seek(snapshot, one) for one in shown.hides)


def screen_of(manual: Manual, snapshot: Snapshot, seek: Seek = find) -> ManualScreen | None:
    """The first screen, in the manual's order, that this is."""
    return next((screen for screen in manual.screens if holds(screen.shown, snapshot, seek)), None)


def interruption_in(manual: Manual, snapshot: Snapshot, seek: Seek = find) -> Interruption | None:
    return _first(manual.interruptions, snapshot, seek)


def environment_in(manual: Manual, snapshot: Snapshot, seek: Seek = find) -> EnvironmentScreen | None:
    return _first(manual.environment, snapshot, seek)


def _first(entries: Iterable[_Appearing], snapshot: Snapshot, seek: Seek) -> _Appearing | None:
    return next((entry for entry in entries if holds(entry.appears, snapshot, seek)), None)


def live_boxes(manual: Manual, snapshot: Snapshot, seek: Seek = find) -> tuple[tuple[LiveRegion, Rect], ...]:
    """Each live region that is on this screen, and where, in the units of the tree."""
    return tuple((live, box) for live in manual.live_regions for box in _boxes(live, snapshot, seek))


def _boxes(live: LiveRegion, snapshot: Snapshot, seek: Seek) -> Iterator[Rect]:
    if live.target is not None:
        yield from (node.bounds for node in seek(snapshot, live.target))
    elif live.region is not None:
        yield to_rect(live.region, app_window(snapshot))


@dataclass(frozen=True, slots=True)
class Known:
    """Known behaviour on this screen: what counts, and what counts no longer or not here, each with the reason."""

    counts: tuple[ExpectedBehaviour, ...] = ()
    not_counting: tuple[tuple[ExpectedBehaviour, str], ...] = ()


def expected_for(
    manual: Manual, snapshot: Snapshot, *, today: date, version: str = "", kind: str = "", seek: Seek = find
) -> Known:
    """What the manual says of a finding of this `kind` on this screen; of every kind if "".

    An entry without anything that shows holds on every screen. `version` is the app's.
    """
    counts, not_counting = [], []
    for entry in manual.expected:
        if kind and not (entry.kind and f"{kind}.".startswith(f"{entry.kind}.")):
            continue
        if (entry.appears.shows or entry.appears.hides) and not holds(entry.appears, snapshot, seek):
            continue
        why = why_not(entry, version, today)
        if why:
            not_counting.append((entry, why))
        else:
            counts.append(entry)
    return Known(tuple(counts), tuple(not_counting))


def why_not(entry: ExpectedBehaviour, version: str, today: date) -> str:
    """Why an entry does not count in this version, or today; "" if it does."""
    if entry.until is not None and today > entry.until:
        return f"it expired on {entry.until}"
    fit = fits(entry.versions, version)
    if fit is None:
        return f"it is for versions {entry.versions}, and the app's is not known"
    return "" if fit else f"it is for versions {entry.versions}, the app is {version}"


def to_rect(region: Rect, window: Rect) -> Rect:
    """A region in the units of the tree; what reaches out of the window is cut off."""
    part = region.intersect(_WHOLE)
    across, along = window.width / _WHOLE.width, window.height / _WHOLE.height
    return Rect(
        window.left + part.left * across,
        window.top + part.top * along,
        window.left + part.right * across,
        window.top + part.bottom * along,
    )


def app_window(snapshot: Snapshot) -> Rect:
    """The window that regions count from: the topmost one of the app in front that is no dialog; the screen where the
    device does not tell its bounds."""
    own = [one for one in snapshot.windows if one.app == snapshot.app.id and one.kind == "application"]
    return own[-1].bounds if own and not own[-1].bounds.is_empty else snapshot.screen.bounds
