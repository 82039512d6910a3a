"""Secrets on screens: where they are, and the snapshot without them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from pytest_apex.evidence.redact import Redactor
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot

FIELD = int(NodeState.ENABLED | NodeState.VISIBLE | NodeState.EDITABLE)
PASSWORD = FIELD | NodeState.PASSWORD
FIRST = Rect(10, 10, 190, 30)
SECOND = Rect(10, 40, 190, 60)


def test_a_password_field_with_content_is_secret_and_an_empty_one_is_not(screen_with, field) -> None:
    full = screen_with(field("••••••", states=PASSWORD), field("ada@example.com"))
    empty = screen_with(field("", states=PASSWORD, hint="Password"), field("ada@example.com"))
    redactor = Redactor()
    assert redactor.boxes(full) == [FIRST]
    assert redactor.snapshot(full).nodes[1].text == "•••"  # not even its length is told
    assert redactor.snapshot(full).nodes[2].text == "ada@example.com"
    assert redactor.boxes(empty) == []
    assert redactor.snapshot(empty) is empty


def test_an_empty_password_field_with_the_focus_may_be_typed_into_at_this_moment(screen_with, field) -> None:
    snapshot = screen_with(field("", states=PASSWORD | NodeState.FOCUSED))
    assert Redactor().boxes(snapshot) == [FIRST]


def test_a_revealed_password_is_found_by_its_text(screen_with, field) -> None:
    redactor = Redactor()
    revealed = screen_with(field("sesame"), field("milk"))
    assert redactor.snapshot(revealed) is revealed
    redactor.add_secret("sesame")
    assert redactor.boxes(revealed) == [FIRST]
    assert redactor.snapshot(revealed).nodes[1].text == "•••"


@pytest.mark.parametrize("where", ["text", "label", "value", "hint"])
def test_a_secret_is_found_in_every_text_of_a_control(screen_with, field, where: str) -> None:
    snapshot = screen_with(field("milk"), field(**{where: "your code is sesame"}))
    redactor = Redactor(["sesame"])
    assert redactor.boxes(snapshot) == [SECOND]
    node = redactor.snapshot(snapshot).nodes[2]
    assert getattr(node, where) == "your code is •••"


def test_a_field_that_a_secret_was_typed_into_is_hidden_whatever_it_shows(screen_with, field) -> None:
    redactor = Redactor()
    redactor.add_secret("sesame", field_id="pin")
    seen = screen_with(field("s e s a m e", identifier="pin"), field("milk", identifier="item"))
    assert redactor.boxes(seen) == [FIRST]
    assert redactor.snapshot(seen).nodes[1].text == "•••"
    assert redactor.boxes(screen_with(field("", identifier="pin"))) == []


def test_a_field_caught_while_a_secret_is_typed_is_hidden(screen_with, field) -> None:
    redactor = Redactor(["open sesame"])
    assert redactor.boxes(screen_with(field("open ses"))) == [FIRST]
    assert redactor.boxes(screen_with(field("open ses", role="text", states=FIELD & ~NodeState.EDITABLE))) == []
    assert redactor.boxes(screen_with(field("ope"))) == []


def test_names_and_raw_attributes_are_masked_too(screen_with, field) -> None:
    snapshot = screen_with(field("secret pin", states=PASSWORD), field("milk", identifier="sesame_row"))
    snapshot = replace(snapshot, app=replace(snapshot.app, label="sesame"), notes=("near sesame",))
    hidden = Redactor(["sesame"]).snapshot(snapshot)
    assert hidden.nodes[2].identifier == "•••_row"
    assert hidden.app.label == "•••"
    assert hidden.notes == ("near •••",)
    assert hidden.nodes[1].raw == {"text": "•••", "class": "android.widget.EditText"}
    assert hidden.nodes[2].raw["text"] == "milk"
    assert "sesame" not in hidden.to_text()
    assert "secret pin" not in hidden.to_text()


def test_the_pixels_of_a_secret_are_black_and_all_others_as_they_were(screen_with, field) -> None:
    snapshot = screen_with(field("sesame"), field("milk"), scale=2.5)
    hidden = Redactor(["sesame"]).snapshot(snapshot)
    pixels = hidden.picture.pixels()
    assert pixels.size == (500, 500)
    # the field is at 10…190, 10…30: 25…475, 25…75 in pixels, and one more at each edge
    assert pixels.crop((24, 24, 476, 76)).getcolors() == [(452 * 52, (0, 0, 0))]
    black = sum(count for count, color in pixels.getcolors() if color == (0, 0, 0))
    assert black == 452 * 52
    assert snapshot.picture.pixels().getcolors() == [(500 * 500, (255, 255, 255))]


def test_places_named_by_others_are_blacked_out(screen_with, field) -> None:
    snapshot = screen_with(field("milk"))
    hidden = Redactor().snapshot(snapshot, [Rect(0, 0, 10, 10)])
    assert hidden.tree is snapshot.tree
    assert hidden.picture.pixels().getpixel((5, 5)) == (0, 0, 0)


def test_a_screen_without_secrets_is_the_same_object(screen_with, field) -> None:
    snapshot = screen_with(field("milk"))
    redactor: Redactor = Redactor(["sesame", r"/\d{16}/"])
    assert redactor.snapshot(snapshot) is snapshot


def test_a_screen_without_a_picture_is_masked_in_its_texts(screen_with: Callable[..., Snapshot], field) -> None:
    hidden = Redactor(["sesame"]).snapshot(replace(screen_with(field("sesame")), picture=None))
    assert hidden.picture is None
    assert hidden.nodes[1].text == "•••"
