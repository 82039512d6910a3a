"""What two captures differ in."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pytest_apex.model.geometry import Rect
from pytest_apex.verify.compare import compare
from pytest_apex.vision import image


def test_a_look_against_itself(make: Any) -> None:
    look = make.look()
    change = compare(look, look)
    assert change.is_empty
    assert (change.before, change.after, change.pixel_ratio) == ("s1", "s1", 0.0)


def test_tree_and_pixels(make: Any) -> None:
    before = make.look(make.page(make.N("text", "3 notes")))
    after = replace(
        make.look(make.page(make.N("text", "3 notes"), make.N("text", "Saved", (20, 200, 90, 220)))), id="s2"
    )
    change = compare(before, after)
    assert any("Saved" in word for word in change.appeared)
    assert (change.vanished, change.moved, change.altered) == ((), (), ())
    assert change.regions == (Rect(20, 200, 90, 220),)
    assert change.pixel_ratio == 70 * 20 / (240 * 480)
    assert (change.before, change.after) == ("s1", "s2")


def test_regions_are_in_units_of_the_tree(make: Any) -> None:
    before = make.look()
    pixels = before.picture.pixels().resize((480, 960), 0)
    screen = replace(before.screen, scale=2.0, density=2.0)
    one = replace(before, picture=image.from_image(pixels.copy()), screen=screen)
    pixels.paste("#FF0000", (40, 300, 80, 340))
    other = replace(before, picture=image.from_image(pixels), screen=screen)
    assert compare(one, other).regions == (Rect(20, 150, 40, 170),)


def test_without_a_picture_nothing_is_said_of_pixels(make: Any) -> None:
    change = compare(make.look(), make.look(picture=None))
    assert (change.pixel_ratio, change.regions) == (None, ())


def test_pictures_of_different_sizes_differ_everywhere(make: Any) -> None:
    look = make.look()
    turned = replace(look, picture=image.from_image(look.picture.pixels().transpose(2)))
    change = compare(look, turned)
    assert change.pixel_ratio == 1.0
    assert change.regions == (look.screen.bounds,)
