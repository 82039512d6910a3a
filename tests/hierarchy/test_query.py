"""Finding controls by what a test says of them."""

from __future__ import annotations

import re
from typing import Any

import pytest

from pytest_apex.errors import ConfigError, TargetAmbiguous
from pytest_apex.hierarchy import query
from pytest_apex.model.geometry import Point, Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window
from pytest_apex.model.target import By, Target

TAP = NodeState.CLICKABLE
BOX = (0, 0, 100, 20)


def found(snapshot: Snapshot, *by: By, **fields: Any) -> list[int]:
    return [node.index for node in query.find(snapshot, Target(by, **fields))]


def text(value: Any) -> By:
    return By("text", value)


# --- words --------------------------------------------------------------------------------------------------------


def test_words_are_literal_exact_and_with_case(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("text", BOX, text="Movie Title (2020)"),
        node("text", BOX, text="Sign out"),
        node("text", BOX, text="SIGN OUT"),
        node("text", BOX, text="Movie Title 2020"),
    )
    assert found(snapshot, text("Movie Title (2020)")) == [0]
    assert found(snapshot, text("Sign out")) == [1]
    assert found(snapshot, text("Sign")) == []
    assert found(snapshot, text("sign out"), exact=False) == [1, 2]
    assert found(snapshot, text(re.compile(r"\(\d+\)"))) == [0]
    assert found(snapshot, text(re.compile(r"^Sign"))) == [1]


def test_labels_count_only_if_no_text_does_and_placeholders_only_on_text_fields(shot: Any, node: Any) -> None:
    both = shot(node("text", BOX, text="Save"), node("button", BOX, label="Save", more=TAP))
    assert found(both, text("Save")) == [0]
    assert found(both, text("Save"), By("role", "button")) == [1]
    hints = shot(node("text_field", BOX, hint="Email", more=NodeState.EDITABLE), node("other", BOX, hint="Email"))
    assert found(hints, text("Email")) == [0]


def test_a_password_is_no_name(shot: Any, node: Any) -> None:
    field = NodeState.EDITABLE | NodeState.PASSWORD
    snapshot = shot(node("text_field", BOX, text="hunter2", hint="PIN", more=field), node("text", BOX, label="hunter2"))
    assert found(snapshot, text("hunter2")) == [1]
    assert found(snapshot, text("PIN")) == [0]


def test_invisible_controls_are_not_found(shot: Any, node: Any) -> None:
    assert found(shot(node("text", BOX, text="Gone", less=NodeState.VISIBLE)), text("Gone")) == []


@pytest.mark.parametrize(("asked", "expected"), [("com.a:id/save", [0]), ("save", [0]), ("ave", []), ("login", [1])])
def test_ids_whole_or_short(shot: Any, node: Any, asked: str, expected: list[int]) -> None:
    snapshot = shot(node("button", BOX, identifier="com.a:id/save"), node("button", BOX, identifier="login"))
    assert found(snapshot, By("id", asked)) == expected


def test_all_criteria_must_hold(shot: Any, node: Any) -> None:
    snapshot = shot(node("button", BOX, text="A", identifier="x"), node("link", BOX, text="A", identifier="y"))
    assert found(snapshot, text("A"), By("role", "link")) == [1]
    assert found(snapshot, text("A"), By("role", "link"), By("id", "x")) == []


# --- nested controls with the same words ----------------------------------------------------------------------------


def test_a_button_and_the_text_in_it_are_one_control(shot: Any, node: Any) -> None:
    button = node("button", BOX, node("text", BOX, text="Save"), node("icon", BOX, label="Save"), text="Save", more=TAP)
    assert found(shot(button), text("Save")) == [0]


def test_ten_nested_ancestors_with_one_label_are_one_control(shot: Any, node: Any) -> None:
    nested = node("button", BOX, label="Log in", more=TAP)
    for _ in range(10):
        nested = node("other", BOX, nested, label="Log in")
    snapshot = shot(nested)
    assert found(snapshot, text("Log in")) == [10]
    assert found(snapshot, By("label", "Log in")) == [10]


def test_without_a_touchable_one_the_innermost_counts(shot: Any, node: Any) -> None:
    assert found(shot(node("other", BOX, node("text", BOX, label="Hi"), label="Hi")), text("Hi")) == [1]


def test_a_row_and_a_switch_with_one_label_are_two_controls(shot: Any, node: Any) -> None:
    switch = node("switch", BOX, label="Wi-Fi", more=TAP)
    row = node("cell", BOX, node("text", BOX, label="Wi-Fi"), switch, label="Wi-Fi", more=TAP)
    assert found(shot(row), text("Wi-Fi")) == [0, 2]
    wrapper = node("cell", BOX, switch, label="Wi-Fi", more=TAP)
    assert found(shot(wrapper), text("Wi-Fi")) == [1]


