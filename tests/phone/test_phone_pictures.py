"""What the phone shows: pictures and trees of the same moment, the same bytes for the same screen."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.model.node import NodeState

SECRET = "correct horse"


def walk(driver: Any) -> str:
    """A fixed walk; the digest of every tree, picture and log line of it."""
    digest = hashlib.sha256()

    def look() -> None:
        digest.update(repr(driver.phone.tree().texts).encode())
        digest.update(bytes(driver.phone.tree().boxes))
        digest.update(driver.phone.frame().png())

    driver.log_in()
    for word in ("open_settings", "dark_mode", "about"):
        driver.tap(word, wait=0.1)
        look()
        driver.wait(0.5)
        look()
    digest.update(driver.phone.log_text().encode())
    return digest.hexdigest()


def test_the_same_seed_and_calls_give_the_same_bytes(drive: Callable[..., Any]) -> None:
    assert walk(drive(seed=7)) == walk(drive(seed=7))


def test_another_seed_gives_other_process_ids(drive: Callable[..., Any]) -> None:
    assert drive(seed=1).start() != drive(seed=2).start()
    assert walk(drive(seed=1)) != walk(drive(seed=2))


def test_an_unchanged_screen_is_the_same_picture_and_is_not_drawn_again(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start()
    first, tree = driver.phone.frame(), driver.phone.tree()
    driver.wait(1)
    again = driver.phone.frame()
    assert again is first
    assert driver.phone.tree() is tree
    assert again.key == first.key
    assert again.png() == first.png()
    assert driver.phone.renderer.redraws == 1


def test_a_screen_that_comes_back_has_its_key_and_bytes_again(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("open_settings")
    first = driver.phone.frame()
    bytes_, key = first.png(), first.key
    driver.tap("about")
    assert driver.phone.frame().key != key
    driver.phone.press("back")
    driver.wait(0.5)
    assert driver.phone.frame().key == key
    assert driver.phone.frame().png() == bytes_


def test_nothing_is_drawn_until_pixels_are_asked_for(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    assert driver.phone.frame().key
    assert driver.phone.renderer.redraws == 0


def test_a_small_change_redraws_a_small_part(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("open_settings")
    driver.phone.frame().pixels()
    before = driver.phone.renderer.pixels_drawn
    driver.tap("show_previews", wait=0)
    driver.phone.frame().pixels()
    assert driver.phone.renderer.pixels_drawn - before < 540 * 1200 * 0.02


def test_a_partly_redrawn_picture_equals_one_drawn_from_nothing(drive: Callable[..., Any]) -> None:
    from pytest_apex.vision.canvas import draw

    driver = drive()
    driver.log_in()
    for word in ("new_note", "title", "body", "cancel", "open_settings", "dark_mode", "storage", "privacy"):
        driver.tap(word, wait=0.1)
        for _ in range(3):
            picture = driver.phone.frame()
            assert picture.pixels().tobytes() == draw(picture.display, picture.pixel_size).tobytes()
            driver.wait(0.13)


def test_a_control_has_ink_where_the_tree_says_it_is(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    picture = driver.phone.frame().pixels()
    texts = [node for node in driver.nodes() if node.role == "text"]
    assert len(texts) > 20
    for node in texts:
        box = node.bounds
        crop = picture.crop((int(box.left), int(box.top), int(box.right), int(box.bottom)))
        assert len(crop.getcolors(1_000_000)) > 3, node


def test_the_tree_is_clipped_to_what_scrolls_around_it(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start("com.example.gallery")
    driver.tap("open_rows")
    driver.swipe((270, 900), (270, 760), rest_ms=200)
    rows = driver.node("rows")
    inside = list(rows.descendants)
    assert not driver.has("One")
    assert all(rows.bounds.encloses(node.bounds) for node in inside)
    first, second = [node.bounds for node in inside if node.role == "cell"][:2]
    assert first.top == rows.bounds.top
    assert first.height < second.height
    assert driver.has("Eleven")
    assert not driver.has("Fifteen")


def test_a_password_is_dots_in_the_tree_and_in_the_picture(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start()
    driver.tap("password")
    driver.phone.type_text(SECRET)
    node = driver.node("password")
    assert node.has(NodeState.PASSWORD)
    assert node.text == "•" * len(SECRET)
    display = driver.phone.frame().display
    shown = [stamp.args[0] for stamp in display if stamp.kind == "text"]
    assert "•" * len(SECRET) in shown
    everything = "\n".join([*shown, *driver.phone.tree().texts, *driver.phone.tree().values, driver.phone.log_text()])
    assert SECRET not in everything


def test_two_passwords_of_one_length_look_the_same(drive: Callable[..., Any]) -> None:
    pictures = []
    for word in ("aaaa", "WWWW"):
        driver = drive()
        driver.start()
        driver.tap("password")
        driver.phone.type_text(word)
        pictures.append(driver.phone.frame().png())
    assert pictures[0] == pictures[1]


def test_while_a_screen_slides_in_tree_and_pixels_move(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.log_in()
    driver.tap("open_settings", wait=0.05)
    lefts, keys = [], set()
    for _ in range(5):
        lefts.append(driver.node("dark_mode").bounds.left)
        keys.add(driver.phone.frame().key)
        driver.wait(0.04)
    assert lefts == sorted(lefts, reverse=True)
    assert len(set(lefts)) == len(keys) == 5
    driver.wait(0.3)
    assert driver.node("dark_mode").bounds.left == 42


def test_a_spinner_turns_only_in_the_picture(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("open_sync")
    driver.tap("sync_now", wait=0.2)
    assert driver.node("sync_progress").role == "progress"
    tree, key = driver.phone.tree(), driver.phone.frame().key
    driver.wait(0.1)
    assert driver.phone.tree() is tree
    assert driver.phone.frame().key != key


def test_dark_mode_changes_the_picture_not_the_places(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("open_settings")
    before = driver.phone.tree().boxes
    light = driver.phone.frame().pixels().getpixel((10, 600))
    driver.tap("dark_mode")
    assert driver.phone.tree().boxes == before
    dark = driver.phone.frame().pixels().getpixel((10, 600))
    assert sum(light) > 600
    assert sum(dark) < 150


def test_the_clock_in_the_status_bar_goes_on(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.start()
    assert driver.has("09:41")
    driver.wait(60)
    assert driver.has("09:42")


def test_memory_does_not_grow_with_time(drive: Callable[..., Any]) -> None:
    driver = drive()
    driver.open("open_sync")
    driver.tap("sync_now", wait=0.1)
    for _ in range(60):
        driver.phone.frame().pixels()
        driver.wait(1 / 50)
    assert len(driver.phone.renderer._drawn) <= 12
    assert len(driver.phone.clock._events) < 10


@pytest.mark.parametrize("word", ["log_in", "email", "forgot"])
def test_ids_are_the_platforms_own(drive: Callable[..., Any], word: str) -> None:
    driver, apple = drive(), drive(platform="ios")
    driver.start()
    apple.start()
    assert driver.node(word).identifier == f"com.example.notes:id/{word}"
    assert apple.node(word).identifier == word
