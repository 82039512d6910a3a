"""The front door for third parties: each hook says what it is for, and its example works."""

from __future__ import annotations

import ast
import inspect
import textwrap
from pathlib import Path
from typing import Any

import pytest

from pytest_apex import hookspecs

HOOKS = {name: spec for name, spec in vars(hookspecs).items() if name.startswith("pytest_apex_")}
UNIT_TEST = "def test_unit():\n    assert True\n"


def example_of(name: str) -> str:
    """The code after `Example …::` in a hook's docstring."""
    _, _, code = (inspect.getdoc(HOOKS[name]) or "").partition("::\n")
    return textwrap.dedent(code).strip() + "\n"


def test_there_are_hooks() -> None:
    assert len(HOOKS) >= 6


@pytest.mark.parametrize("name", sorted(HOOKS))
def test_each_hook_says_when_it_is_called_with_what_and_what_to_return(name: str) -> None:
    words = inspect.getdoc(HOOKS[name]) or ""
    assert "Called" in words
    for argument in inspect.signature(HOOKS[name]).parameters:
        assert f":param {argument}:" in words
    answers = "-> None:" not in inspect.getsource(HOOKS[name])
    assert (":return:" in words) is answers


@pytest.mark.parametrize("name", sorted(HOOKS))
def test_each_hook_is_on_its_page(name: str, root: Path) -> None:
    assert f"`{name}`" in (root / "docs" / "hooks.md").read_text("utf-8")


@pytest.mark.parametrize("name", sorted(HOOKS))
def test_each_hooks_example_is_a_conftest_that_loads(name: str, shell: Any, tmp_path: Path) -> None:
    """pluggy stops the run for a hook that is misspelt or takes an argument that there is not."""
    code = example_of(name)
    assert name in {node.name for node in ast.parse(code).body if isinstance(node, ast.FunctionDef)}
    (tmp_path / "conftest.py").write_text(code, "utf-8")
    (tmp_path / "test_unit.py").write_text(UNIT_TEST, "utf-8")
    done = shell.pytest("-q", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    "code",
    ["def pytest_apex_backend(config):\n    return []\n", "def pytest_apex_backends(configuration):\n    return []\n"],
    ids=["misspelt", "no such argument"],
)
def test_a_wrong_hook_stops_the_run(code: str, shell: Any, tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(code, "utf-8")
    (tmp_path / "test_unit.py").write_text(UNIT_TEST, "utf-8")
    done = shell.pytest("-q", cwd=tmp_path)
    assert done.returncode != 0
    assert "pytest_apex_backend" in done.stdout + done.stderr
