"""Which controls may be touched a second time."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.model.node import Node, NodeState
from pytest_apex.verify.guard import destructive_word, may_repeat

CLICK = NodeState.VISIBLE | NodeState.ENABLED | NodeState.CLICKABLE


def node(make: Any, role: str = "button", text: str = "", states: NodeState = CLICK, **facts: Any) -> Node:
    found: Node = make.look(make.W([make.N(role, text, states=states, **facts)])).nodes[0]
    return found


@pytest.mark.parametrize("text", ["Save", "Settings", "Next", "Postcards", "Sender", "Booking", "Clearance", "添加"])
def test_usual_controls(make: Any, text: str) -> None:
    assert may_repeat(node(make, text=text))


@pytest.mark.parametrize(
    "text", ["Send", "SEND NOW", "Delete note", "Log out", "Pay 5 €", "Check out", "发送", "Re-post"]
)
def test_what_sends_pays_or_destroys(make: Any, text: str) -> None:
    assert destructive_word(node(make, text=text))
    assert not may_repeat(node(make, text=text))


def test_labels_ids_and_inner_texts_count(make: Any) -> None:
    assert not may_repeat(node(make, label="Send message"))
    assert not may_repeat(node(make, id="com.example.notes:id/submit_order"))
    assert not may_repeat(node(make, children=[make.N("text", "Delete")]))


@pytest.mark.parametrize("role", ["switch", "checkbox", "radio", "stepper", "slider", "picker", "key"])
def test_two_touches_on_a_toggle_are_not_one(make: Any, role: str) -> None:
    assert not may_repeat(node(make, role, "Dark mode"))


@pytest.mark.parametrize(
    "states",
    [NodeState.VISIBLE | NodeState.ENABLED, NodeState.VISIBLE | NodeState.CLICKABLE, CLICK | NodeState.CHECKABLE],
)
def test_neither_disabled_nor_dead_nor_checkable_ones(make: Any, states: NodeState) -> None:
    assert not may_repeat(node(make, text="Save", states=states))
