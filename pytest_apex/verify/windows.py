"""Which window is in front, and what kind of window it is."""

from __future__ import annotations

import re

from pytest_apex.model.snapshot import Snapshot, Window

#: Windows that may lie over an app without being in front of it.
_BYSTANDERS = frozenset({"status_bar", "keyboard", "toast"})
#: Ids of home screens: Apple's, and what the home apps of Android's makers have in common.
_HOME = re.compile(r"springboard|launcher|carousel|pineboard|miui\.home|\.home$|trebuchet", re.IGNORECASE)
#: Android titles the window before an app's first frame `Splash Screen …`.
_SPLASH = re.compile(r"splash", re.IGNORECASE)


def foreground(look: Snapshot) -> Window | None:
    """The topmost window that belongs to an app, a dialog or the home screen."""
    return next((window for window in reversed(look.windows) if window.kind not in _BYSTANDERS), None)


def is_home(app: str, look: Snapshot | None = None) -> bool:
    """Whether an app is the device's home screen."""
    shown = look is not None and any(window.kind == "launcher" and window.app == app for window in look.windows)
    return shown or bool(app and _HOME.search(app))


def is_splash(window: Window) -> bool:
    """Whether a window is shown in place of an app that has drawn nothing yet."""
    return bool(_SPLASH.search(f"{window.title} {window.activity}"))
