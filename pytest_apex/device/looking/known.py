"""What the run's manuals know about the apps on the screen of this moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Protocol

from pytest_apex.device.looking.watch import Watch
from pytest_apex.hierarchy import hit, query
from pytest_apex.hierarchy.at_point import smallest_at, window_at
from pytest_apex.manual import lookup
from pytest_apex.manual.matching import identity_of
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Hit
from pytest_apex.model.manual import Identity, Manual, ManualControl, MatchedManual, NoManual
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot, Window
from pytest_apex.model.target import Target


def today() -> date:
    """The day by which known behaviour expires: that of UTC, so that every machine says the same at a time."""
    return datetime.now(timezone.utc).date()


class Library(Protocol):
    """The manuals of a run."""

    def find(self, who: Identity, named: str = "") -> MatchedManual | NoManual:
        """The manual of an app; the one called `named`, if a name is given."""


@dataclass(frozen=True, slots=True)
class OnScreen:
    """A manual, and the app on the screen that it is for."""

    manual: Manual
    app: str
    snapshot: Snapshot

    def control(self, word: str) -> ManualControl | None:
        """The control with this name or alias."""
        return lookup.control_called(self.manual, word)

    def nodes(self, control: ManualControl) -> tuple[Node, ...]:
        """What the control is in the windows of this app."""
        return lookup.nodes_of(control, self.snapshot, self.seek)

    def all_nodes(self, control: ManualControl) -> tuple[Node, ...]:
        """The same by every way that the manual tells it."""
        return lookup.all_nodes_of(control, self.snapshot, self.seek)

    def seek(self, snapshot: Snapshot, target: Target) -> Sequence[Node]:
        """What a target means in the windows of this app."""
        return [node for node in query.find(snapshot, target) if node.window.app in ("", self.app)]

    @property
    def window(self) -> Window | None:
        """The app's own window, which regions count from; its dialogs are not it, unless it shows nothing else."""
        all_own = [window for window in self.snapshot.windows if window.app == self.app and window.kind != "toast"]
        own = [window for window in all_own if window.kind == "application"] or all_own
        return own[-1] if own else None

    def box(self, region: Rect | None) -> Rect | None:
        """A region in units of the tree; None where the app has no window."""
        window = self.window
        if window is None or region is None:
            return None
        return lookup.to_rect(region, self.snapshot.screen.bounds if window.bounds.is_empty else window.bounds)

    def control_at(self, point: Point) -> ManualControl | None:
        """The control in whose declared region a point lies; of several the smallest."""
        inside = [
            (box.area, at, control)
            for at, control in enumerate(self.manual.controls)
            if (box := self.box(control.region)) is not None and box.contains(point)
        ]
        return min(inside)[2] if inside else None


