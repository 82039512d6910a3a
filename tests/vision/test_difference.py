"""The picture of a difference, and the gist of two screens."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from pytest_apex.errors import SizesDiffer
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision.difference import another_screen, draw_difference
from pytest_apex.vision.image import from_image
from pytest_apex.vision.match import Rules

RED = (230, 0, 60)


def page(*boxes: tuple[int, int, int, int]) -> Picture:
    image = Image.new("RGB", (200, 300), "white")
    for left, top, right, bottom in boxes:
        ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), fill="black")
    return from_image(image)


def test_what_counts_is_red_and_framed_and_masks_are_seen() -> None:
    shown = draw_difference(page(), page((40, 60, 60, 70), (100, 100, 120, 110)), Rules(), [Rect(90, 90, 130, 130)])
    pixels = shown.pixels()
    assert {pixels.getpixel((x, y)) for x in range(40, 60) for y in range(60, 70)} == {RED}
    assert pixels.getpixel((32, 52)) == RED, "the frame"
    assert pixels.getpixel((36, 56)) == (255, 255, 255)
    assert pixels.getpixel((110, 105)) == (176, 184, 200)
    assert draw_difference(page(), page(), Rules()).pixels().getcolors() == [(60000, (255, 255, 255))]
    grey = draw_difference(page((0, 0, 200, 300)), page((0, 0, 200, 300)), Rules()).pixels().getpixel((5, 5))
    assert grey == (192, 192, 192)


def test_nothing_is_resized() -> None:
    with pytest.raises(SizesDiffer):
        draw_difference(page(), from_image(Image.new("RGB", (200, 299))), Rules())


def test_another_screen_altogether() -> None:
    one = page((0, 0, 200, 40), (10, 60, 190, 70), (10, 80, 190, 90), (10, 260, 190, 290))
    changed = page((0, 0, 200, 40), (10, 60, 150, 70), (10, 80, 190, 90), (10, 260, 190, 290))
    other = page((60, 50, 90, 280), (110, 50, 140, 200), (160, 20, 180, 290), (0, 240, 60, 250))
    assert not another_screen(one, changed)
    assert another_screen(one, other)
