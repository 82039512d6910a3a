"""Processes, their ends, and what the phone writes down of them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.errors import ConfigError

NOTES = "com.example.notes"
GALLERY = "com.example.gallery"
THREADTIME = re.compile(r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3} +\d+ +\d+ [VDIWEF] .{8,}: .*|\s*")


def test_a_launch_gives_a_pid_at_once_and_a_window_later(drive: Callable[..., Any]) -> None:
    driver = drive()
    pid = driver.phone.launch(NOTES)
    assert driver.phone.app_state(NOTES) == ("foreground", pid)
    splash = driver.nodes()[0].window
    assert (splash.app, splash.pid, splash.title) == (NOTES, pid, f"Splash Screen {NOTES}")
    assert driver.texts() == []
    driver.wait(0.39)
    assert driver.texts() == []
    driver.wait(0.02)
    assert driver.has("log_in")
    assert driver.nodes()[0].window.pid == pid


def test_pids_are_never_used_twice(drive: Callable[..., Any]) -> None:
    driver = drive()
    pids = []
    for _ in range(30):
        pids.append(driver.phone.launch(NOTES))
        driver.phone.stop(NOTES)
    assert len(set(pids)) == 30


def test_a_running_app_is_brought_to_the_front_not_started_again(drive: Callable[..., Any]) -> None:
    driver = drive()
    pid = driver.start(NOTES)
    driver.tap("email")
    driver.phone.press("home")
    assert driver.phone.app_state(NOTES) == ("background", pid)
    assert driver.phone.in_front().id == "com.google.android.apps.nexuslauncher"
    driver.phone.activate(NOTES)
    assert driver.phone.app_state(NOTES) == ("foreground", pid)
    assert driver.has("log_in")


def test_the_home_screen_starts_apps(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.tap("Gallery", wait=1)
    assert driver.phone.in_front().id == GALLERY


def test_one_app_opens_another_and_back_leads_home(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start(GALLERY)
    driver.tap("elsewhere", wait=1)
    assert driver.phone.in_front().id == NOTES
    assert driver.phone.app_state(GALLERY)[0] == "background"
    driver.phone.press("back")
    assert driver.phone.in_front().label == "Home"


def test_an_app_that_is_not_installed_is_named(drive: Callable[..., Any]) -> None:
    phone = drive().phone
    assert phone.app_state("com.example.gone") == ("not_installed", 0)
    with pytest.raises(ConfigError, match=r"'com.example.gone' is not installed"):
        phone.launch("com.example.gone")


def test_opening_an_app_that_is_not_installed_crashes_as_on_android(run_app: Callable[..., Any]) -> None:
    driver = run_app(
        "app: com.example.a\nname: A\nstart: s\n"
        "screens: {s: {controls: [{role: button, text: Go, on_tap: {open: com.example.gone}}]}}\n"
    )
    driver.tap("Go")
    assert driver.has("A keeps stopping")
    assert "android.content.ActivityNotFoundException" in driver.phone.log_text()


def test_a_new_process_begins_with_the_data_of_the_file(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("Piano", "archive_note")
    assert driver.has("7 notes")
    driver.phone.stop(NOTES)
    driver.log_in()
    assert driver.has("8 notes")


def test_stored_variables_outlive_the_process_until_data_is_cleared(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start(GALLERY)
    driver.tap("dark")
    light = driver.phone.frame().key
    driver.phone.stop(GALLERY)
    driver.start(GALLERY)
    assert driver.has("Last: nothing")
    from pytest_apex.model.node import NodeState

    assert driver.node("dark").has(NodeState.CHECKED)
    driver.phone.clear_data(GALLERY)
    driver.start(GALLERY)
    assert not driver.node("dark").has(NodeState.CHECKED)
    assert driver.phone.frame().key != light


def test_arguments_and_environment_reach_the_app_for_that_launch(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.phone.launch(GALLERY, ["--demo", "x"], {"MODE": "fast"})
    driver.wait(1)
    assert driver.has("Last: --demo x")
    assert driver.has("Mode: fast")
    assert "System.out: started with --demo x" in driver.phone.log_text()
    driver.phone.stop(GALLERY)
    driver.start(GALLERY)
    assert driver.has("Last: nothing")
    assert not driver.has("mode")


def test_every_line_of_the_log_has_logcats_form(drive: Callable[..., Any]) -> None:
    driver = drive("crash_on_tap")
    driver.open("open_settings", "about")
    driver.phone.stop(NOTES)
    lines = driver.phone.log_text().splitlines()
    assert len(lines) > 10
    assert [line for line in lines if not THREADTIME.fullmatch(line)] == []
    assert lines[0].startswith("03-02 09:41:00.000  1523 ")


def test_the_log_goes_on_where_a_reader_stopped(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start()
    mark, since = driver.phone.log.count, driver.now + 0.001
    driver.wait(1)
    driver.phone.stop(NOTES)
    rest = driver.phone.log.from_line(mark)
    assert "am_kill" in rest
    assert "am_proc_start" not in rest
    assert driver.phone.log.from_time(since) == rest
    assert driver.phone.log.from_line(0) == driver.phone.log_text()


def test_a_crash_takes_the_process_and_shows_the_systems_dialog(drive: Callable[..., Any]) -> None:
    driver = drive()
    pid = driver.start(GALLERY)
    driver.tap("break")
    assert driver.phone.app_state(GALLERY) == ("not_running", 0)
    assert driver.phone.in_front().id == "android"
    ids = {node.identifier for node in driver.nodes()}
    assert {"android:id/alertTitle", "android:id/aerr_close", "android:id/aerr_app_info"} <= ids
    assert driver.node("android:id/alertTitle").text == "Gallery keeps stopping"
    assert {node.window.app for node in driver.nodes()} == {"android", "com.android.systemui"}
    log = driver.phone.log_text()
    assert f"{pid:5d} {pid:5d} E AndroidRuntime: FATAL EXCEPTION: main" in log
    assert f"AndroidRuntime: Process: {GALLERY}, PID: {pid}" in log
    assert "java.lang.IllegalStateException: broken by nothing" in log
    assert f"am_crash: [0,{pid},{GALLERY}," in log
    assert f"am_proc_died: [0,{pid},{GALLERY}," in log
    assert f"pid={pid} " in driver.phone.exit_info(GALLERY)
    assert "reason=4 (APP CRASH(EXCEPTION))" in driver.phone.exit_info(GALLERY)
    driver.tap("Close app")
    assert driver.phone.in_front().label == "Home"


def test_a_stop_from_outside_is_on_record_as_asked_for(drive: Callable[..., Any]) -> None:
    driver = drive()
    pid = driver.start()
    driver.phone.stop(NOTES)
    driver.phone.stop(NOTES)
    assert driver.phone.in_front().label == "Home"
    assert f"am_kill : [0,{pid},{NOTES},0,stop {NOTES}" in driver.phone.log_text()
    info = driver.phone.exit_info(NOTES)
    assert info.count("ApplicationExitInfo #") == 1
    assert "reason=10 (USER REQUESTED)" in info


def test_a_frozen_app_answers_no_touch_and_the_system_tells_after_five_seconds(drive: Callable[..., Any]) -> None:
    driver = drive("anr")
    driver.open("open_sync")
    pid = driver.phone.app_state(NOTES)[1]
    driver.tap("sync_now", wait=0)
    frozen = driver.phone.frame().key
    driver.phone.press("back")
    driver.wait(4.9)
    assert driver.phone.frame().key == frozen
    driver.wait(0.2)
    assert driver.node("android:id/alertTitle").text == "Notes isn't responding"
    assert driver.phone.app_state(NOTES) == ("foreground", pid)
    assert f"am_anr  : [0,{pid},{NOTES}," in driver.phone.log_text()
    driver.tap("android:id/aerr_wait")
    assert driver.has("sync_now")
    driver.tap("sync_now", wait=5.1)
    driver.tap("android:id/aerr_close")
    assert driver.phone.app_state(NOTES) == ("not_running", 0)
    assert "reason=6 (ANR)" in driver.phone.exit_info(NOTES)


def test_permissions_are_asked_once_and_remembered(drive: Callable[..., Any]) -> None:
    driver = drive("permission_dialog")
    driver.open("open_sync")
    window = driver.nodes()[0].window
    assert (window.app, window.kind) == ("com.google.android.permissioncontroller", "system")
    assert {node.window.app for node in driver.nodes()} == {window.app, "com.android.systemui"}
    assert driver.phone.in_front().id == window.app
    driver.tap("com.android.permissioncontroller:id/permission_deny_button")
    driver.phone.press("back")
    driver.wait(0.5)
    driver.tap("open_sync")
    assert driver.has("sync_now")
    driver.phone.clear_data(NOTES)
    driver.open("open_sync")
    assert driver.has("Allow")


@pytest.mark.parametrize("permission", ["notifications", "*"])
def test_a_permission_granted_before_is_not_asked_for(drive: Callable[..., Any], permission: str) -> None:
    driver = drive("permission_dialog")
    driver.phone.set_permission(NOTES, permission, True)
    driver.open("open_sync")
    assert driver.has("sync_now")
