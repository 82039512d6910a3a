"""Display lists and what is drawn from them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.vision import canvas
from pytest_apex.vision.canvas import ICONS, Renderer, Stamp, draw
from pytest_apex.vision.icons import draw_icon

SIZE = (60, 40)
GROUND = canvas.rect((0, 0, *SIZE), (255, 255, 255))
RED, BLUE = (255, 0, 0), (0, 0, 255)


def pixel(stamps: list[Stamp], x: int, y: int) -> tuple[int, ...]:
    return tuple(draw(stamps, SIZE).getpixel((x, y)))


def test_later_stamps_lie_over_earlier_ones() -> None:
    stamps = [GROUND, canvas.rect((0, 0, 20, 20), RED), canvas.rect((10, 10, 30, 30), BLUE)]
    assert pixel(stamps, 5, 5) == RED
    assert pixel(stamps, 15, 15) == BLUE
    assert pixel(stamps, 40, 35) == (255, 255, 255)


def test_nothing_shows_outside_the_clip() -> None:
    for stamp in (
        canvas.rect((0, 0, 40, 40), RED, clip=(10, 10, 20, 20)),
        canvas.rounded((0, 0, 40, 40), RED, 4, (10, 10, 20, 20)),
        canvas.text(0, 0, "MMMM", RED, 30, clip=(10, 10, 20, 20)),
    ):
        drawn = draw([GROUND, stamp], SIZE)
        outside = [drawn.getpixel((x, y)) for x in range(60) for y in range(40) if not (10 <= x < 20 and 10 <= y < 20)]
        assert set(outside) == {(255, 255, 255)}
        assert drawn.crop((10, 10, 20, 20)).getcolors() != [(100, (255, 255, 255))]


def test_corners_are_round_and_smooth() -> None:
    drawn = draw([GROUND, canvas.rounded((0, 0, 40, 40), BLUE, 12)], SIZE)
    assert drawn.getpixel((0, 0)) == (255, 255, 255)
    assert drawn.getpixel((20, 0)) == BLUE
    assert len(drawn.getcolors()) > 5


def test_a_ring_is_hollow() -> None:
    stamps = [GROUND, canvas.ring((0, 0, 40, 40), BLUE, 6, 2)]
    assert pixel(stamps, 20, 0) == BLUE
    assert pixel(stamps, 20, 1) == BLUE
    assert pixel(stamps, 20, 2) == (255, 255, 255)


@pytest.mark.parametrize(("share", "expected"), [(1.0, 0), (0.5, 127), (0.0, 255)])
def test_a_faded_stamp_lets_the_ground_through(share: float, expected: int) -> None:
    for stamp in (canvas.rect((0, 0, 9, 9), (0, 0, 0)), canvas.rounded((0, 0, 9, 9), (0, 0, 0), 0)):
        assert pixel([GROUND, stamp.faded(share)], 4, 4)[0] == pytest.approx(expected, abs=1)


def test_a_moved_stamp_moves_with_its_clip() -> None:
    stamp = canvas.rect((0, 0, 10, 10), RED, clip=(0, 0, 5, 5)).moved(20, 10)
    assert stamp.visible == (20, 10, 25, 15)
    assert pixel([GROUND, stamp], 22, 12) == RED


@pytest.mark.parametrize("words", ["Hamburgefonstiv", "Ελληνικά", "Русский", "العربية", "Åäöß…•“”’"])
def test_the_carried_font_has_the_letters(words: str) -> None:
    boxes = canvas.ink_columns(words, 20)
    missing = canvas.ink_columns("\U0010ffff" * len(words), 20)
    assert sum(boxes) > 0
    assert boxes != missing[: len(boxes)]
    assert len({canvas.ink_columns(letter, 20) for letter in words}) > len(set(words)) * 0.6


def test_text_is_as_wide_as_it_says() -> None:
    width = canvas.text_width("Save", 20)
    columns = canvas.ink_columns("Save", 20)
    assert len(columns) == width
    assert canvas.text_width("Save", 20, bold=True) == width + 1
    assert canvas.text_width("", 20) == 0
    stamp = canvas.text(3, 4, "Save", RED, 20)
    assert stamp.box == (3, 4, 3 + width, 4 + canvas.line_height(20))


@pytest.mark.parametrize("words", ["مرحبا", "أهلا وسهلا", "שלום", "Ag"])
@pytest.mark.parametrize("size", [19, 28, 39])
def test_no_letter_is_cut_at_its_line(words: str, size: int) -> None:
    picture = draw(
        [Stamp("rect", (0, 0, 300, 120), (255, 255, 255)), canvas.text(10, 40, words, (0, 0, 0), size)], (300, 120)
    )
    _, top, _, bottom = canvas.text(10, 40, words, (0, 0, 0), size).box
    for row in (top, bottom - 1):
        assert picture.crop((0, row, 300, row + 1)).getextrema() == ((255, 255),) * 3, row


def test_every_icon_has_ink_and_no_two_are_alike() -> None:
    from PIL import Image, ImageDraw

    drawn = {}
    for name in ICONS:
        mask = Image.new("L", (48, 48))
        draw_icon(ImageDraw.Draw(mask), name, 48)
        assert mask.getbbox() is not None, name
        drawn[name] = mask.tobytes()
    assert len(set(drawn.values())) == len(ICONS)


def test_equal_lists_are_equal_pictures() -> None:
    one, other = Renderer(), Renderer()
    stamps = (GROUND, canvas.text(2, 2, "Hi", BLUE, 20))
    first, second = one.picture(stamps, SIZE), other.picture(tuple(stamps), SIZE)
    assert first == second
    assert first.key == second.key
    assert first.png() == second.png()
    assert first.png().startswith(b"\x89PNG")
    assert one.picture((GROUND,), SIZE).key != first.key
    assert one.picture(stamps, (40, 40)).key != first.key
    assert (first.size.width, first.size.height) == SIZE


def test_a_picture_is_drawn_and_encoded_once() -> None:
    renderer = Renderer()
    picture = renderer.picture((GROUND,), SIZE)
    assert renderer.redraws == 0
    assert picture.png() is picture.png()
    assert picture.pixels() is picture.pixels()
    assert renderer.redraws == 1


_boxes = st.tuples(st.integers(-5, 50), st.integers(-5, 30), st.integers(1, 30), st.integers(1, 20)).map(
    lambda box: (box[0], box[1], box[0] + box[2], box[1] + box[3])
)
_stamps = st.builds(
    lambda box, color, kind, alpha: (
        canvas.rounded(box, color, 3)._replace(alpha=alpha) if kind else canvas.rect(box, color, alpha)
    ),
    _boxes,
    st.sampled_from([RED, BLUE, (0, 128, 0)]),
    st.booleans(),
    st.sampled_from([255, 120]),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(_stamps, max_size=6), min_size=1, max_size=5))
def test_redrawing_only_what_changed_gives_the_same_pixels(lists: list[list[Stamp]]) -> None:
    renderer = Renderer()
    for stamps in lists:
        display = (GROUND, *stamps)
        drawn = renderer.picture(display, SIZE).pixels()
        assert drawn.tobytes() == draw(display, SIZE).tobytes()
