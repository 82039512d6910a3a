"""What differs between the platforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.backends.base import CAPABILITIES
from pytest_apex.errors import CapabilityMissing, ConfigError
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.node import ROLES, NodeState
from pytest_apex.model.screen import PLATFORMS as NAMES
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.phone.platforms import PLATFORMS
from pytest_apex.records import read_crash_evidence

NOTES = "com.example.notes"
TAP = Track("tap", (Stroke(0, (Sample(0, 10, 10), Sample(50, 10, 10))),))


def test_all_platforms_are_there_and_claim_known_capabilities() -> None:
    assert tuple(PLATFORMS) == NAMES
    for platform in PLATFORMS.values():
        assert platform.capabilities <= CAPABILITIES
        assert set(platform.classes) <= ROLES


def test_an_unknown_platform_is_refused(notes_app: AppFile) -> None:
    with pytest.raises(ConfigError, match="unknown platform 'andriod'; did you mean"):
        Phone([notes_app], platform="andriod")


@pytest.mark.parametrize(
    ("platform", "units", "pixels", "scale"),
    [
        ("android", (540, 1200), (540, 1200), 1.0),
        ("ios", (360, 800), (720, 1600), 2.0),
        ("tvos", (1280, 720), (1280, 720), 1.0),
        ("watchos", (198, 242), (396, 484), 2.0),
    ],
)
def test_units_of_the_tree_and_pixels_of_the_picture(
    drive: Callable[..., Any], platform: str, units: tuple[int, int], pixels: tuple[int, int], scale: float
) -> None:
    driver = drive(platform=platform)
    driver.start()
    screen = driver.phone.screen()
    assert (screen.size.width, screen.size.height) == units
    assert driver.phone.frame().pixel_size == pixels
    assert screen.scale == scale
    assert all(role in ROLES for role in driver.phone.tree().roles)
    assert screen.bounds.encloses(driver.node("email").bounds) or platform == "watchos"


def test_ios_speaks_apples_words(drive: Callable[..., Any]) -> None:
    driver = drive(platform="ios")
    driver.start()
    root = driver.nodes()[0]
    assert (root.role, root.label, root.class_name) == ("application", "Notes", "XCUIElementTypeApplication")
    assert driver.node("password").class_name == "XCUIElementTypeSecureTextField"
    assert driver.node("log_in").label == "Log in"
    assert driver.node("email").hint == "E-mail"


def test_ios_lists_rows_below_the_fold_as_not_visible(drive: Callable[..., Any]) -> None:
    android, ios = drive(), drive(platform="ios")
    for driver in (android, ios):
        driver.start("com.example.gallery")
        driver.tap("open_rows")
    assert not android.has("Fifteen")
    row = ios.node("Fifteen")
    assert not row.has(NodeState.VISIBLE)
    assert row.bounds.height > 0
    assert ios.node("One").has(NodeState.VISIBLE)


def test_a_switch_of_apple_has_a_value(drive: Callable[..., Any]) -> None:
    driver = drive(platform="ios")
    driver.start("com.example.gallery")
    assert driver.node("dark").value == "0"
    driver.tap("dark")
    assert driver.node("dark").value == "1"
    assert driver.node("bar").value == "40"


def test_on_ios_a_crashed_app_just_vanishes_and_leaves_a_report(drive: Callable[..., Any]) -> None:
    driver = drive("crash_on_tap", platform="ios")
    driver.open("open_settings", "about")
    assert driver.phone.app_state(NOTES) == ("not_running", 0)
    assert driver.phone.in_front().id == "com.apple.springboard"
    assert "Notes" in driver.texts()  # the icon on the home screen
    log, report = driver.phone.crash_texts(NOTES)
    assert "domain:signal(2) code:SIGABRT(6)" in log
    assert report.startswith('{"app_name": "Notes"')
    assert driver.phone.crash_texts(NOTES, driver.now) == []
    assert driver.phone.crash_texts("com.example.gallery") == [log]


def test_on_ios_no_dialog_tells_of_an_app_that_hangs_but_the_watchdog_ends_it(drive: Callable[..., Any]) -> None:
    driver = drive("anr", platform="ios")
    driver.open("open_sync", "sync_now")
    before = driver.phone.frame().key
    driver.wait(9)
    assert driver.phone.frame().key == before
    assert driver.phone.app_state(NOTES)[0] == "foreground"
    driver.wait(2)
    assert driver.phone.app_state(NOTES) == ("not_running", 0)
    assert driver.phone.in_front().id == "com.apple.springboard"
    records = [record for text in driver.phone.crash_texts(NOTES) for record in read_crash_evidence(text, app=NOTES)]
    assert {record.way for record in records} == {"anr"}


def test_ios_asks_for_permissions_in_its_own_words(drive: Callable[..., Any]) -> None:
    driver = drive("permission_dialog", platform="ios")
    driver.open("open_sync")
    assert driver.has("“Notes” Would Like to Send you notifications")
    assert driver.node("dialog" if driver.has("dialog") else "Allow").window.app == "com.apple.springboard"
    driver.tap("Don’t Allow")
    assert driver.has("sync_now")


def test_tvos_has_a_focus_and_a_remote_but_no_touch(drive: Callable[..., Any]) -> None:
    driver = drive(platform="tvos")
    driver.start("com.example.gallery")
    with pytest.raises(CapabilityMissing, match="tvos"):
        driver.phone.touch(TAP)
    assert not driver.phone.type_text("x")
    for _ in range(8):
        driver.phone.press("down")
        focused = [node for node in driver.nodes() if node.has(NodeState.FOCUSED)]
        assert len(focused) == 1
        if focused[0].identifier == "open_rows":
            break
    driver.phone.press("select")
    driver.wait(0.5)
    assert driver.has("rows")
    driver.phone.press("menu")
    driver.wait(0.5)
    assert driver.has("pad")
    driver.phone.press("home")
    assert driver.phone.in_front().id == "com.apple.HeadBoard"


def test_a_watch_can_be_tapped_and_its_crown_leads_home(drive: Callable[..., Any]) -> None:
    driver = drive(platform="watchos")
    driver.start("com.example.gallery")
    driver.swipe((100, 200), (100, 80), rest_ms=200)
    assert driver.node("last").bounds.top < 0
    with pytest.raises(CapabilityMissing, match="can't do 'type'"):
        driver.phone.type_text("x")
    driver.phone.press("crown")
    assert driver.phone.in_front().label == "Home"
