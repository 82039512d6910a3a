"""Asking a manual about what is on the screen."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TypeAlias, TypeVar

from pytest_apex.hierarchy.names import plain
from pytest_apex.hierarchy.query import find
from pytest_apex.manual.versions import fits
from pytest_apex.model.geometry import Rect
from pytest_apex.model.manual import (
    EnvironmentScreen,
    ExpectedBehaviour,
    Interruption,
    Manual,
    ManualControl,
    ManualScreen,
    Shown,
)
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Target

Seek: TypeAlias = Callable[[Snapshot, Target], Sequence[Node]]
_Appearing = TypeVar("_Appearing", Interruption, EnvironmentScreen)

#: Regions are in thousandths of the window.
_WHOLE = Rect(0, 0, 1000, 1000)


def usual(name: str) -> str:
    """What names of controls are told apart by: neither case, nor spaces, nor how an accent is written, nor what nobody
    sees."""
    seen = name if name.isascii() else "".join(each for each in name if unicodedata.category(each) != "Cf")
    return plain(unicodedata.normalize("NFC", seen))


def control_called(manual: Manual, word: str) -> ManualControl | None:
    """The control with this name or alias, however it is written."""
    wanted = usual(word)
    return next((one for one in manual.controls if wanted in map(usual, (one.name, *one.aliases))), None)


def nodes_of(control: ManualControl, snapshot: Snapshot, seek: Seek = find) -> tuple[Node, ...]:
    """What the first of its targets that fits anything fits; `seek` finds what a target means."""
    return next((tuple(nodes) for target in control.targets if (nodes := seek(snapshot, target))), ())


def all_nodes_of(control: ManualControl, snapshot: Snapshot, seek: Seek = find) -> tuple[Node, ...]:
    """What any of its targets fits: a guard that knows two ids for a control guards both."""
    return tuple(dict.fromkeys(node for target in control.targets for node in seek(snapshot, target)))


def holds(shown: Shown, snapshot: Snapshot) -> bool:
    """Whether all of `shows` and none of `hides` is on the screen; what names neither holds nowhere."""
    if not shown.shows and not shown.hides:
        return False
    return all(find(snapshot, one) for one in shown.shows) and not any(find(snapshot, one) for one in shown.hides)


def screen_of(manual: Manual, snapshot: Snapshot) -> ManualScreen | None:
    """The first screen, in the manual's order, that this is."""
    return next((screen for screen in manual.screens if holds(screen.shown, snapshot)), None)


def interruption_in(manual: Manual, snapshot: Snapshot) -> Interruption | None:
    """The first one that is on the screen."""
    return _first(manual.interruptions, snapshot)


def environment_in(manual: Manual, snapshot: Snapshot) -> EnvironmentScreen | None:
    """The first screen that means trouble around the app, if this is one."""
    return _first(manual.environment, snapshot)


def _first(entries: Iterable[_Appearing], snapshot: Snapshot) -> _Appearing | None:
    return next((entry for entry in entries if holds(entry.appears, snapshot)), None)


@dataclass(frozen=True, slots=True)
class Known:
    """Known behaviour on this screen: what counts, and what counts no longer or not here, each with the reason."""

    counts: tuple[ExpectedBehaviour, ...] = ()
    not_counting: tuple[tuple[ExpectedBehaviour, str], ...] = ()


def expected_for(manual: Manual, snapshot: Snapshot, *, today: date, version: str = "") -> Known:
    """What the manual says of this screen; an entry without anything that shows holds on every one. `version` is the
    app's."""
    counts, not_counting = [], []
    for entry in manual.expected:
        if (entry.appears.shows or entry.appears.hides) and not holds(entry.appears, snapshot):
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
