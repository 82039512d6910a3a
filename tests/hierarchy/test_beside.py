"""The control that a label stands for."""

from __future__ import annotations

from typing import Any

from pytest_apex.hierarchy.beside import controls_of
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Window

TAP = NodeState.CLICKABLE


def is_switch(node: Node) -> bool:
    return node.role == "switch"


def label_of(snapshot: Any, text: str) -> Node:
    return next(node for node in snapshot.nodes if node.text == text)


def roles(snapshot: Any, text: str) -> list[int]:
    return [node.index for node in controls_of(label_of(snapshot, text), is_switch)]


def test_in_the_touchable_row_around_it(shot: Any, node: Any) -> None:
    row = node(
        "group", (0, 0, 100, 40),
        node(
            "group",
            (0, 0, 70, 40),
            node("text", (0, 0, 70, 20), text="Wi-Fi"),
            node("text", (0, 20, 70, 40), text="On"),
        ),
        node("switch", (70, 0, 100, 40)),
        more=TAP,
    )  # fmt: skip
    other = node(
        "group", (0, 40, 100, 80), node("text", (0, 40, 70, 80), text="Sound"), node("switch", (70, 40, 100, 80))
    )
    snapshot = shot(row, other)
    assert roles(snapshot, "Wi-Fi") == [4]
    assert roles(snapshot, "Sound") == [7]


def test_the_row_itself_or_the_label_itself(shot: Any, node: Any) -> None:
    row = node("switch", (0, 0, 100, 20), node("text", (0, 0, 50, 20), text="Dark"), more=TAP | NodeState.CHECKABLE)
    assert roles(shot(row), "Dark") == [0]
    assert roles(shot(node("switch", (0, 0, 100, 20), text="Dark")), "Dark") == [0]


def test_on_its_line_and_not_on_the_next(shot: Any, node: Any) -> None:
    def line(n: int) -> Any:
        return node("text", (0, n * 30, 60, n * 30 + 20), text=f"Label {n}"), node(
            "switch", (70, n * 30, 100, n * 30 + 24)
        )

    snapshot = shot(*line(0), *line(1))
    assert roles(snapshot, "Label 0") == [1]
    assert roles(snapshot, "Label 1") == [3]


def test_two_are_two(shot: Any, node: Any) -> None:
    label = node("text", (0, 0, 40, 20), text="Feedback")
    snapshot = shot(label, node("switch", (50, 0, 70, 20)), node("switch", (80, 0, 100, 20)))
    assert roles(snapshot, "Feedback") == [1, 2]


def test_not_in_a_row_of_its_own_another_window_or_another_list(shot: Any, node: Any) -> None:
    label = node("text", (0, 0, 40, 20), text="Wi-Fi")
    in_row = node("cell", (50, 0, 100, 20), node("switch", (60, 0, 100, 20)), more=TAP)
    in_list = node("list", (50, 0, 100, 20), node("switch", (60, 0, 100, 20)))
    assert roles(shot(label, in_row), "Wi-Fi") == []
    assert roles(shot(label, in_list), "Wi-Fi") == []
    windows = shot(Window(0, "a"), label, Window(0, "b"), node("switch", (60, 0, 100, 20)))
    assert roles(windows, "Wi-Fi") == []
    hidden = node("switch", (60, 0, 100, 20), less=NodeState.VISIBLE)
    assert roles(shot(label, hidden), "Wi-Fi") == []
