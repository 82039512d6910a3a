"""Android windows: whose they are, of what kind, in which order they lie, and what screen they are on.

The sources list one tree per window, in no order that can be relied on (uiautomator2 keeps its roots in a hash set), so
that the kinds of windows decide: system bars lie over keyboards, these over dialogs, these over apps.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import NamedTuple

from pytest_apex.hierarchy.readers.columns import Columns
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.hierarchy.readers.screens import fit, orientation
from pytest_apex.model.geometry import Insets, Rect, Size, union
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import WINDOW_KINDS, AppInFront, Picture, Snapshot, Window

SYSTEM_UI = "com.android.systemui"
_PERMISSIONS = re.compile(r"com\.(?:google\.)?android\.(?:permissioncontroller|packageinstaller)")
#: Apps that are keyboards. Their names have a word for it, but for these few.
_KEYBOARD = re.compile(
    r".*(?:inputmethod|keyboard|honeyboard|\.ime(?:\.|$)).*|com\.touchtype\.swiftkey|com\.baidu\.input\w*",
    re.IGNORECASE,
)
_LAUNCHER = re.compile(r".*launcher.*|com\.miui\.home|com\.teslacoilsw.*|com\.oppo\.home", re.IGNORECASE)

#: Parts of a dialog's title and frame in AOSP's `alert_dialog.xml` and AppCompat's `abc_alert_dialog_material.xml`.
_TITLE_IDS = ("alertTitle", "permission_message")
_DIALOG_IDS = ("android:id/aerr_close", "android:id/aerr_wait")
#: The same with the app's own package in front, where AppCompat or Material brings the dialog.
_DIALOG_PARTS = (":id/alertTitle", ":id/parentPanel")
#: A status bar takes no more than this share of the height (cut-outs and notches included).
_BAR_SHARE = 0.12

#: The strips behind the system bars in the window of an app that does not draw there itself.
_STRIPS = ("android:id/statusBarBackground", "android:id/navigationBarBackground")

_FOCUSED = int(NodeState.FOCUSED)
_RANKS = {kind: rank for rank, kind in enumerate(WINDOW_KINDS)}
_APP_KINDS = ("application", "dialog", "launcher")


class Told(NamedTuple):
    """What a source tells of one window; "" where it tells nothing. `type` is Android's (`TYPE_INPUT_METHOD` …)."""

    app: str
    title: str = ""
    type: str = ""
    focused: bool = False


def lay_out(
    columns: Columns,
    told: Sequence[Told],
    root: Mapping[str, str],
    picture: Picture | None,
    notes: Notes,
    *,
    layered: bool = False,
) -> Snapshot:
    """The snapshot of all windows; `told` has an entry for each topmost node, `root` are the attributes of the
    outermost element. `layered` says that the windows are in their order already, bottom to top."""
    tops = columns.tops
    size, scale = _screen(columns, tops, root, picture, notes)
    windows = [_window(columns, top, one, size) for top, one in zip(tops, told, strict=True)]
    order = sorted(range(len(tops)), key=lambda at: 0 if layered else _RANKS[windows[at].kind])
    if order != list(range(len(tops))):
        columns = columns.reordered([tops[at] for at in order])
        windows = [windows[at] for at in order]
        tops = columns.tops
    front = _in_front(columns, windows, tops)
    windows = [replace(window, index=at, focused=at == front) for at, window in enumerate(windows)]
    window_of = [at for at, top in enumerate(tops) for _ in range(columns.ends[top] - top)]
    if not tops:
        notes.add("the tree is empty")
    turned = root.get("rotation", "")
    rotation = int(turned) if turned in ("0", "1", "2", "3") else 0
    return Snapshot(
        id="",
        taken_at=0.0,
        tree=columns.tree(windows, window_of),
        screen=Screen(
            size,
            scale=scale,
            rotation=rotation,
            insets=_insets(columns, windows, size),
            orientation=orientation(size, rotation),
        ),
        app=AppInFront(windows[front].app if windows else ""),
        picture=picture,
        source="android xml",
        notes=notes.lines(),
    )


