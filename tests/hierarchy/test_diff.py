"""What two trees differ in."""

from __future__ import annotations

import random
import time
from typing import Any

import pytest

from pytest_apex.hierarchy.diff import TreeDiff, diff, node_diff
from pytest_apex.hierarchy.match import counted, match
from pytest_apex.model.change import FieldChange
from pytest_apex.model.geometry import Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

TAP = NodeState.CLICKABLE
NOTHING = TreeDiff()


def at(row: int) -> tuple[float, float, float, float]:
    return (0, row * 20, 100, row * 20 + 20)


def test_a_tree_and_itself(shot: Any, node: Any) -> None:
    def make() -> Any:
        return shot(node("list", at(0), *(node("text", at(n), text=f"{n}") for n in range(5))))

    one = make()
    assert diff(one, one) == NOTHING
    assert diff(one, make()) == NOTHING


def test_appeared_and_vanished_in_words(shot: Any, node: Any) -> None:
    before = shot(node("text", at(0), text="Title"), node("button", at(1), label="Save", more=TAP))
    after = shot(node("text", at(0), text="Title"), node("progress", (40, 20, 60, 40)))
    change = diff(before, after)
    assert change.vanished == ('"Save" (button)',)
    assert change.appeared == ("progress at 50, 30",)
    assert not change.altered


def test_visibility_counts_and_wrappers_do_not(shot: Any, node: Any) -> None:
    before = shot(node("text", at(0), text="Hi", less=NodeState.VISIBLE), node("group", at(2)))
    after = shot(node("text", at(0), text="Hi"), node("other", at(2)))
    assert diff(before, after) == TreeDiff(appeared=('"Hi" (text)',))


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        ({"text": "a"}, {"text": "b"}, ("text", "'a'", "'b'")),
        ({"label": "a", "text": "x"}, {"label": "b", "text": "x"}, ("label", "'a'", "'b'")),
        ({"text": "a", "label": "a"}, {"text": "b", "label": "b"}, ("text", "'a'", "'b'")),
        ({"value": "0"}, {"value": "1"}, ("value", "'0'", "'1'")),
        ({}, {"less": NodeState.ENABLED}, ("enabled", "True", "False")),
        ({}, {"more": NodeState.CHECKED}, ("checked", "False", "True")),
        ({"more": NodeState.SELECTED}, {}, ("selected", "True", "False")),
        ({}, {"more": NodeState.FOCUSED}, ("focused", "False", "True")),
    ],
)
def test_fields_of_the_same_control(shot: Any, node: Any, before: Any, after: Any, change: Any) -> None:
    rest = node("text", at(3), text="rest")
    one = shot(node("switch", at(0), identifier="it", **before), rest)
    other = shot(node("switch", at(0), identifier="it", **after), rest)
    found = diff(one, other)
    assert [(item.field, item.before, item.after) for item in found.altered] == [change]
    assert found == TreeDiff(altered=found.altered)


def test_a_label_without_an_id_keeps_its_identity_by_its_place(shot: Any, node: Any) -> None:
    before = shot(node("group", at(0), node("text", (0, 0, 10, 20), text="9")), node("text", at(1), text="rest"))
    after = shot(node("group", at(0), node("text", (0, 0, 20, 20), text="10")), node("text", at(1), text="rest"))
    change = diff(before, after)
    assert change.altered == (FieldChange('"9" (text)', "text", "'9'", "'10'"),)
    assert change.moved == ('"9" (text)',)


def test_reordering_is_moving(shot: Any, node: Any) -> None:
    names = ["Ada", "Bob", "Cy", "Dan"]
    before = shot(*(node("cell", at(n), text=name, more=TAP) for n, name in enumerate(names)))
    after = shot(*(node("cell", at(n), text=name, more=TAP) for n, name in enumerate(reversed(names))))
    assert diff(before, after) == TreeDiff(moved=tuple(f'"{name}" (cell)' for name in names))


def test_rounding_is_no_move(shot: Any, node: Any) -> None:
    assert diff(shot(node("text", (0, 0, 50, 20), text="a")), shot(node("text", (1.5, 0, 52, 20), text="a"))) == NOTHING