def test_controls_beside_each_other_stay_several(shot: Any, node: Any) -> None:
    rows = [node("cell", BOX, node("text", BOX, text="Delete"), more=TAP) for _ in range(3)]
    assert found(shot(*rows), text("Delete")) == [1, 3, 5]


def test_a_container_whose_words_only_contain_them_is_another_control(shot: Any, node: Any) -> None:
    group = node("group", BOX, node("text", BOX, text="Notes 1"), text="Notes")
    assert found(shot(group), text("notes"), exact=False) == [0, 1]


# --- place ----------------------------------------------------------------------------------------------------------


def test_within_and_nth(shot: Any, node: Any) -> None:
    rows = [
        node("cell", BOX, node("text", BOX, text=f"Row {n}"), node("button", BOX, text="Delete", more=TAP), more=TAP)
        for n in range(3)
    ]
    snapshot = shot(node("list", BOX, *rows, identifier="rows"))
    inside = Target((By("id", "rows"),))
    assert found(snapshot, text("Delete"), within=inside) == [3, 6, 9]
    assert found(snapshot, text("Delete"), nth=1) == [6]
    assert found(snapshot, text("Delete"), nth=-1) == [9]
    assert found(snapshot, text("Delete"), nth=3) == []
    assert found(snapshot, text("Delete"), within=Target((text("Row 1"),))) == [6]  # a label stands for its row
    assert found(snapshot, text("Delete"), within=Target((text("Row 9"),))) == []
    with pytest.raises(TargetAmbiguous, match="place to look in") as error:
        found(snapshot, text("Delete"), within=Target((By("role", "cell"),)))
    assert len(error.value.candidates) == 3


def test_a_point_means_the_smallest_control_in_the_topmost_window(shot: Any, node: Any) -> None:
    whole = Rect(0, 0, 100, 200)
    snapshot = shot(
        Window(0, "a", bounds=whole),
        node("group", (0, 0, 100, 200), node("button", (0, 0, 50, 50)), node("text", (10, 10, 20, 20))),
        Window(0, "b", kind="dialog", bounds=Rect(40, 40, 100, 100)),
        node("group", (40, 40, 100, 100), node("group", (40, 40, 100, 100))),
    )
    assert found(snapshot, By("point", Point(15, 15))) == [2]
    assert found(snapshot, By("point", Point(20, 20))) == [1]  # right and bottom are outside
    assert found(snapshot, By("point", Point(45, 45))) == [4]
    assert found(snapshot, By("point", Point(300, 45))) == []
    assert found(snapshot, By("point", Point(15, 15)), By("role", "button")) == [1]


def test_an_index_is_that_of_the_state(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("text", BOX, text="Title"), node("button", BOX, text="A", more=TAP), node("link", BOX, text="B")
    )
    assert found(snapshot, By("index", 1)) == [2]
    assert found(snapshot, By("index", 7)) == []


def test_an_image_is_found_by_who_can_and_refused_without(shot: Any, node: Any) -> None:
    snapshot = shot(node("group", (0, 0, 100, 200), node("icon", (10, 10, 30, 30))))
    target = Target((By("image", "heart.png"),))
    hits = query.find(snapshot, target, images=lambda _, path: [Rect(15, 15, 25, 25)] if path == "heart.png" else [])
    assert [hit.index for hit in hits] == [1]
    with pytest.raises(ConfigError, match="picture"):
        query.find(snapshot, target)


# --- xpath ----------------------------------------------------------------------------------------------------------


def test_xpath(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("list", BOX, node("cell", BOX, text="a\x00b"), node("cell", BOX, label="B & <C>", more=TAP)),
        node("button", BOX, identifier="com.a:id/save", less=NodeState.ENABLED),
    )
    assert found(snapshot, By("xpath", "//list/cell")) == [1, 2]
    assert found(snapshot, By("xpath", "//*[@label='B & <C>' and @clickable='true']")) == [2]
    assert found(snapshot, By("xpath", "//button[@short-id='save'][@enabled='false']")) == [3]
    assert found(snapshot, By("xpath", "/hierarchy")) == []


@pytest.mark.parametrize("wrong", ["//[", "count(//*)", "//@text", "'x'", "foo:bar(1)", "$x", "//x:y"])
def test_a_wrong_xpath_is_the_tests_mistake(shot: Any, node: Any, wrong: str) -> None:
    with pytest.raises(ConfigError, match="xpath"):
        found(shot(node("button", BOX)), By("xpath", wrong))