def _screen(
    columns: Columns, tops: Sequence[int], root: Mapping[str, str], picture: Picture | None, notes: Notes
) -> tuple[Size, float]:
    """Size and scale: by what the root tells (Appium), else as far as the windows reach, else by the picture."""
    told = [root.get(name, "") for name in ("width", "height")]
    if all(number.isascii() and number.isdigit() and 0 < len(number) < 6 for number in told):
        return fit(Size(float(told[0]), float(told[1])), picture, notes, pixels=True)
    around = union(map(columns.rect, tops))
    if around.is_empty:
        around = union(map(columns.rect, range(len(columns))))
    if around.left > 0 and around.top > 0:  # only a dialog
        if picture is not None and picture.size.width >= around.right and picture.size.height >= around.bottom:
            return picture.size, 1.0
        notes.add("the size of the screen is estimated: only a dialog is in the tree, taken to be in the middle")
        return fit(Size(around.left + around.right, around.top + around.bottom), picture, notes, pixels=True)
    if around.is_empty and picture is None:
        notes.add("the size of the screen is unknown: no window has an area")
    return fit(Size(max(around.right, 0), max(around.bottom, 0)), picture, notes, pixels=True)


def _window(columns: Columns, top: int, told: Told, size: Size) -> Window:
    end = columns.ends[top]
    bounds = columns.rect(top)
    ids = set(columns.identifiers[top:end])
    title = told.title
    for name in ids:
        if name.endswith(_TITLE_IDS):
            title = columns.texts[columns.identifiers.index(name, top, end)]
    kind = _kind(columns.roles[top], told, bounds, size, ids)
    return Window(0, told.app, kind, title, bounds, focused=told.focused)


def _kind(role: str, told: Told, bounds: Rect, size: Size, ids: Set[str]) -> str:
    """The kind of a window, by the role of its outermost node, its owner, its place and the ids in it."""
    app = told.app
    if role == "toast":
        return role
    if app == SYSTEM_UI:
        is_bar = bounds.top <= 0 and 0 < bounds.height <= size.height * _BAR_SHARE
        return "status_bar" if is_bar else "system"
    # A keyboard leaves room above itself; the settings of one don't.
    if told.type == "TYPE_INPUT_METHOD" or (bounds.top > 0 and (role == "keyboard" or _KEYBOARD.fullmatch(app))):
        return "keyboard"
    if role == "dialog" or _PERMISSIONS.fullmatch(app) or _has_dialog(ids) or _floats(bounds, size):
        return "dialog"
    return "launcher" if _LAUNCHER.fullmatch(app) else "application"


def _has_dialog(ids: Set[str]) -> bool:
    return not ids.isdisjoint(_DIALOG_IDS) or any(name.endswith(_DIALOG_PARTS) for name in ids)


def _floats(bounds: Rect, size: Size) -> bool:
    """Whether a window leaves room on both axes; one that ends at a system bar or in a split screen does on one."""
    return not bounds.is_empty and bounds.width < size.width and bounds.height < size.height and bounds.left > 0


def _in_front(columns: Columns, windows: Sequence[Window], tops: Sequence[int]) -> int:
    """The window with the focus: as told, else one with a focused control in it, else the topmost of an app."""
    told = [at for at, window in enumerate(windows) if window.focused]
    if told:
        return told[-1]
    apps = [at for at, window in enumerate(windows) if window.kind in _APP_KINDS]
    for at in reversed(apps):
        if any(states & _FOCUSED for states in set(columns.states[tops[at] : columns.ends[tops[at]]])):
            return at
    return apps[-1] if apps else len(windows) - 1


def _insets(columns: Columns, windows: Sequence[Window], size: Size) -> Insets:
    """Space of the system bars: their windows, or the strips that an app's own window has for them."""
    bars = [window.bounds for window in windows if window.app == SYSTEM_UI]
    bars += [columns.rect(columns.identifiers.index(name)) for name in _STRIPS if name in columns.identifiers]
    left = top = right = bottom = 0.0
    for bar in bars:
        if bar.is_empty:
            continue
        if bar.width >= size.width and bar.height <= size.height * _BAR_SHARE:
            if bar.top <= 0:
                top = max(top, bar.bottom)
            elif bar.bottom >= size.height:
                bottom = max(bottom, size.height - bar.top)
        elif bar.height >= size.height and bar.width <= size.width * _BAR_SHARE:
            if bar.left <= 0:
                left = max(left, bar.right)
            elif bar.right >= size.width:
                right = max(right, size.width - bar.left)
    return Insets(left, top, right, bottom)
