"""A tree as text to be approved: equal for the same screen, different for another one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.hierarchy.approved import approved_text, differences, first_flaw
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import AppInFront, Window

TAP = NodeState.CLICKABLE


def at(row: int) -> tuple[float, float, float, float]:
    return (0, row * 20, 100, row * 20 + 20)


def test_what_stands_in_it(shot: Any, node: Any) -> None:
    snapshot = shot(
        Window(0, "com.example.notes", bounds=Rect(0, 0, 100, 200), pid=412, title="Notes", activity="Main"),
        node("group", at(0), node("group", at(0), node("text", at(0), text="it's", identifier="com.a:id/title"))),
        node("list", at(1), node("cell", at(1), node("text", at(1), text="Milk"), more=TAP), label="Items"),
        node("switch", at(2), identifier="_NS:7", more=NodeState.CHECKABLE | NodeState.CHECKED),
        node("text_field", at(3), text="1234", hint="PIN", more=NodeState.EDITABLE | NodeState.PASSWORD),
        node("slider", at(4), value="40", label="Volume", less=NodeState.ENABLED, more=NodeState.FOCUSABLE),
        node("text", at(5), text="hidden", less=NodeState.VISIBLE),
        Window(0, "com.example.notes", kind="dialog"),
        node("button", at(6), text="OK", more=TAP),
        Window(0, "ui", kind="status_bar"),
        node("text", at(0), text="9:41"),
        Window(0, "kb", kind="keyboard"),
        node("key", at(9), label="q"),
        Window(0, "com.example.notes", kind="toast"),
        node("toast", at(9), text="Saved"),
    )
    assert approved_text(snapshot).split("\n") == [
        "Application: 'com.example.notes'",
        " Window, kind: 'application'",
        "  StaticText, identifier: 'title', text: 'it\\'s'",
        "  Table, label: 'Items'",
        "   Cell, Clickable",
        "    StaticText, text: 'Milk'",
        "  Switch, Checked, Checkable",
        "  TextField, placeholder: 'PIN', filled, Editable, Password",
        "  Slider, label: 'Volume', value: '40', Disabled",
        " Window, kind: 'dialog'",
        "  Button, text: 'OK', Clickable",
        "",
    ]


def screen(shot: Any, node: Any, text: str = "Milk", top: float = 0, **fields: Any) -> Any:
    return shot(node("group", (0, top, 100, top + 20), node("text", (0, top, 100, top + 20), text=text)), **fields)


def test_what_differs_from_run_to_run_does_not_count(shot: Any, node: Any) -> None:
    one = screen(shot, node)
    other = replace(screen(shot, node, top=60, app=AppInFront("com.example.notes", 999, "Notes")), id="s2", taken_at=99)
    assert approved_text(one) == approved_text(other)
    assert approved_text(one) != approved_text(screen(shot, node, "Eggs"))
    assert approved_text(one, bounds=True) != approved_text(other, bounds=True)
    assert "{{0, 60}, {100, 20}}" in approved_text(other, bounds=True)


def test_living_and_masked_controls(shot: Any, node: Any) -> None:
    def show(time: str, name: str) -> Any:
        row = node("cell", at(1), node("text", at(1), text=name), identifier="who", label=name)
        return shot(node("text", at(0), text=time, identifier="clock"), row)

    def text_of(snapshot: Any) -> str:
        def is_clock(item: Node) -> bool:
            return item.identifier == "clock"

        return approved_text(snapshot, changes=is_clock, masked={snapshot.nodes[1]})

    one, other = show("12:01", "Ada"), show("12:02", "Bob and Cy")
    assert text_of(one) == text_of(other)
    assert "StaticText, identifier: 'clock', changes by itself\n  Cell, identifier: 'who', masked\n" in text_of(one)
    assert approved_text(one) != approved_text(other)


def test_bounds_that_are_no_numbers(shot: Any, node: Any) -> None:
    snapshot = shot(node("text", (float("nan"), 0, float("inf"), 20), text="x"))
    assert "nan" in approved_text(snapshot, bounds=True)


def test_differences_in_order_and_few(shot: Any, node: Any) -> None:
    def rows(*names: str) -> str:
        cells = (node("cell", at(n), node("text", at(n), text=name), more=TAP) for n, name in enumerate(names))
        return approved_text(shot(node("text", at(9), text="Top"), node("list", at(0), *cells, label="Rows")))

    one = rows("Ada", "Bob", "Cy")
    assert differences(one, one) == []
    assert differences(one, rows("Ada", "Bo", "Cy")) == ["- StaticText, text: 'Bob'", "+ StaticText, text: 'Bo'"]
    assert differences(one, rows("Ada", "Cy")) == ["- Cell, Clickable", "-  StaticText, text: 'Bob'"]
    assert differences(rows("Ada", "Cy"), one) == ["+ Cell, Clickable", "+  StaticText, text: 'Bob'"]
    assert differences("", one)[0] == "+ Application: 'com.example.notes'"


@pytest.mark.parametrize(("count", "changed"), [(5000, 2500)])
def test_long_texts_take_no_long_time(count: int, changed: int) -> None:
    one = "\n".join(f"line {n % 50}" for n in range(count))
    other = "\n".join(f"line {n % 50}" if n != changed else "other" for n in range(count))
    assert differences(one, other) == [f"- line {changed % 50}", "+ other"]


def test_what_went_into_another_container_differs_by_its_depth(shot: Any, node: Any) -> None:
    inside = approved_text(shot(node("card", at(0), node("text", at(0), text="a"), label="x")))
    beside = approved_text(shot(node("card", at(0), label="x"), node("text", at(0), text="a")))
    assert differences(inside, beside) == ["-  StaticText, text: 'a'", "+ StaticText, text: 'a'"]


def test_each_line_that_is_written_is_one_and_what_is_cut_or_merged_is_none(shot: Any, node: Any) -> None:
    snapshot = shot(
        Window(0, "com.example.notes", bounds=Rect(0, 0, 100, 200)),
        node(
            "list",
            at(0),
            node("cell", at(0), node("text", at(0), text="it's, \\ ok\n{2}"), more=TAP),
            label="Items, all",
        ),
        node("switch", at(1), identifier="on", more=NodeState.CHECKABLE | NodeState.CHECKED, less=NodeState.ENABLED),
        node("text_field", at(2), text="12", hint="PIN", more=NodeState.EDITABLE | NodeState.PASSWORD),
        node("never_heard_of", at(3), text="9:41"),
    )
    masked = [snapshot.nodes[4]]
    for text in (
        approved_text(snapshot),
        approved_text(snapshot, bounds=True),
        approved_text(snapshot, masked=masked, changes=lambda node: node.text == "9:41"),
    ):
        assert first_flaw(text) == 0
        last = text.splitlines()[-1]
        cut = [text[:-length] for length in range(2, len(last))]
        flawed = [half for half in cut if first_flaw(half) == len(text.splitlines())]
        # A line that is cut between two facts is whole by itself.
        assert len(cut) - len(flawed) <= last.count(",")
        lines = text.splitlines()
        merged = "\n".join([*lines[:2], "<<<<<<< HEAD", lines[2], "=======", lines[2], ">>>>>>> main", *lines[3:]])
        assert first_flaw(merged) == 3
    assert first_flaw("Applicat") == 1
    assert first_flaw("Application: 'a'\n\n Window, kind: 'application'\n") == 2
