"""Touches, text and keys on running apps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.errors import CapabilityMissing, ConfigError
from pytest_apex.model.node import NodeState

GALLERY = "com.example.gallery"


@pytest.fixture
def gallery(drive: Callable[..., Any]) -> Any:
    driver = drive()
    driver.start(GALLERY)
    return driver


def last(driver: Any) -> str:
    return driver.node("last").text.removeprefix("Last: ")


def test_a_tap_waits_for_a_second_one_where_that_means_something(gallery: Any) -> None:
    gallery.tap("pad", wait=0)
    assert last(gallery) == "nothing"
    gallery.wait(0.3)
    assert last(gallery) == "tap"


def test_two_quick_taps_are_a_double_tap(gallery: Any) -> None:
    middle = gallery.node("pad").bounds.center
    gallery.play(
        [(0, middle.x, middle.y), (40, middle.x, middle.y)], [(120, middle.x, middle.y), (160, middle.x, middle.y)]
    )
    assert last(gallery) == "double tap"


def test_a_resting_finger_is_a_long_press_before_it_lifts(gallery: Any) -> None:
    gallery.tap("pad", wait=0, ms=900)
    assert last(gallery) == "long press"


@pytest.mark.parametrize(
    ("name", "dx", "dy"), [("left", -200, 0), ("right", 200, 0), ("up", 0, -150), ("down", 0, 150)]
)
def test_a_swipe_is_told_by_its_direction(gallery: Any, name: str, dx: float, dy: float) -> None:
    middle = gallery.node("slider").bounds.center
    gallery.swipe((middle.x, middle.y), (middle.x + dx, middle.y + dy), ms=200)
    assert last(gallery) == f"swipe {name}"


def test_two_fingers_are_no_tap(gallery: Any) -> None:
    box = gallery.node("open_rows").bounds
    first, second = (box.left + 20, box.center.y), (box.right - 20, box.center.y)
    gallery.play([(0, *first), (100, *first)], [(20, *second), (80, *second)])
    gallery.wait(0.5)
    assert gallery.has("pad")


def test_a_touch_belongs_to_what_lay_there_when_it_came_down(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    driver.tap("new_note")
    driver.tap("title")
    save = driver.node("save").bounds.center
    assert not driver.enabled("save")
    driver.phone.clock.after(0.05, lambda: driver.phone.type_text("x"))
    driver.tap_at(save.x, save.y, ms=300)
    driver.wait(1)
    assert driver.enabled("save")
    assert driver.has("title")  # the finger came down on a disabled button


def test_a_disabled_button_does_nothing(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start()
    assert not driver.enabled("log_in")
    driver.tap("log_in", wait=2)
    assert driver.has("log_in")


def test_during_a_transition_the_app_ignores_touches(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    driver.tap("open_settings", wait=0.05)
    driver.tap("dark_mode", wait=0.5)
    assert not driver.node("dark_mode").has(NodeState.CHECKED)
    driver.tap("dark_mode")
    assert driver.node("dark_mode").has(NodeState.CHECKED)


def test_content_follows_the_finger(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    before = driver.node("Recipe").bounds.top
    driver.swipe((270, 800), (270, 740), rest_ms=200)
    assert driver.node("Recipe").bounds.top == before - 60 + 12  # 8 dp of slop at 1.5 pixels


def test_fast_content_runs_on_and_comes_to_rest_at_its_end(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    driver.swipe((270, 900), (270, 600), ms=150)
    running = driver.node("Library").bounds.top
    driver.wait(0.05)
    assert driver.node("Library").bounds.top <= running
    driver.wait(1)
    rest = driver.node("Library").bounds.bottom
    driver.swipe((270, 900), (270, 300), ms=150)
    driver.wait(1)
    assert driver.node("Library").bounds.bottom == rest  # it can't be scrolled further
    assert rest < driver.node("new_note").bounds.top


def test_a_list_scrolls_by_itself_and_its_rows_act(gallery: Any) -> None:
    gallery.tap("open_rows")
    assert not gallery.has("Fifteen")
    rows = gallery.node("rows")
    assert rows.has(NodeState.SCROLLABLE)
    for _ in range(4):
        gallery.swipe((270, 1000), (270, 400), rest_ms=100)
    gallery.tap("Fifteen")
    assert last(gallery) == "row Fifteen"


def test_a_field_takes_focus_brings_the_keyboard_and_back_hides_it_first(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("new_note")
    driver.tap("title", wait=0.02)
    keyboards = [node for node in driver.nodes() if node.role == "keyboard"]
    assert keyboards[0].bounds.bottom > 1200  # on its way
    driver.wait(0.4)
    keyboard = next(node for node in driver.nodes() if node.role == "keyboard")
    assert keyboard.bounds.bottom == 1200
    assert keyboard.window.kind == "keyboard"
    assert driver.node("title").has(NodeState.FOCUSED)
    driver.phone.press("back")
    driver.wait(0.4)
    assert not [node for node in driver.nodes() if node.role == "keyboard"]
    assert driver.has("title")
    driver.phone.press("back")
    driver.wait(0.4)
    assert driver.has("new_note")


def test_keys_of_the_keyboard_type(drive: Callable[..., Any]) -> None:
    driver = drive(platform="ios")
    driver.open("new_note")
    driver.tap("title")
    for key in ("h", "i", "space", "x", "delete"):
        driver.tap(key, wait=0.1)
    assert driver.node("title").text == "hi "


def test_typing_needs_a_focused_field(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start()
    assert driver.phone.type_text("hello") is False
    assert driver.phone.clear_text() is False
    driver.tap("email")
    assert driver.phone.type_text("a#~%s ß") is True
    assert driver.node("email").text == "a#~%s ß"
    driver.phone.press("delete")
    assert driver.node("email").text == "a#~%s "
    assert driver.phone.clear_text() is True
    assert driver.node("email").text == ""


def test_typing_takes_time(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start()
    driver.tap("email")
    before = driver.now
    driver.phone.type_text("ten letter")
    assert driver.now - before == pytest.approx(0.3)


def test_a_field_under_the_keyboard_is_scrolled_above_it(gallery: Any) -> None:
    gallery.tap("open_form")
    gallery.tap("code")
    keyboard = next(node for node in gallery.nodes() if node.role == "keyboard")
    assert gallery.node("code").bounds.bottom <= keyboard.bounds.top


def test_enter_does_what_the_field_says_or_begins_a_line(gallery: Any, drive: Callable[..., Any]) -> None:
    gallery.tap("open_form")
    gallery.tap("code")
    gallery.phone.type_text("wrong")
    assert gallery.node("code").has(NodeState.INVALID)
    gallery.phone.press("enter")
    gallery.phone.press("back")
    gallery.wait(0.4)
    gallery.phone.press("back")
    gallery.wait(0.4)
    assert last(gallery) == "code wrong"
    notes = drive()
    notes.open("new_note")
    notes.tap("body")
    notes.phone.type_text("a")
    notes.phone.press("enter")
    notes.phone.type_text("b")
    assert notes.node("body").text == "a\nb"


def test_a_switch_and_a_check_box_turn_and_tell(gallery: Any) -> None:
    assert not gallery.node("dark").has(NodeState.CHECKED)
    gallery.tap("dark")
    assert gallery.node("dark").has(NodeState.CHECKED)
    assert last(gallery) == "dark true"


def test_a_form_is_sent_when_it_is_complete_and_asks_first(gallery: Any) -> None:
    gallery.tap("open_form")
    assert not gallery.enabled("send")
    gallery.tap("agreed")
    gallery.tap("code")
    gallery.phone.type_text("1234")
    gallery.phone.press("back")
    gallery.wait(0.4)
    assert gallery.enabled("send")
    gallery.tap("send")
    gallery.tap("Don’t allow")
    assert last(gallery) == "sent without camera"


def test_a_load_covers_the_screen_and_leaving_drops_what_came_after(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start()
    for field in ("email", "password"):
        driver.tap(field)
        driver.phone.type_text("x")
    driver.phone.press("back")
    driver.wait(0.4)
    driver.tap("log_in", wait=0.2)
    assert driver.node("progress").role == "progress"
    driver.phone.press("back")
    driver.wait(2)
    assert driver.phone.in_front().label == "Home"


def test_a_toast_comes_and_goes_and_lets_touches_through(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("new_note", "title")
    driver.phone.type_text("Ninth")
    driver.tap("save")
    toast = driver.node("Saved")
    assert toast.window.kind == "toast"
    driver.tap_at(toast.bounds.center.x, toast.bounds.center.y)
    driver.wait(0.5)
    assert driver.node("note_title").text == "Bicycle"  # the row under it
    driver.wait(2)
    assert not driver.has("Saved")


def test_nothing_scrolls_under_a_cover(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    driver.swipe((270, 800), (270, 700), rest_ms=100)
    before = driver.node("Recipe").bounds.top
    front = driver.phone.machine.front
    front.page.covers += 1
    front.changed()
    driver.swipe((270, 700), (270, 900), rest_ms=100)
    assert driver.node("Recipe").bounds.top == before
    front.page.covers -= 1
    front.changed()
    driver.swipe((270, 700), (270, 900), rest_ms=100)
    assert driver.node("Recipe").bounds.top > before


def test_a_dialog_takes_all_touches(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("Piano", "delete")
    assert driver.node("Delete this note?").window.kind == "dialog"
    driver.tap("archive_note")
    assert driver.has("Delete this note?")
    driver.tap("keep")
    assert not driver.has("Delete this note?")
    driver.tap("delete")
    driver.tap("confirm_delete")
    assert driver.has("7 notes")
    assert not driver.has("Piano")


def test_turning_the_device_lays_the_screen_out_anew(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    driver.phone.rotate("landscape_left")
    screen = driver.phone.screen()
    assert (screen.size.width, screen.size.height, screen.rotation) == (1200, 540, 90)
    assert driver.phone.frame().pixel_size == (1200, 540)
    assert driver.node("count").bounds.right > 1000
    driver.phone.rotate("face_up")
    assert driver.phone.screen().orientation == "landscape_left"
    driver.phone.rotate("portrait")
    assert driver.phone.frame().pixel_size == (540, 1200)


def test_unknown_keys_and_orientations_are_refused(drive: Callable[..., Any]) -> None:
    phone = drive().phone
    with pytest.raises(CapabilityMissing, match="no key 'menu'"):
        phone.press("menu")
    with pytest.raises(ConfigError, match="unknown orientation"):
        phone.rotate("sideways")
