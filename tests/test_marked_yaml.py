"""YAML that remembers its place, and the reader that gathers mistakes."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pytest_apex.errors import FileMistakes, ManualError
from pytest_apex.marked_yaml import MAX_ALIASES, MAX_BYTES, MAX_DEPTH, Marked, Reader


def load(source: str | bytes, name: str, error: type[FileMistakes] = FileMistakes) -> Marked:
    reader = Reader(name, error)
    root = reader.open(source)
    reader.finish()
    return root.node


def places(error: FileMistakes) -> list[str]:
    return [f"{item.line}:{item.column} {item.path}" for item in error.mistakes]


def test_values_remember_line_and_column() -> None:
    root = load("name: Notes\nrows:\n  - one\n  - {two: 2}\n", "x.yaml")
    rows = root.value["rows"]
    assert (root.line, root.column) == (1, 1)
    assert [(row.kind, row.line, row.column) for row in rows.value] == [("text", 3, 5), ("map", 4, 5)]
    assert rows.value[1].keys == {"two": (4, 6)}
    assert root.plain == {"name": "Notes", "rows": ["one", {"two": 2}]}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("true", True), ("false", False), ("null", None), ("~", None), ("", None), ("12", 12), ("-3", -3),
        ("1.5", 1.5), ("1e3", 1000.0), ("yes", "yes"), ("off", "off"), ("NO", "NO"), ("12:30", "12:30"),
        ("2026-03-02", "2026-03-02"), ('"12"', "12"), ("'true'", "true"), ("1_000", "1_000"), ("0x10", "0x10"),
    ],
)  # fmt: skip
def test_only_plain_words_are_not_text(written: str, value: object) -> None:
    assert load(f"a: {written}", "x.yaml").plain == {"a": value}


@pytest.mark.parametrize(
    ("source", "line", "what"),
    [
        ("a: 1\nb: [", 3, "not YAML"),
        ("a: 1\nb: &x [*x]", 2, "alias"),
        ("a: *nowhere", 1, "alias"),
        ("a: !!python/object:os.system x", 1, "tag"),
        ("a: !!binary aGk=", 1, "tag"),
        ("- a\n---\n- b", 2, "second document"),
        ("x: " + "[" * (MAX_DEPTH + 1), 1, "levels deep"),
        ("- &a b\n" + "- *a\n" * (MAX_ALIASES + 1), MAX_ALIASES + 2, "aliases"),
        (b"a: ok\nb: \xff\xfe", 2, "not UTF-8"),
        ("#" * (MAX_BYTES + 1), 1, "bytes"),
        ("a: 1\nb: 2\na: 3", 3, "twice"),
        ("a: &d {x: 1}\nb:\n  <<: *d", 3, "merge keys"),
        ("? [a, b]\n: 1", 1, "a key must be text"),
        ("a: \x00", 1, "not YAML"),
    ],
)
def test_what_is_not_plain_yaml_is_refused_with_its_place(source: str | bytes, line: int, what: str) -> None:
    with pytest.raises(ManualError) as caught:
        load(source, "x.yaml", ManualError)
    mistake = caught.value.mistakes[0]
    assert mistake.line == line
    assert what in mistake.what
    assert str(caught.value).startswith("manual x.yaml has ")


def test_a_small_file_that_stands_for_billions_is_refused_in_no_time() -> None:
    lines = ["a0: &a0 x"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 12)]
    with pytest.raises(FileMistakes, match="once its aliases are followed"):
        load("\n".join(lines), "bomb.yaml")


def test_aliases_that_stay_small_are_followed() -> None:
    assert load("a: &a [1, 2]\nb: *a\n", "x.yaml").plain == {"a": [1, 2], "b": [1, 2]}


def test_a_byte_order_mark_is_no_part_of_the_first_key() -> None:
    assert load(b"\xef\xbb\xbfa: 1", "x.yaml").plain == {"a": 1}


def test_all_mistakes_are_gathered_in_the_order_of_their_lines() -> None:
    source = (
        "nmae: Notes\n"
        "app: [1, 2]\n"
        "count: many\n"
        "size: 3.5\n"
        "on: yes\n"
        "shape: circel\n"
        "rows: {a: 1}\n"
        "far: 99\n"
    )  # fmt: skip
    reader = Reader("x.yaml", ManualError)
    fields = reader.open(source).fields(
        "name", "app", "count", "size", "on", "shape", "rows", "far", "gone", required=("name", "gone")
    )
    assert fields.text("app") == ""
    assert fields.number("count") == 0
    assert fields.integer("size") == 0
    assert fields.flag("on") is False
    assert fields.choice("shape", ("circle", "square"), "square", "shape") == "square"
    assert fields.items("rows") == []
    fields.number("far", low=0, high=10)
    with pytest.raises(ManualError) as caught:
        reader.finish(cure="see the docs")
    assert [str(item).partition("  ")[2] for item in caught.value.mistakes] == [
        'unknown key "nmae"; did you mean "name"?',
        'the key "name" is missing',
        'the key "gone" is missing',
        "app: expected text, got a list",
        "count: expected a number, got text",
        "size: expected a whole number, got 3.5",
        "on: expected true or false, got text",
        'shape: unknown shape "circel"; did you mean "circle"?',
        "rows: expected a list, got a mapping",
        "far: 99 is out of range: from 0 to 10",
    ]
    assert str(caught.value).endswith("try:     see the docs")


def test_a_path_says_where_in_the_document_a_value_stands() -> None:
    reader = Reader("x.yaml")
    root = reader.open("screens:\n  login:\n    controls:\n      - {text: ok}\n      - text: [no]\n")
    for _, screen in root.fields("screens").pairs("screens"):
        for control in screen.fields("controls").items("controls"):
            control.fields("text").text("text")
    with pytest.raises(FileMistakes) as caught:
        reader.finish()
    assert str(caught.value.mistakes[0]) == "x.yaml:5:15  screens.login.controls[1].text: expected text, got a list"


def test_a_reader_without_mistakes_raises_nothing() -> None:
    reader = Reader("x.yaml")
    fields = reader.open("a: 1\nb: [x]\nc: y").fields("a", "b", "c")
    assert fields.text("a") == "1"
    assert [item.text() for item in fields.items("b")] == ["x"]
    c = fields.get("c")
    assert c is not None
    assert [item.text() for item in c.one_or_many()] == ["y"]
    assert "d" not in fields
    reader.finish()


_plain = st.recursive(
    st.none() | st.booleans() | st.integers(-999, 999) | st.text("abc: #-[]{}'\"\\é\n", max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abz", min_size=1, max_size=3), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(_plain)
def test_json_is_yaml_and_reads_back_equal(value: object) -> None:
    import json

    assert load(json.dumps({"v": value}), "x.yaml").plain == {"v": value}


@given(st.text(max_size=60) | st.binary(max_size=60))
def test_no_input_raises_anything_but_file_mistakes(source: str | bytes) -> None:
    with suppress(FileMistakes):
        load(source, "x.yaml")


def test_keys_stay_as_they_are_written() -> None:
    keys = ["1", "0123", "1.40", "true", "0", "false", "~"]
    assert list(load("\n".join(f"{key}: a" for key in keys), "x.yaml").plain) == keys


def test_the_same_key_twice_is_one_name_however_it_is_quoted() -> None:
    with pytest.raises(FileMistakes, match=r'the key "1" stands here twice \(first in line 1\)'):
        load('1: a\n"1": b', "x.yaml")


def test_a_key_by_an_alias_is_text() -> None:
    with pytest.raises(FileMistakes, match="a key must be text, got a number"):
        load("a: &n 1\n*n : b", "x.yaml")