@dataclass
class Known:
    """The manuals as one test asks them. `named` is the manual that the test itself names for its app; `used` is every
    one that was for an app on the screen, by its file."""

    watch: Watch | None = None
    library: Library | None = None
    named: str = ""
    used: dict[str, MatchedManual] = field(default_factory=dict)
    #: What was seen of each app: a dialog in front of it does not make it unknown.
    _seen: dict[str, Identity] = field(default_factory=dict)
    _found: dict[tuple[Identity, bool], MatchedManual | NoManual] = field(default_factory=dict)
    #: How often each interruption was closed in this test, and which of them would not go.
    handled: Counter[str] = field(default_factory=Counter)
    standing: set[str] = field(default_factory=set)

    def search(self, app: str, snapshot: Snapshot | None = None) -> MatchedManual | NoManual:
        """The manual of an app, or why there is none; `snapshot` tells more of the app in front."""
        who = self._who(app, snapshot)
        if self.library is None:
            return NoManual(who)
        by_name = bool(self.named) and self.watch is not None and app == self.watch.app
        if (who, by_name) not in self._found:
            self._found[who, by_name] = self.library.find(who, self.named if by_name else "")
        found = self._found[who, by_name]
        if isinstance(found, MatchedManual):
            self.used.setdefault(found.manual.source, found)
        return found

    def _who(self, app: str, snapshot: Snapshot | None) -> Identity:
        if snapshot is not None and app and snapshot.app.id == app:
            self._seen[app] = identity_of(snapshot)
        return self._seen.get(app, Identity(app))

    def in_front(self, snapshot: Snapshot) -> OnScreen | None:
        """The manual of the app in front."""
        return self._shown(snapshot.app.id, snapshot)

    def under_test(self, snapshot: Snapshot) -> OnScreen | None:
        """That of the app under test, whatever is in front; of the app in front where none is."""
        app = self.watch.app if self.watch is not None else ""
        return self._shown(app or snapshot.app.id, snapshot)

    def on(self, snapshot: Snapshot) -> list[OnScreen]:
        """Those of all apps that have a window on the screen, and of the app under test."""
        if self.library is None:
            return []
        own = self.watch.app if self.watch is not None else ""
        apps = dict.fromkeys((snapshot.app.id, *(window.app for window in snapshot.windows), own))
        return [shown for app in apps if app and (shown := self._shown(app, snapshot)) is not None]

    def _shown(self, app: str, snapshot: Snapshot) -> OnScreen | None:
        found = self.search(app, snapshot)
        return OnScreen(found.manual, app, snapshot) if isinstance(found, MatchedManual) else None

    def live_boxes(self, snapshot: Snapshot) -> list[Rect]:
        """Where the screen changes by itself, as the manuals say."""
        return [
            box
            for shown in self.on(snapshot)
            for live in shown.manual.live_regions
            for box in (
                [node.bounds for node in shown.seek(snapshot, live.target)]
                if live.target is not None
                else [part for part in (shown.box(live.region),) if part is not None]
            )
        ]

    # Names for controls

    def called(self, snapshot: Snapshot, word: str) -> list[Node]:
        """What the manuals of the apps on the screen call by this word."""
        return [
            node
            for shown in self.on(snapshot)
            if (control := shown.control(word)) is not None
            for node in shown.nodes(control)
        ]

    def tells(self, snapshot: Snapshot, word: str) -> str:
        """What the manuals say of a name that nothing on the screen has; "" if none knows it."""
        found = ((shown, control) for shown in self.on(snapshot) if (control := shown.control(word)) is not None)
        for shown, control in found:
            ways = " or ".join(map(str, control.targets)) or "a region"
            return f"the manual {shown.manual.name} calls {ways} so ({control.where}), and it is not on this screen"
        return ""

    def at(self, snapshot: Snapshot, point: Point) -> Node | None:
        """The control in whose declared region a point lies, where the tree has it once."""
        found = self._declared_at(snapshot, point)
        nodes = found[0].nodes(found[1]) if found is not None else ()
        return nodes[0] if len(nodes) == 1 else None

    def _declared_at(self, snapshot: Snapshot, point: Point) -> tuple[OnScreen, ManualControl] | None:
        """A region is a part of the app's own window, where nothing lies over that."""
        window = window_at(snapshot, point) if self.library is not None else None
        shown = self._shown(window.app, snapshot) if window is not None and window.app else None
        if shown is None or window is None or shown.window is None or shown.window.index != window.index:
            return None
        control = shown.control_at(point)
        return (shown, control) if control is not None else None

    def snap(self, snapshot: Snapshot, point: Point) -> tuple[Hit, str] | None:
        """Where a bare point in a declared region is meant to land, and what is to be noted; None where it stays."""
        found = self._declared_at(snapshot, point)
        if found is None:
            return None
        shown, control = found
        nodes = shown.nodes(control)
        if len(nodes) > 1 or (nodes and nodes[0].bounds.contains(point)):
            return None
        meant = hit.find_hit(snapshot, nodes[0]) if nodes else self._in_region(shown, control)
        if not isinstance(meant, Hit) or meant.point == point:
            return None
        return meant, f'{point} lies in the region of "{control.name}" ({control.where}): touched at {meant.point}'

    def spot(self, snapshot: Snapshot, word: str) -> Hit | None:
        """The last resort for a word that nothing on the screen has: the region that the manual gives its control."""
        for shown in self.on(snapshot):
            control = shown.control(word)
            if control is not None and not shown.nodes(control):
                return self._in_region(shown, control)
        return None

    def _in_region(self, shown: OnScreen, control: ManualControl) -> Hit | None:
        box, window = shown.box(control.region), shown.window
        if box is None or window is None:
            return None
        if window_at(shown.snapshot, box.center) != window:
            return None
        node = smallest_at(shown.snapshot, box.center, window)
        why = f'the region of "{control.name}" ({control.where}); nothing else tells where it is'
        return Hit(node, box.center, box, why) if node is not None else None
