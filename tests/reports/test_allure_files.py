"""`categories.json` and `environment.properties`."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pytest_apex.evidence.redact import Redactor
from pytest_apex.reports.allure_files import categories, write_metadata

#: The beginning of a message, and the one category that it belongs to.
BELONGS = {
    "[functional.no_effect] it\nmore": "App: functional defects",
    "[functional.missing_element] it\nwhy\nsuspect: test\n\nTargetNotFound: it": "Suspect: the test, or the app",
    "[functional.assertion] prints suspect: test in a line": "App: functional defects",
    "[visual.overlap] it": "App: visual defects",
    "[crash.anr] it\n\n\u2028x": "App: crashes",
    "[test.error] it": "Test: mistakes of the tests",
    "[transient.harness.device_lost] it": "Harness: device, driver, screen",
    "[transient.loading] it": "Transient: in the way, not settled",
    "[unsure.no_tree] it": "Unsure: could not be told",
    "[unsure] it": "Unsure: could not be told",
    "AssertionError: [functional.no_effect] it": "",
    "assert 1 == 2": "",
}


@pytest.mark.parametrize("message", list(BELONGS))
def test_each_message_belongs_to_one_category(message: str) -> None:
    whole = [one["name"] for one in categories() if re.fullmatch(one["messageRegex"], message)]  # as Allure 2
    part = [one["name"] for one in categories() if re.search(one["messageRegex"], message)]  # as Allure 3
    assert whole == part == ([BELONGS[message]] if BELONGS[message] else [])


def test_both_statuses_match_since_the_prefix_decides() -> None:
    assert {tuple(one["matchedStatuses"]) for one in categories()} == {("failed", "broken")}
    assert all("(?s)" not in one["messageRegex"] for one in categories())


@pytest.mark.skipif(shutil.which("node") is None, reason="no JavaScript here")
def test_javascript_reads_the_patterns_alike() -> None:
    code = (
        "const [cats, messages] = JSON.parse(require('fs').readFileSync(0, 'utf8'));"
        "console.log(JSON.stringify(messages.map(m => cats.filter(c => new RegExp(c.messageRegex).test(m))"
        ".map(c => c.name).join())))"
    )
    given = json.dumps([categories(), list(BELONGS)])
    said = subprocess.run(["node", "-e", code], input=given, capture_output=True, text=True, check=True).stdout
    assert json.loads(said) == list(BELONGS.values())


def test_the_environment_is_a_java_properties_file(tmp_path: Path, run_info) -> None:
    write_metadata(tmp_path, run_info, Redactor(["sesame"]))
    lines = (tmp_path / "environment.properties").read_bytes().decode("ascii").splitlines()
    assert "apex.version=0.1.0" in lines
    assert "apex.seed=7" in lines
    assert "apex.device.1=virtual (Built-in phone, android 14, 540\\u00D71200)" in lines
    assert "apex.option.timeout=10 (command line)" in lines
    assert "apex.option.redact=\\u2022\\u2022\\u2022 (pyproject.toml)" in lines
    assert any(line.startswith("apex.with.python=3.") for line in lines)


def test_the_environment_names_the_manuals(tmp_path: Path, run_info) -> None:
    from dataclasses import replace

    write_metadata(tmp_path, replace(run_info, manuals=("notes (manuals/notes.yaml), by bundle id",)), Redactor())
    text = (tmp_path / "environment.properties").read_text("latin-1")
    assert "apex.manual.1=notes (manuals/notes.yaml), by bundle id" in text


def test_odd_characters_are_escaped(tmp_path: Path, run_info) -> None:
    from dataclasses import replace

    write_metadata(tmp_path, replace(run_info, options={"a b:c=d": ("C:\\x\ny 😀", "ini")}), Redactor())
    lines = (tmp_path / "environment.properties").read_text("ascii").splitlines()
    assert "apex.option.a\\ b\\:c\\=d=C:\\\\x\\ny \\uD83D\\uDE00 (ini)" in lines


def test_what_others_wrote_stays(tmp_path: Path, run_info) -> None:
    (tmp_path / "environment.properties").write_bytes(b"Stand=b\xe9ta\napex.seed=1\n")
    theirs = {"name": "Known", "messageRegex": ".*"}
    (tmp_path / "categories.json").write_text(json.dumps([theirs, {"name": "App: crashes", "messageRegex": "old"}]))
    write_metadata(tmp_path, run_info, Redactor())
    write_metadata(tmp_path, run_info, Redactor())
    lines = (tmp_path / "environment.properties").read_bytes().splitlines()
    assert lines[0] == b"Stand=b\xe9ta"
    assert [line for line in lines if line.startswith(b"apex.seed")] == [b"apex.seed=7"]
    assert json.loads((tmp_path / "categories.json").read_bytes()) == [theirs, *categories()]


@pytest.mark.parametrize("broken", ["{", '{"name": "no list"}'])
def test_a_file_of_categories_that_is_not_ours_to_mend_stays(tmp_path: Path, run_info, broken: str) -> None:
    (tmp_path / "categories.json").write_text(broken)
    write_metadata(tmp_path, run_info, Redactor())
    assert (tmp_path / "categories.json").read_text() == broken
