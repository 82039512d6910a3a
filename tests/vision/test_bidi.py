"""Text that runs from right to left, in the order and the forms in which it is drawn."""

from __future__ import annotations

import unicodedata

import pytest

from pytest_apex.vision import canvas
from pytest_apex.vision.bidi import drawn

ALEF, BET, GIMEL = "\u05d0", "\u05d1", "\u05d2"


@pytest.mark.parametrize("text", ["", "Plain words, 12 of them", "Größe 42 €", "注文一覧 (3)", "नमस्ते", "🙂 ok"])
def test_what_runs_the_usual_way_stays(text: str) -> None:
    assert drawn(text) == text


@pytest.mark.parametrize(
    ("text", "left_to_right"),
    [
        (ALEF + BET, BET + ALEF),
        (f"12 {ALEF}{BET}", f"{BET}{ALEF} 12"),
        (f"{ALEF}{BET} 12,50", f"12,50 {BET}{ALEF}"),
        (f"{ALEF} ok {BET}", f"{BET} ok {ALEF}"),
        (f"Buy {ALEF}{BET} now", f"Buy {BET}{ALEF} now"),
        (f"Buy {ALEF} {BET} now", f"Buy {BET} {ALEF} now"),
        (f"Buy 2 {ALEF}{BET} 3", f"Buy 2 3 {BET}{ALEF}"),
        (f"({ALEF}{BET}) {GIMEL}", f"{GIMEL} ({BET}{ALEF})"),
        (f"Cart ({ALEF}{BET})", f"Cart ({BET}{ALEF})"),
        (f"{ALEF}!", f"!{ALEF}"),
        (f"{ALEF}\u05b7{BET}", f"{BET}{ALEF}\u05b7"),
    ],
)
def test_order(text: str, left_to_right: str) -> None:
    assert drawn(text) == left_to_right


@pytest.mark.parametrize(
    ("text", "forms"),
    [
        ("\u0628", ["isolated"]),
        ("\u0628\u0628\u0628", ["final", "medial", "initial"]),
        ("\u0628\u0627\u0628", ["isolated", "final", "initial"]),
        ("\u0627\u0628", ["isolated", "isolated"]),
        ("\u0628 \u0628", ["isolated", "", "isolated"]),
        ("\u0628\u064e\u0628", ["final", "initial", ""]),
        ("\u067e\u06cc", ["final", "initial"]),
    ],
)
def test_each_letter_has_the_form_of_its_place(text: str, forms: list[str]) -> None:
    found = [unicodedata.decomposition(letter).partition(" ")[0].strip("<>") for letter in drawn(text)]
    assert found == forms


def test_lam_and_alef_are_one() -> None:
    assert drawn("\u0644\u0627") == "\ufefb"
    assert drawn("\u0628\u0644\u0627") == "\ufefc\ufe91"


def test_the_phone_draws_it_so() -> None:
    joined = canvas.text_width("\u0628\u0628\u0628", 40)
    assert joined < 3 * canvas.text_width("\u0628", 40)
    first = canvas.ink_columns(BET, 40)
    assert canvas.ink_columns(ALEF + BET, 40)[: len(first)] == first
    assert canvas.ink_columns(ALEF + BET, 40)[: len(first)] != canvas.ink_columns(ALEF, 40)[: len(first)]


def test_long_lines_take_no_time_of_their_square() -> None:
    assert len(drawn(ALEF + "!?" * 50_000)) == 100_001