def test_one_row_less_in_a_list_of_alike_rows(shot: Any, node: Any) -> None:
    def rows(names: list[str]) -> Any:
        cells = [
            node(
                "cell",
                at(n),
                node("text", at(n), text=name, identifier="title"),
                node("button", at(n), text="Delete", more=TAP),
            )
            for n, name in enumerate(names)
        ]
        return shot(node("list", (0, 0, 100, 200), *cells, label="Rows"))

    change = diff(rows(["Ada", "Bob", "Cy"]), rows(["Ada", "Cy"]))
    # The row is one fact: its label is its name, and its button goes with it.
    assert change.vanished == ('"Bob" (cell)', '"Delete" (button)')
    assert change.moved == ('"Cy" (cell)',)
    assert not change.altered
    assert not change.appeared
    assert not change.scrolled
    assert not change.navigated


def row_with_switch(node: Any, at_row: int, name: str, on: bool) -> Any:
    top, end = at_row * 20, at_row * 20 + 20
    checked = NodeState.CHECKABLE | (NodeState.CHECKED if on else NodeState(0))
    return node(
        "cell",
        at(at_row),
        node("image", (0, top, 20, end), identifier="icon"),
        node("text", (20, top, 80, end), text=name, identifier="title"),
        node("switch", (80, top, 100, end), identifier="on", more=checked),
    )


def test_a_row_keeps_its_switch_through_reordering(shot: Any, node: Any) -> None:
    """The switches say nothing by themselves and look alike: whose each one is, only its row tells."""

    def rows(names: str, on: str) -> Any:
        cells = (row_with_switch(node, n, f"Row {name}", name in on) for n, name in enumerate(names))
        return shot(node("group", (0, 0, 100, 200), *cells))

    turned = diff(rows("abcd", "ac"), rows("dcba", "ac"))
    assert turned == TreeDiff(moved=tuple(f'"Row {name}" (cell)' for name in "abcd"))
    flipped = diff(rows("abcd", "ac"), rows("dcba", "acd"))
    assert flipped.moved == turned.moved
    assert flipped.altered == (FieldChange('"on" (switch)', "checked", "False", "True"),)
    found = node_diff(rows("abcd", "ac"), rows("dcba", "acd")).altered[0]
    assert [item.text for item in found.after.parent.children] == ["", "Row d", ""]


def test_what_is_in_a_container_goes_with_it(shot: Any, node: Any) -> None:
    def card(top: int) -> Any:
        return node("card", (0, top, 100, top + 60), node("text", (0, top, 50, top + 20), text="Total"), label="Sum")

    assert diff(shot(card(0)), shot(card(40))).moved == ('"Sum" (card)',)

    def split(top: int) -> Any:
        inner = node("text", (0, top, 50, top + 20), text="Total")
        return node("card", (0, 20, 100, 80), inner, label="Sum")

    assert diff(shot(split(20)), shot(split(50))).moved == ('"Total" (text)',)


def test_controls_and_not_only_words_are_to_be_had(shot: Any, node: Any) -> None:
    before = shot(node("text", at(0), text="1", identifier="badge"), node("button", at(1), text="Old", more=TAP))
    after = shot(node("text", at(3), text="2", identifier="badge"), node("button", at(2), text="New", more=TAP))
    found = node_diff(before, after)
    assert found.moved[0] == (before.nodes[0], after.nodes[0])
    item = found.altered[0]
    assert (item.before, item.after, item.field, item.was, item.is_now) == (
        before.nodes[0], after.nodes[0], "text", "'1'", "'2'",
    )  # fmt: skip
    assert found.in_words() == diff(before, after)


def test_a_password_is_not_told(shot: Any, node: Any) -> None:
    field = NodeState.EDITABLE | NodeState.PASSWORD

    def typed(text: str) -> Any:
        return shot(node("text_field", at(0), identifier="pin", text=text, hint="PIN", more=field))

    filled = diff(typed(""), typed("hunter2")).altered
    assert filled == (FieldChange('"PIN" (text_field)', "text", "(empty)", "(hidden, another)"),)
    assert "hunter" not in str(diff(typed("hunter1"), typed("hunter2")))
    gone = diff(typed("hunter1"), shot(node("text", at(1), text="x")))
    assert "hunter" not in str(gone)


def test_a_text_field_is_called_by_its_placeholder_not_by_what_was_typed(shot: Any, node: Any) -> None:
    def typed(text: str) -> Any:
        return shot(node("text_field", at(0), text=text, hint="Email", more=NodeState.EDITABLE))

    assert diff(typed("a"), typed("ab")).altered[0].node == '"Email" (text_field)'


