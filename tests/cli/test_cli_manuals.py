"""`pytest-apex check` of manuals, and `pytest-apex schema manual`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pytest_apex.cli import main

GOOD = "match: {bundleId: com.example.a}\n"
APP = "app: com.example.a\nname: A\nstart: s\nscreens: {s: {controls: []}}\n"


def check(capsys: pytest.CaptureFixture[str], *paths: Path) -> tuple[int, list[str], str]:
    code = main(["check", *map(str, paths)])
    told = capsys.readouterr()
    return code, told.out.splitlines(), told.err


def test_a_folder_of_manuals_all_at_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "a.md").write_text(f"---\n{GOOD}---\n")
    (tmp_path / "b.yaml").write_text(f"{GOOD}contrls: {{}}\nscreens: 3\n")
    (tmp_path / "c.yaml").write_text("match: {displayName: C}")
    (tmp_path / "d.yaml").write_text(GOOD)
    (tmp_path / "_template.yaml").write_text("nonsense: [")
    (tmp_path / "README.md").write_text("# Manuals")
    code, lines, _ = check(capsys, tmp_path)
    at = tmp_path.as_posix()
    assert code == 1
    assert lines == [
        f'{at}/b.yaml:2:1  unknown key "contrls"; did you mean "controls"?',
        f"{at}/b.yaml:3:10  screens: expected a mapping, got a number",
        f"{at}/c.yaml:1:1  match: has a display name only, which another app may have too; give bundleId or "
        "processName (a warning)",
        f"{at}/a.md: fine",
        f"{at}/a.yaml: fine",
        f"{at}/c.yaml: fine",
        f"{at}/d.yaml: fine",
        f"{at}/a.yaml is not used: {at}/a.md has the same name, and comes first",
        f"{at}/d.yaml is not used for bundle id 'com.example.a': {at}/a.md claims it too, and comes first",
    ]


def test_warnings_alone_are_no_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "c.yaml").write_text("match: {displayName: C}")
    assert check(capsys, tmp_path)[0] == 0


def test_a_text_beside_manuals_is_skipped_and_one_with_fields_is_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.yaml").write_text(GOOD)
    (tmp_path / "how-to.md").write_text("# How we write manuals\n\nThey match: by id.\n")
    code, lines, _ = check(capsys, tmp_path)
    skipped = f"{tmp_path.as_posix()}/how-to.md: skipped: no line --- with the fields of a manual is at its head"
    assert (code, lines) == (0, [skipped, f"{tmp_path.as_posix()}/a.yaml: fine"])
    assert check(capsys, tmp_path / "how-to.md")[0] == 1  # who names the file means it
    for text in ("---\nnonsense: 1\n---\n", GOOD, f"\n---\n{GOOD}---\n"):
        (tmp_path / "b.md").write_text(text)
        code, lines, _ = check(capsys, tmp_path)
        assert code == 1
        assert "/b.md:" in lines[1]


def test_a_file_is_taken_for_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "manuals"
    folder.mkdir()
    for name, text in (("a.yaml", GOOD), ("b.yaml", "summary: nothing else"), ("app.yaml", APP), ("_t.yaml", GOOD)):
        (folder / name).write_text(text)
    (tmp_path / "c.yaml").write_text("name: C")
    code, lines, _ = check(capsys, folder / "a.yaml", folder / "b.yaml", folder / "app.yaml", folder / "_t.yaml")
    assert (code, len(lines)) == (1, 4)
    assert [line.partition("manuals")[2] for line in lines] == [
        "/a.yaml: fine", '/b.yaml:1:1  the key "match" is missing', "/app.yaml: fine", "/_t.yaml: fine",
    ]  # fmt: skip
    assert 'the key "app" is missing' in "\n".join(check(capsys, tmp_path / "c.yaml")[1])


def test_a_folder_may_hold_apps_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.yaml").write_text(APP + "screns: {}\n")
    (tmp_path / "a.yaml").write_text(GOOD)
    code, lines, _ = check(capsys, tmp_path)
    assert code == 1
    assert "unknown key" in lines[0]
    assert lines[1].endswith("a.yaml: fine")


@pytest.mark.parametrize("name", ["nowhere.md", "nowhere.yaml", "nowhere"])
def test_what_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    code, lines, errors = check(capsys, tmp_path / name)
    assert code == 1
    assert "No such file or directory" in "\n".join([*lines, errors])


def test_a_folder_without_a_manual_is_a_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, errors = check(capsys, tmp_path)
    assert code == 1
    assert "there is no manual in this folder" in errors


def test_the_schema_of_a_manual_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "manual"]) == 0
    schema = json.loads(capsys.readouterr().out)
    assert schema["required"] == ["match"]
    assert "bundleId" in schema["properties"]["match"]["properties"]


def test_a_schema_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["schema", "phone"])
    assert "manual" in capsys.readouterr().err


@pytest.mark.parametrize("text", [f"\ufeff{GOOD}", "controls: {a: b}", "irreversible: [key:enter]"])
def test_a_manual_in_another_folder_is_known_by_its_keys(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str
) -> None:
    (tmp_path / "a.yaml").write_text(text, encoding="utf-8")
    told = "\n".join(check(capsys, tmp_path / "a.yaml")[1])
    assert '"app"' not in told
    assert told.endswith(("fine", 'the key "match" is missing'))
