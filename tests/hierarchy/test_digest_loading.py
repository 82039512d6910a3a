"""Fingerprints for waiting, and signs of loading."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.hierarchy import digest, loading
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import TreeBuilder, Window

TAP = NodeState.CLICKABLE
BOX = (10, 10, 50, 50)


def prints(snapshot: Any) -> tuple[str, str]:
    return digest.structure(snapshot), digest.full(snapshot)


def test_equal_trees_have_equal_fingerprints(shot: Any, node: Any) -> None:
    assert prints(shot(node("text", BOX, text="a"))) == prints(shot(node("text", BOX, text="a")))


@pytest.mark.parametrize(
    ("change", "in_structure", "in_full"),
    [
        ({"text": "b"}, False, True),
        ({"value": "1"}, False, True),
        ({"identifier": "x"}, True, True),
        ({"more": NodeState.CHECKED}, True, True),
        ({"less": NodeState.VISIBLE}, True, True),
        ({"more": NodeState.FOCUSED}, False, False),  # moves with the keyboard, says nothing about rest
    ],
)
def test_what_a_fingerprint_notices(shot: Any, node: Any, change: Any, in_structure: bool, in_full: bool) -> None:
    one, other = prints(shot(node("text", BOX))), prints(shot(node("text", BOX, **change)))
    assert (one[0] != other[0], one[1] != other[1]) == (in_structure, in_full)


def test_a_move_is_noticed_and_rounding_is_not(shot: Any, node: Any) -> None:
    at = [digest.structure(shot(node("text", (x, 10, 50, 50)))) for x in (12.0, 12.4, 20.0)]
    assert at[0] == at[1] != at[2]


def test_the_status_bar_is_left_out(shot: Any, node: Any) -> None:
    def with_clock(time: str, kind: str, role: str = "text") -> tuple[str, str]:
        clock = node(role, BOX, node("text", BOX, text=time))
        return prints(shot(Window(0, "a"), node("text", BOX), Window(0, "ui", kind=kind), clock, node("text", BOX)))

    assert with_clock("9:41", "status_bar") == with_clock("9:42", "status_bar")
    assert with_clock("9:41", "application", "status_bar") == with_clock("9:42", "application", "status_bar")
    assert with_clock("9:41", "application") != with_clock("9:42", "application")


def test_odd_numbers_and_texts_have_a_fingerprint(shot: Any, node: Any) -> None:
    assert all(prints(shot(node("text", (float("nan"), float("-inf"), 1e300, 2), text="\ud83d"))))


# --- loading ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("value", ["", "In progress", "Loading…"])
def test_an_indicator_without_a_measure_is_a_sign(shot: Any, node: Any, value: str) -> None:
    snapshot = shot(node("progress", BOX, value=value))
    assert loading.loading_signs(snapshot) == [snapshot.nodes[0]]


@pytest.mark.parametrize("value", ["40", "40%", " 0.4 ", "3 of 7", "3/7", "0", "-1", "33 percent", "12,5 %"])
def test_a_measured_one_is_none(shot: Any, node: Any, value: str) -> None:
    assert loading.loading_signs(shot(node("progress", BOX, value=value))) == []


def test_only_visible_indicators_on_the_screen_count(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("progress", BOX, less=NodeState.VISIBLE),
        node("progress", (10, 210, 50, 250)),
        node("text", BOX, text="Loading, please wait"),
    )
    assert loading.loading_signs(snapshot) == []


def covers(snapshot: Any, sign: int, control: int) -> bool:
    return loading.covers(snapshot.nodes[sign], snapshot.nodes[control], snapshot)


def test_a_sign_covers_what_it_lies_on(shot: Any, node: Any) -> None:
    snapshot = shot(node("button", BOX), node("button", (10, 100, 50, 140)), node("progress", (20, 20, 30, 30)))
    assert covers(snapshot, 2, 0)
    assert not covers(snapshot, 2, 1)


def test_a_sign_as_large_as_the_screen_covers_everything(shot: Any, node: Any) -> None:
    snapshot = shot(
        node("button", (0, 190, 10, 200)), node("progress", (0, 0, 100, 120)), node("progress", (0, 0, 100, 20))
    )
    assert covers(snapshot, 1, 0)
    assert not covers(snapshot, 2, 0)


@pytest.mark.parametrize(("more", "expected"), [(NodeState.OPAQUE_TO_TOUCH, True), (NodeState(0), False)])
def test_the_layer_that_a_sign_turns_on_covers(shot: Any, node: Any, more: NodeState, expected: bool) -> None:
    layer = node("group", (0, 0, 100, 200), node("progress", (45, 95, 55, 105)), more=more)
    snapshot = shot(node("group", (0, 0, 100, 200), node("button", BOX), layer))
    assert covers(snapshot, 3, 1) is expected


def test_a_sign_in_the_same_row_does_not_cover_its_label(shot: Any, node: Any) -> None:
    row = node("cell", (0, 0, 100, 40), node("text", (0, 0, 50, 40)), node("progress", (60, 0, 100, 40)), more=TAP)
    assert not covers(shot(row), 2, 1)
    assert covers(shot(row), 2, 0)  # the row itself is still loading


def test_ten_thousand_deep(shot: Any) -> None:
    chain = TreeBuilder()
    chain.window(Window(0, "a", bounds=Rect(0, 0, 100, 200)))
    for _ in range(10_000):
        chain.open("group", (0, 0, 100, 200))
    chain.leaf("progress", BOX)
    snapshot = shot(Window(0, "a"))
    deep = type(snapshot)("s", 0.0, chain.build(), snapshot.screen, snapshot.app)
    assert [sign.index for sign in loading.loading_signs(deep)] == [10_000]
    assert digest.full(deep) != digest.full(snapshot)
