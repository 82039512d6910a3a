"""Each fault beside the phone without it. What tests make of them is judged elsewhere; here is what they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pytest_apex.errors import ConfigError
from pytest_apex.model.node import NodeState
from pytest_apex.phone.faults import KNOWN_FAULTS
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone

NOTES = "com.example.notes"
Twins = Callable[..., tuple[Any, Any]]


@pytest.fixture
def twins(drive: Callable[..., Any]) -> Twins:
    """Two phones, one with the fault and one without, both taken along the same way."""

    def make(fault: str, *way: str) -> tuple[Any, Any]:
        faulty, clean = drive(fault), drive()
        for driver in (faulty, clean):
            driver.open(*way)
        return faulty, clean

    return make


def test_an_unknown_fault_lists_all_known(notes_app: AppFile) -> None:
    with pytest.raises(ConfigError, match="unknown fault 'dead_buton'; did you mean") as caught:
        Phone([notes_app], fault="dead_buton")
    assert all(name in caught.value.seen for name in KNOWN_FAULTS)


def test_a_fault_without_a_place_lists_the_placed(gallery_app: AppFile) -> None:
    with pytest.raises(ConfigError, match=r"'dead_button' has no place in gallery\.yaml") as caught:
        Phone([gallery_app], fault="dead_button")
    assert caught.value.seen == "placed in gallery.yaml: none"
    assert "dead_button: {control: …}" in caught.value.cure


def test_the_innocent_ones_are_marked() -> None:
    innocent = {name for name, kind in KNOWN_FAULTS.items() if kind.innocent}
    assert innocent == {
        "blinking_caret", "disabled_until_complete", "driver_restart", "empty_list", "killed_in_background",
        "lost_touch", "other_app_anr", "other_app_crash", "permission_dialog", "reconnect", "restart_by_test",
        "slow_load", "stray_touch", "ticking_clock", "video",
    }  # fmt: skip


def test_a_fault_changes_nothing_but_its_own_place(twins: Twins) -> None:
    for fault in ("dead_button", "covered_button", "text_overlap", "blank", "crash_on_tap", "lost_touch"):
        faulty, clean = twins(fault)
        assert faulty.phone.frame().key == clean.phone.frame().key


def test_dead_button(twins: Twins) -> None:
    faulty, clean = twins("dead_button", "new_note", "title")
    for driver in (faulty, clean):
        driver.phone.type_text("Tea")
    before = faulty.phone.frame().key
    assert faulty.node("save").has(NodeState.CLICKABLE | NodeState.ENABLED)
    faulty.tap("save")
    clean.tap("save")
    assert faulty.phone.frame().key == before
    assert clean.has("9 notes")


def test_wrong_destination(twins: Twins) -> None:
    faulty, clean = twins("wrong_destination", "open_settings", "privacy")
    assert faulty.has("version")
    assert clean.has("What we know")


def test_missing_data(twins: Twins) -> None:
    faulty, clean = twins("missing_data")
    assert [text for text in clean.texts() if text not in faulty.texts()] == [
        "Train to Bergen",
        "Leaves 7:12, platform 4",
    ]
    assert faulty.has("8 notes")


def test_wrong_value(twins: Twins) -> None:
    faulty, clean = twins("wrong_value")
    assert (faulty.node("count").text, clean.node("count").text) == ("7 notes", "8 notes")


def test_endless_load_and_slow_load(drive: Callable[..., Any]) -> None:
    slow, endless, clean = drive("slow_load"), drive("endless_load"), drive()
    for driver in (slow, endless, clean):
        driver.open("open_sync")
        driver.tap("sync_now", wait=2)
    assert clean.has("Synced 8 notes")
    for driver in (slow, endless):
        assert driver.has("sync_progress")
        driver.wait(7)
    assert slow.has("Synced 8 notes")
    endless.wait(600)
    assert endless.has("sync_progress")


def test_covered_button(twins: Twins) -> None:
    faulty, clean = twins("covered_button", "Piano")
    assert faulty.phone.frame().key == clean.phone.frame().key
    button = faulty.node("archive_note")
    cover = next(node for node in faulty.nodes() if node.has(NodeState.OPAQUE_TO_TOUCH))
    assert cover.bounds == button.bounds
    assert cover.index > button.index
    assert not cover.is_inside(button)
    faulty.tap("archive_note")
    clean.tap("archive_note")
    assert faulty.has("note_title")
    assert clean.has("7 notes")


def test_text_overlap(twins: Twins) -> None:
    faulty, clean = twins("text_overlap", "open_settings", "about")
    for driver, overlaps in ((faulty, True), (clean, False)):
        common = driver.node("tagline").bounds.intersect(driver.node("version").bounds)
        assert (not common.is_empty and common.height > 6 and common.width > 6) is overlaps
    assert faulty.node("licences").bounds == clean.node("licences").bounds


def test_cut_label_cuts_within_a_letter(twins: Twins) -> None:
    faulty, clean = twins("cut_label", "open_settings")
    cut, whole = faulty.node("storage"), clean.node("storage")
    assert cut.text == whole.text
    assert 0.4 < cut.bounds.width / whole.bounds.width < 0.6
    picture = clean.phone.frame().pixels()
    box = cut.bounds
    background = picture.getpixel((int(box.left) - 5, int(box.top)))

    def ink(x: int) -> int:
        column = [picture.getpixel((x, y)) for y in range(int(box.top), int(box.bottom))]
        return sum(abs(pixel[0] - background[0]) > 60 for pixel in column)

    # The stroke at the edge goes on in the uncut text: what is left is no whole letter.
    assert ink(int(box.right) - 1) >= 6
    assert ink(int(box.right)) >= 6
    shown = faulty.phone.frame().pixels()
    assert shown.getpixel((int(box.right), int(box.center.y))) == background


def test_off_screen(twins: Twins) -> None:
    faulty, clean = twins("off_screen", "open_settings", "about")
    screen = faulty.phone.screen().bounds
    assert not screen.encloses(faulty.node("licences").bounds)
    assert screen.encloses(clean.node("licences").bounds)


def test_wrong_color(twins: Twins) -> None:
    faulty, clean = twins("wrong_color", "new_note", "title")
    for driver, color in ((faulty, (0xB8, 0x57, 0x00)), (clean, (0x00, 0x57, 0xB8))):
        driver.phone.type_text("Tea")
        box = driver.node("save").bounds
        assert driver.phone.frame().pixels().getpixel((int(box.left) + 30, int(box.center.y))) == color


def test_misaligned(twins: Twins) -> None:
    faulty, clean = twins("misaligned")
    for driver, lefts in ((faulty, [24, 24, 24, 36, 24, 24, 24, 24]), (clean, [24] * 8)):
        assert [node.bounds.left for node in driver.all("note_row")] == lefts


def test_blank(twins: Twins) -> None:
    faulty, clean = twins("blank", "open_settings", "archive")
    own = [node for node in faulty.nodes() if node.window.app == NOTES]
    assert len(own) < 3
    assert clean.has("nothing_archived")
    area = faulty.phone.frame().pixels().crop((0, 36, 540, 1164))
    assert len(area.getcolors()) == 1
    assert faulty.phone.app_state(NOTES)[0] == "foreground"


def test_unresolved_text(twins: Twins) -> None:
    faulty, clean = twins("unresolved_text", "open_settings")
    assert faulty.node("account").text == "{{user.name}}"
    assert clean.node("account").text == "Signed in as ada@example.com"


def test_crash_on_tap(twins: Twins) -> None:
    faulty, clean = twins("crash_on_tap", "open_settings", "about")
    assert faulty.phone.app_state(NOTES) == ("not_running", 0)
    assert faulty.has("Notes keeps stopping")
    assert clean.has("version")


def test_anr(twins: Twins) -> None:
    faulty, clean = twins("anr", "open_sync", "sync_now")
    faulty.wait(5)
    clean.wait(5)
    assert faulty.has("Notes isn't responding")
    assert clean.has("Synced 8 notes")


def test_anr_no_dialog_leaves_a_line_of_the_log_and_no_tree(twins: Twins) -> None:
    faulty, clean = twins("anr_no_dialog", "open_sync", "sync_now")
    for driver in (faulty, clean):
        driver.wait(5)
    assert "ANR in com.example.notes" in faulty.phone.log_text()
    assert faulty.phone.machine.dialog is None
    assert faulty.phone.app_state(NOTES)[0] == "foreground"
    assert [window.kind for window in faulty.phone.tree().windows] == ["status_bar"]
    assert clean.has("Synced 8 notes")


def test_native_crash(twins: Twins) -> None:
    faulty, clean = twins("native_crash", "open_settings", "privacy")
    assert faulty.has("Notes keeps stopping")
    assert ">>> com.example.notes <<<" in faulty.phone.log_text()
    assert "reason=5 (APP CRASH(NATIVE))" in faulty.phone.exit_info(NOTES)
    assert clean.has("What we know")


def test_low_memory_kill(twins: Twins) -> None:
    faulty, clean = twins("low_memory_kill", "Piano", "delete", "confirm_delete")
    assert faulty.phone.in_front().label == "Home"
    assert "lowmemorykiller: Kill 'com.example.notes'" in faulty.phone.log_text()
    assert "reason=3 (LOW_MEMORY)" in faulty.phone.exit_info(NOTES)
    assert clean.has("7 notes")


@pytest.mark.parametrize(("fault", "way"), [("native_crash", "privacy"), ("low_memory_kill", "Piano")])
def test_deaths_on_apples_side(drive: Callable[..., Any], fault: str, way: str) -> None:
    driver = drive(fault, "ios")
    driver.open(*(("open_settings", way) if fault == "native_crash" else (way, "delete", "confirm_delete")))
    assert driver.phone.in_front().label == "Home"
    assert driver.phone.machine.dialog is None
    reports = "".join(driver.phone.crash_texts(NOTES))
    assert ("EXC_BAD_ACCESS" in reports) is (fault == "native_crash")
    assert ("memorystatus: killing" in driver.phone.log_text()) is (fault == "low_memory_kill")


def test_error_dialog(twins: Twins) -> None:
    faulty, clean = twins("error_dialog", "new_note", "title")
    for driver in (faulty, clean):
        driver.phone.type_text("Tea")
        driver.tap("save")
    assert faulty.has("The note could not be saved. Try again later.")
    faulty.tap("close_error")
    assert faulty.has("cancel")
    assert clean.has("9 notes")


def test_silent_exit(twins: Twins) -> None:
    faulty, clean = twins("silent_exit", "open_settings", "log_out")
    assert faulty.phone.app_state(NOTES) == ("not_running", 0)
    assert faulty.phone.in_front().label == "Home"
    assert "reason=1 (EXIT_SELF)" in faulty.phone.exit_info(NOTES)
    assert "FATAL" not in faulty.phone.log_text()
    assert clean.has("log_in")


def test_endless_animation_moves_tree_and_pixels_for_ever(twins: Twins) -> None:
    faulty, clean = twins("endless_animation", "open_sync")
    for driver, moves in ((faulty, True), (clean, False)):
        for _ in range(30):
            left, key = driver.node("sync_card").bounds.left, driver.phone.frame().key
            driver.wait(0.1)
            assert (driver.node("sync_card").bounds.left != left) is moves
            assert (driver.phone.frame().key != key) is moves


def test_device_lost_for_ever_and_reconnect_after_two_seconds(drive: Callable[..., Any]) -> None:
    lost, back = drive("device_lost"), drive("reconnect")
    lost.open("open_settings")
    assert lost.phone.connected
    lost.tap("privacy", wait=600)
    assert not lost.phone.connected
    back.log_in()
    back.tap("open_settings", wait=1.9)
    assert not back.phone.connected
    back.wait(0.2)
    assert back.phone.connected
    back.phone.press("back")
    back.wait(0.5)
    back.tap("open_settings")
    assert back.phone.connected  # only the first time


def test_driver_dead_for_ever_and_driver_restart_once(drive: Callable[..., Any]) -> None:
    dead, back = drive("driver_dead"), drive("driver_restart")
    dead.open("open_settings", "privacy")
    assert (dead.phone.driver_alive, dead.phone.connected) == (False, True)
    assert not dead.phone.restart_driver()
    assert dead.phone.app_state(NOTES)[0] == "foreground"
    back.open("new_note")
    assert not back.phone.driver_alive
    assert back.phone.restart_driver()
    back.tap("cancel")
    back.tap("new_note")
    assert back.phone.driver_alive  # only the first time


def test_secure_picture_of_one_screen(twins: Twins) -> None:
    faulty, clean = twins("secure_picture", "open_settings")
    assert faulty.phone.tree().texts == clean.phone.tree().texts
    middle = (270, 600)
    assert faulty.phone.frame().pixels().getpixel(middle) == (0, 0, 0)
    assert clean.phone.frame().pixels().getpixel(middle) != (0, 0, 0)
    for driver in (faulty, clean):
        driver.tap("privacy")
    assert faulty.phone.frame().key == clean.phone.frame().key


@pytest.mark.parametrize(
    ("fault", "way", "title"),
    [
        ("other_app_crash", ("open_settings", "archive"), "Calendar keeps stopping"),
        ("other_app_anr", ("open_settings", "about"), "Weather isn't responding"),
    ],
)
def test_other_app_crash_and_other_app_anr(twins: Twins, fault: str, way: Sequence[str], title: str) -> None:
    faulty, clean = twins(fault, *way)
    assert faulty.has(title)
    faulty.tap("android:id/aerr_close")
    assert faulty.phone.tree().texts == clean.phone.tree().texts
    assert faulty.phone.app_state(NOTES)[0] == "foreground"
    faulty.phone.press("back")
    faulty.wait(1)
    faulty.tap(way[-1], wait=2)
    assert not faulty.has(title)  # only the first time


def test_stale_tree_until_another_screen_opens(twins: Twins) -> None:
    faulty, clean = twins("stale_tree", "open_settings")
    for driver in (faulty, clean):
        driver.phone.tree()  # somebody looked
        driver.tap("about")
    assert faulty.phone.frame().key == clean.phone.frame().key
    assert faulty.has("log_out")
    assert not clean.has("log_out")
    for driver in (faulty, clean):
        driver.phone.press("back")
        driver.wait(1)
    assert faulty.phone.tree().texts == clean.phone.tree().texts


def test_blind_tree_beside_a_full_picture(twins: Twins) -> None:
    faulty, clean = twins("blind_tree", "open_settings")
    assert faulty.phone.tree().texts == clean.phone.tree().texts
    for driver in (faulty, clean):
        driver.tap("archive")
    assert faulty.phone.frame().key == clean.phone.frame().key
    node, *more = faulty.nodes()
    assert more == []
    assert (node.text, node.window.app, node.bounds) == ("", "android", faulty.phone.screen().bounds)
    faulty.phone.press("back")
    faulty.wait(1)
    assert len(faulty.phone.tree()) == 1


def test_lost_touch_is_lost_once(twins: Twins) -> None:
    faulty, clean = twins("lost_touch", "new_note")
    assert clean.has("cancel")
    assert not faulty.has("cancel")
    faulty.tap("new_note")
    assert faulty.has("cancel")


def test_lost_letter_is_lost_once(twins: Twins) -> None:
    faulty, clean = twins("lost_letter", "new_note", "title")
    for driver in (faulty, clean):
        driver.phone.type_text("Theatre")
    assert (faulty.node("title").text, clean.node("title").text) == ("Teatre", "Theatre")
    faulty.phone.clear_text()
    faulty.phone.type_text("Theatre")
    assert faulty.node("title").text == "Theatre"


def test_foreign_touch_does_what_a_finger_does(twins: Twins) -> None:
    faulty, clean = twins("foreign_touch", "open_settings", "archive")
    assert faulty.has("Team lunch")
    assert clean.has("nothing_archived")
    (touch,) = faulty.phone.stranger.touches
    assert faulty.node("show_shared").bounds.contains(touch.place)
    assert len(faulty.phone.recognised) == len(clean.phone.recognised)  # those of the tools alone
    assert not clean.phone.stranger.touches


def test_stray_touch_changes_nothing(twins: Twins) -> None:
    faulty, clean = twins("stray_touch", "open_settings", "archive")
    assert faulty.phone.frame().key == clean.phone.frame().key
    assert len(faulty.phone.stranger.touches) == 1


def test_a_foreign_touch_on_what_is_not_there_is_none(notes_app: AppFile) -> None:
    phone = Phone([notes_app])
    phone.stranger.tap("show_shared")
    assert not phone.stranger.touches


def test_disabled_until_complete(twins: Twins) -> None:
    faulty, clean = twins("disabled_until_complete", "new_note", "title")
    for driver in (faulty, clean):
        driver.phone.type_text("Tea")
    assert clean.enabled("save")
    assert not faulty.enabled("save")
    faulty.tap("body")
    faulty.phone.type_text("Green")
    assert faulty.enabled("save")


def test_empty_list_with_its_placeholder(twins: Twins) -> None:
    faulty, clean = twins("empty_list", "open_settings", "archive", "show_shared")
    assert faulty.has("Nothing shared yet")
    assert clean.has("Team lunch")


def test_ticking_clock(twins: Twins) -> None:
    faulty, clean = twins("ticking_clock")
    seen = set()
    for driver in (faulty, clean):
        before = driver.phone.frame().key
        for _ in range(3):
            seen.add(driver.node("today").text)
            driver.wait(1)
        assert (driver.phone.frame().key == before) is (driver is clean)
    assert len(seen) == 4
    assert "Monday, 2 March" in seen


def test_blinking_caret_and_nothing_else(twins: Twins) -> None:
    faulty, clean = twins("blinking_caret", "new_note", "title")
    for driver, pictures in ((faulty, 2), (clean, 1)):
        keys, trees = set(), set()
        for _ in range(8):
            driver.wait(0.25)
            keys.add(driver.phone.frame().key)
            trees.add(driver.phone.tree().texts)
        assert (len(keys), len(trees)) == (pictures, 1)


def test_video_runs_for_ever(twins: Twins) -> None:
    faulty, clean = twins("video", "open_settings", "about")
    for driver, pictures in ((faulty, 8), (clean, 1)):
        keys = set()
        for _ in range(8):
            driver.wait(0.21)
            keys.add(driver.phone.frame().key)
        assert len(keys) == pictures


def test_restart_by_test_leaves_traces_of_the_old_process_after_the_new_start(twins: Twins) -> None:
    faulty, clean = twins("restart_by_test")
    for driver, late in ((faulty, True), (clean, False)):
        old = driver.phone.app_state(NOTES)[1]
        driver.phone.stop(NOTES)
        driver.start(wait=2)
        lines = driver.phone.log_text().splitlines()
        start = max(n for n, line in enumerate(lines) if "am_proc_start" in line)
        assert any(f"am_proc_died: [0,{old}," in line for line in lines[start:]) is late


def test_permission_dialog(twins: Twins) -> None:
    faulty, clean = twins("permission_dialog", "open_sync")
    assert faulty.has("Allow Notes to send you notifications?")
    faulty.tap("Allow")
    assert faulty.phone.frame().key == clean.phone.frame().key


@pytest.mark.parametrize(("fault", "left"), [("killed_in_background", "Dentist"), ("lost_state", None)])
def test_killed_in_background_and_its_twin_lost_state(twins: Twins, fault: str, left: str | None) -> None:
    faulty, clean = twins(fault, "new_note", "title")
    for driver in (faulty, clean):
        driver.phone.type_text("Dentist")
        driver.phone.press("home")
        driver.wait(3)
        driver.phone.activate(NOTES)
        driver.wait(1)
    assert clean.node("title").text == "Dentist"
    assert (faulty.node("title").text if faulty.has("title") else None) == left
    assert faulty.has("Sign in") is (left is None)


def test_every_fault_has_a_test_here() -> None:
    tests = " ".join(name for name in globals() if name.startswith("test_"))
    assert [name for name in KNOWN_FAULTS if name not in tests] == []
