"""README is short, and what it shows is what happens.

Three kinds of code blocks are held to that: a shell block names only commands that CI runs too; a function of a Python
block stands in the example suite, word for word; a block that begins with `$ pytest …` is run, and its lines have to
come in that order (numbers and run folders may differ, `...` or `…` stands for what is left out).
"""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

LONGEST = 150
INSTALL_AND_SHOW = "pip install . && pytest examples/notes_app --device=virtual"
INSTALL_AND_TEST = "pip install '.[test]' && pytest -n auto"


@pytest.fixture(scope="module")
def readme(root: Path) -> str:
    return (root / "README.md").read_text("utf-8")


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """Language and content of each fenced block."""
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield match.group(1), match.group(2)


def functions(source: str) -> dict[str, str]:
    """Each function of a module in one normal form, comments and blank lines aside."""
    return {node.name: ast.unparse(node) for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)}


def plain(line: str) -> str:
    """A line without what differs from run to run: numbers, folders of runs, lengths of rulers."""
    line = re.sub(r"\x1b\[[0-9;]*m", "", line)
    line = re.sub(r"\S*(/runs/|/tests/)\S*", "PATH", line)
    line = re.sub(r"[=_-]{3,}", "---", line)
    return re.sub(r"\d+(\.\d+)?", "N", " ".join(line.split()))


def missing_lines(shown: list[str], printed: str) -> list[str]:
    """The shown lines that the output has not, or not in that order."""
    lines, at, missing = [plain(line) for line in printed.splitlines()], 0, []
    for line in shown:
        if plain(line) in ("", "...", "…"):
            continue
        pattern = ".*".join(re.escape(part) for part in re.split(r"\.\.\.|…", plain(line)))
        found = next((n for n in range(at, len(lines)) if re.fullmatch(pattern, lines[n])), None)
        if found is None:
            missing.append(line)
        else:
            at = found + 1
    return missing


def test_it_is_one_or_two_screens(readme: str) -> None:
    assert len(readme.splitlines()) <= LONGEST


def test_two_commands_do_all_the_set_up_and_ci_runs_them(readme: str, root: Path) -> None:
    shown = [line.removeprefix("$ ").strip() for _, code in blocks(readme) for line in code.splitlines()]
    assert INSTALL_AND_SHOW in shown
    assert INSTALL_AND_TEST in shown
    assert f'"{INSTALL_AND_TEST}"' in (root / ".ci" / "run").read_text("utf-8")


def test_its_tests_stand_in_the_example(readme: str, root: Path) -> None:
    example = {}
    for path in (root / "examples").rglob("*.py"):
        example.update(functions(path.read_text("utf-8")))
    shown = {}
    for language, code in blocks(readme):
        if language == "python":
            shown.update(functions(code))
    assert any(name.startswith("test_") for name in shown)
    assert {name: example.get(name) for name in shown} == shown


def test_its_outputs_are_what_is_printed(readme: str, root: Path, shell: Any, tmp_path: Path) -> None:
    runs = [code.splitlines() for _, code in blocks(readme) if code.startswith("$ pytest ")]
    assert len(runs) >= 2, "one test with its output, and the same run with a fault"
    for n, (command, *shown) in enumerate(runs):
        arguments = shlex.split(command.removeprefix("$ pytest "))
        done = shell.pytest(f"--apex-artifacts={tmp_path / str(n)}", *arguments, cwd=root)
        assert missing_lines(shown, done.stdout) == [], f"{command}\n{done.stdout}{done.stderr}"


def test_its_links_lead_somewhere(readme: str, root: Path) -> None:
    links = re.findall(r"\]\((?!https?://|#)([^)#]+)[^)]*\)", readme)
    assert [link for link in links if not (root / link).exists()] == []


def test_each_page_of_the_docs_is_named(readme: str, root: Path) -> None:
    assert [page.name for page in (root / "docs").glob("*.md") if f"(docs/{page.name})" not in readme] == []


@pytest.mark.parametrize(
    ("shown", "missing"),
    [
        (["3 passed in 2.10s"], []),
        (["one", "…", "3 passed in 9s"], []),
        (["o...", "3 ... in 9s"], []),
        (["o...n"], ["o...n"]),
        (["three", "one"], ["three"]),
        (["3 passed in 2.10s", "one"], ["one"]),
        (["3 failed in 2.10s"], ["3 failed in 2.10s"]),
    ],
)
def test_the_comparison_sees_what_differs(shown: list[str], missing: list[str]) -> None:
    assert missing_lines(shown, "one\ntwo\n===== 3 passed in 0.02s =====\n3 passed in 0.02s\n") == missing
