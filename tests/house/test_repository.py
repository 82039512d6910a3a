"""The repository speaks of the product alone, in files that can be read at one sitting."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SKIPPED = {".git", ".apex", ".venv", "venv", "build", "dist", "node_modules", "__pycache__", "allure-results"}
LONGEST_FILE, LONGEST_FUNCTION = 400, 60

#: Places of one machine, and hosts that a package manager knows by itself. Brackets keep this line from finding itself.
FORBIDDEN = re.compile(
    r"/wor[k]/|/tmp/studi[o]|/opt/ape[x]venv|farm-(studi[o]|benc[h])|before-sto[p]|regist[r]y\.npmj[s]|pyp[i]\.org"
    r"|pythonhoste[d]|repo1?\.mave[n]|de[b]\.debia[n]",
    re.IGNORECASE,
)


def texts(root: Path) -> Iterator[tuple[str, str]]:
    """Every text file of the repository, with its path."""
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        hidden = any(part in SKIPPED or part.endswith(("_cache", ".egg-info")) for part in inside.parts)
        if hidden or inside.parts[0] == ".hypothesis" or not path.is_file():
            continue
        try:
            yield inside.as_posix(), path.read_text("utf-8")
        except UnicodeDecodeError:
            continue


def test_nothing_names_a_machine_or_a_registry(root: Path) -> None:
    found = [f"{path}: {match.group()}" for path, text in texts(root) if (match := FORBIDDEN.search(text)) is not None]
    assert found == []


@pytest.mark.parametrize("word", ["/wor" + "k/main", "https://pyp" + "i.org/simple", "registry." + "npmjs"])
def test_the_search_finds_what_it_looks_for(word: str) -> None:
    assert FORBIDDEN.search(f"see {word} for more")


def test_files_can_be_read_at_one_sitting(house: tuple[Any, ...]) -> None:
    long = [f"{module.path}: {lines} lines" for module in house if (lines := module.text.count("\n")) > LONGEST_FILE]
    assert long == []


def test_functions_fit_in_a_glance(house: tuple[Any, ...]) -> None:
    long = [
        f"{module.path}:{node.lineno} {node.name}: {size} lines"
        for module in house
        for node in ast.walk(module.tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
        and (size := (node.end_lineno or node.lineno) - node.lineno + 1) > LONGEST_FUNCTION
    ]
    assert long == []


def test_every_module_says_what_it_is(house: tuple[Any, ...]) -> None:
    silent = [module.path for module in house if module.text.strip() and not ast.get_docstring(module.tree)]
    assert silent == []


def test_what_a_newcomer_looks_for_is_there(root: Path) -> None:
    wanted = ("README.md", "LICENSE", "CHANGELOG.md", "CONTRIBUTING.md", "pyproject.toml", ".ci/run", ".ci/full")
    assert [name for name in wanted if not (root / name).is_file()] == []
