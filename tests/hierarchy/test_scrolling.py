"""A list that scrolled is one fact, and nothing else is taken for one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from pytest_apex.hierarchy.diff import TreeDiff, diff, node_diff
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Snapshot

TAP = NodeState.CLICKABLE
SCROLL = NodeState.SCROLLABLE
HEIGHT = 20


def listed(
    shot: Any,
    node: Any,
    names: Sequence[str],
    offset: float = 0,
    *,
    top: float = 20,
    end: float = 160,
    cut: bool = True,
    ago: bool = False,
) -> Snapshot:
    """A list from `top` to `end` that was scrolled by `offset`: its rows, cut at its edges as Android does."""
    cells = []
    for number, name in enumerate(names):
        y = top + number * HEIGHT - offset
        low, high = (max(y, top), min(y + HEIGHT, end)) if cut else (y, y + HEIGHT)
        if high <= low or (not cut and (y >= end or y + HEIGHT <= top)):
            continue
        icon = node("image", (0, low, 20, high), identifier="icon")
        words = node("text", (20, low, 80, high), text=name, identifier="title")
        done = node("checkbox", (80, low, 100, high), identifier="done", more=NodeState.CHECKABLE)
        more = [node("text", (50, low, 80, high), text=f"{number % 12} min", identifier="when")] if ago else []
        cells.append(node("cell", (0, low, 100, high), icon, words, *more, done, more=TAP))
    rows = node("list", (0, top, 100, end), *cells, label="Notes", more=SCROLL)
    return shot(node("text", (0, 0, 100, 20), text="My notes"), rows, node("button", (0, 180, 100, 200), text="Add"))


NAMES = [f"Note {number}" for number in range(40)]


@pytest.mark.parametrize("cut", [True, False])
@pytest.mark.parametrize(
    ("one", "other", "fact"),
    [
        (0, 60, '"Notes" (list) down by 60'),
        (0, 33, '"Notes" (list) down by 33'),
        (33, 0, '"Notes" (list) up by 33'),
        (100, 220, '"Notes" (list) down by 120'),
        (105, 7, '"Notes" (list) up by 98'),
        (0, 7, '"Notes" (list) down by 7'),
    ],
)
def test_one_fact(shot: Any, node: Any, one: float, other: float, fact: str, cut: bool) -> None:
    change = diff(listed(shot, node, NAMES, one, cut=cut), listed(shot, node, NAMES, other, cut=cut))
    assert change == TreeDiff(scrolled=(fact,))


def test_any_distance_that_leaves_something(shot: Any, node: Any) -> None:
    rng = random.Random(11)
    for _ in range(60):
        one = rng.randrange(0, 500)
        other = max(0, one + rng.choice([-1, 1]) * rng.choice([5, 13, 27, 41, 77, 99, 101]))
        if abs(one - other) < 5:
            continue
        change = diff(listed(shot, node, NAMES, one), listed(shot, node, NAMES, other))
        word = "down" if other > one else "up"
        assert change == TreeDiff(scrolled=(f'"Notes" (list) {word} by {abs(other - one)}',)), (one, other)


@pytest.mark.parametrize(("one", "other", "way", "word"), [(0, 20, -1, "down"), (60, 80, -1, "down"), (20, 0, 1, "up")])
def test_by_exactly_one_row_where_it_was_pushed(
    shot: Any, node: Any, one: float, other: float, way: int, word: str
) -> None:
    """The trees are those of a row added or taken away: who knows of a finger that pushed says so."""
    before, after = listed(shot, node, NAMES, one), listed(shot, node, NAMES, other)
    assert diff(before, after, (0, way)) == TreeDiff(scrolled=(f'"Notes" (list) {word} by 20',))
    for elsewhere in ((0, 0), (0, -way), (1, 0), (-1, 0)):
        assert not diff(before, after, elsewhere).scrolled, elsewhere


def test_what_is_pushed_does_not_hide_a_row_that_came_or_went(shot: Any, node: Any) -> None:
    before = listed(shot, node, NAMES)
    amid = diff(before, listed(shot, node, [NAMES[0], "New", *NAMES[1:]]), (0, 1))
    assert '"New" (cell)' in amid.appeared
    gone = diff(before, listed(shot, node, [NAMES[0], *NAMES[2:]]), (0, -1))
    assert '"Note 1" (cell)' in gone.vanished
    assert diff(listed(shot, node, NAMES[:5]), listed(shot, node, NAMES[1:5]), (0, -1)).vanished


def test_what_changed_beside_the_scrolling_is_told_as_well(shot: Any, node: Any) -> None:
    others = [name if name != "Note 5" else "Note 5 (edited)" for name in NAMES]
    change = diff(listed(shot, node, NAMES), listed(shot, node, others, 33))
    assert change.scrolled == ('"Notes" (list) down by 33',)
    assert [item.after for item in change.altered] == ["'Note 5 (edited)'"]
    assert not change.appeared
    assert not change.vanished


def test_a_row_that_says_in_part_what_another_one_said(shot: Any, node: Any) -> None:
    """The "2 min" of a row that went out and that of one that came in are two."""
    one, other = listed(shot, node, NAMES, 40, ago=True), listed(shot, node, NAMES, 150, ago=True)
    shared = {item.text for item in one.nodes if "min" in item.text} & {
        item.text for item in other.nodes if "min" in item.text
    }
    assert shared
    assert diff(one, other) == TreeDiff(scrolled=('"Notes" (list) down by 110',))


# --- what is no scrolling -----------------------------------------------------------------------------------------


def test_a_row_that_was_added_or_taken_away(shot: Any, node: Any) -> None:
    """As far as a row is high: a full list cannot be told from one that scrolled but by this."""
    added = diff(listed(shot, node, NAMES), listed(shot, node, ["New", *NAMES]))
    assert not added.scrolled
    assert '"New" (cell)' in added.appeared
    taken = diff(listed(shot, node, NAMES), listed(shot, node, NAMES[1:]))
    assert not taken.scrolled
    assert '"Note 0" (cell)' in taken.vanished
    amid = diff(listed(shot, node, NAMES), listed(shot, node, [NAMES[0], "New", *NAMES[1:]]))
    assert not amid.scrolled
    assert '"New" (cell)' in amid.appeared
    gone = diff(listed(shot, node, NAMES), listed(shot, node, [NAMES[0], *NAMES[2:]]))
    assert not gone.scrolled
    assert '"Note 1" (cell)' in gone.vanished


def test_words_that_left_a_list_which_is_no_longer_there(shot: Any, node: Any) -> None:
    """What a row said stands as a title on the next screen: a list that has gone did not scroll."""
    titles = [
        node("text", (20, y, 80, y + HEIGHT), text=f"Note {at}", identifier="title") for at, y in ((5, 0), (6, 20))
    ]
    change = node_diff(listed(shot, node, NAMES), shot(*titles))
    assert not change.scrolled


def test_two_rows_of_a_short_list(shot: Any, node: Any) -> None:
    """A list that ends inside its view has nothing to scroll."""
    change = diff(listed(shot, node, NAMES[:5]), listed(shot, node, NAMES[2:5]))
    assert not change.scrolled
    assert change.vanished[0] == '"Note 0" (cell)'
    assert change.moved == ('"Note 2" (cell)', '"Note 3" (cell)', '"Note 4" (cell)')


def test_sorting_and_other_content(shot: Any, node: Any) -> None:
    turned = diff(listed(shot, node, NAMES[:6]), listed(shot, node, NAMES[:6][::-1]))
    assert not turned.scrolled
    assert len(turned.moved) == 6
    other = diff(listed(shot, node, NAMES[:7]), listed(shot, node, NAMES[20:27]))
    assert not other.scrolled
    assert not other.moved


def test_a_page_that_moves_as_a_whole(shot: Any, node: Any) -> None:
    """The keyboard pushes the list up: the list moved, and nothing scrolled in it."""
    change = diff(listed(shot, node, NAMES, top=60, end=180), listed(shot, node, NAMES, top=20, end=140))
    assert change == TreeDiff(moved=('"Notes" (list)',))


# --- one in the other -----------------------------------------------------------------------------------------------


def page(shot: Any, node: Any, down: float, along: float) -> Snapshot:
    """A page with sections that scrolls, and in each a strip of cards that scrolls by itself."""
    sections = []
    for number in range(8):
        y = number * 60 - down
        if y >= 200 or y + 60 <= 0:
            continue
        shift = along if number == 1 else 0
        cards = [
            node("card", (x, y + 20, x + 30, y + 60), label=f"Card {number}.{at}", more=TAP)
            for at in range(12)
            if -30 < (x := at * 30 - shift) < 100
        ]
        strip = node("scroll", (0, y + 20, 100, y + 60), *cards, identifier=f"strip{number}", more=SCROLL)
        sections.append(node("text", (0, y, 100, y + 20), text=f"Section {number}"))
        sections.append(strip)
    return shot(node("scroll", (0, 0, 100, 200), *sections, identifier="page", more=SCROLL))


def test_a_strip_in_a_page(shot: Any, node: Any) -> None:
    assert diff(page(shot, node, 0, 0), page(shot, node, 0, 45)).scrolled == ('"strip1" (scroll) right by 45',)
    assert diff(page(shot, node, 0, 0), page(shot, node, 35, 0)) == TreeDiff(scrolled=('"page" (scroll) down by 35',))
    both = diff(page(shot, node, 0, 0), page(shot, node, 35, 45))
    assert both == TreeDiff(scrolled=('"page" (scroll) down by 35', '"strip1" (scroll) right by 45'))


def test_a_heading_that_stays(shot: Any, node: Any) -> None:
    def show(offset: float) -> Snapshot:
        rows = [
            node("text", (0, y, 100, y + 20), text=f"Row {n}")
            for n in range(30)
            if 0 <= (y := 20 + n * 20 - offset) < 200
        ]
        heading = node("text", (0, 0, 100, 20), text="A to K")
        return shot(node("list", (0, 0, 100, 200), heading, *rows, identifier="people", more=SCROLL))

    assert diff(show(0), show(60)) == TreeDiff(scrolled=('"people" (list) down by 60',))