def test_the_status_bar_does_not_change_anything(shot: Any, node: Any) -> None:
    def clock(time: str) -> Any:
        return shot(
            Window(0, "a"), node("text", at(1)), Window(0, "ui", kind="status_bar"), node("text", at(0), text=time)
        )

    assert diff(clock("9:41"), clock("9:42")) == NOTHING


# --- another screen -------------------------------------------------------------------------------------------------


def screen(shot: Any, node: Any, *names: str, **fields: Any) -> Any:
    return shot(*(node("text", at(n), text=name) for n, name in enumerate(names)), **fields)


def test_another_screen_of_one_activity(shot: Any, node: Any) -> None:
    notes = screen(shot, node, "Notes", "Search", "Add")
    assert diff(notes, screen(shot, node, "Settings", "Back", "About")).navigated
    assert not diff(notes, screen(shot, node, "Notes", "Search", "Done")).navigated
    assert not diff(
        notes, screen(shot, node, "Notes", "Search", "Add", "Hint 1", "Hint 2", "Hint 3", "Hint 4")
    ).navigated


def test_another_screen_of_an_app_on_ios_where_the_app_is_a_node_and_nothing_tells_the_activity(
    shot: Any, node: Any
) -> None:
    def of(*inside: Any) -> Any:
        return shot(node("application", (0, 0, 100, 400), *inside, label="Trips"))

    def row(words: str, n: int) -> Any:
        return node("cell", at(n), node("text", at(n), text=words), identifier=words.lower(), more=TAP)

    title, about = node("text", at(0), text="Settings"), row("About", 3)
    settings = of(title, row("Archive", 1), row("Privacy", 2), about)
    # Back, the title that the touched row had, and one text: all but the title stands for another screen.
    privacy = of(
        node("button", at(1), text="Back"), node("text", at(0), text="Privacy"), node("text", at(5), text="We")
    )
    assert diff(settings, privacy).navigated
    two = of(node("text", at(0), text="Where to?"), node("button", at(1), text="My trips", more=TAP))
    assert diff(two, of(node("text", at(0), text="Options"), node("text", at(1), text="None"))).navigated
    # The same screen, a row less and a text more.
    assert not diff(settings, of(title, row("Archive", 1), about, node("text", at(5), text="Privacy"))).navigated


def test_another_activity_or_app(shot: Any, node: Any) -> None:
    def of(app: str, activity: str) -> Any:
        return screen(shot, node, "Same", app=AppInFront(app, 1, "", activity))

    assert diff(of("a", "Main"), of("a", "Detail")).navigated
    assert diff(of("a", "Main"), of("b", "Main")).navigated
    assert not diff(of("a", "Main"), of("a", "Main")).navigated


def test_scrolling_is_not_another_screen(shot: Any, node: Any) -> None:
    def scrolled(first: int) -> Any:
        rows = (node("cell", at(n), text=f"Row {first + n}", more=TAP) for n in range(8))
        return shot(node("text", at(9), text="Total"), node("list", (0, 0, 100, 160), *rows, identifier="rows"))

    change = diff(scrolled(0), scrolled(8))
    assert not change.navigated
    assert len(change.altered) == 8  # rows are recycled: each place shows other words


def test_a_dialog_is_not_another_screen(shot: Any, node: Any) -> None:
    title = node("text", at(0), text="Notes"), node("button", at(1), text="Delete", more=TAP)
    ask = (
        Window(0, "com.example.notes", kind="dialog"),
        node("text", at(4), text="Sure?"),
        node("button", at(5), text="Yes"),
    )
    before = shot(Window(0, "com.example.notes"), *title)
    after = shot(Window(0, "com.example.notes"), *title, *ask)
    change = diff(before, after)
    assert change.appeared == ('"Sure?" (text)', '"Yes" (button)')
    assert not change.navigated


def test_deep_and_big_trees(shot: Any, node: Any) -> None:
    def chain(last: str) -> Any:
        builder = TreeBuilder()
        builder.window(Window(0, "a"))
        for _ in range(10_000):
            builder.open("group", at(0))
        builder.leaf("text", at(0), text=last)
        base = shot(Window(0, "a"))
        return type(base)("s", 0.0, builder.build(), base.screen, base.app)

    assert diff(chain("a"), chain("b")).altered == (FieldChange('"a" (text)', "text", "'a'", "'b'"),)
    many = [node("text", at(n % 10), text=f"{n}") for n in range(5_000)]
    assert diff(shot(*many), shot(*many[1:])).vanished == ('"0" (text)',)


