"""Off screen and misaligned, on both sides; frames decide, pictures don't."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.verify.checks import find_defects, page

CLICK = NodeState.VISIBLE | NodeState.ENABLED | NodeState.CLICKABLE


def found(make: Any, rule: str, *nodes: Any, **facts: Any) -> list[Any]:
    return [finding for finding in find_defects(make.look(make.page(*nodes), **facts)) if finding.rule == rule]


# Off screen


@pytest.mark.parametrize(
    ("box", "edge"),
    [
        ((150, 60, 260, 90), "20 at the right"),
        ((-15, 60, 90, 90), "15 at the left"),
        ((20, 440, 120, 500), "20 at the bottom"),
        ((20, -12, 120, 30), "12 at the top"),
    ],
)
@pytest.mark.parametrize("role", ["button", "text", "image"])
def test_what_sticks_out(make: Any, role: str, box: tuple[int, int, int, int], edge: str) -> None:
    [finding] = found(make, "off_screen", make.N(role, "Share", box, states=CLICK))
    assert finding.severity == "fail"
    assert edge in finding.reason


@pytest.mark.parametrize(
    "box",
    [(20, 60, 241, 90), (-1, 60, 120, 90), (300, 60, 400, 90), (20, 900, 120, 940), (-40, 60, 700, 90)],
    ids=["rounding", "rounding at the left", "outside to the right", "below", "larger than the screen"],
)
def test_what_does_not(make: Any, box: tuple[int, int, int, int]) -> None:
    assert found(make, "off_screen", make.N("button", "Share", box, states=CLICK)) == []


def test_a_wrapper_without_name_or_touch_does_not_count(make: Any) -> None:
    assert found(make, "off_screen", make.N("group", "", (150, 60, 260, 90))) == []
    assert found(make, "off_screen", make.N("image", "", (150, 60, 260, 90))) == []


def test_one_report_for_a_control_and_what_is_inside_it(make: Any) -> None:
    text = make.N("text", "Share", (180, 65, 255, 85))
    assert len(found(make, "off_screen", make.N("button", "", (150, 60, 260, 90), states=CLICK, children=[text]))) == 1


def chips(make: Any, role: str = "scroll") -> Any:
    boxes = [(10, 60, 90, 90), (100, 60, 180, 90), (190, 60, 270, 90)]
    return make.N(role, box=(0, 50, 240, 100), children=[make.N("button", "Chip", box, states=CLICK) for box in boxes])


def rows(make: Any, *boxes: tuple[int, int, int, int]) -> Any:
    return make.N("list", box=(0, 50, 240, 460), children=[make.N("cell", "Row", box, states=CLICK) for box in boxes])


def test_content_of_what_scrolls_may_wait_outside_along_its_axis(make: Any) -> None:
    assert found(make, "off_screen", chips(make)) == []
    assert found(make, "off_screen", rows(make, (0, 380, 240, 430), (0, 430, 240, 500))) == []


def test_content_of_what_scrolls_may_not_stick_out_across_it(make: Any) -> None:
    assert len(found(make, "off_screen", rows(make, (0, 60, 240, 110), (30, 110, 270, 160)))) == 1


def test_a_drawer_or_page_on_its_way_takes_its_content_along(make: Any) -> None:
    drawer = make.N(
        "group", box=(-180, 0, 40, 480), children=[make.N("button", "Inbox", (-170, 60, 30, 90), states=CLICK)]
    )
    assert found(make, "off_screen", drawer) == []


def test_a_control_of_a_row_that_does_not_scroll(make: Any) -> None:
    assert len(found(make, "off_screen", chips(make, "group"))) == 1


# Misaligned


def column(make: Any, lefts: list[float], role: str = "cell", right: float | None = 230, parent: str = "list") -> Any:
    cells = [
        make.N(role, f"Row {at}", (left, 50 + at * 40, right if right is not None else left + 100, 86 + at * 40))
        for at, left in enumerate(lefts)
    ]
    return make.N(parent, box=(0, 40, 240, 460), children=cells)


@pytest.mark.parametrize("lefts", [[16, 16, 22, 16], [16, 16, 16, 16, 8], [2, 16, 16, 16, 16, 16], [16, 16, 19, 16]])
def test_one_row_out_of_line(make: Any, lefts: list[float]) -> None:
    odd = next(left for left in lefts if left != 16)
    [finding] = found(make, "misaligned", column(make, lefts, right=None))
    assert finding.severity == "fail"
    assert f"{abs(odd - 16):.0f} units too far {'right' if odd > 16 else 'left'}" in finding.reason


@pytest.mark.parametrize(
    "lefts",
    [
        [16, 16, 16, 16],
        [16, 16, 22],
        [16, 17, 16, 16],
        [16, 16, 60, 16, 16],
        [16, 22, 16, 22, 16],
        [16, 22, 28, 16, 16],
    ],
    ids=["in line", "too few", "rounding", "a level of its own", "indented tree", "two levels"],
)
def test_rows_that_are_in_line(make: Any, lefts: list[float]) -> None:
    assert found(make, "misaligned", column(make, lefts, right=None)) == []


def test_numbers_that_are_in_line_on_the_right(make: Any) -> None:
    assert found(make, "misaligned", column(make, [200, 200, 194, 200], "text", right=230)) == []


def test_what_stands_inside_the_rows(make: Any) -> None:
    def list_of(lefts: list[int]) -> Any:
        cells = []
        for at, left in enumerate(lefts):
            inner = make.N("text", f"Title {at}", (left, 55 + at * 40, left + 60 + at * 7, 75 + at * 40))
            cells.append(make.N("cell", "", (0, 50 + at * 40, 240, 86 + at * 40), children=[inner]))
        return make.N("list", box=(0, 40, 240, 460), children=cells)

    [finding] = found(make, "misaligned", list_of([16, 16, 16, 24, 16]))
    assert "Title 3" in finding.reason
    assert found(make, "misaligned", list_of([16] * 5)) == []


def test_one_report_for_a_row_and_what_moved_with_it(make: Any) -> None:
    cells = []
    for at, left in enumerate([0, 0, 8, 0, 0]):
        inner = make.N("text", f"Title {at}", (left + 16, 55 + at * 40, left + 90, 75 + at * 40))
        cells.append(make.N("cell", "", (left, 50 + at * 40, left + 200, 86 + at * 40), children=[inner]))
    assert len(found(make, "misaligned", make.N("list", box=(0, 40, 240, 460), children=cells))) == 1


def test_a_grid_and_chat_bubbles_are_no_column(make: Any) -> None:
    grid = [
        make.N("cell", "x", (10 + 80 * (at % 3), 50 + 60 * (at // 3), 80 + 80 * (at % 3), 100 + 60 * (at // 3)))
        for at in range(9)
    ]
    assert found(make, "misaligned", make.N("list", box=(0, 40, 240, 460), children=grid)) == []


def test_texts_that_are_no_rows_may_stand_anywhere(make: Any) -> None:
    assert found(make, "misaligned", column(make, [16, 16, 22, 16], "text", parent="group")) == []


def test_thousands_of_small_texts_are_compared_with_their_neighbours_alone(
    make: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Rect] = []
    meet = page._meet

    def counted(one: Rect, other: Rect) -> bool:
        asked.append(one)
        return meet(one, other)

    monkeypatch.setattr(page, "_meet", counted)
    cells = [
        make.N("text", "1", (8.0 * x, 20 + 8.0 * y, 8.0 * x + 6, 26 + 8.0 * y)) for x in range(30) for y in range(50)
    ]
    over = make.N("text", "over", (0, 20, 240, 26))
    found = page.page_of(make.look(make.page(*cells, over), picture=None))
    shared = [text for text in found.texts if text.shared]
    assert len(shared) == 31, "a row of the calendar, and what lies over it"
    assert len(asked) < 200 * len(cells), len(asked) / len(cells)
