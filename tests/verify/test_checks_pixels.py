"""Overlap and cut text on small drawn pages, each with its innocent twin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

import pytest_apex.vision
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window
from pytest_apex.verify.checks import find_defects
from pytest_apex.verify.checks.truncated import is_own_label
from pytest_apex.vision import image, ocr

FONT = Path(pytest_apex.vision.__file__).parent / "fonts" / "DejaVuSans.ttf"
SHOWN = NodeState.ENABLED | NodeState.VISIBLE


class Sheet:
    """A page and its tree, made together. `write` draws a text, or `drawn` in its place, into its own box."""

    def __init__(self, ground: str = "#FFFFFF", ink: str = "#202020") -> None:
        self.image = Image.new("RGB", (540, 400), ground)
        self.ground, self.ink = ground, ink
        self.draw = ImageDraw.Draw(self.image)
        self.tree = TreeBuilder()
        self.tree.window(Window(0, "com.example.notes", bounds=Rect(0, 0, 540, 400)))
        self.tree.open("group", (0, 0, 540, 400))

    def measure(self, text: str, size: int) -> tuple[int, int]:
        font = ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)
        return int(font.getlength(text)) + 1, sum(font.getmetrics())

    def write(
        self, text: str, at: tuple[int, int] = (20, 40), *, size: int = 24, drawn: str | None = None,
        role: str = "text", box: tuple[int, int, int, int] | None = None, clip: float = 1.0, fill: str = "",
        states: NodeState = SHOWN,
    ) -> Rect:  # fmt: skip
        """`box` is what the tree says; `clip` is the share of the text's width that shows."""
        words = text if drawn is None else drawn
        width, height = self.measure(words, size)
        layer = Image.new("RGB", (max(1, round(width * clip)), height), self.ground)
        font = ImageFont.truetype(FONT, size, layout_engine=ImageFont.Layout.BASIC)
        ImageDraw.Draw(layer).text((0, 0), words, font=font, fill=fill or self.ink)
        mask = Image.new("L", layer.size, 0)
        ImageDraw.Draw(mask).text((0, 0), words, font=font, fill=255)
        self.image.paste(layer, at, mask)
        own = (at[0], at[1], at[0] + layer.width, at[1] + layer.height)
        self.tree.leaf(role, box or own, text=text, states=int(states))
        return Rect(*(box or own))

    def look(self) -> Snapshot:
        screen = Screen(Size(540, 400))
        return Snapshot(
            "s", 0.0, self.tree.build(), screen, AppInFront("com.example.notes"), image.from_image(self.image)
        )

    def found(self) -> list[tuple[str, str]]:
        return [(finding.rule, finding.severity) for finding in find_defects(self.look())]


GROUNDS = [("#FFFFFF", "#202020"), ("#111318", "#C0C4CC"), ("#FFFFFF", "#9A9DA3"), ("#0057B8", "#FFFFFF")]
BOTH = pytest.mark.parametrize(("ground", "ink"), GROUNDS, ids=["light", "dark", "pale", "coloured"])


@BOTH
@pytest.mark.parametrize("size", [16, 21, 30])
def test_clean_texts(ground: str, ink: str, size: int) -> None:
    sheet = Sheet(ground, ink)
    for row, text in enumerate(
        ["fluffy affair, illicit", "WAVE AVATAR TO", "minimum running", "Äpfel über %", "Ends here..."]
    ):
        sheet.write(text, (20, 20 + row * 60), size=size)
    assert sheet.found() == []


# Overlap


@BOTH
@pytest.mark.parametrize("by", [10, 14])
def test_a_line_on_the_line_above(ground: str, ink: str, by: int) -> None:
    sheet = Sheet(ground, ink)
    box = sheet.write("Version 1.4.0 gjpqy", (20, 40))
    sheet.write("Made for people who write", (20, int(box.bottom) - by))
    assert ("overlap", "fail") in sheet.found()


@BOTH
def test_lines_whose_boxes_meet_and_whose_ink_does_not(ground: str, ink: str) -> None:
    sheet = Sheet(ground, ink)
    one = sheet.write("Version 1.4.0", (20, 40))
    below = (20, int(one.bottom) - 8, 300, int(one.bottom) + 30)
    sheet.write("Made for people", (20, int(one.bottom) + 2), box=below)
    assert sheet.found() == []


def test_texts_side_by_side() -> None:
    sheet = Sheet()
    sheet.write("Account name", (20, 40))
    sheet.write("ada@example.com", (140, 41))
    assert ("overlap", "fail") in sheet.found()


def test_a_value_in_the_row_of_a_wide_label() -> None:
    sheet = Sheet()
    sheet.write("Wi-Fi", (20, 40), box=(20, 40, 500, 68))
    sheet.write("Connected", (380, 40))
    assert sheet.found() == []


