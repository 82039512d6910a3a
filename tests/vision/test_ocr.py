"""Reading texts on a picture: with a reader that is told what to say, and without any."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from pytest_apex.errors import ConfigError
from pytest_apex.model.geometry import Rect
from pytest_apex.vision import ocr
from pytest_apex.vision.image import from_image
from pytest_apex.vision.ocr import ReadText, in_rows, read_text, same_words


def corners(left: float, top: float, right: float, bottom: float) -> Any:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]])


class Reader:
    """Says the same of every picture, and counts how often it was asked."""

    def __init__(self, *lines: tuple[str, tuple[float, float, float, float], float]) -> None:
        self.lines, self.asked = lines, []  # type: ignore[var-annotated]

    def __call__(self, pixels: Any) -> Any:
        self.asked.append(pixels.shape)
        if not self.lines:
            return SimpleNamespace(boxes=None, txts=None, scores=None)
        words, boxes, scores = zip(*self.lines, strict=True)
        return SimpleNamespace(boxes=[corners(*box) for box in boxes], txts=words, scores=scores)


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Any:
    def install(*lines: tuple[str, tuple[float, float, float, float], float]) -> Reader:
        made = Reader(*lines)
        monkeypatch.setattr(ocr, "engine", lambda: made)
        return made

    return install


def picture(color: str) -> Any:
    return from_image(Image.new("RGB", (200, 100), color))


def test_lines_from_top_to_bottom_without_noise(reader: Any) -> None:
    reader(("Score", (10, 60, 60, 80), 0.9), ("Play", (10, 10, 60, 30), 0.99), ("~", (90, 10, 99, 30), 0.3))
    assert [line.text for line in read_text(picture("#010101"))] == ["Play", "Score"]


def test_a_part_has_its_place_on_the_picture(reader: Any) -> None:
    made = reader(("Play", (8, 8, 58, 28), 0.99))
    [line] = read_text(picture("#020202"), Rect(50, 40, 120, 70))
    assert line.box == Rect(50, 40, 101, 61)
    assert made.asked == [(46, 86, 3)]


def test_each_picture_is_read_once(reader: Any) -> None:
    made = reader(("Play", (10, 10, 60, 30), 0.99))
    for _ in range(3):
        read_text(picture("#030303"))
    assert len(made.asked) == 1
    read_text(picture("#040404"))
    assert len(made.asked) == 2


def test_nothing_read_and_nothing_there(reader: Any) -> None:
    made = reader()
    assert read_text(picture("#050505")) == ()
    assert read_text(picture("#050505"), Rect(500, 500, 600, 600)) == ()
    assert len(made.asked) == 1


def test_without_the_extra_the_hint_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    ocr.engine.cache_clear()
    monkeypatch.setattr(ocr, "is_installed", lambda: False)
    with pytest.raises(ConfigError) as error:
        read_text(picture("#060606"))
    assert "pip install 'pytest-apex[ocr]'" in str(error.value)


def test_words_of_one_row_belong_together() -> None:
    lines = [
        ReadText("again", Rect(70, 12, 120, 32), 0.9),
        ReadText("Play", Rect(10, 10, 60, 30), 0.95),
        ReadText("Score", Rect(10, 40, 60, 60), 0.9),
    ]
    assert [(row.text, row.box) for row in in_rows(lines)] == [
        ("Play again", Rect(10, 10, 120, 32)), ("Score", Rect(10, 40, 60, 60)),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("read", "wanted", "same"),
    [("PLAY AGAIN", "play again", True), ("Playagain", "Play again", True), ("Play", "Play again", False)],
)
def test_case_and_spaces_do_not_count(read: str, wanted: str, same: bool) -> None:
    assert same_words(read, wanted) is same
