"""Several apps on one screen of iOS: Split View, Slide Over and Stage Manager of an iPad.

WebDriverAgent tells one app (`FBSession.m`, `activeApplication`): the one of the setting `defaultActiveApplication`
while it is in the foreground; else the tested one while that is, or the system where an alert is over it; else what is
in front. So the tree of another app is read with the setting turned to it, and the setting is put back each time. Which
apps there are is not to be asked (`/wda/apps/list` is not passed on by the XCUITest driver): the ones that this session
was told of are asked for their state, on a device that is no iPhone, which shows one app at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from pytest_apex.backends.appium.connection import Connection
from pytest_apex.errors import ActionRefused, CapabilityMissing
from pytest_apex.model.action import Track
from pytest_apex.model.geometry import EMPTY, Point, Size
from pytest_apex.model.snapshot import AppInFront, Picture, Snapshot

#: Shows alerts of the system, and the home screen.
SYSTEM = "com.apple.springboard"
#: `XCUIApplicationStateRunningForeground`.
_FOREGROUND = 4
#: `UIUserInterfaceIdiomPhone`.
_PHONE = 0
#: Reads what is told now; None for what can't be read.
Read = Callable[[], "Snapshot | None"]
_SETTINGS, _SETTING, _AUTO = "/appium/settings", "defaultActiveApplication", "auto"


class Beside:
    """The apps that may be on the screen. `active` is the one that this session activated last; `told` the one that
    WebDriverAgent told at the last look, `seen` all of that look, and `corner` where the frame of `told` begins."""

    def __init__(self, connection: Connection, app: str = "") -> None:
        self._connection = connection
        self._known = dict.fromkeys(name for name in (app, connection.session.fact("bundleId")) if name)
        self._is_phone: bool | None = None
        #: What the setting has to be put back to, and in which session.
        self._owed: tuple[str, str] | None = None
        self.active = self.told = ""
        self.seen: frozenset[str] = frozenset()
        self.corner = Point(0, 0)

    def came(self, app: str) -> None:
        """The app was launched or activated."""
        self._known[app] = None
        self.active = app

    def left(self, app: str) -> None:
        """The app was ended."""
        self._known.pop(app, None)
        self.active = "" if self.active == app else self.active

    @property
    def front(self) -> str:
        """The app that takes keys: the one activated last, if the last look showed it."""
        return self.active if self.active in self.seen else self.told

    @property
    def inactive(self) -> frozenset[str]:
        """The apps of the last look that have to be activated before they are touched."""
        return self.seen - {self.active} if len(self.seen) > 1 else frozenset()

    # Looking

    def begin(self) -> None:
        """Before a look."""
        self.put_back()
        self.told, self.seen, self.corner = "", frozenset(), Point(0, 0)

    def others(self, first: Snapshot, read: Read, notes: list[str]) -> Sequence[Snapshot]:
        """The apps on the screen with `first`, which was told first; `read` reads what is told by then. What can't be
        read is noted."""
        self.told = first.app.id
        box = first.windows[0].bounds if first.windows else EMPTY
        self.corner = Point(box.left, box.top) if not box.is_empty else Point(0, 0)
        found = [one for app in self._candidates() if (one := self._read(app, read, notes)) is not None]
        self.seen = frozenset({self.told, *(one.app.id for one in found)})
        if self.active not in self.seen and self.told != SYSTEM:
            self.active = ""  # it went: whether it is the active one when it comes back is not known
        return found

    def _candidates(self) -> Iterator[str]:
        if self.told in ("", SYSTEM):
            return
        for app in [app for app in self._known if app != self.told]:
            if self._may_share() and self._is_in_foreground(app):
                yield app

    def _read(self, app: str, read: Read, notes: list[str]) -> Snapshot | None:
        try:
            with self.telling(app):
                other = read()
        except (ActionRefused, CapabilityMissing) as error:
            notes.append(f"{app} is on the screen too, and its tree is not to be had: {error.seen}")
            return None
        return other if other is not None and other.app.id == app and other.windows else None

    def joined(self, first: Snapshot, others: Sequence[Snapshot], picture: Picture | None) -> Snapshot:
        """One look at all of them; `first` was read without a picture."""
        from pytest_apex.hierarchy.join import joined
        from pytest_apex.hierarchy.readers.notes import Notes
        from pytest_apex.hierarchy.readers.screens import fit, orientation

        parts = stacked([first, *others], self.front)
        notes = Notes()
        for line in (line for part in parts for line in part.notes):
            notes.add(line)
        told = Size(*(max(part.screen.size.width for part in parts), max(part.screen.size.height for part in parts)))
        size, scale = fit(told, picture, notes, pixels=False)
        front = next(part.app for part in parts if part.app.id == self.front)
        return replace(
            first,
            tree=joined([part.tree for part in parts], front.id),
            screen=replace(first.screen, size=size, density=scale, scale=scale, orientation=orientation(size)),
            app=AppInFront(front.id, front.pid, front.label),
            picture=picture,
            notes=notes.lines(),
        )

    def may_be_beside(self, app: str) -> bool:
        """Whether the app may be on the screen while another one is told."""
        return any(other != app for other in self._known) and self._may_share()

    def in_front_of(self, told: str) -> str:
        """The app in front, where this one is told to be."""
        asked = self.active not in ("", told) and told != SYSTEM and self._may_share()
        return self.active if asked and self._is_in_foreground(self.active) else told

    def _may_share(self) -> bool:
        if self._connection.family.platform != "ios":
            return False
        if self._is_phone is None:
            told = self._connection.ask_or({}, "mobile: deviceInfo")
            self._is_phone = isinstance(told, dict) and told.get("userInterfaceIdiom") == _PHONE
        return not self._is_phone

    def _is_in_foreground(self, app: str) -> bool:
        try:
            told = self._connection.ask("mobile: queryAppState", {"bundleId": app}, f"asking for the state of {app}")
        except (ActionRefused, CapabilityMissing):
            return False
        return bool(told == _FOREGROUND)

    # The setting

    @contextmanager
    def telling(self, app: str) -> Iterator[None]:
        """WebDriverAgent tells `app` inside of this, and what it told before afterwards, whatever happens."""
        self.put_back()
        told = self._connection.look(_SETTINGS, "asking for the settings")
        was = told.get(_SETTING) if isinstance(told, dict) else None
        self._owed = (self._connection.session.id, str(was or _AUTO))
        try:
            self._set(app)
        except (ActionRefused, CapabilityMissing):
            self._owed = None
            raise
        try:
            yield
        finally:
            self.put_back()

    @contextmanager
    def telling_front(self) -> Iterator[None]:
        """WebDriverAgent tells the app that takes keys, if it would tell another one."""
        if self.front == self.told:
            yield
            return
        with self.telling(self.front):
            yield

    def put_back(self) -> None:
        """The setting as it was: also one that could not be put back when that was due. A new session has its own."""
        if self._owed is not None:
            session, was = self._owed
            if session == self._connection.session.id:
                self._set(was)
            self._owed = None

    def _set(self, value: str) -> None:
        # Asked again where a connection broke: it may be set to the same value as often as one likes.
        self._connection.look(_SETTINGS, f"setting {_SETTING} to {value}", {"settings": {_SETTING: value}})

    # Touching

    def placed(self, track: Track) -> Track:
        """WebDriverAgent counts places from the corner of the app that it tells (`FBBaseActionsSynthesizer.m`)."""
        left, top = self.corner.x, self.corner.y
        if not left and not top:
            return track
        strokes = (
            replace(stroke, samples=tuple(replace(one, x=one.x - left, y=one.y - top) for one in stroke.samples))
            for stroke in track.strokes
        )
        return replace(track, strokes=tuple(strokes))


def stacked(parts: Sequence[Snapshot], active: str) -> Sequence[Snapshot]:
    """Bottom to top: nobody tells the order. An app inside the area of another one is seen only over it (Slide Over);
    of those that overlap in part the active one is on top (Stage Manager); those of Split View do not overlap."""
    ordered = sorted(parts, key=lambda part: -part.windows[0].bounds.area)
    top = next((part for part in ordered if part.app.id == active), None)
    if top is not None and not any(_over(part, top) for part in ordered if part is not top):
        ordered = [*(part for part in ordered if part is not top), top]
    return ordered


def _over(inner: Snapshot, outer: Snapshot) -> bool:
    return outer.windows[0].bounds.encloses(inner.windows[0].bounds)
