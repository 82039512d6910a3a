"""Which window is in front, and what kind of window it is."""

from __future__ import annotations

import re

from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot, Window

#: Windows that may lie over an app without being in front of it.
_BYSTANDERS = frozenset({"status_bar", "keyboard", "toast"})
#: Ids of home screens: Apple's, and what the home apps of Android's makers have in common.
_HOME = re.compile(
    r"launcher|trebuchet|miui\.home|com\.apple\.(springboard|headboard|pineboard|carousel)", re.IGNORECASE
)
_DIALOGS = frozenset({"dialog", "alert"})
#: Android titles the window before an app's first frame `Splash Screen …`.
_SPLASH = re.compile(r"splash", re.IGNORECASE)


def foreground(look: Snapshot) -> Window | None:
    """The topmost window that belongs to an app, a dialog or the home screen."""
    return next((window for window in reversed(look.windows) if window.kind not in _BYSTANDERS), None)


def is_home(app: str, look: Snapshot | None = None) -> bool:
    """Whether an app is the device's home screen, and shows it: Apple's puts the system's alerts up as well."""
    if look is not None:
        if any(window.kind == "launcher" and window.app == app for window in look.windows):
            return True
        if dialog_of(look, app) is not None:
            return False
    return bool(_HOME.search(app))


def dialog_of(look: Snapshot, app: str) -> Node | None:
    """The topmost visible dialog in the windows of an app; of any app that is not named, if `app` is ""."""
    for node in reversed(look.nodes):
        if not node.visible or (app and node.window.app not in ("", app)):
            continue
        if node.role in _DIALOGS or (node.window.kind == "dialog" and node.parent is None):
            return node
    return None


def is_splash(window: Window) -> bool:
    """Whether a window is shown in place of an app that has drawn nothing yet."""
    return bool(_SPLASH.search(f"{window.title} {window.activity}"))
