"""How far two pictures differ."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from PIL import Image, ImageDraw

from pytest_apex.model.geometry import Rect, Size
from pytest_apex.vision.compare import Difference, difference
from pytest_apex.vision.image import from_image, from_png


def plain(*boxes: tuple[int, int, int, int], size: tuple[int, int] = (100, 80)) -> Any:
    image = Image.new("RGB", size, "white")
    for left, top, right, bottom in boxes:
        ImageDraw.Draw(image).rectangle((left, top, right - 1, bottom - 1), fill=(0, 0, 254))
    return from_image(image)


class Untouchable:
    """A picture that must not be decoded."""

    size = Size(100, 80)

    def __init__(self, key: str) -> None:
        self.key = key

    def png(self) -> bytes:
        raise AssertionError("encoded")

    def pixels(self) -> Any:
        raise AssertionError("decoded")


def test_equal_keys_cost_nothing() -> None:
    assert difference(Untouchable("k"), Untouchable("k")) == Difference(0.0)


def test_equal_pixels_are_equal_whatever_their_bytes() -> None:
    one, other = plain((3, 3, 9, 9)), from_png(plain((3, 3, 9, 9)).png())
    assert one.key != other.key
    assert difference(one, other) == Difference(0.0)
    assert not difference(one, other)


def test_other_sizes_are_not_compared() -> None:
    found = difference(plain(), plain(size=(80, 100)))
    assert (found.ratio, found.boxes, found.same_size) == (1.0, (), False)


def test_one_pixel_of_one_channel_by_one_level() -> None:
    one, other = Image.new("RGB", (100, 80), "white"), Image.new("RGB", (100, 80), "white")
    other.putpixel((99, 79), (255, 255, 254))
    assert difference(from_image(one), from_image(other)) == Difference(1 / 8000, (Rect(99, 79, 100, 80),))


def test_places_apart_are_boxes_apart_and_touching_ones_are_joined() -> None:
    found = difference(plain(), plain((2, 3, 10, 12), (60, 50, 90, 75), (12, 14, 20, 20)))
    assert found.boxes == (Rect(2, 3, 20, 20), Rect(60, 50, 90, 75))


@pytest.mark.parametrize("seed", range(5))
def test_every_differing_pixel_is_counted_and_in_a_box(seed: int) -> None:
    rng = random.Random(seed)
    one = np.array(Image.effect_noise((70, 50), 50).convert("RGB"))
    other = one.copy()
    for _ in range(rng.randrange(1, 40)):
        other[rng.randrange(50), rng.randrange(70), rng.randrange(3)] ^= 1
    wrong = (one != other).any(axis=2)
    found = difference(from_image(Image.fromarray(one)), from_image(Image.fromarray(other)))
    assert found.ratio == pytest.approx(wrong.sum() / 3500)
    covered = np.zeros_like(wrong)
    for box in found.boxes:
        covered[int(box.top) : int(box.bottom), int(box.left) : int(box.right)] = True
    assert not (wrong & ~covered).any()
