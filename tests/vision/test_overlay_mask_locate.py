"""Copies with a touch drawn in or parts blacked out; a small picture found on a large one."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Point, Rect, Size
from pytest_apex.vision.compare import difference
from pytest_apex.vision.image import from_image
from pytest_apex.vision.locate import find_again, find_image
from pytest_apex.vision.mask import black_out
from pytest_apex.vision.overlay import draw_touch


def noise(width: int, height: int, seed: int = 1) -> Any:
    values = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return from_image(Image.fromarray(values))


# --- overlay --------------------------------------------------------------------------------------------------------


def test_a_touch_is_drawn_on_a_copy() -> None:
    picture = from_image(Image.new("RGB", (540, 1200), "white"))
    touched = draw_touch(picture, [Point(200, 300)], "tap")
    assert picture.pixels().getcolors() == [(540 * 1200, (255, 255, 255))]
    assert touched.size == Size(540, 1200)
    (box,) = difference(picture, touched).boxes
    assert box.center.distance(Point(200, 300)) < 2
    assert 30 < box.width < 60


def test_each_verb_is_told_apart() -> None:
    picture = from_image(Image.new("RGB", (540, 1200), "white"))
    at = [Point(200, 300), Point(201, 301)]
    drawn = {verb: draw_touch(picture, at, verb).png() for verb in ("tap", "double_tap", "long_press")}
    assert len(set(drawn.values())) == 3


def test_a_path_reaches_from_start_to_end_and_its_direction_shows() -> None:
    picture = from_image(Image.new("RGB", (540, 1200), "white"))
    path = [Point(270, 900), Point(272, 600), Point(275, 300)]
    there, back = draw_touch(picture, path, "swipe"), draw_touch(picture, path[::-1], "swipe")
    (box,) = difference(picture, there).boxes
    assert box.encloses(Rect(270, 300, 275, 900))
    assert there.png() != back.png()


@pytest.mark.parametrize("points", [[], [Point(-500, -500)], [Point(0, 0), Point(9000, 9000)], [Point(5, 5)] * 3])
def test_odd_points_are_no_trouble(points: list[Point]) -> None:
    picture = from_image(Image.new("RGB", (30, 20), "white"))
    assert draw_touch(picture, points, "swipe").size == Size(30, 20)


# --- mask -----------------------------------------------------------------------------------------------------------


def test_boxes_are_black_to_the_last_pixel_and_the_rest_is_as_it_was() -> None:
    picture = noise(40, 30)
    hidden = np.asarray(black_out(picture, [Rect(3.2, 4.7, 9.1, 12), Rect(35, 25, 90, 90)]).pixels())
    inside = np.zeros((30, 40), dtype=bool)
    inside[4:12, 3:10] = True
    inside[25:, 35:] = True
    assert (hidden[inside] == 0).all()
    assert (hidden[~inside] == np.asarray(picture.pixels())[~inside]).all()
    assert (np.asarray(picture.pixels())[inside] != 0).any()


@pytest.mark.parametrize("box", [Rect(5, 5, 5, 9), Rect(9, 9, 5, 5), Rect(50, 0, 60, 9), Rect(float("nan"), 0, 9, 9)])
def test_nothing_to_hide_is_the_picture_itself(box: Rect) -> None:
    picture = noise(40, 30)
    assert black_out(picture, [box]) is picture


def test_an_endless_box_hides_all_of_it() -> None:
    hidden = black_out(noise(40, 30), [Rect(float("-inf"), float("-inf"), float("inf"), float("inf"))])
    assert not np.asarray(hidden.pixels()).any()


# --- locate ---------------------------------------------------------------------------------------------------------


def pasted(large: Any, small: Any, *places: tuple[int, int]) -> Any:
    image = large.pixels().copy()
    for place in places:
        image.paste(small.pixels(), place)
    return from_image(image)


def test_an_image_is_found_where_it_is_and_as_often() -> None:
    sign = noise(12, 9, seed=3)
    screen = pasted(noise(120, 90), sign, (17, 23), (100, 80))
    assert sorted(find_image(screen, sign), key=lambda box: box.left) == [Rect(17, 23, 29, 32), Rect(100, 80, 112, 89)]


def test_slight_noise_is_forgiven_and_another_sign_is_not() -> None:
    rng = random.Random(5)
    sign = noise(12, 9, seed=3)
    worn = np.asarray(sign.pixels()).astype(int) + np.array([[rng.randrange(-8, 9)] * 3 for _ in range(108)]).reshape(
        9, 12, 3
    )
    screen = pasted(noise(120, 90), from_image(Image.fromarray(worn.clip(0, 255).astype(np.uint8))), (40, 40))
    assert find_image(screen, sign) == [Rect(40, 40, 52, 49)]
    assert find_image(screen, noise(12, 9, seed=4)) == []


def test_a_larger_image_than_the_screen_is_not_there() -> None:
    assert find_image(noise(20, 20), noise(30, 10)) == []


def test_a_plain_image_is_refused() -> None:
    with pytest.raises(ConfigError, match="plain"):
        find_image(noise(20, 20), from_image(Image.new("RGB", (5, 5), "red")))


# --- found again where it is now ------------------------------------------------------------------------------------


def two_buttons(first: str, second: str, dy: int = 0) -> Any:
    """Two buttons of one form, told apart by their words alone."""
    page = Image.new("RGB", (200, 160), "white")
    draw = ImageDraw.Draw(page)
    for at, word in ((10, first), (60, second)):
        draw.rectangle((10, at + dy, 189, at + 39 + dy), fill="#336699")
        draw.text((80, at + 14 + dy), word, fill="white")
    return from_image(page)


def test_a_control_is_found_where_it_went() -> None:
    before = two_buttons("Keep", "Drop")
    box = Rect(10, 60, 190, 100)
    assert find_again(two_buttons("Keep", "Drop", 24), before, box) == [Rect(10, 84, 190, 124)]
    assert find_again(before, before, box) == [box]
    assert find_again(two_buttons("Keep", "Keep"), before, box) == []
    assert len(find_again(two_buttons("Drop", "Drop"), before, box)) == 2


def test_what_cannot_be_found_again() -> None:
    before = two_buttons("Keep", "Drop")
    assert find_again(before, before, Rect(12, 62, 60, 98)) == []  # a plain ground
    assert find_again(before, before, Rect(150, 140, 260, 200)) == []  # not wholly on the picture
    assert find_again(before, before, Rect(300, 300, 320, 320)) == []
