"""A tree that no longer goes with its picture, and everything that only looks like one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

from pytest_apex.backends.virtual import connect
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.settings import Settings
from pytest_apex.verify.lag import lag_between, lag_in, same_tree
from pytest_apex.verify.sight import is_turned, noted, oddities
from pytest_apex.vision import image

APP = Path(__file__).parent / "lag_app.yaml"


class Page:
    """The app's screens, each with the picture of itself or of another."""

    def __init__(self, platform: str) -> None:
        self._backend = connect(f"virtual:{APP}?platform={platform}", Settings())
        self._backend.launch("com.example.lag")
        self.phone = self._backend.raw
        self.phone.clock.sleep(3)
        self.shopping = self._backend.capture()

    def after(self, word: str) -> Snapshot:
        """The look after a tap on a control with this id."""
        now = self._backend.capture()
        point = next(node for node in now.nodes if node.identifier.endswith(word)).bounds.center
        from pytest_apex.model.action import Sample, Stroke, Track

        samples = (Sample(0, point.x, point.y), Sample(60, point.x, point.y))
        self.phone.touch(Track("tap", (Stroke(0, samples),)))
        self.phone.clock.sleep(2)
        return self._backend.capture()

    def drawn(self, *boxes: Rect, color: str = "#303030", text: str = "") -> Snapshot:
        """The look with something drawn over its picture, in units of the tree."""
        look = self.shopping
        assert look.picture is not None
        page = look.picture.pixels().copy()
        draw = ImageDraw.Draw(page)
        for box in boxes:
            part = box.scaled(look.screen.scale)
            draw.rectangle((part.left, part.top, part.right - 1, part.bottom - 1), fill=color)
            draw.text((part.left + 2, part.top + 2), text, fill="white")
        return replace(look, picture=image.from_image(page))

    def box(self, word: str) -> Rect:
        return next(node.bounds for node in self.shopping.nodes if word in (node.text, node.label))


@pytest.fixture(params=["android", "ios"])
def page(request: Any) -> Iterator[Page]:
    with ExitStack():
        yield Page(request.param)


def test_another_screen_beside_the_tree_of_this_one(page: Page) -> None:
    other = page.after("other")
    lag = lag_between(page.shopping, replace(page.shopping, id="s2", picture=other.picture))
    assert lag is not None
    assert lag.sure
    assert '"Shopping"' in lag.words


def test_a_tree_that_followed(page: Page) -> None:
    other = page.after("other")
    assert lag_between(page.shopping, other) is None
    assert not same_tree(page.shopping, other)


def test_the_same_look_twice(page: Page) -> None:
    assert lag_between(page.shopping, page.shopping) is None
    again = page._backend.capture()
    assert same_tree(page.shopping, again)
    assert lag_between(page.shopping, again) is None


def test_other_colours_are_no_other_drawing(page: Page) -> None:
    dark = page.after("dark")
    assert dark.picture.key != page.shopping.picture.key  # type: ignore[union-attr]
    assert lag_between(page.shopping, replace(page.shopping, picture=dark.picture)) is None


def test_a_highlight_that_stays_on_a_control(page: Page) -> None:
    """A ripple, or the colour of what is pressed."""
    box = page.box("The other list").grown(-2)
    look = page.shopping
    pixels = look.picture.pixels().copy()  # type: ignore[union-attr]
    part = box.scaled(look.screen.scale)
    corner = (int(part.left), int(part.top), int(part.right), int(part.bottom))
    lit = Image.blend(pixels.crop(corner), Image.new("RGB", (corner[2] - corner[0], corner[3] - corner[1]), "red"), 0.3)
    pixels.paste(lit, corner[:2])
    assert lag_between(look, replace(look, picture=image.from_image(pixels))) is None


def test_a_picture_that_changes_without_a_word(page: Page) -> None:
    photo = next(node for node in page.shopping.nodes if node.identifier.endswith("photo"))
    assert lag_between(page.shopping, page.drawn(photo.bounds, text="frame 2")) is None


def test_a_toast_that_the_tree_leaves_out(page: Page) -> None:
    """It lies over one text: whether that one changed can't be told."""
    toast = page.box("Sugar and salt").grown(6)
    assert lag_between(page.shopping, page.drawn(toast, text="Saved")) is None


def test_a_good_part_drawn_otherwise_may_be_either(page: Page) -> None:
    """A sheet that the tree leaves out, or a tree that lags: nobody can tell."""
    middle = page.box("Lemons or limes").grown(6)
    sheet = Rect(0, middle.top, page.shopping.screen.size.width, middle.bottom + 120)
    lag = lag_between(page.shopping, page.drawn(sheet, text="A sheet"))
    assert lag is not None
    assert not lag.sure


def test_a_keyboard_that_the_tree_leaves_out(page: Page) -> None:
    screen = page.shopping.screen.bounds
    cover = Rect(0, screen.height * 0.55, screen.width, screen.height)
    lag = lag_between(page.shopping, page.drawn(cover, text="q w e r t y"))
    assert lag is None or not lag.sure


