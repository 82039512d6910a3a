"""`pytest-apex check`: ids of apps and controls, and fields of rows; each mistake beside what is no mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from pytest_apex.cli import main

ROWS = """
app: com.example.rows
name: Rows
start: main
data:
  notes: [{title: Milk, date: Today}, {title: Tea, done: true}]
  words: [one, two]
  copied: [{title: Milk}]
  empty: []
screens:
  main:
    scroll: false
    controls:
      - {role: list, items: LIST, as: i, controls: [{role: text, text: "{i.FIELD}"}]}
      - {role: button, text: Add, on_tap: [{append: empty, item: {title: new}}, {set: {copied: "{notes}"}}]}
"""
IDS = """
app: com.example.ids
name: Ids
start: main
data: {on: false}
screens:
  main:
    controls:
      - FIRST
      - SECOND
  other:
    controls:
      - {role: text, id: here, text: Other}
"""


def mistakes(folder: Path, text: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    path = folder / "app.yaml"
    path.write_text(text.lstrip(), "utf-8")
    code = main(["check", str(path)])
    lines = [line.removeprefix(f"{path}:") for line in capsys.readouterr().out.splitlines()]
    assert code == (0 if lines == [" fine"] else 1)
    return [] if lines == [" fine"] else lines


@pytest.mark.parametrize("app", ["5", "notes", "com.", "com.example.my app", "true", '"com..x"'])
def test_an_id_that_is_none(tmp_path: Path, capsys: pytest.CaptureFixture[str], app: str) -> None:
    (line,) = mistakes(tmp_path, f"app: {app}\nname: A\nstart: s\nscreens: {{s: {{controls: []}}}}\n", capsys)
    assert line.startswith("1:6  app: expected an app's id such as com.example.notes, got ")


@pytest.mark.parametrize("app", ["com.example.notes", "org.example.my-app", "com.Example.notes_2"])
def test_an_id_that_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str], app: str) -> None:
    assert mistakes(tmp_path, f"app: {app}\nname: A\nstart: s\nscreens: {{s: {{controls: []}}}}\n", capsys) == []


@pytest.mark.parametrize(("rows", "field"), [("notes", "tilte"), ("empty", "date")])
def test_a_field_that_no_row_has(tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, field: str) -> None:
    (line,) = mistakes(tmp_path, ROWS.replace("LIST", rows).replace("FIELD", field), capsys)
    assert f'a row "i" has no "{field}"' in line


@pytest.mark.parametrize(
    ("rows", "field"), [("notes", "title"), ("notes", "done"), ("empty", "title"), ("copied", "date"), ("words", "x")]
)
def test_a_field_that_some_row_has_or_may_have(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], rows: str, field: str
) -> None:
    assert mistakes(tmp_path, ROWS.replace("LIST", rows).replace("FIELD", field), capsys) == []


ALWAYS = "{role: text, id: here, text: A}"
AT_TIMES = "{role: text, id: here, text: A, visible_when: {filled: on}}"
INSIDE = "{role: group, visible_when: {empty: on}, controls: [{role: text, id: here, text: B}]}"


@pytest.mark.parametrize(("first", "second"), [(ALWAYS, ALWAYS), (ALWAYS, AT_TIMES), (AT_TIMES, ALWAYS)])
def test_an_id_that_stands_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str], first: str, second: str) -> None:
    (line,) = mistakes(tmp_path, IDS.replace("FIRST", first).replace("SECOND", second), capsys)
    assert line.startswith("9:")
    assert 'the id "here" stands on this screen twice; only controls with visible_when may share one' in line


@pytest.mark.parametrize("second", [AT_TIMES, INSIDE])
def test_controls_that_show_by_turns_may_share_an_id(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], second: str
) -> None:
    assert mistakes(tmp_path, IDS.replace("FIRST", AT_TIMES).replace("SECOND", second), capsys) == []