def test_the_same_words_twice_are_one_text() -> None:
    sheet = Sheet()
    box = sheet.write("Save", (20, 40))
    sheet.write("Save", (20, 40), box=(int(box.left), int(box.top), int(box.right), int(box.bottom)))
    assert sheet.found() == []


def test_of_two_texts_in_one_place_one_may_be_transparent() -> None:
    sheet = Sheet()
    sheet.write("Stone", (20, 40), drawn="")
    sheet.tree = TreeBuilder()
    sheet.tree.window(Window(0, "com.example.notes", bounds=Rect(0, 0, 540, 400)))
    one = sheet.write("Stone", (20, 40))
    sheet.tree.leaf("text", (one.left, one.top, one.right, one.bottom), text="Notes")
    assert sheet.found() == []


def test_a_badge_and_a_floating_button_cover_and_do_not_mix() -> None:
    sheet = Sheet()
    sheet.write("A long title that goes on below", (20, 40))
    sheet.draw.rounded_rectangle((150, 30, 330, 79), 20, fill="#0057B8")
    sheet.ground, sheet.ink = "#0057B8", "#FFFFFF"
    sheet.tree.open("button", (150, 30, 331, 80), states=int(SHOWN | NodeState.CLICKABLE))
    sheet.write("New note", (180, 42))
    sheet.tree.close()
    assert sheet.found() == []


def test_a_caret_and_a_hint_in_a_text_field() -> None:
    sheet = Sheet()
    sheet.tree.open("text_field", (10, 30, 300, 80), states=int(SHOWN | NodeState.EDITABLE))
    sheet.write("Type a message", (20, 40))
    sheet.draw.rectangle((20, 38, 22, 70), fill="#6040C0")
    sheet.tree.close()
    assert sheet.found() == []


# Cut text


