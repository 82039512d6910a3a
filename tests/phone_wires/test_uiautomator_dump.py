"""The dump: our own reader reads the phone's tree back from it, but for what the format can't carry."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.hierarchy.readers.android_roles import role_of
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import Snapshot, Tree, TreeBuilder, Window
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uiautomator.dump import dump
from pytest_apex.phone_wires.uiautomator.fingers import press, swipe

#: States that uiautomator writes down; EDITABLE the reader derives from the class.
_CARRIED = (
    NodeState.ENABLED | NodeState.VISIBLE | NodeState.CLICKABLE | NodeState.LONG_CLICKABLE | NodeState.CHECKABLE
    | NodeState.CHECKED | NodeState.SELECTED | NodeState.FOCUSABLE | NodeState.FOCUSED | NodeState.SCROLLABLE
    | NodeState.PASSWORD | NodeState.EDITABLE
)  # fmt: skip


def rows(tree: Tree, screen: Rect) -> list[tuple[object, ...]]:
    """What the format carries of each node, by window."""
    found = []
    for index in range(len(tree)):
        node = tree.node(index)
        if node.window.kind == "toast":
            continue
        box = node.bounds
        edges = (max(0, box.left), max(0, box.top), min(screen.right, box.right), min(screen.bottom, box.bottom))
        if edges[0] >= edges[2] or edges[1] >= edges[3]:
            continue  # out of the screen: a page that slides in
        states = int(node.states & _CARRIED)
        found.append(
            (node.window.app, node.class_name, node.text, node.label, node.identifier, node.hint, edges, states)
        )  # fmt: skip
    return sorted(found, key=repr)


def read(phone: Phone) -> Snapshot:
    return Snapshot.from_source(dump(phone, 1000))


def assert_same(phone: Phone) -> None:
    screen = phone.screen().bounds
    assert rows(read(phone).tree, screen) == rows(phone.tree(), screen)


def test_every_screen_on_a_walk_is_read_back(app: AppFile) -> None:
    chance = random.Random(7)
    phone = Phone([app])
    phone.launch(app.id)
    compared = set()
    for _ in range(80):
        phone.clock.sleep(chance.choice([0.05, 0.3, 1.0]))
        assert_same(phone)
        compared.add(len(phone.tree()))
        nodes = [phone.tree().node(index) for index in range(len(phone.tree()))]
        touched = [node for node in nodes if node.has(NodeState.CLICKABLE)] or nodes
        x, y = chance.choice(touched).bounds.center.x, chance.choice(touched).bounds.center.y
        phone.touch(chance.choice([press(x, y, 60), press(x, y, 700), swipe((270, 900), (270, 400), 20)]))
        phone.type_text("ada@example.com")
        if phone.machine.front is None:
            phone.launch(app.id)
    assert len(compared) > 5


def test_windows_of_the_system_are_there(app: AppFile) -> None:
    phone = Phone([app], fault="permission_dialog")
    phone.launch(app.id)
    phone.clock.sleep(2)
    text = dump(phone)
    assert 'package="com.android.systemui"' in text
    assert_same(phone)


def test_the_keyboard_tells_only_of_its_root(app: AppFile) -> None:
    phone = Phone([app])
    phone.launch(app.id)
    phone.clock.sleep(2)
    phone.touch(press(270, 440, 60))
    phone.clock.sleep(1)
    assert dump(phone).count('package="com.google.android.inputmethod.latin"') == 1


def showing(tree: Tree) -> Phone:
    """Of a phone, what a dump reads: a given tree on a screen of 540 by 1200."""
    screen = Screen(Size(540, 1200))
    return cast("Phone", SimpleNamespace(tree=lambda: tree, screen=lambda: screen))


_TEXT = st.text(st.characters(codec="utf-8"), max_size=15)
_CLASSES = ("android.widget.TextView", "android.widget.Button", "android.widget.EditText", "android.view.View")


@given(st.data())
def test_any_tree_is_read_back(data: st.DataObject) -> None:
    builder = TreeBuilder()
    builder.window(Window(0, "com.example", bounds=Rect(0, 0, 540, 1200), focused=True))
    builder.open("group", (0, 0, 540, 1200), class_name="android.widget.FrameLayout")
    for _ in range(data.draw(st.integers(0, 12))):
        left, top = data.draw(st.integers(-50, 530)), data.draw(st.integers(0, 1190))
        right, bottom = left + data.draw(st.integers(20, 200)), top + data.draw(st.integers(1, 200))
        if data.draw(st.booleans()) and builder.depth > 1:
            builder.close()
        name = data.draw(st.sampled_from(_CLASSES))
        builder.open(
            role_of(name), (left, top, right, bottom), text=data.draw(_TEXT), label=data.draw(_TEXT),
            identifier=data.draw(st.sampled_from(["", "com.example:id/a", "com.example:id/b"])), class_name=name,
            states=int(NodeState.VISIBLE | data.draw(st.sampled_from([NodeState.ENABLED, NodeState.CHECKED]))),
        )  # fmt: skip
    phone = showing(builder.build())
    reading = read(phone)
    expected = [phone.tree().node(index) for index in range(len(phone.tree()))]
    visible = [node for node in expected if _shows(node)]
    assert [node.class_name for node in reading.nodes] == [node.class_name for node in visible]
    assert [node.identifier for node in reading.nodes] == [node.identifier for node in visible]
    assert [_sayable(node.text) for node in visible] == [node.text for node in reading.nodes]


def _shows(node: Node) -> bool:
    """Something of it and of all around it lies on the screen."""
    return all(each.bounds.right > 0 and each.bounds.left < 540 for each in (node, *node.ancestors))


def _sayable(text: str) -> str:
    """What XML can't say is a dot."""
    odd = {
        *range(9),
        11,
        12,
        *range(14, 32),
        *range(0x7F, 0x85),
        *range(0x86, 0xA0),
        *range(0xFDD0, 0xFDE0),
        0xFFFE,
        0xFFFF,
    }
    return "".join("." if ord(letter) in odd else letter for letter in text)


def chain(depth: int) -> Phone:
    builder = TreeBuilder()
    builder.window(Window(0, "com.example", bounds=Rect(0, 0, 540, 1200), focused=True))
    for number in range(depth):
        builder.open("group", (0, 0, 540, 1200), class_name="android.widget.FrameLayout", text=str(number))
    return showing(builder.build())


@pytest.mark.parametrize("depth", [0, 1, 50])
def test_nothing_is_deeper_than_asked(depth: int) -> None:
    phone = chain(200)
    assert dump(phone, depth).count("<node ") == depth + 1
    assert dump(phone).count("<node ") == 51


def test_a_chain_of_ten_thousand_is_no_trouble() -> None:
    assert dump(chain(10_000), 20_000).count("<node ") == 10_000


def test_a_control_without_a_name_is_unfriendly() -> None:
    builder = TreeBuilder()
    builder.window(Window(0, "com.example", bounds=Rect(0, 0, 540, 1200), focused=True))
    states = int(NodeState.VISIBLE | NodeState.ENABLED | NodeState.CLICKABLE)
    builder.leaf("button", (0, 0, 9, 9), class_name="android.widget.ImageButton", states=states)
    builder.leaf("button", (9, 9, 18, 18), class_name="android.widget.Button", states=states, text="Save")
    lines = dump(showing(builder.build())).splitlines()
    assert sum('NAF="true"' in line for line in lines) == 1
    assert next(line for line in lines if "NAF" in line).count("ImageButton") == 1
