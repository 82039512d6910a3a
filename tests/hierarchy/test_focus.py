"""The keys that bring a focus from one control to another."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.hierarchy.focus import focused, is_on, way
from pytest_apex.model.node import NodeState

from .conftest import sketch, snapshot_of

#: A grid of three columns and two rows, a wide button below, and a text: no tree tells whether it takes the focus.
PLACES = {
    "a": (0, 0, 30, 30), "b": (35, 0, 65, 30), "c": (70, 0, 100, 30), "d": (0, 40, 30, 70), "e": (35, 40, 65, 70),
    "f": (70, 40, 100, 70), "wide": (0, 120, 100, 150),
}  # fmt: skip


@pytest.fixture
def grid() -> Any:
    buttons = [sketch("button", box, text=name) for name, box in PLACES.items()]
    return snapshot_of(*buttons, sketch("text", (0, 80, 100, 110), text="words"))


def node(snapshot: Any, text: str) -> Any:
    return next(one for one in snapshot.nodes if one.text == text)


@pytest.mark.parametrize(
    ("start", "goal", "keys"),
    [
        ("a", "c", ("right", "right")),
        ("c", "d", ("left", "left", "down")),
        ("a", "wide", ("down", "down")),
        ("wide", "e", ("up",)),
        ("b", "b", ()),
        ("a", "words", ("down", "down")),
    ],
)
def test_the_shortest_way(grid: Any, start: str, goal: str, keys: tuple[str, ...]) -> None:
    assert way(grid, node(grid, start), node(grid, goal)) == keys


def test_a_row_of_unknown_kind_is_a_goal_and_not_on_the_way_to_others() -> None:
    rows = [sketch("other", (0, top, 100, top + 20), sketch("text", (5, top, 40, top + 15), text=f"row {top}"))
            for top in (30, 60, 90)]  # fmt: skip
    add = sketch("button", (80, 120, 100, 140), text="add")
    table = sketch("list", (0, 30, 100, 110), *rows)
    screen = snapshot_of(sketch("button", (80, 0, 100, 20), text="sync"), table, add)
    assert way(screen, node(screen, "sync"), node(screen, "row 60")) == ("down",)
    assert way(screen, node(screen, "sync"), node(screen, "add")) == ("down",)


def test_no_way_leads_through_what_scrolls() -> None:
    """Its middle is left of the row's end, so it would seem to be a step to the left, and a step back to the right."""
    rows = [sketch("cell", (0, top, 100, top + 20), text=f"row {top}") for top in (30, 60, 90)]
    add = sketch("button", (80, 120, 100, 140), text="add")
    page = sketch("scroll", (0, 25, 100, 150), *rows, more=NodeState.FOCUSABLE | NodeState.SCROLLABLE)
    screen = snapshot_of(sketch("button", (80, 0, 100, 20), text="sync"), page, add)
    assert way(screen, node(screen, "sync"), node(screen, "add")) == ("down", "down", "down", "down")


def test_what_has_the_focus() -> None:
    inner = sketch("text", (5, 5, 20, 20), text="in it")
    screen = snapshot_of(
        sketch("cell", (0, 0, 50, 50), inner, more=NodeState.FOCUSED), sketch("button", (60, 0, 90, 20))
    )
    focus = focused(screen)
    assert focus is not None
    assert focus.role == "cell"
    assert is_on(focus, node(screen, "in it"))
    assert not is_on(focus, screen.nodes[-1])
    assert focused(snapshot_of(sketch("button", (0, 0, 9, 9)))) is None