def test_partners_know_each_other(shot: Any, node: Any) -> None:
    rng = random.Random(3)

    def some(depth: int) -> Any:
        words = rng.choice(["", "", "a", "b", "c"])
        row = rng.randrange(9)
        inner = () if depth > 3 else [some(depth + 1) for _ in range(rng.randrange(4))]
        role = rng.choice(["group", "cell", "text", "list", "button"])
        return node(role, at(row), *inner, text=words, identifier=rng.choice(["", "x", "y"]))

    for _ in range(150):
        before, after = (shot(*(some(0) for _ in range(rng.randrange(4)))) for _ in range(2))
        found = match(before.tree, after.tree)
        paired = [(a, b) for a, b in enumerate(found.to) if b >= 0]
        assert paired == sorted((a, b) for b, a in enumerate(found.back) if a >= 0)
        assert set(found.pairs) <= set(paired)
        assert sorted([*found.vanished, *(a for a, _ in found.pairs)]) == counted(before.tree)
        assert sorted([*found.appeared, *(b for _, b in found.pairs)]) == counted(after.tree)
        assert match(before.tree, before.tree).pairs == [(index, index) for index in counted(before.tree)]


def test_any_two_trees_can_be_compared(shot: Any, node: Any) -> None:
    """Devices send boxes without sense; nothing of it may raise anything."""
    rng = random.Random(8)
    odd = [0.0, 10.0, -50.0, 200.0, float("nan"), float("inf"), float("-inf"), 1e300]

    def some(depth: int) -> Any:
        box = tuple(rng.choice(odd) if rng.random() < 0.4 else rng.randrange(0, 200) for _ in range(4))
        inner = () if depth > 3 else [some(depth + 1) for _ in range(rng.randrange(4))]
        more = rng.choice([NodeState(0), NodeState.SCROLLABLE, TAP])
        return node(rng.choice(["group", "list", "text", "cell"]), box, *inner, text=rng.choice("abcdefgh "), more=more)

    for _ in range(60):
        before, after = (shot(*(some(0) for _ in range(rng.randrange(1, 4)))) for _ in range(2))
        found = diff(before, after)
        assert isinstance(str(found), str)
        assert diff(before, before) == NOTHING


def test_deep_trees_take_no_long_time() -> None:
    def chain(first: int, role: str, states: NodeState) -> Snapshot:
        builder = TreeBuilder()
        builder.window(Window(0, "a"))
        builder.leaf("text", at(0), text="Title")
        for number in range(first, first + 2000):
            builder.open(
                role, (0, number % 7, 100, 200), text=f"{number}" if number % 50 == 0 else "", states=int(states)
            )
        return Snapshot("s", 0.0, builder.build(), Screen(Size(100, 200)), AppInFront("a"))

    usual = NodeState.ENABLED | NodeState.VISIBLE
    for role, states in (("cell", usual), ("list", usual | NodeState.SCROLLABLE), ("group", usual | TAP)):
        began = time.process_time()
        diff(chain(0, role, states), chain(1000, role, states))
        assert time.process_time() - began < 4


def test_every_control_is_paired_once(shot: Any, node: Any) -> None:
    before = shot(*(node("button", at(n), text="Same", identifier="x") for n in range(4)))
    after = shot(*(node("button", at(n), text="Same", identifier="x") for n in (2, 3, 4)))
    found = match(before.tree, after.tree)
    assert found.pairs == [(0, 2), (2, 0), (3, 1)]  # those that stayed first, then in order
    assert found.vanished == [1]
    assert not found.appeared


@pytest.mark.parametrize(
    ("heading", "rows", "navigated"),
    [
        ("About", ("Version", "Licences", "Made by"), True),
        ("Settings", ("Version", "Licences", "Made by"), False),  # scrolled by a page
        ("About", ("Dark mode", "Archive", "Privacy"), False),  # the heading alone is another
    ],
)
def test_another_screen_inside_of_what_scrolls(shot: Any, node: Any, heading: str, rows: Any, navigated: bool) -> None:
    def page(title: str, *names: str) -> Any:
        cells = (node("text", at(2 + n), text=name) for n, name in enumerate(names))
        scroll = node("scroll", (0, 40, 100, 200), *cells, more=NodeState.SCROLLABLE)
        return shot(node("text", at(0), text=title), scroll)

    before = page("Settings", "Dark mode", "Archive", "Privacy")
    assert diff(before, page(heading, *rows)).navigated is navigated
