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
