"""Contrast by WCAG: of two colours, and of what is drawn in a box."""

from __future__ import annotations

import pytest
from PIL import Image, ImageDraw

from pytest_apex.model.geometry import Rect
from pytest_apex.vision.contrast import contrast, luminance, ratio
from pytest_apex.vision.edges import fills_corners, ink_at_side
from pytest_apex.vision.image import from_image

WHITE, BLACK = (255, 255, 255), (0, 0, 0)


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (BLACK, WHITE, 21.0),
        (WHITE, WHITE, 1.0),
        ((118, 118, 118), WHITE, 4.54),  # the lightest grey that may be text on white
        ((119, 119, 119), WHITE, 4.48),
        ((255, 0, 0), WHITE, 4.0),
        ((0, 0, 255), WHITE, 8.59),
    ],
)
def test_known_ratios(one: tuple[int, int, int], other: tuple[int, int, int], expected: float) -> None:
    assert ratio(one, other) == pytest.approx(expected, abs=0.005)
    assert ratio(other, one) == ratio(one, other)


def test_luminance_ends() -> None:
    assert luminance(BLACK) == 0
    assert luminance(WHITE) == pytest.approx(1)


def drawn(color: str, *, size: int = 200) -> Image.Image:
    image = Image.new("RGB", (size, size), "white")
    ImageDraw.Draw(image).rectangle((20, 20, 60, 30), fill=color)
    return image


@pytest.mark.parametrize("color", ["#767676", "#000000", "#DADADA"])
@pytest.mark.parametrize("size", [100, 400])
def test_of_what_is_drawn(color: str, size: int) -> None:
    image = drawn(color, size=size)
    expected = ratio(tuple(bytes.fromhex(color[1:])), WHITE)  # type: ignore[arg-type]
    assert contrast(from_image(image), Rect(0, 0, size, size), WHITE) == pytest.approx(expected, abs=0.01)


def test_thin_and_smoothed_strokes_have_the_contrast_of_their_middle() -> None:
    image = drawn("#000000")
    draw = ImageDraw.Draw(image)
    for x in (19, 61):
        draw.line((x, 20, x, 30), fill="#C0C0C0")
    measured = contrast(from_image(image), Rect(10, 10, 80, 40), WHITE)
    assert measured == pytest.approx(21, abs=0.01)


def test_nothing_drawn_or_off_the_picture() -> None:
    picture = from_image(Image.new("RGB", (50, 50), "white"))
    assert contrast(picture, Rect(0, 0, 50, 50), WHITE) is None
    assert contrast(picture, Rect(90, 90, 120, 120), WHITE) is None


# Edges


def test_ink_that_reaches_a_side() -> None:
    image = Image.new("RGB", (100, 40), "white")
    ImageDraw.Draw(image).rectangle((80, 10, 99, 17), fill="black")
    box = Rect(0, 0, 100, 40)
    assert ink_at_side(from_image(image), box, "right", WHITE) == 8
    assert ink_at_side(from_image(image), box, "left", WHITE) == 0
    assert ink_at_side(from_image(image), Rect(0, 0, 98, 40), "right", WHITE) == 8


def test_a_line_under_the_whole_box_is_no_ink_that_reaches_it() -> None:
    image = Image.new("RGB", (100, 40), "white")
    ImageDraw.Draw(image).rectangle((0, 36, 99, 39), fill="black")
    assert ink_at_side(from_image(image), Rect(0, 0, 100, 40), "right", WHITE) == 0


def test_faint_ink_at_the_side_is_a_letter_that_fades_out() -> None:
    image = Image.new("RGB", (100, 40), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((80, 10, 98, 17), fill="black")
    draw.line((99, 10, 99, 17), fill="#A0A0A0")
    assert ink_at_side(from_image(image), Rect(0, 0, 100, 40), "right", WHITE) == 0


def test_corners() -> None:
    image = Image.new("RGB", (100, 40), "#336699")
    ImageDraw.Draw(image).rounded_rectangle((10, 5, 89, 34), 14, fill="white")
    assert not fills_corners(from_image(image), Rect(10, 5, 90, 35), WHITE)
    assert fills_corners(from_image(image), Rect(30, 10, 70, 30), WHITE)
    assert not fills_corners(from_image(image), Rect(200, 10, 210, 30), WHITE)
