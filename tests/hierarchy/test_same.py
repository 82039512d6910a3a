"""Whether a control of an earlier look is still the same one."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.hierarchy.query import find
from pytest_apex.hierarchy.same import find_again
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import AppInFront
from pytest_apex.model.target import By, Pinned, Target

TAP = NodeState.CLICKABLE


def at(row: int) -> tuple[float, float, float, float]:
    return (0, row * 20, 100, row * 20 + 20)


def again(before: Any, index: int, now: Any) -> Node | str:
    return find_again(Pinned(before, index, "it"), now)


def test_in_the_same_look_and_in_an_equal_one(shot: Any, node: Any) -> None:
    def make() -> Any:
        return shot(*(node("button", at(n), more=TAP) for n in range(3)))

    one, other = make(), make()
    assert again(one, 1, one) == one.nodes[1]
    assert again(one, 1, other) == other.nodes[1]


def test_words_that_changed_in_place_are_another_control(shot: Any, node: Any) -> None:
    rest = node("text", at(5), text="Rest")
    before = shot(node("button", at(0), text="Save", more=TAP), rest)
    after = shot(node("button", at(0), text="Delete", more=TAP), rest)
    assert again(before, 0, after) == '"Delete" (button) is in its place now'
    # The innocent twin: an id that occurs once says that it is the same one, whatever it says.
    before = shot(node("button", at(0), text="Follow", identifier="follow", more=TAP), rest)
    after = shot(node("button", at(3), text="Following", identifier="follow", more=TAP), rest)
    assert again(before, 0, after) == after.nodes[0]


def test_what_was_typed_is_no_other_field(shot: Any, node: Any) -> None:
    def typed(text: str) -> Any:
        return shot(node("text_field", at(0), text=text, hint="Email", more=TAP | NodeState.EDITABLE))

    now = typed("ada")
    assert again(typed(""), 0, now) == now.nodes[0]


def rows(shot: Any, node: Any, *names: str, more: NodeState = NodeState.SCROLLABLE) -> Any:
    cells = [
        node(
            "cell",
            at(n),
            node("text", at(n), text=name, identifier="title"),
            node("checkbox", (80, n * 20, 100, n * 20 + 20), identifier="done", more=NodeState.CHECKABLE),
            more=TAP,
        )
        for n, name in enumerate(names)
    ]
    return shot(node("text", at(9), text="Total"), node("list", (0, 0, 100, 160), *cells, label="Rows", more=more))


@pytest.mark.parametrize("index", [2, 4])  # the row of Ada, the box in it
def test_a_row_and_the_box_in_it_go_with_their_words(shot: Any, node: Any, index: int) -> None:
    before, after = rows(shot, node, "Ada", "Bob", "Cy"), rows(shot, node, "Bob", "Cy", "Ada")
    found = again(before, index, after)
    assert isinstance(found, Node)
    row = found if found.role == "cell" else found.parent
    assert next(row.children).text == "Ada"
    recycled = rows(shot, node, "Dan", "Eve", "Fay")
    assert "in its place now" in str(again(before, index, recycled))
    assert again(before, index, rows(shot, node)) == "it is gone"


def test_one_of_many_buttons_alike(shot: Any, node: Any) -> None:
    """Whose "Delete" it is, only its row tells; taken for another one it would delete something else."""

    def listed(*names: str) -> Any:
        cells = [
            node("cell", at(n), node("text", at(n), text=name), node("button", at(n), text="Delete", more=TAP))
            for n, name in enumerate(names)
        ]
        return shot(node("text", at(9), text="Total"), node("list", (0, 0, 100, 160), *cells, label="Rows"))

    before = listed("Ada", "Bob", "Cy")
    moved = again(before, 7, listed("Bob", "Cy"))
    assert isinstance(moved, Node)
    assert moved.parent.bounds.top == 0
    assert again(before, 4, listed("Bob", "Cy")) == "it is gone"
    assert "in its place now" in str(again(before, 4, listed("Dan", "Eve", "Fay")))


def test_a_row_of_which_some_words_are_left(shot: Any, node: Any) -> None:
    def inbox(count: str) -> Any:
        return shot(node("cell", at(0), node("text", at(0), text="Inbox"), node("text", at(0), text=count), more=TAP))

    now = inbox("4")
    assert again(inbox("3"), 0, now) == now.nodes[0]


def test_hidden_and_on_another_screen(shot: Any, node: Any) -> None:
    save = node("button", at(0), text="Save", more=TAP)
    hidden = node("button", at(0), text="Save", more=TAP, less=NodeState.VISIBLE)
    before = shot(save, node("text", at(1), text="a"))
    assert "not visible" in str(again(before, 0, shot(hidden, node("text", at(1), text="a"))))
    elsewhere = shot(save, node("text", at(1), text="a"), app=AppInFront("com.other", 1))
    assert again(before, 0, elsewhere) == "another screen is shown now"


def test_as_a_criterion_of_a_target(shot: Any, node: Any) -> None:
    before, after = rows(shot, node, "Ada", "Bob"), rows(shot, node, "Bob", "Ada")
    row = Target((By("control", Pinned(before, 2, '[1] "Ada" (cell)')),))
    assert [found.bounds.top for found in find(after, row)] == [20]
    inside = Target((By("role", "checkbox"),), within=row)
    assert [found.parent for found in find(after, inside)] == find(after, row)
    assert find(rows(shot, node, "Bob"), row) == []
    assert str(inside.told()) == str(inside) == "role='checkbox' within [1] \"Ada\" (cell)"
    assert inside.told().within != row
    assert Target((By("text", "x"),)).told() == Target((By("text", "x"),))
