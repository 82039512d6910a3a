"""What a field shows against what was typed: arrived, made over on purpose, or altered on the way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.device.acting.typed import Arrival, arrival
from pytest_apex.device.acting.writing import _ReadBack
from pytest_apex.errors import TargetObscured, TextLost
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Window

law = settings(max_examples=300, derandomize=True, deadline=None)
USUAL = NodeState.ENABLED | NodeState.VISIBLE | NodeState.EDITABLE


@pytest.mark.parametrize(
    ("typed", "shown", "before"),
    [
        ("", "anything", "anything"),
        ("abc", "abc", ""),
        ("abc", "xabc", "x"),
        ("abc", "abcx", "x"),  # the caret stood at the start
        ("abc", "xabcy", "xy"),
        ("abc", "abc", "selected and gone"),
        ("abc", "an abc here", "an old here"),
        ("ü", "u\u0308", ""),
        ("a  b", "a\u00a0 b", ""),
        ("aa", "aaaa", "aa"),
    ],
)
def test_it_arrived(typed: str, shown: str, before: str) -> None:
    assert arrival(typed, shown, before) == Arrival(len(typed))


@pytest.mark.parametrize(
    ("typed", "shown", "note"),
    [
        ("4111111111111111", "4111 1111 1111 1111", "with other separators"),
        ("5551234567", "(555) 123-4567", "with other separators"),
        ("1234.5", "1,234.5", "with other separators"),
        ("5", "$5", "with other separators"),
        ('say "hi"', "say “hi”", "with other separators"),
        ("2024-03-01", "2024/03/01", "with other separators"),
        ("ada", "Ada", "in other case"),
        ("de-12", "DE-12", "in other case"),
        ("12a3", "123", "digits only"),
        ("12a3 4", "12 34", "digits only"),
        ("Lon", "London", "completed"),
        ("ada@", "ada@example.com", "completed"),
        ("abcdef", "abcd", "kept 4 of 6"),
        ("41111111111111119", "4111 1111 1111 1111", "kept 16 of 17"),
        ("a\nb", "ab", "one line"),
        ("a\nb", "a b", "one line"),
        ("hi\n", "", "return key"),
        ("hi\nyou", "you", "return key"),
    ],
)
def test_what_an_app_makes_of_it_on_purpose(typed: str, shown: str, note: str) -> None:
    found = arrival(typed, shown)
    assert found.altered is not bool(note)
    assert note in found.note


@pytest.mark.parametrize(
    ("typed", "shown", "before", "differences"),
    [
        ("hello", "hllo", "", "character 2, 'e', is missing"),
        ("hello", "hallo", "", "character 2, 'e', became 'a'"),
        ("hello", "helllo", "", "'l' was added after character"),
        ("hello", "hellohello", "", "was added after character 5"),  # sent twice
        ("helloo", "hellooo", "", "'o' was added after character"),
        ("#general", "general", "", "character 1, '#', is missing"),
        ("a b", "ab", "", "character 2, ' ', is missing"),
        (" a", "a", "", "character 1, ' ', is missing"),
        ("a  b", "a b", "", "' ', is missing"),
        ("Some%sText%s!", "Some Text !", "", "character 5, '%', became ' '"),
        ("~/notes", "/root/notes", "", "character 1, '~', became"),
        ("Wünderbar", "Wnderbar", "", "character 2, 'ü' (U+00FC), is missing"),
        ("Wünderbar", "WÃ¼nderbar", "", "character 2"),
        ("中文", "", "", "character 1, '中' (U+4E2D), is missing"),
        ("中文", "??", "", "character 1, '中' (U+4E2D), became '?'"),
        ("hi 😀", "hi ?", "", "character 4, '😀' (U+1F600), became '?'"),
        ("👍🏽", "👍", "", ""),  # cut: a limit may be there
        ("new", "oldnw", "old", "character 5, 'e', is missing"),
        ("abc", "old", "old", "character 4, 'a', is missing"),
    ],
)
def test_what_was_altered_is_named(typed: str, shown: str, before: str, differences: str) -> None:
    found = arrival(typed, shown, before)
    assert found.altered is bool(differences)
    assert differences in found.differences


def test_many_differences_are_cut_and_places_tell_no_character() -> None:
    found = arrival("abcdefgh", "xbydzfvh")
    assert found.differences.endswith("character 7, 'g', became 'v'")
    assert arrival("abcdefghij", "xbydzfvhwj").differences.endswith("; 1 more")
    assert found.places.startswith("character 1 became another one; character 3 became")


@pytest.mark.parametrize(
    ("typed", "shown", "before", "arrived"),
    [
        ("1234", "••••", "", True),
        ("1234", "•••4", "", True),
        ("1234", "", "", True),  # nothing is shown at all
        ("1234", "••••••", "••", True),
        ("1234", "••••", "••", True),  # Apple's fields begin anew
        ("😀", "••", "", True),
        ("1234", "•••", "", False),
        ("1234", "•••••", "", False),
        ("1234", "1234", "", True),  # shown in clear
        ("1234", "1235", "", False),
    ],
)
def test_of_a_password_its_length(typed: str, shown: str, before: str, arrived: bool) -> None:
    assert arrival(typed, shown, before, password=True).altered is not arrived


@law
@given(st.text(max_size=30), st.text(max_size=30), st.integers(0, 30))
def test_any_text_anywhere_arrived(before: str, typed: str, at: int) -> None:
    shown = before[:at] + typed + before[at:]
    found = arrival(typed, shown, before)
    assert not found.altered
    assert found.kept == len(typed)


@law
@given(st.text(max_size=30), st.text(max_size=30), st.text(max_size=30), st.booleans())
def test_it_always_answers(before: str, typed: str, shown: str, password: bool) -> None:
    found = arrival(typed, shown, before, password=password)
    assert bool(found.differences) is bool(found.places)
    assert not (found.altered and found.note)


@law
@given(st.text("abcdefghij", min_size=3, max_size=20), st.data())
def test_a_letter_lost_inside_is_always_found(typed: str, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(typed) - 2))
    shown = typed[:at] + typed[at + 1 :]
    assert arrival(typed, shown).altered is not typed.startswith(shown)


def test_long_texts_are_compared_in_time() -> None:
    found = arrival("a" * 50_000 + "b" + "a" * 50_000, "a" * 100_000)
    assert found.altered


# On looks


def read_back(seeing: Any, as_snapshot: Any, before: list[Any], after: list[Any], text: str) -> tuple[str, Any]:
    ctx = seeing().context
    first, second = as_snapshot(before), as_snapshot(after, "look-2")
    ctx.eyes.look = lambda: second
    back = _ReadBack(ctx, first, first.nodes[1], text, hidden=False)
    return back.look(second), back.error


def boxes(part: Any, *texts: str, focus: int | None) -> list[Any]:
    return [
        part("text_field", (10 + 40 * n, 10, 40 + 40 * n, 50), text, identifier=f"digit_{n}",
             states=int(USUAL | (NodeState.FOCUSED if n == focus else 0)))
        for n, text in enumerate(texts)
    ]  # fmt: skip


def test_a_code_of_a_field_for_each_digit(seeing: Any, as_snapshot: Any, part: Any) -> None:
    empty = boxes(part, "", "", "", "", focus=0)
    note, error = read_back(seeing, as_snapshot, empty, boxes(part, "1", "2", "3", "4", focus=3), "1234")
    assert (note, error) == ("the app moved the focus on from field to field", None)
    note, error = read_back(seeing, as_snapshot, empty, boxes(part, "1", "2", "4", "", focus=3), "1234")
    assert isinstance(error, TextLost)
    assert "1 of 4 characters arrived, and the field has lost its focus" in error.tried


def test_a_field_that_makes_tags(seeing: Any, as_snapshot: Any, part: Any) -> None:
    before = boxes(part, "", focus=0)
    tag = part("text", (10, 80, 90, 100), "blue")
    assert read_back(seeing, as_snapshot, before, [*before, tag], "blue,") == (
        "the app took it out of the field at once", None,
    )  # fmt: skip
    _, error = read_back(seeing, as_snapshot, before, before, "blue,")
    assert isinstance(error, TextLost)
    _, error = read_back(seeing, as_snapshot, [*before, tag], [*before, tag], "blue,")
    assert isinstance(error, TextLost)


@pytest.mark.parametrize(
    ("focused", "field_keeps_it", "kind"),
    [(False, True, TextLost), (True, True, TargetObscured), (False, False, TargetObscured)],
)
def test_a_list_of_suggestions_interrupts_nothing(
    seeing: Any, as_snapshot: Any, part: Any, focused: bool, field_keeps_it: bool, kind: type[Exception]
) -> None:
    ctx = seeing().context
    first = as_snapshot(boxes(part, "", focus=0))
    look = as_snapshot(boxes(part, "ac", focus=0 if field_keeps_it else None), "look-2")
    popup = Window(1, look.windows[0].app, "application", "PopupWindow:1", focused=focused)
    after = replace(look, tree=replace(look.tree, windows=(*look.windows, popup)))
    ctx.eyes.look = lambda: after
    back = _ReadBack(ctx, first, first.nodes[1], "abc", hidden=False)
    back.look(after)
    assert isinstance(back.error, kind)


def test_a_field_that_shows_it_late_is_waited_for(seeing: Any, as_snapshot: Any, part: Any) -> None:
    ctx = seeing().context
    first, last = as_snapshot(boxes(part, "", focus=0)), as_snapshot(boxes(part, "abc", focus=0), "look-9")
    until = ctx.backend.clock.now() + 2
    ctx.eyes.look = lambda: last if ctx.backend.clock.now() >= until else first
    back = _ReadBack(ctx, first, first.nodes[1], "abc", hidden=False)
    assert (back.look(first), back.error) == ("", None)
    assert until <= ctx.backend.clock.now() < until + 1
