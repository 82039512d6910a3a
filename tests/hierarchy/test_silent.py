"""A note on what to switch on in an app that tells next to nothing."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.hierarchy.state import index_state
from pytest_apex.model.node import NodeState

BOX = (0.0, 0.0, 100.0, 200.0)


def notes(snapshot: Any) -> list[str]:
    return [line for line in index_state(snapshot).text.split("\n") if line.startswith("note:")]


def wrappers(node: Any, count: int, class_name: str = "android.view.View", *inside: Any) -> Any:
    return node("group", BOX, *(node("group", BOX, class_name=class_name) for _ in range(count - 1)), *inside)


@pytest.mark.parametrize(
    ("class_name", "switch"),
    [
        ("io.flutter.embedding.android.FlutterView", "ensureSemantics()"),
        ("androidx.compose.ui.platform.ComposeView", "testTagsAsResourceId = true"),
        ("android.webkit.WebView", "setWebContentsDebuggingEnabled(true)"),
        ("android.view.View", "ids, or labels"),
    ],
)
def test_a_big_tree_that_folds_to_nothing(shot: Any, node: Any, class_name: str, switch: str) -> None:
    assert switch in notes(shot(wrappers(node, 60, class_name)))[0]


def test_a_big_tree_that_can_be_read_and_a_small_one_without_words(shot: Any, node: Any) -> None:
    words = [node("text", BOX, text=f"Line {n}") for n in range(3)]
    assert notes(shot(wrappers(node, 60, "android.view.View", *words))) == []
    assert notes(shot(wrappers(node, 20))) == []


@pytest.mark.parametrize(
    "name", ["io.flutter.FlutterView", "android.webkit.WebView", "androidx.compose.ui.platform.ComposeView"]
)
def test_a_view_that_keeps_its_content_to_itself(shot: Any, node: Any, name: str) -> None:
    buttons = [node("button", (n * 20, 190, n * 20 + 20, 200), text=f"{n}", more=NodeState.CLICKABLE) for n in range(5)]
    found = notes(shot(node("web", (0, 0, 100, 190), class_name=name), *buttons))
    assert found[0].startswith("note: most of the screen tells nothing.")


def test_the_same_view_with_words_in_it_or_in_a_corner(shot: Any, node: Any) -> None:
    rest = [node("text", (0, n * 20, 50, n * 20 + 20), text=f"{n}") for n in range(4)]
    page = [node("text", (0, n * 20, 50, n * 20 + 20), text=f"Line {n}") for n in range(3)]
    told = node("web", BOX, *page, class_name="android.webkit.WebView")
    assert notes(shot(told)) == []
    beside = node("group", BOX, class_name="androidx.compose.ui.platform.ComposeView")  # only a backdrop
    assert notes(shot(beside, *rest)) == []
    corner = node("web", (0, 0, 30, 30), class_name="android.webkit.WebView")
    assert notes(shot(corner, *rest)) == []
    named = node("web", BOX, class_name="android.webkit.WebView", label="Map of Bergen")
    assert notes(shot(named, *rest)) == []


def test_the_note_stands_above_and_the_focus_last(shot: Any, node: Any) -> None:
    field = node("text_field", (0, 0, 50, 20), hint="Name", more=NodeState.EDITABLE | NodeState.FOCUSED)
    lines = index_state(shot(wrappers(node, 60, "android.view.View", field)), heading="manual: x").text.split("\n")
    assert lines[1] == "manual: x"
    assert lines[2].startswith("note:")
    assert lines[-1] == 'focused: [0] "Name" (text_field)'
