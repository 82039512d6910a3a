"""Apple's alert that asks for a permission has no ids: it is told by what it is, and its answers by their places."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.verify.dialogs import permission_alert

from .conftest import N, W

SPRINGBOARD = "com.apple.springboard"
ROW = [(30, 280, 110, 310), (130, 280, 210, 310)]
COLUMN = [(30, 220, 210, 250), (30, 250, 210, 280), (30, 280, 210, 310)]


def alert(
    make: Any, words: list[str], places: list[Any], *, app: str = SPRINGBOARD, title: str = "“Notes” Would"
) -> Any:
    buttons = [N("button", word, place, label=word) for word, place in zip(words, places, strict=False)]
    title_node = N("text", title, (30, 180, 210, 200))
    return make.look(make.page(), W([title_node, *buttons], app=app, kind="dialog"), front=app)


@pytest.mark.parametrize(
    ("words", "places", "allow", "deny"),
    [
        (["Don’t Allow", "OK"], ROW, "OK", "Don’t Allow"),
        (["Allow", "Don’t Allow"], COLUMN, "Allow", "Don’t Allow"),
        (["Allow", "Don't Allow"], ROW, "Allow", "Don't Allow"),
        (["Nicht erlauben", "Erlauben"], ROW, "Erlauben", "Nicht erlauben"),
        (["Einmal erlauben", "Beim Verwenden", "Nicht erlauben"], COLUMN, "Beim Verwenden", "Nicht erlauben"),
    ],
)
def test_what_allows_and_what_denies(make: Any, words: list[str], places: list[Any], allow: str, deny: str) -> None:
    found = permission_alert(alert(make, words, places), "Notes")
    assert found is not None
    assert (found.allow.name, found.deny.name) == (allow, deny)


@pytest.mark.parametrize(
    "other",
    [
        {"title": "Low Battery"},
        {"app": "com.example.notes"},
        {"words": ["OK"]},
        {"words": ["a", "b", "c", "d"], "places": [*COLUMN, (30, 310, 210, 330)]},
    ],
)
def test_no_other_dialog_is_one(make: Any, other: dict[str, Any]) -> None:
    given = {"words": ["Don’t Allow", "OK"], "places": ROW, **other}
    assert permission_alert(alert(make, **given), "Notes") is None


def test_an_app_without_a_name_is_asked_for_by_nobody(make: Any) -> None:
    assert permission_alert(alert(make, ["Don’t Allow", "OK"], ROW), "") is None