@pytest.mark.parametrize(
    ("by", "says"),
    [
        (By("text", ""), "text"),
        (By("text", 3), "text"),
        (By("role", "buton"), "button"),
        (By("xpath", 3), "xpath"),
        (By("point", "1, 2"), "point"),
        (By("index", "1"), "index"),
        (By("colour", "red"), "colour"),
    ],
)
def test_an_impossible_target_is_the_tests_mistake(shot: Any, node: Any, by: By, says: str) -> None:
    with pytest.raises(ConfigError) as error:
        found(shot(node("button", BOX)), by)
    assert says in str(error.value)


def test_a_target_without_criteria(shot: Any, node: Any) -> None:
    with pytest.raises(ConfigError, match="criterion"):
        found(shot(node("button", BOX)))


# --- near misses ----------------------------------------------------------------------------------------------------


def near(snapshot: Snapshot, *by: By, **fields: Any) -> list[str]:
    return [node.name for node in query.near_misses(snapshot, Target(by, **fields))]


def test_near_misses_nearest_first(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("text", BOX, text="Logging"),
        node("button", BOX, label="Login"),
        node("text", BOX, text="Log  In"),
        node("text", BOX, text="Settings"),
        node("text", BOX, text="Log in"),
    )
    assert near(snapshot, text("log in"))[0] == "Log  In"
    assert near(snapshot, text("log in")) == ["Log  In", "Login", "Logging"]
    assert near(snapshot, text("Quit")) == []
    short = shot(node("button", BOX, label="Suche"), node("text", BOX, text="Safe"))
    assert near(short, text("Schürze")) == []
    assert near(short, text("Save")) == ["Safe"]


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("Bestellung 4711", "Bestellungen"),
        ("Bestellung 4711", "Bestellung 4712"),
        ("Order 4711", "Orders"),
        ("Order 4711", "Order"),
        ("Commande 12", "Commandes"),
        ("Pedido n.º 12", "Pedidos"),
        ("Заказ 4711", "Заказы"),
        ("الطلب ٤٧١١", "الطلبات"),
        ("Row 5", "Row 4"),
        ("Neue Bestellung", "Bestellungen"),
        ("Rechnung Mai", "Rechnungen"),
        ("Nouvelle commande", "Commandes"),
    ],
)
def test_something_else_of_the_same_kind_is_no_near_miss(shot: Any, node: Any, asked: str, shown: str) -> None:
    assert near(shot(node("tab", BOX, text=shown)), text(asked)) == []


@pytest.mark.parametrize(
    ("asked", "shown"),
    [
        ("Bestellung 4711", "Bestelung 4711"),
        ("Bestellung 4711", "Bestellung Nr. 4711"),
        ("Bestellung", "Bestellungen"),
        ("Bestellungen", "Bestellungen (3)"),
        ("Order 4711", "Orders: 4711"),
        ("Commande 12", "commande n° 12"),
        ("الطلب ٤٧١١", "الطلب 4711"),
        ("log in", "Login"),
        ("Signup", "Sign up"),
        ("Delete account", "Remove account"),
        (re.compile("Saved notes [1-9]"), "Saved notes"),
    ],
)
def test_the_same_in_other_words_is_a_near_miss(shot: Any, node: Any, asked: Any, shown: str) -> None:
    assert near(shot(node("tab", BOX, text=shown)), text(asked)) == [shown]


def test_the_same_words_on_an_invisible_control_are_a_near_miss(shot: Any, node: Any) -> None:
    snapshot = shot(node("text", BOX, text="Save", less=NodeState.VISIBLE), node("text", BOX, text="Safe"))
    assert near(snapshot, text("Save")) == ["Save", "Safe"]
    hidden = shot(node("slider", BOX, label="Volume", less=NodeState.VISIBLE))
    assert near(hidden, By("role", "slider")) == ["Volume"]


def test_the_app_itself_is_no_near_miss(shot: Any, node: Any) -> None:
    inside = node("text", BOX, text="My trip")
    snapshot = shot(node("application", BOX, inside, label="Trips"))
    assert near(snapshot, text("No trips yet")) == []
    assert near(snapshot, text("My trips")) == ["My trip"]


