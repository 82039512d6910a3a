"""Templates, conditions, fitting text into lines, and the timeline."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.phone import words
from pytest_apex.phone.template import Condition, TemplateError, parse, plain
from pytest_apex.phone.timeline import Timeline
from pytest_apex.phone.words import fit_end, fit_text, wrap_text
from pytest_apex.vision.canvas import text_width

DATA = {"email": "ada@example.com", "notes": [1, 2], "note": {"title": "Piano", "n": 3.0}, "yes": True, "none": None}


def render(text: str) -> str:
    return parse(text).render(DATA.get)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("Welcome, {email|name}!", "Welcome, Ada!"),
        ("{notes|count} notes", "2 notes"),
        ("{note.title} {note.n}", "Piano 3"),
        ("{note.gone}{gone}", ""),
        ("{yes} {none}", "true "),
        ("{{user.name}}", "{user.name}"),
        ("{email|upper}", "ADA@EXAMPLE.COM"),
        ("{notes}", "1 2"),
    ],
)
def test_variables_show_in_texts(text: str, shown: str) -> None:
    assert render(text) == shown


def test_a_text_that_is_one_variable_gives_the_variable_itself() -> None:
    assert parse("{note}").value(DATA.get) is DATA["note"]
    assert parse("{note} ").value(DATA.get) != DATA["note"]


@pytest.mark.parametrize("text", ["{", "}", "{}", "{a b}", "{a|}", "{a|nope}", "x {{ {y"])
def test_braces_that_make_no_sense_are_refused(text: str) -> None:
    with pytest.raises(TemplateError):
        parse(text)


@given(st.text(max_size=30))
def test_escaped_braces_read_back(text: str) -> None:
    assert render(text.replace("{", "{{").replace("}", "}}")) == text
    assert plain(text).render(DATA.get) == text


def test_a_condition_holds_when_all_of_it_does() -> None:
    filled = Condition(filled=("email", "yes"))
    assert filled.holds(DATA.get)
    assert not Condition(filled=("email", "none")).holds(DATA.get)
    assert Condition(empty=("none",), equal=(("note.title", plain("Piano")),)).holds(DATA.get)
    assert not Condition(unequal=(("note.title", plain("Piano")),)).holds(DATA.get)
    assert Condition(equal=(("yes", plain("true")),)).holds(DATA.get)


def test_lines_break_between_words_and_end_with_an_ellipsis() -> None:
    width = text_width("one two", 20)
    assert wrap_text("one two three", 20, False, width, 0) == ("one two", "three")
    assert wrap_text("one\ntwo", 20, False, width, 0) == ("one", "two")
    cut = wrap_text("one two three four", 20, False, width, 1)
    assert len(cut) == 1
    assert cut[0].endswith("…")
    assert fit_end("abcdef", 20, text_width("def", 20)) == "def"


@given(st.text("abc de\n", max_size=60), st.integers(10, 200))
def test_no_line_is_wider_than_it_may_be(text: str, width: int) -> None:
    lines = wrap_text(text, 20, False, width, 0)
    assert all(text_width(line, 20) <= width or len(line) == 1 for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace("\n", "").replace(" ", "")
    fitted = fit_text(text, 20, False, width)
    assert text_width(fitted, 20) <= width or fitted == "…"


def test_events_run_in_the_order_of_their_time_then_of_their_planning() -> None:
    timeline, ran = Timeline(), []
    timeline.after(0.2, lambda: ran.append(("b", timeline.now())))
    timeline.after(0.1, lambda: ran.append(("a", timeline.now())))
    timeline.after(0.2, lambda: ran.append(("c", timeline.now())))
    timeline.after(9.0, lambda: ran.append(("never", 9.0)))
    timeline.sleep(1)
    assert ran == [("a", 0.1), ("b", 0.2), ("c", 0.2)]
    assert timeline.now() == 1


def test_an_event_may_plan_another_and_what_a_dead_owner_planned_is_dropped() -> None:
    timeline, ran, owner = Timeline(), [], object()
    timeline.after(0.1, lambda: timeline.after(0.1, lambda: ran.append("later")))
    timeline.after(0.3, lambda: ran.append("dead"), owner)
    assert timeline.has_plans(owner)
    timeline.drop(owner)
    timeline.sleep(1)
    assert ran == ["later"]
    assert not timeline.has_plans(owner)


def test_time_never_goes_back() -> None:
    timeline = Timeline()
    timeline.sleep(1)
    timeline.sleep(-5)
    timeline.advance_to(0.5)
    assert timeline.now() == 1


@pytest.mark.parametrize("text", ["", "a", "Short", "A long text that does not fit at all " * 4, "iiiiWWWW" * 20])
def test_as_many_letters_as_fit_and_not_one_more(text: str) -> None:
    end, begin = fit_end(text, 16, 100), fit_text(text, 16, False, 100)
    assert text.endswith(end)
    assert text_width(end, 16) <= 100
    assert end == text or text_width(text[len(text) - len(end) - 1 :], 16) > 100
    assert text_width(begin, 16) <= 100
    kept = begin.removesuffix(words.ELLIPSIS)
    assert begin == text or text_width(text[: len(kept) + 2] + words.ELLIPSIS, 16) > 100


def test_a_long_text_is_measured_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def width(text: str, *_more: object) -> int:
        asked.append(text)
        return 8 * len(text)

    monkeypatch.setattr(words, "text_width", width)
    assert len(words.fit_end("x" * 5000, 16, 400)) == 50
    assert len(words.fit_text("x" * 5000, 16, False, 400)) == 50
    assert len(asked) < 40
