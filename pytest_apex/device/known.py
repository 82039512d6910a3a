"""What the run's manuals know about the apps on the screen of this moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

from pytest_apex.hierarchy import query
from pytest_apex.model.geometry import Rect
from pytest_apex.model.manual import Identity, Manual, ManualControl, MatchedManual, NoManual, Shown
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot, Window

#: Regions of a manual are in thousandths of the app's window.
_WHOLE = 1000


class Library(Protocol):
    """The manuals of a run."""

    def find(self, who: Identity, named: str = "") -> MatchedManual | NoManual:
        """The manual of an app; the one called `named`, if a name is given."""


@dataclass
class Known:
    """The manuals as one test asks them. `named` is the manual that the test itself names, for its app under test."""

    library: Library | None = None
    named: str = ""
    #: What was seen of each app: a dialog in front of it does not make it unknown.
    _seen: dict[str, Identity] = field(default_factory=dict)
    _found: dict[tuple[Identity, str], MatchedManual | NoManual] = field(default_factory=dict)
    #: Every manual that was used, in order.
    used: dict[str, MatchedManual] = field(default_factory=dict)

    def search(self, app: str, snapshot: Snapshot | None = None, *, under_test: str = "") -> MatchedManual | NoManual:
        """The manual of an app, or why there is none."""
        who = self._who(app, snapshot)
        if self.library is None:
            return NoManual(who)
        named = self.named if app == under_test else ""
        key = (who, named)
        if key not in self._found:
            self._found[key] = self.library.find(who, named)
        found = self._found[key]
        if isinstance(found, MatchedManual):
            self.used.setdefault(found.manual.source, found)
        return found

    def _who(self, app: str, snapshot: Snapshot | None) -> Identity:
        if snapshot is not None and snapshot.app.id == app:
            front = snapshot.app
            self._seen[app] = Identity(app, "", front.label, front.version, snapshot.screen.locale)
        return self._seen.get(app, Identity(app))


@dataclass(frozen=True, slots=True)
class OnScreen:
    """A manual, and the app on the screen that it is for."""

    manual: Manual
    app: str
    snapshot: Snapshot

    def controls(self, word: str) -> list[ManualControl]:
        """The controls that have this name or alias, in any case."""
        wanted = word.casefold()
        return [
            control
            for control in self.manual.controls
            if wanted in (name.casefold() for name in (control.name, *control.aliases))
        ]

    def nodes(self, control: ManualControl) -> list[Node]:
        """The control as the tree has it: what the first of its targets fits that fits anything of this app."""
        for target in control.targets:
            found = [node for node in query.find(self.snapshot, target) if node.window.app in ("", self.app)]
            if found:
                return found
        return []

    @property
    def window(self) -> Window | None:
        """The app's own window, which regions count from; dialogs are not it."""
        own = [window for window in self.snapshot.windows if window.app == self.app and window.kind == "application"]
        return own[-1] if own else None

    def box(self, region: Rect) -> Rect | None:
        """A region in units of the tree; None where the app has no window."""
        window = self.window
        if window is None:
            return None
        whole = window.bounds if not window.bounds.is_empty else self.snapshot.screen.bounds
        part = region.intersect(Rect(0, 0, _WHOLE, _WHOLE))
        across, along = whole.width / _WHOLE, whole.height / _WHOLE
        box = Rect(
            whole.left + part.left * across,
            whole.top + part.top * along,
            whole.left + part.right * across,
            whole.top + part.bottom * along,
        )
        return None if box.is_empty else box

    def holds(self, shown: Shown) -> bool:
        """Whether all of `shows` and none of `hides` is on the screen; a manual that names neither holds nowhere."""
        if not shown.shows and not shown.hides:
            return False
        return all(query.find(self.snapshot, target) for target in shown.shows) and not any(
            query.find(self.snapshot, target) for target in shown.hides
        )