def test_near_ids_and_the_near_place(shot: Any, node: Any) -> None:
    snapshot = shot(node("button", BOX, identifier="com.a:id/save_note"), node("text", BOX, text="Row 1"))
    assert near(snapshot, By("id", "save_notes")) == ["com.a:id/save_note"]
    assert near(snapshot, text("Delete"), within=Target((text("row 1"),))) == ["Row 1"]
    # A place that is there was named rightly.
    assert near(snapshot, text("Delete"), within=Target((text("Row 1"),))) == []
    assert near(snapshot, text("Delete"), within=Target((By("id", "save_note"),))) == []


def test_a_password_is_no_near_miss(shot: Any, node: Any) -> None:
    assert near(shot(node("text_field", BOX, text="hunter2", more=NodeState.PASSWORD)), text("hunter3")) == []


# --- around a control -----------------------------------------------------------------------------------------------


def test_the_touchable_control_around_a_label(shot: Any, node: Any) -> None:
    row = node("cell", BOX, node("group", BOX, node("text", BOX, text="A")), more=TAP)
    snapshot = shot(node("list", (0, 0, 100, 190), row, node("text", BOX, text="B"), more=TAP))
    touchables = [query.touchable(item).index for item in snapshot.nodes]
    assert touchables == [0, 1, 1, 1, 4]  # the label beside the row belongs to no control: the list is a border


def test_a_backdrop_is_not_the_control_around_a_label(shot: Any, node: Any) -> None:
    def label_in(height: float) -> int:
        return query.touchable(shot(node("group", (0, 0, 100, height), node("text", BOX), more=TAP)).nodes[1]).index

    assert label_in(200) == 1
    assert label_in(60) == 0


FIELD = NodeState.EDITABLE


def test_what_makes_a_form_incomplete(shot: Any, node: Any) -> None:
    def explained(*fields: Any) -> str | None:
        snapshot = shot(*fields, node("button", BOX, text="Send", less=NodeState.ENABLED))
        because = query.incomplete_field(snapshot, snapshot.nodes[len(snapshot) - 1])
        return because and because.name

    filled = node("text_field", BOX, text="ada", hint="Name", more=FIELD)
    empty = node("text_field", BOX, hint="Email", more=FIELD)
    wrong = node("text_field", BOX, text="x", label="Phone", more=FIELD | NodeState.INVALID)
    box = NodeState.CHECKABLE | NodeState.REQUIRED
    assert explained(filled) is None
    assert explained(filled, empty) == "Email"
    assert explained(filled, empty, wrong) == "x"
    assert explained(node("checkbox", BOX, label="Terms", more=box)) == "Terms"
    assert explained(node("checkbox", BOX, label="Terms", more=box | NodeState.CHECKED)) is None
    assert explained(node("checkbox", BOX, label="News", more=NodeState.CHECKABLE)) is None
    assert explained(node("text_field", BOX, hint="Locked", more=FIELD, less=NodeState.ENABLED)) is None
    assert explained(node("text_field", BOX, hint="Hidden", more=FIELD, less=NodeState.VISIBLE)) is None


def test_a_form_ends_at_its_dialog(shot: Any, node: Any) -> None:
    ask = node("dialog", BOX, node("button", BOX, text="OK", less=NodeState.ENABLED))
    snapshot = shot(node("text_field", BOX, hint="Search", more=FIELD), ask)
    assert query.incomplete_field(snapshot, snapshot.nodes[2]) is None


# --- size -----------------------------------------------------------------------------------------------------------


def test_deep_and_wide_trees(shot: Any, node: Any) -> None:
    chain = TreeBuilder()
    for _ in range(10_000):
        chain.open("other", BOX, label="Same")
    chain.open("button", BOX, label="Same", states=int(NodeState.VISIBLE | TAP))
    deep = Snapshot("s", 0.0, chain.build(), Screen(Size(100, 200)), AppInFront("a"))
    assert found(deep, text("Same")) == [10_000]
    assert found(deep, By("xpath", "//*[not(*)]")) == [10_000]
    assert query.touchable(deep.nodes[5]).index == 5
    assert near(deep, text("some")) == ["Same"]

    wide = shot(*(node("text", BOX, text=f"Item {at}") for at in range(20_000)))
    assert found(wide, text("Item 19999")) == [19_999]
    assert found(wide, text("item 1999"), exact=False) == [1999, *range(19_990, 20_000)]


def test_ids_made_by_the_platform_name_nothing(shot: Any, node: Any) -> None:
    made, given = shot(
        node("button", (0, 0, 50, 20), identifier="_NS:21"), node("button", (0, 20, 50, 40), identifier="ok")
    ).nodes
    assert str(made) == "button at 25, 10"
    assert str(given) == '"ok" (button at 25, 30)'
