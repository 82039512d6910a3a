"""What lies over an app that was launched: a dialog of another is to be answered, a bar of the system is none."""

from __future__ import annotations

import pytest

from pytest_apex.device.acting.launching import is_up
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

APP = "com.example.notes"


def shown(*windows: Window, role: str = "group") -> Snapshot:
    """Windows with nothing in them but one part that takes all of it."""
    tree = TreeBuilder()
    for window in windows:
        tree.window(window)
        tree.leaf(role, window.bounds)
    return Snapshot("x", 0.0, tree.build(), Screen(Size(540, 1200)), AppInFront(APP))


@pytest.mark.parametrize(
    ("window", "up"),
    [
        (Window(0, "com.android.systemui", "system", bounds=Rect(0, 1152, 540, 1200)), False),
        (Window(0, "com.android.systemui", "status_bar", bounds=Rect(0, 0, 540, 36)), False),
        (Window(0, "com.android.permissioncontroller", "dialog", bounds=Rect(40, 700, 500, 1100)), True),
        (Window(0, "android", "system", bounds=Rect(0, 0, 540, 1200)), True),
        (Window(0, APP, "dialog", bounds=Rect(40, 700, 500, 1100)), False),
    ],
)
def test_an_empty_app_is_up_only_under_what_asks(window: Window, up: bool) -> None:
    app = Window(0, APP, bounds=Rect(0, 0, 540, 1200))
    assert is_up(shown(app, window), APP) is up


@pytest.mark.parametrize(
    ("owner", "role", "up"),
    [
        ("com.apple.springboard", "alert", True),
        ("com.apple.springboard", "group", False),  # the home screen
        (APP, "alert", False),  # which shows nothing
    ],
)
def test_an_alert_of_apples_system_hides_the_app_that_it_is_over(owner: str, role: str, up: bool) -> None:
    assert is_up(shown(Window(0, owner, bounds=Rect(0, 0, 360, 800)), role=role), APP) is up
