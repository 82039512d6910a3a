"""Text of options → values, each with its innocent twin."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pytest_apex.plugin import values

HERE = Path("/base")


@pytest.mark.parametrize(
    ("parse", "text", "value"),
    [
        (values.one_of("error", "skip"), " Skip ", "skip"),
        (values.switch, "off", False),
        (values.switch, "True", True),
        (values.humanize, "false", "off"),
        (values.humanize, "on", "on"),
        (values.humanize, "calm", "calm"),
        (values.whole(0), "0", 0),
        (values.whole(1), " 12 ", 12),
        (values.positive("seconds"), "0.5", 0.5),
        (values.share, "5%", 0.05),
        (values.share, "0 %", 0.0),
        (values.fail_on, ["functional", "crash"], frozenset({"functional", "crash"})),
        (values.fail_on, ["ALL"], frozenset(values.FAIL_ON)),
        (values.json_or_path, ' {"platformName": "iOS"} ', '{"platformName": "iOS"}'),
        (values.json_or_path, "caps/ios.json", str((HERE / "caps/ios.json").absolute())),
        (values.json_or_path, "", ""),
        (values.pairs, ["MODE=demo", "QUERY=a=b", "EMPTY="], {"MODE": "demo", "QUERY": "a=b", "EMPTY": ""}),
    ],
)
def test_reads(parse: values.Parse, text: Any, value: object) -> None:
    assert parse(text, HERE) == value


@pytest.mark.parametrize(
    ("parse", "text", "complaint"),
    [
        (values.one_of("error", "skip"), "never", "expected error or skip"),
        (values.one_of("a", "b", "c"), "", "expected a, b or c"),
        (values.switch, "maybe", "expected on or off"),
        (values.humanize, "wild", "expected on, off or a persona (calm, quick, unsteady)"),
        (values.whole(0), "-1", "expected a whole number, 0 or more"),
        (values.whole(1), "0", "expected a whole number, 1 or more"),
        (values.whole(0), "7.5", "expected a whole number, 0 or more"),
        (values.positive("seconds"), "soon", "expected seconds, a number above 0"),
        (values.positive("seconds"), "0", "expected seconds, a number above 0"),
        (values.positive("seconds"), "nan", "expected seconds, a number above 0"),
        (values.positive("seconds"), "inf", "expected seconds, a number above 0"),
        (values.share, "5", "such as 5%"),
        (values.share, "101%", "such as 5%"),
        (values.fail_on, ["functional", "crash", "ugly"], "found ugly"),
        (values.fail_on, ["visual"], "functional and crash can't be left out; write functional,visual,crash"),
        (values.fail_on, ["functional"], "crash can't be left out; write functional,crash"),
        (values.pairs, ["MODE"], "expected NAME=VALUE, found 'MODE'"),
        (values.new_folder, " ", "expected a folder"),
        (values.folder, " ", "expected a folder"),
        (values.existing_file, "nothing.yaml", "there is no file /base/nothing.yaml"),
    ],
)
def test_refuses(parse: values.Parse, text: Any, complaint: str) -> None:
    with pytest.raises(ValueError) as caught:
        parse(text, HERE)
    assert complaint in str(caught.value)


def test_lists_come_as_list_or_text() -> None:
    assert values.split_list("a, b\nc,,") == ["a", "b", "c"]
    assert values.split_list(["a,b", "c"]) == ["a,b", "c"]  # an entry of a list keeps its comma
    assert values.split_list("") == []


def test_folders_and_files_count_from_their_base(tmp_path: Path) -> None:
    (tmp_path / "app.yaml").write_text("", "utf-8")
    assert values.new_folder("out", tmp_path) == str(tmp_path / "out")
    assert values.existing_file("app.yaml", tmp_path) == str(tmp_path / "app.yaml")
    with pytest.raises(ValueError, match=r"app\.yaml is a file"):
        values.new_folder("app.yaml/out", tmp_path)


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("/a{2,3}/", ["/a{2,3}/"]),
        ("one, /a{2,3}/ , two", ["one", "/a{2,3}/", "two"]),
        ("/x/,/y,z/\nlast", ["/x/", "/y,z/", "last"]),
        ("/home/ada, /b", ["/home/ada", "/b"]),
        ("a/b, c/", ["a/b", "c/"]),
        (["x,y", "/a,b/"], ["x,y", "/a,b/"]),
    ],
)
def test_a_pattern_to_mask_stays_whole(text: object, entries: list[str]) -> None:
    assert values.split_secrets(text) == entries
