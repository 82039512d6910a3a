"""Unresolved texts, and usual ones that look a little like them."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.model.node import NodeState
from pytest_apex.verify.checks import find_defects
from pytest_apex.verify.checks.unresolved_text import unresolved

BAD = [
    "null", "undefined", "NaN", "nil", "(null)", " null ", "{{user.name}}", "Hello {{ name }}!", "${total}",
    "Hello %s", "%d notes", "%1$s of %2$d", "%@ likes this", "[object Object]", "@string/title", "R.string.title",
    "caf\ufffd", "Tom &amp; Jerry", "a&nbsp;b", "it&#39;s", "Lorem ipsum dolor sit amet", "home.title.label",
    "settings.account.sign_out", "login_button_label",
]  # fmt: skip
GOOD = [
    "", "Null", "Mr. Null", "Nan", "nothing is null", "100 %", "100 % sure", "5% done", "20 %d'ici demain", "50%off",
    "Save {name}", "a { b } c", "$5", "C:\\R.string", "AT&T", "R&D;", "Q&A", "com.example.notes", "www.example.com",
    "api.example.co.uk", "report.final.pdf", "1.2.3", "v1.2.3-beta", "e.g.", "snake_case", "my_file",
    "Notes.Title.Label", "user@example.com", "and/or", "12:30:45", "Undefined behaviour", "object", "lorem",
]  # fmt: skip


@pytest.mark.parametrize("text", BAD)
def test_unresolved(text: str) -> None:
    found = unresolved(text)
    assert found is not None
    assert found[1]


@pytest.mark.parametrize("text", ["test_git_repo", "john_doe_42", "my_holiday_photos"])
def test_names_of_folders_and_people_are_only_worth_a_look(text: str) -> None:
    assert unresolved(text) == ("a key", False)


@pytest.mark.parametrize("text", GOOD)
def test_usual(text: str) -> None:
    assert unresolved(text) is None


def test_none_is_a_usual_word_and_only_worth_a_look(make: Any) -> None:
    [finding] = find_defects(
        make.look(make.page(make.N("text", "Ringtone"), make.N("text", "None", (130, 60, 200, 80))))
    )
    assert finding.severity == "warn"


def rule_of(make: Any, *nodes: Any) -> list[tuple[str, str]]:
    found = find_defects(make.look(make.page(*nodes)))
    return [(finding.rule, finding.severity) for finding in found if finding.rule == "unresolved_text"]


def test_a_key_on_a_control_fails_and_a_users_own_name_in_a_list_is_worth_a_look(make: Any) -> None:
    key = make.N("text", "shopping_list_title")
    assert rule_of(make, key) == [("unresolved_text", "fail")]
    row = make.N("cell", box=(0, 50, 240, 90), children=[key])
    assert rule_of(make, make.N("list", box=(0, 40, 240, 300), children=[row])) == [("unresolved_text", "warn")]
    row.children = [make.N("text", "{{note.title}}")]
    assert rule_of(make, make.N("list", box=(0, 40, 240, 300), children=[row])) == [("unresolved_text", "fail")]


def test_labels_count_and_typed_or_secret_texts_do_not(make: Any) -> None:
    shown = NodeState.VISIBLE | NodeState.ENABLED
    assert rule_of(make, make.N("button", label="{{action}}")) == [("unresolved_text", "fail")]
    assert rule_of(make, make.N("text_field", "{{x}}", states=shown | NodeState.EDITABLE)) == []
    assert rule_of(make, make.N("text", "null", states=shown | NodeState.PASSWORD)) == []
    assert rule_of(make, make.N("text", "null", states=NodeState.ENABLED)) == []


def test_one_report_for_a_label_repeated_on_the_controls_around_it(make: Any) -> None:
    inner = make.N("text", "{{x}}", (30, 60, 90, 80))
    outer = make.N("button", label="{{x}}", box=(20, 50, 120, 90), children=[inner])
    [finding] = [finding for finding in find_defects(make.look(make.page(outer))) if finding.severity == "fail"]
    assert finding.box is not None
    assert finding.box.width == 60


def test_two_places_are_two_reports(make: Any) -> None:
    assert len(rule_of(make, make.N("text", "null"), make.N("text", "null", (20, 200, 120, 220)))) == 2
