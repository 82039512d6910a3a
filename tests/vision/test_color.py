"""Colours: reading, distance, and those of a control."""

from __future__ import annotations

from typing import Any

import pytest
from PIL import Image, ImageDraw

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect
from pytest_apex.vision import color
from pytest_apex.vision.image import from_image

#: Test data published with "The CIEDE2000 color-difference formula" (Sharma, Wu, Dalal, 2005), table 1.
SHARMA = """
50.0000 2.6772 -79.7751 50.0000 0.0000 -82.7485 2.0425
50.0000 3.1571 -77.2803 50.0000 0.0000 -82.7485 2.8615
50.0000 2.8361 -74.0200 50.0000 0.0000 -82.7485 3.4412
50.0000 -1.3802 -84.2814 50.0000 0.0000 -82.7485 1.0000
50.0000 -1.1848 -84.8006 50.0000 0.0000 -82.7485 1.0000
50.0000 -0.9009 -85.5211 50.0000 0.0000 -82.7485 1.0000
50.0000 0.0000 0.0000 50.0000 -1.0000 2.0000 2.3669
50.0000 -1.0000 2.0000 50.0000 0.0000 0.0000 2.3669
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0009 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0010 7.1792
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0011 7.2195
50.0000 2.4900 -0.0010 50.0000 -2.4900 0.0012 7.2195
50.0000 -0.0010 2.4900 50.0000 0.0009 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0010 -2.4900 4.8045
50.0000 -0.0010 2.4900 50.0000 0.0011 -2.4900 4.7461
50.0000 2.5000 0.0000 50.0000 0.0000 -2.5000 4.3065
50.0000 2.5000 0.0000 73.0000 25.0000 -18.0000 27.1492
50.0000 2.5000 0.0000 61.0000 -5.0000 29.0000 22.8977
50.0000 2.5000 0.0000 56.0000 -27.0000 -3.0000 31.9030
50.0000 2.5000 0.0000 58.0000 24.0000 15.0000 19.4535
50.0000 2.5000 0.0000 50.0000 3.1736 0.5854 1.0000
50.0000 2.5000 0.0000 50.0000 3.2972 0.0000 1.0000
50.0000 2.5000 0.0000 50.0000 1.8634 0.5757 1.0000
50.0000 2.5000 0.0000 50.0000 3.2592 0.3350 1.0000
60.2574 -34.0099 36.2677 60.4626 -34.1751 39.4387 1.2644
63.0109 -31.0961 -5.8663 62.8187 -29.7946 -4.0864 1.2630
61.2901 3.7196 -5.3901 61.4292 2.2480 -4.9620 1.8731
35.0831 -44.1164 3.7933 35.0232 -40.0716 1.5901 1.8645
22.7233 20.0904 -46.6940 23.0331 14.9730 -42.5619 2.0373
36.4612 47.8580 18.3852 36.2715 50.5065 21.2231 1.4146
90.8027 -2.0831 1.4410 91.1528 -1.6435 0.0447 1.4441
90.9257 -0.5406 -0.9208 88.6381 -0.8985 -0.7239 1.5381
6.7747 -0.2908 -2.4247 5.8714 -0.0985 -2.2286 0.6377
2.0776 0.0795 -1.1350 0.9033 -0.0636 -0.5514 0.9082
"""


@pytest.mark.parametrize("row", SHARMA.strip().splitlines())
def test_the_published_pairs(row: str) -> None:
    l1, a1, b1, l2, a2, b2, expected = map(float, row.split())
    assert color.delta_e2000_lab((l1, a1, b1), (l2, a2, b2)) == pytest.approx(expected, abs=0.00005)
    assert color.delta_e2000_lab((l2, a2, b2), (l1, a1, b1)) == pytest.approx(expected, abs=0.00005)


def test_black_and_white_and_equal_colours() -> None:
    assert color.delta_e2000((0, 0, 0), (255, 255, 255)) == pytest.approx(100, abs=0.01)
    assert color.delta_e2000((12, 34, 56), (12, 34, 56)) == 0
    assert color.to_lab((255, 0, 0)) == pytest.approx((53.24, 80.09, 67.20), abs=0.02)


@pytest.mark.parametrize("text", ["#0057B8", "0057b8", " #0057b8 ", "rgb(0, 87, 184)", "rgb(0,87,184)"])
def test_ways_to_write_a_colour(text: str) -> None:
    assert color.parse_color(text) == (0, 87, 184)
    assert color.to_hex((0, 87, 184)) == "#0057B8"
    assert color.parse_color("#05b") == (0, 0x55, 0xBB)


@pytest.mark.parametrize("text", ["", "#", "blue", "#12345", "#1234567", "rgb(0, 0)", "rgb(0, 0, 256)", "#00g"])
def test_what_is_no_colour(text: str) -> None:
    with pytest.raises(ConfigError, match="not a colour"):
        color.parse_color(text)


def button(ground: str, ink: str) -> Any:
    """A button on white with a bar and an anti-aliased slope of ink."""
    image = Image.new("RGB", (200, 100), "white")
    large = Image.new("RGB", (480, 160), ground)
    ImageDraw.Draw(large).rectangle((80, 60, 300, 90), fill=ink)
    ImageDraw.Draw(large).line((320, 20, 400, 140), fill=ink, width=10)
    image.paste(large.resize((120, 40), Image.Resampling.BOX), (40, 30))
    return from_image(image)


def test_the_two_colours_of_a_button() -> None:
    swatch = color.dominant(button("#0057B8", "#FFE600"), Rect(40, 30, 160, 70))
    assert (swatch.background, swatch.foreground) == ((0, 0x57, 0xB8), (255, 0xE6, 0))
    assert 0.8 < swatch.share < 0.9


def test_a_plain_area_has_one_colour() -> None:
    swatch = color.dominant(button("#0057B8", "#FFE600"), Rect(0, 0, 200, 20))
    assert (swatch.background, swatch.foreground, swatch.share) == ((255, 255, 255), (255, 255, 255), 1.0)


def test_a_box_outside_the_picture() -> None:
    picture = button("black", "white")
    with pytest.raises(ConfigError, match="no pixels"):
        color.dominant(picture, Rect(300, 0, 400, 10))
    assert color.uniform_share(picture, Rect(300, 0, 400, 10)) == ((0, 0, 0), 0.0)
    assert color.uniform_share(picture, Rect(float("nan"), 0, float("inf"), 10)) == ((0, 0, 0), 0.0)


def test_the_share_of_the_most_frequent_colour() -> None:
    image = Image.new("RGB", (10, 10), (1, 2, 3))
    ImageDraw.Draw(image).rectangle((0, 0, 9, 2), fill="white")
    picture = from_image(image)
    assert color.uniform_share(picture, Rect(0, 0, 10, 10)) == ((1, 2, 3), 0.7)
    assert color.uniform_share(picture, Rect(-5, -5, 20, 3)) == ((255, 255, 255), 1.0)
    assert color.uniform_share(picture, Rect(0, 2.5, 10, 4)) == ((1, 2, 3), 0.5)  # parts of pixels count whole


@pytest.mark.parametrize("given", [(0, 87, 184), None, 5, b"#0057B8"])
def test_a_colour_that_is_no_text_says_how_it_is_written(given: Any) -> None:
    with pytest.raises(ConfigError, match="given as text") as error:
        color.parse_color(given)
    assert "#0057B8" in error.value.cure
