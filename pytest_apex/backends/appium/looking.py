"""Tree and picture of one moment, one after the other: a session does one thing at a time."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pytest_apex.backends.appium.android import number
from pytest_apex.backends.appium.beside import Beside
from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.covers import with_covers
from pytest_apex.backends.appium.focus import with_focus
from pytest_apex.errors import ActionRefused, DeviceProblem, DriverDead, SourceError
from pytest_apex.model.geometry import Size
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

if TYPE_CHECKING:
    from pytest_apex.model.snapshot import Picture, Tree

#: What shows the status bar, the shade and the lock screen, and how Android titles the window of the latter two.
_SYSTEM_UI, _SHADE = "com.android.systemui", "NotificationShade"


def look(connection: Connection, beside: Beside) -> Snapshot:
    """One look; its `skew_ms` is the time from the middle of the tree's request to that of the picture's. A driver that
    can't read the app, and draws it all the same, makes a blind look: an empty tree beside a picture. Raises
    `DeviceProblem`, and `DriverDead` for what is no tree."""
    clock = connection.clock
    beside.begin()
    started = clock.now()
    notes: list[str] = []
    source = _source(connection, notes)
    unread = bool(notes)
    middle, after = (started + clock.now()) / 2, clock.now()
    picture = _picture(connection, notes)
    skew_s = (after + clock.now()) / 2 - middle
    if unread:
        return _blind(connection, picture, started, skew_s, notes)
    snapshot = _read(connection, source, picture)
    others = beside.others(snapshot, lambda: _read_also(connection, notes), notes) if _is_ios(connection) else ()
    if others:
        snapshot = beside.joined(replace(_parsed(connection, source), tree=snapshot.tree), others, picture)
    if picture is not None and _lies(picture.size, snapshot.screen.size):
        notes.append("the picture is turned against the tree: the driver guessed the orientation wrong")
        screen = replace(snapshot.screen, density=1.0, scale=1.0)
        snapshot = replace(snapshot, picture=None, screen=screen, notes=_parsed(connection, source).notes)
    return replace(
        snapshot,
        taken_at=started,
        skew_ms=skew_s * 1000,
        source="appium",
        platform=connection.family.platform,
        notes=(*snapshot.notes, *notes),
    )


def _is_ios(connection: Connection) -> bool:
    return connection.family.platform == "ios"


def _read(connection: Connection, source: Any, picture: Picture | None = None) -> Snapshot:
    """A source as a tree, with what is asked for beside it. Raises `DriverDead` for what is none."""
    snapshot = _parsed(connection, source, picture)
    tree = _titled(snapshot.tree, snapshot.screen.size)
    if _is_ios(connection):
        tree = with_covers(connection, with_focus(connection, tree), source)
    return replace(snapshot, tree=tree)


def _read_also(connection: Connection, notes: list[str]) -> Snapshot | None:
    source = _source(connection, notes)
    return _read(connection, source) if source is not None else None


def _parsed(connection: Connection, source: Any, picture: Picture | None = None) -> Snapshot:
    from pytest_apex.hierarchy.readers import read

    if not isinstance(source, str) or not source.strip():
        raise _no_tree(connection, f"{type(source).__name__} where text was due" if source else "nothing in it")
    try:
        return read(source, picture=picture)
    except SourceError as error:
        raise _no_tree(connection, str(error)) from error


def _source(connection: Connection, notes: list[str]) -> Any:
    """What the driver has for a tree. Nothing, with a note, where it has none of an app that can't be read: one whose
    main thread hangs or draws without end (WebDriverAgent `FBDebugCommands.m`: "Cannot get 'xml' source …"; the
    UiAutomator2 server: "Timed out after … waiting for the root AccessibilityNodeInfo")."""
    try:
        return connection.look("/source", "reading the screen")
    except ActionRefused as error:
        notes.append(f"no tree: {error.seen}")
        return None


def _blind(
    connection: Connection, picture: Picture | None, started: float, skew_s: float, notes: Sequence[str]
) -> Snapshot:
    """A look without a tree. Raises `DriverDead` where there is no picture either."""
    if picture is None:
        raise _no_tree(connection, "; ".join(notes))
    told = connection.ask_or({}, "mobile: deviceScreenInfo") if connection.family.points else {}
    scale = (number(told.get("scale")) if isinstance(told, dict) else 0.0) or 1.0
    screen = Screen(Size(picture.size.width / scale, picture.size.height / scale), density=scale, scale=scale)
    builder = TreeBuilder()
    builder.window(Window(0, "", bounds=screen.bounds))
    builder.leaf("other", screen.bounds)
    return Snapshot(
        id="",
        tree=builder.build(),
        screen=screen,
        app=AppInFront(""),
        picture=picture,
        taken_at=started,
        skew_ms=skew_s * 1000,
        source="appium",
        platform=connection.family.platform,
        notes=tuple(notes),
    )


def _titled(tree: Tree, screen: Size) -> Tree:
    """The driver tells no titles. A window of the system's user interface over most of the screen is its shade, which
    is the lock screen as well."""
    windows = [
        replace(window, title=_SHADE)
        if window.app == _SYSTEM_UI and not window.title and window.bounds.height > screen.height / 2
        else window
        for window in tree.windows
    ]
    return replace(tree, windows=tuple(windows))


def _no_tree(connection: Connection, seen: str) -> DriverDead:
    return DriverDead(
        f"the driver of {connection.channel.device} sent no tree",
        seen=seen,
        likely="the screen was changing, or what runs on the device is broken",
        cure="look again",
    )


def _lies(picture: Size, screen: Size) -> bool:
    """Whether one is wide and the other tall."""
    wide, flat = picture.width - picture.height, screen.width - screen.height
    return wide * flat < 0


def _picture(connection: Connection, notes: list[str]) -> Picture | None:
    from pytest_apex.vision.image import from_png

    try:
        told: Any = connection.look("/screenshot", "taking a picture")
        return from_png(base64.b64decode(told if isinstance(told, str) else "", validate=False))
    except (ActionRefused, SourceError, binascii.Error) as error:
        notes.append(f"no picture: {str(error).partition(chr(10))[0]}")
    except DriverDead:
        raise
    except DeviceProblem as error:
        notes.append(f"no picture: {error.tried}")
    return None