def test_texts_that_were_not_drawn_yet(page: Page) -> None:
    """The tree was right before the picture was: a skeleton of bars, or nothing, where the texts are now."""
    texts = [node.bounds for node in page.shopping.nodes if node.text and not list(node.children)]
    empty = page.drawn(*(box.grown(1) for box in texts), color="#fafafa")
    bars = page.drawn(*(box.grown(1) for box in texts), color="#d0d0d0")
    assert lag_between(empty, page.shopping) is None
    assert lag_between(bars, page.shopping) is None


def test_a_screen_without_texts_says_nothing(make: Any) -> None:
    """A map, a game, a video: whatever is drawn there."""
    parts = [make.N("map", "Map of the town", (0, 20, 240, 300)), make.N("other", "", (0, 300, 240, 460))]
    before, after = make.look(make.page(*parts)), make.look(make.page(*parts), picture="blank")
    assert lag_between(before, after) is None


def test_the_caret_and_typed_text_are_not_compared(make: Any) -> None:
    box = (20.0, 60.0, 220.0, 90.0)
    field = make.N("text_field", "a b c d", box, states=NodeState.ENABLED | NodeState.VISIBLE | NodeState.EDITABLE)
    before, after = make.look(make.page(field)), make.look(make.page(field), picture="blank")
    assert lag_between(before, after) is None


def test_a_picture_that_turned(page: Page) -> None:
    turned = replace(page.shopping, picture=image.from_image(page.shopping.picture.pixels().transpose(2)))  # type: ignore[union-attr]
    lag = lag_between(page.shopping, turned)
    assert lag is not None
    assert lag.sure
    assert "turned" in lag.words


def test_black_pictures_and_none_are_other_trouble(page: Page) -> None:
    look = page.shopping
    black = replace(look, picture=image.from_image(Image.new("RGB", look.picture.pixels().size)))  # type: ignore[union-attr]
    assert lag_between(look, black) is None
    assert lag_between(look, replace(look, picture=None)) is None


# --- one look ------------------------------------------------------------------------------------------------------


def test_texts_of_which_the_picture_shows_none(page: Page) -> None:
    texts = [node.bounds for node in page.shopping.nodes if node.text and not list(node.children)]
    plain = page.drawn(*(box.grown(3) for box in texts), color="#ffffff")
    lag = lag_in(plain)
    assert lag is not None
    assert "not in the picture" in lag.words
    assert lag_in(page.shopping) is None


def test_some_texts_missing_is_no_stale_tree(page: Page) -> None:
    """A layer that the tree leaves out lies over the lower half."""
    screen = page.shopping.screen.bounds
    half = page.drawn(Rect(0, screen.height * 0.6, screen.width, screen.height), color="#ffffff")
    assert lag_in(half) is None


def test_a_blank_page_is_blank_and_not_stale(make: Any) -> None:
    words = [make.N("text", f"Line {at}", (20, 40 + 60 * at, 120, 60 + 60 * at)) for at in range(6)]
    assert lag_in(make.look(make.page(*words), picture="blank")) is None


# --- what is odd about one look ------------------------------------------------------------------------------------


def test_a_usual_look_has_nothing_odd(page: Page) -> None:
    assert list(oddities(page.shopping)) == []
    assert noted(page.shopping) is page.shopping


@pytest.mark.parametrize(
    ("kind", "begins"), [("secure", "secure picture:"), ("black", "secure picture:"), (None, "no picture")]
)
def test_black_or_no_picture(make: Any, kind: str | None, begins: str) -> None:
    (note,) = oddities(make.look(picture=kind))
    assert note.startswith(begins)


def test_a_blind_tree(make: Any) -> None:
    one = make.look(make.W([make.N("group", "", (0, 0, 240, 480))]))
    (note,) = noted(replace(one, picture=make.look().picture)).notes
    assert note.startswith("blind tree:")
    assert list(oddities(replace(one, picture=make.look(picture="blank").picture))) == []


def test_a_turned_pair_both_ways(make: Any) -> None:
    look = make.look()
    picture = image.from_image(look.picture.pixels().transpose(2))
    lying = replace(look, screen=replace(look.screen, size=Size(480, 240)))
    for pair in (replace(look, picture=picture), lying):
        assert is_turned(pair)
        (note,) = oddities(pair)
        assert note.startswith("turned:")
    assert not is_turned(replace(lying, picture=picture))
    assert list(oddities(replace(lying, picture=picture))) == []


@pytest.mark.parametrize(("skew", "says"), [(20.0, False), (-900.0, False), (1500.0, True), (-4000.0, True)])
def test_a_long_time_between_tree_and_picture(make: Any, skew: float, says: bool) -> None:
    found = list(oddities(replace(make.look(), skew_ms=skew)))
    assert bool(found) is says
    assert not says or ("after" if skew > 0 else "before") in found[0]
