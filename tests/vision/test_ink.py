"""What is drawn in a box: text as it is, text that is cut, ended or overlaid, on small drawn pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image, ImageDraw, ImageFont

import pytest_apex.vision
from pytest_apex.model.geometry import Rect
from pytest_apex.model.snapshot import Picture
from pytest_apex.vision import image, ink
from pytest_apex.vision.ink import Span

FONT = Path(pytest_apex.vision.__file__).parent / "fonts" / "DejaVuSans.ttf"
SIZES = [16, 21, 30, 44]


def font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)


class Page:
    """A white page to write on; `at` is the box that a text takes."""

    def __init__(self, ground: str = "#FFFFFF", size: tuple[int, int] = (700, 200)) -> None:
        self.image = Image.new("RGB", size, ground)
        self.draw = ImageDraw.Draw(self.image)

    def write(self, text: str, at: tuple[int, int] = (10, 20), size: int = 21, fill: str = "#202020") -> Rect:
        used = font(size)
        self.draw.multiline_text(at, text, font=used, fill=fill, spacing=4)
        width = max(int(used.getlength(line)) + 1 for line in text.split("\n"))
        ascent, descent = used.getmetrics()
        return Rect.from_size(*at, width, (ascent + descent + 4) * text.count("\n") + ascent + descent)

    @property
    def picture(self) -> Picture:
        return image.from_image(self.image.copy())


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ground", ["#FFFFFF", "#111318"])
def test_clean_text(size: int, ground: str) -> None:
    page = Page(ground)
    box = page.write("Minutes, piñata: 12 %", size=size, fill="#808488")
    seen = ink.read_ink(page.picture, box)
    assert seen is not None
    assert seen.is_clear
    assert len(seen.lines) == 1
    assert not seen.cut
    assert not seen.ellipsis
    assert 0.85 * 18 <= seen.runs <= 1.2 * 18
    assert 0.9 * box.width < seen.width <= box.width


def test_the_ground_is_the_most_frequent_colour() -> None:
    page = Page("#0057B8")
    box = page.write("Save", fill="#FFFFFF")
    seen = ink.read_ink(page.picture, box)
    assert seen is not None
    assert seen.ground == (0, 0x57, 0xB8)


@pytest.mark.parametrize("size", SIZES)
def test_lines_with_dots_and_accents(size: int) -> None:
    page = Page(size=(700, 300))
    box = page.write("Ärger, Übung\niii jjj\nÄÖÜ ij", size=size)
    seen = ink.read_ink(page.picture, box)
    assert seen is not None
    assert len(seen.lines) == 3


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("ending", ["…", "..."])
def test_an_ellipsis(size: int, ending: str) -> None:
    page = Page()
    box = page.write("Milk, bread and app" + ending, size=size)
    seen = ink.read_ink(page.picture, box)
    assert seen is not None
    assert seen.ellipsis


@pytest.mark.parametrize("text", ["Save.", "12:30", "a, b, c", "Notes ···", "lll", "i.i.i", "..!"])
def test_what_is_no_ellipsis(text: str) -> None:
    page = Page()
    seen = ink.read_ink(page.picture, page.write(text))
    assert seen is not None
    assert not seen.ellipsis


def cut_at(page: Page, box: Rect, keep: Rect) -> None:
    """Paint over what of a text lies outside `keep`, as a clip does."""
    inside = page.image.crop((int(keep.left), int(keep.top), int(keep.right), int(keep.bottom)))
    page.draw.rectangle((box.left, box.top, box.right, box.bottom), fill="#FFFFFF")
    page.image.paste(inside, (int(keep.left), int(keep.top)))


@pytest.mark.parametrize("size", SIZES)
def test_ink_that_is_cut_sideways_within_a_letter(size: int) -> None:
    page = Page()
    box = page.write("HHHHHHHHHH", size=size)
    # A row above the bars of the letters: there only the stems are dark.
    row = int(box.top + 0.4 * box.height)
    start = 10 + int(font(size).getlength("HHH"))
    stem = next(x for x in range(start + 2, start + 2 * size) if page.image.getpixel((x, row)) < (99, 99, 99))
    keep = Rect(10, box.top, stem + 1, box.bottom)
    cut_at(page, box, keep)
    seen = ink.read_ink(page.picture, keep)
    assert seen is not None
    assert seen.cut == ("right",)


@pytest.mark.parametrize(("edge", "share"), [("bottom", 0.55), ("top", 0.45)])
def test_ink_that_is_cut_in_height(edge: str, share: float) -> None:
    page = Page()
    box = page.write("Notes and more", size=30)
    row = int(box.top + share * box.height)
    keep = Rect(box.left, box.top, box.right, row) if edge == "bottom" else Rect(box.left, row, box.right, box.bottom)
    cut_at(page, box, keep)
    seen = ink.read_ink(page.picture, keep)
    assert seen is not None
    assert seen.cut == (edge,)


def test_text_that_goes_on_outside_of_its_box_is_not_cut() -> None:
    page = Page()
    box = page.write("llllllll", size=30)
    seen = ink.read_ink(page.picture, Rect(box.left, box.top + 12, box.right, box.bottom - 12))
    assert seen is not None
    assert seen.runs == 8
    assert seen.cut == ()


def test_a_ground_with_round_corners_is_not_cut() -> None:
    page = Page()
    page.draw.rounded_rectangle((10, 20, 209, 69), 20, fill="#0057B8")
    page.write("Save", (80, 30), fill="#FFFFFF")
    seen = ink.read_ink(page.picture, Rect(10, 20, 210, 70))
    assert seen is not None
    assert seen.cut == ()


def test_a_photo_has_no_ground() -> None:
    page = Page()
    for x in range(200):
        for y in range(60):
            page.image.putpixel((x, y), (x, y * 4, (x * y) % 255))
    seen = ink.read_ink(page.picture, Rect(0, 0, 200, 60))
    assert seen is not None
    assert not seen.is_clear


def test_no_pixels() -> None:
    page = Page()
    outside = Rect(5000, 0, 5100, 10)
    assert ink.read_ink(page.picture, outside) is None
    assert ink.read_ink(page.picture, Rect(10, 10, 10, 20)) is None
    assert ink.ground_of(page.picture, outside) is None
    assert not ink.differs(page.picture, outside, (0, 0, 0))


def test_an_empty_box() -> None:
    seen = ink.read_ink(Page().picture, Rect(0, 0, 100, 40))
    assert seen is not None
    assert (seen.lines, seen.runs, seen.width, seen.cut, seen.ground_share) == ((), 0, 0, (), 1.0)


def test_a_box_at_the_edge_of_the_picture_has_nothing_beyond_it() -> None:
    page = Page(size=(60, 40))
    page.draw.rectangle((0, 10, 59, 30), fill="#202020")
    seen = ink.read_ink(page.picture, Rect(0, 0, 60, 40))
    assert seen is not None
    assert seen.cut == ()


def test_differs_finds_one_pixel_and_nothing_fainter() -> None:
    page = Page()
    assert not ink.differs(page.picture, Rect(0, 0, 100, 100), (255, 255, 255))
    page.image.putpixel((50, 50), (250, 250, 250))
    assert not ink.differs(page.picture, Rect(0, 0, 100, 100), (255, 255, 255))
    page.image.putpixel((50, 50), (200, 255, 255))
    assert ink.differs(page.picture, Rect(0, 0, 100, 100), (255, 255, 255))


@pytest.mark.parametrize(
    ("dot", "plain"),
    [
        ((255, 255, 255), True),
        ((255, 255, 244), True),  # as far as noise goes
        ((243, 255, 255), True),
        ((242, 255, 255), False),
        ((255, 235, 255), False),
        ((0, 255, 255), False),
    ],
)
def test_a_box_is_plain_exactly_where_no_ink_is_found(dot: tuple[int, int, int], plain: bool) -> None:
    page = Page()
    page.image.putpixel((50, 50), dot)
    box = Rect(0, 0, 100, 100)
    seen = ink.read_ink(page.picture, box)
    assert seen is not None
    assert ink.is_plain(page.picture, box) is plain
    assert (not seen.lines) is plain


def test_a_box_off_the_picture_is_not_called_plain() -> None:
    assert not ink.is_plain(Page().picture, Rect(900, 900, 990, 990))


def test_ground_of_a_large_area_is_counted() -> None:
    page = Page("#F4F6FA")
    page.draw.rectangle((0, 0, 699, 9), fill="#000000")
    found = ink.ground_of(page.picture, Rect(0, 0, 700, 200))
    assert found is not None
    assert found[0] == (0xF4, 0xF6, 0xFA)
    assert found[1] == pytest.approx(0.95, abs=0.01)


def test_span() -> None:
    assert Span(3, 10).size == 7


# Two texts


def two(first: str, second: str, at: tuple[int, int], size: int = 24, slack: float = 0) -> str:
    page = Page()
    one = page.write(first, (20, 60), size)
    other = page.write(second, at, size)
    wide = Rect(one.left, one.top, one.right + slack, one.bottom)
    return ink.meeting(page.picture, wide, other)


@pytest.mark.parametrize(
    ("first", "second", "at", "slack", "how"),
    [
        ("Version 1.4.0", "Made for people", (20, 68), 0, "over"),
        ("Version 1.4.0", "Made for people", (20, 72), 0, "over"),
        ("Version 1.4.0", "Made for people", (20, 80), 0, "apart"),
        ("Version 1.4.0", "Made for people who write", (4, 62), 0, "over"),
        ("Version 1.4.0", "for all", (60, 61), 0, "over"),
        ("Account name", "ada@example.com", (150, 60), 0, "over"),
        ("Account name", "ada@example.com", (230, 60), 90, "apart"),
        ("Wi-Fi", "On", (260, 60), 300, "apart"),
        ("Stone", "Notes", (20, 60), 0, "same_place"),
        ("Version", "Welcome", (20, 60), 0, "over"),
    ],
    ids=[
        "ascenders in descenders", "a little lower", "only the boxes meet", "on one line", "short within long",
        "the end of one in the other", "the end of a wide box", "a value in the row's box", "one on the other, as wide",
        "one on the other",
    ],
)  # fmt: skip
def test_how_two_texts_meet(first: str, second: str, at: tuple[int, int], slack: float, how: str) -> None:
    assert two(first, second, at, slack=slack) == how


def test_pale_text_under_dark_text_counts() -> None:
    page = Page()
    one = page.write("Version 1.4.0", (20, 60), 24, fill="#000000")
    other = page.write("Made for people who write", (4, 64), 24, fill="#B8B8B8")
    assert ink.meeting(page.picture, one, other) == "over"


def test_boxes_outside_of_the_picture_are_apart() -> None:
    page = Page()
    assert ink.meeting(page.picture, Rect(900, 0, 990, 20), Rect(910, 10, 980, 30)) == "apart"


# --- the same drawing, or another ----------------------------------------------------------------------------------


def written(text: str, fill: str = "#202020", ground: str = "#ffffff") -> Picture:
    page = Page(ground, (160, 40))
    if text:
        page.write(text, (10, 8), 18, fill)
    return page.picture


BOX = Rect(4, 4, 156, 36)


@pytest.mark.parametrize(
    ("fill", "ground"),
    [("#ffffff", "#202020"), ("#a0a0a0", "#ffffff"), ("#ffee00", "#0030a0"), ("#101010", "#808080")],
)
def test_the_same_words_in_other_colours_are_alike(fill: str, ground: str) -> None:
    alike = ink.likeness(written("Log in now"), written("Log in now", fill, ground), BOX)
    assert alike is not None
    assert alike > 0.6


@pytest.mark.parametrize("text", ["Cancel", "Settings", "4 of 12", "Welcome, Ada", ""])
def test_other_words_are_not(text: str) -> None:
    alike = ink.likeness(written("Log in now"), written(text), BOX)
    assert alike is not None
    assert alike < 0.4


def test_likeness_that_nobody_can_tell() -> None:
    noise = Image.effect_noise((160, 40), 90).convert("RGB")
    words = written("Log in now")
    assert ink.likeness(written(""), words, BOX) is None  # nothing was drawn there
    assert ink.likeness(words, image.from_image(noise), BOX) is None  # no ground
    assert ink.likeness(words, image.from_image(Image.new("RGB", (20, 20))), BOX) is None  # not on both
    assert ink.likeness(words, words, Rect(200, 200, 220, 220)) is None
    assert ink.likeness(words, words, BOX) == 1.0
