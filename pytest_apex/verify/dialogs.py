"""System dialogs, recognised by window and resource id in any language (see the rubric's rules 1 and 4).

Ids of Android's crash and ANR dialogs: AOSP `frameworks/base/core/res/res/layout/app_error_dialog.xml` (`aerr_close`,
`aerr_wait`, …).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot, Window

PERMISSION_APPS = frozenset(
    {
        "com.android.permissioncontroller",
        "com.google.android.permissioncontroller",
        "com.android.packageinstaller",
        "com.google.android.packageinstaller",
    }
)
#: What shows the alerts of Apple's systems.
_APPLE_SYSTEMS = frozenset(
    {"com.apple.springboard", "com.apple.PineBoard", "com.apple.HeadBoard", "com.apple.Carousel"}
)
_APPLE_DENIES = frozenset({"Don’t Allow", "Don't Allow"})
_ERROR_IDS = ("android:id/aerr_close", "android:id/aerr_wait", "android:id/aerr_app_info", "android:id/aerr_restart")


@dataclass(frozen=True, slots=True)
class ErrorDialog:
    """A crash (`crash`) or freeze (`anr`) dialog of the system; `title` tells whose it is."""

    window: Window
    kind: str
    title: str


def _nodes_of(snapshot: Snapshot, window: Window) -> Iterator[Node]:
    return (node for node in snapshot.nodes if node.window.index == window.index)


def permission_dialog(snapshot: Snapshot) -> Window | None:
    """The window that asks for a permission, if one is open."""
    for window in reversed(snapshot.windows):
        if window.app in PERMISSION_APPS or any(
            node.identifier.endswith(("permission_allow_button", "permission_allow_foreground_only_button"))
            for node in _nodes_of(snapshot, window)
        ):
            return window
    return None


@dataclass(frozen=True, slots=True)
class PermissionAlert:
    """An alert of one of Apple's systems that asks for a permission, and its two answers."""

    allow: Node
    deny: Node


def permission_alert(snapshot: Snapshot, label: str) -> PermissionAlert | None:
    """The alert that asks a permission for the app of this name, if one is open. It has no ids: it is the system's, its
    title has the app's name in it, and it has two or three buttons. The one that denies is told by its English words,
    else by its place: the left one of a row, the last one of a column (UIAlertController puts the cancelling one
    there). Of two that allow ("Once", "While Using the App") the second is taken."""
    for window in reversed(snapshot.windows):
        if window.app not in _APPLE_SYSTEMS or not label:
            continue
        nodes = [node for node in _nodes_of(snapshot, window) if node.visible]
        buttons = [node for node in nodes if node.role == "button" and node.name]
        if len(buttons) not in (2, 3) or not any(node.role == "text" and label in node.name for node in nodes):
            continue
        buttons.sort(key=lambda node: (node.bounds.top, node.bounds.left))
        row = buttons[0].bounds.top == buttons[-1].bounds.top
        deny = next((one for one in buttons if one.name in _APPLE_DENIES), buttons[0] if row else buttons[-1])
        return PermissionAlert([one for one in buttons if one is not deny][-1], deny)
    return None


def has_apple_alert(snapshot: Snapshot) -> bool:
    """Whether an alert of one of Apple's systems is open: the app that it is over is then in no tree."""
    return any(node.role == "alert" and node.window.app in _APPLE_SYSTEMS for node in snapshot.nodes)


def error_dialog(snapshot: Snapshot) -> ErrorDialog | None:
    """The system's crash or ANR dialog on top, if one is open."""
    for window in reversed(snapshot.windows):
        nodes = list(_nodes_of(snapshot, window))
        ids = {node.identifier for node in nodes}
        if not ids.intersection(_ERROR_IDS):
            continue
        titles = [node.text for node in nodes if node.identifier == "android:id/alertTitle"]
        kind = "anr" if "android:id/aerr_wait" in ids else "crash"
        return ErrorDialog(window, kind, titles[0] if titles else window.title)
    return None


def names_app(dialog: ErrorDialog, app: str, label: str) -> bool:
    """Whether the dialog's title is about `app`, by its id or label (the title holds one of them, in any language).

    "Notes Pro keeps stopping" is not about an app called "Notes": a capital or digit in the next word says that the
    name goes on there.
    """
    return any(_named(dialog.title, name) for name in (app, label) if name)


def _named(title: str, name: str) -> bool:
    for found in re.finditer(rf"(?<![A-Za-z0-9_.]){re.escape(name)}(?![A-Za-z0-9_]|\.\w)", title, re.IGNORECASE):
        following = title[found.end() :].lstrip()
        spaced = title[found.end() : found.end() + 1].isspace()
        if not (spaced and following and (following[0].isupper() or following[0].isdigit())):
            return True
    return False
