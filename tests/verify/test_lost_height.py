"""Cut letters and letters that end with their box, by their heights."""

from __future__ import annotations

import pytest

from pytest_apex.model.geometry import Rect
from pytest_apex.verify.checks.lost_height import is_cut_at, may_be_cut
from pytest_apex.vision.ink import Ink, Span

#: Heights in DejaVu Sans of 40 pixels, from the line up, and down for deep letters.
LOW, HIGH, DEEP = 22, 30, 9


def drawn(text: str, top: int = 0, bottom: int = 0) -> list[Rect]:
    """The boxes of a text's letters, so many rows cut away above and below."""
    runs = []
    deepest = DEEP if any(letter in "gpqy" for letter in text) else 0
    for at, letter in enumerate(text.replace(" ", "")):
        up = LOW if letter in "acemnorsuvwxzgpqy" else HIGH
        down = DEEP if letter in "gpqy" else 0
        runs.append(Rect(at * 20, max(top, HIGH - up), at * 20 + 18, min(HIGH + down, HIGH + deepest - bottom)))
    return runs


def ink(*lines: Span, cut: tuple[str, ...] = ("bottom",), grazed: tuple[str, ...] = ("bottom",), width: int = 0) -> Ink:
    return Ink((255, 255, 255), 0.9, lines, 5, width, False, cut, grazed)


@pytest.mark.parametrize(
    ("text", "edge", "top", "bottom", "cut"),
    [
        ("Hello world", "bottom", 0, 0, False),
        ("Hello world", "bottom", 0, 10, True),
        ("Hello world", "top", 0, 0, False),
        ("Hello world", "top", 7, 0, True),
        ("Settings", "bottom", 0, 0, False),
        ("Settings", "bottom", 0, 2, False),
        ("Settings", "bottom", 0, 6, True),
        ("Settings", "bottom", 0, 9, True),
        ("apply", "bottom", 0, 7, True),
    ],
)
def test_letters_that_stand_alone_are_measured(text: str, edge: str, top: int, bottom: int, cut: bool) -> None:
    runs = drawn(text, top, bottom)
    assert is_cut_at(edge, text, ink(Span(0, 40), cut=(edge,)), lambda: runs) is cut


@pytest.mark.parametrize(("high", "cut"), [(29, False), (23, None), (15, True)])
def test_capitals_are_measured_by_their_width(high: int, cut: bool | None) -> None:
    seen = ink(Span(0, high), width=100)
    assert is_cut_at("bottom", "SAVE", seen, list) is cut


@pytest.mark.parametrize(("last", "cut"), [(28, None), (12, True)])
def test_the_last_of_several_lines_is_compared_with_the_others(last: int, cut: bool | None) -> None:
    seen = ink(Span(0, 30), Span(45, 45 + last))
    assert is_cut_at("bottom", "Hello you wide world", seen, list) is cut


@pytest.mark.parametrize("text", ["أهلا وسهلا", "注文一覧"])
def test_scripts_without_common_heights_are_cut_where_ink_stops(text: str) -> None:
    assert is_cut_at("bottom", text, ink(Span(0, 30)), list) is True
    assert is_cut_at("bottom", text, ink(Span(0, 30), cut=()), list) is False


def test_little_ink_at_the_last_row_matters_under_deep_letters() -> None:
    seen = ink(Span(0, 30), cut=())
    assert may_be_cut("bottom", "Settings", seen)
    assert not may_be_cut("bottom", "Notes", seen)
    assert not may_be_cut("top", "Settings", seen)