@BOTH
@pytest.mark.parametrize("size", [18, 24, 32])
def test_text_cut_within_a_letter(ground: str, ink: str, size: int) -> None:
    sheet = Sheet(ground, ink)
    width, height = sheet.measure("HHHHHH HHHHH", size)
    box = sheet.write("HHHHHH HHHHH", (20, 40), size=size)
    pixels = sheet.image
    row = int(box.top + 0.4 * box.height)
    dark = [x for x in range(20 + width // 2, 20 + width) if pixels.getpixel((x, row)) == _rgb(ink)]
    at = dark[0]
    sheet.draw.rectangle((at + 1, 40, 539, 40 + height), fill=ground)
    sheet.tree = _one_text("HHHHHH HHHHH", (20, 40, at + 1, 40 + height))
    assert sheet.found() == [("truncated", "fail")]


def _rgb(text: str) -> tuple[int, ...]:
    return tuple(int(text[at : at + 2], 16) for at in (1, 3, 5))


def _one_text(text: str, box: tuple[float, float, float, float]) -> TreeBuilder:
    tree = TreeBuilder()
    tree.window(Window(0, "com.example.notes", bounds=Rect(0, 0, 540, 400)))
    tree.leaf("text", box, text=text)
    return tree


def test_a_first_letter_without_room_beside_it_is_not_cut() -> None:
    sheet = Sheet()
    sheet.write("Made for you", (20, 40))
    sheet.draw.rectangle((20, 42, 23, 64), fill=sheet.ink)
    assert sheet.found() == []
    sheet.tree = _one_text("מחברת ישנה", (20, 40, 300, 70))
    assert sheet.found() == [("truncated", "fail")], "a text that runs from the right ends there"


@pytest.mark.parametrize(
    ("role", "severity"), [("text", "warn"), ("button", "fail"), ("tab", "fail"), ("checkbox", "fail")]
)
@pytest.mark.parametrize("drawn", ["Move to the arch…", "Move to the arch..."])
def test_an_ellipsis_on_content_and_on_a_controls_own_label(role: str, severity: str, drawn: str) -> None:
    sheet = Sheet()
    sheet.write("Move to the archive for good", drawn=drawn, role=role)
    assert sheet.found() == [("truncated", severity)]


def test_a_text_that_ends_in_dots_by_itself() -> None:
    sheet = Sheet()
    sheet.write("Loading your notes...", role="button")
    assert sheet.found() == []


@pytest.mark.parametrize(("drawn", "found"), [("Move to the arc", True), ("Move to the archive for", False)])
def test_a_part_of_the_words(drawn: str, found: bool) -> None:
    sheet = Sheet()
    sheet.write("Move to the archive for good", drawn=drawn, role="button")
    assert (("truncated", "fail") in sheet.found()) is found


@pytest.mark.parametrize("text", ["Repeat", "Cancel", "Update", "Abmelden"])
@pytest.mark.parametrize(("share", "found"), [(0.45, True), (1.0, False)], ids=["its middle", "whole"])
def test_a_short_label_that_is_too_long_for_its_button(text: str, share: float, found: bool) -> None:
    sheet = Sheet()
    width, height = sheet.measure(text, 24)
    left, right = round(100 + width * (1 - share) / 2), round(100 + width * (1 + share) / 2)
    sheet.write(text, (100, 40), role="button", box=(left, 40, right, 40 + height))
    sheet.draw.rectangle((0, 40, left - 1, 40 + height), fill=sheet.ground)
    sheet.draw.rectangle((right, 40, 539, 40 + height), fill=sheet.ground)
    assert (("truncated", "fail") in sheet.found()) is found


def test_two_lines_are_counted_together() -> None:
    sheet = Sheet()
    sheet.write("A text that is set in two lines", (20, 40), drawn="A text that is set", box=(20, 40, 300, 110))
    sheet.tree = _one_text("A text that is set in two lines", (20, 40, 300, 110))
    sheet.image.paste(sheet.image.crop((20, 40, 300, 70)), (20, 76))
    assert sheet.found() == []


@pytest.mark.parametrize(
    "facts",
    [
        {"states": SHOWN | NodeState.PASSWORD},
        {"role": "text_field", "states": SHOWN | NodeState.EDITABLE},
        {"states": NodeState.ENABLED},
    ],
    ids=["a password", "typed", "not visible"],
)
def test_texts_that_are_not_compared_with_their_ink(facts: dict[str, Any]) -> None:
    sheet = Sheet()
    sheet.write("Move to the archive for good", drawn="Move", **facts)
    sheet.write("Another text", (20, 200))
    assert sheet.found() == []


@pytest.mark.parametrize(
    "text",
    [
        "خزانة الملاحظات القديمة",
        "पुरानी टिप्पणियाँ देखें",
        "😀😀😀😀😀😀😀😀😀",
        "\ue5d2\ue5d3\ue5d4\ue5d5\ue5d6\ue5d7\ue5d8\ue5d9",
    ],
)
def test_letters_that_hang_together_or_are_pictures_are_not_counted(text: str) -> None:
    sheet = Sheet()
    sheet.write(text, drawn="nnn")
    assert sheet.found() == []


def test_a_photo_behind_a_text_tells_nothing() -> None:
    sheet = Sheet()
    for x in range(540):
        for y in range(30, 90):
            sheet.image.putpixel((x, y), (x % 256, (y * 7) % 256, (x * y) % 256))
    sheet.write("On a photo of the sea", drawn="")
    assert sheet.found() == []


def test_a_row_that_is_half_out_of_its_list() -> None:
    sheet = Sheet()
    sheet.write("", drawn="")
    box = sheet.write("HHHHHHHH", (20, 100), size=30)
    cut = int(box.top) + 14
    sheet.draw.rectangle((0, cut, 539, 399), fill="#FFFFFF")
    sheet.tree = TreeBuilder()
    sheet.tree.window(Window(0, "com.example.notes", bounds=Rect(0, 0, 540, 400)))
    sheet.tree.open("list", (0, 0, 540, cut))
    sheet.tree.leaf("text", (20, 40, 200, 60), text="Above")
    sheet.draw.rectangle((30, 45, 60, 55), fill="#202020")
    sheet.tree.leaf("text", (box.left, box.top, box.right, cut), text="HHHHHHHH")
    sheet.tree.close()
    assert sheet.found() == []
    sheet.tree = _one_text("HHHHHHHH", (box.left, box.top, box.right, cut))
    assert sheet.found() == [("truncated", "fail")]


def test_own_labels() -> None:
    tree = TreeBuilder()
    tree.open("toolbar", (0, 0, 540, 60))
    tree.leaf("text", (10, 10, 100, 40), text="Title")
    tree.close()
    tree.leaf("text", (10, 80, 100, 100), text="Content")
    tree.leaf("button", (10, 120, 100, 160), text="Save")
    built = tree.build()
    assert [is_own_label(built.node(at)) for at in (1, 2, 3)] == [True, False, True]


@pytest.mark.parametrize(("read", "found"), [("Move to the archive", []), ("Move to", [("truncated", "fail")])])
def test_a_second_opinion_where_texts_can_be_read(
    monkeypatch: pytest.MonkeyPatch, read: str, found: list[tuple[str, str]]
) -> None:
    lines = (ocr.ReadText(read, Rect(0, 0, 100, 20), 0.99),)
    monkeypatch.setattr(ocr, "is_installed", lambda: True)
    monkeypatch.setattr(ocr, "read_text", lambda picture, box: lines)
    sheet = Sheet()
    sheet.write("Move to the archive", drawn="Move to", role="button", box=(20, 40, 400, 90))
    assert sheet.found() == found
