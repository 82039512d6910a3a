"""The package as text: its modules, parsed, and what each of them imports."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Import:
    """One name that a module imports. `late`: inside a function; `types_only`: for the type checker alone."""

    name: str
    line: int
    late: bool
    types_only: bool


@dataclass(frozen=True)
class Module:
    """One file of the package. `room` is its folder in the package, or its own name if it stands on top."""

    path: str
    tree: ast.Module = field(repr=False)
    text: str = field(repr=False)
    imports: tuple[Import, ...] = field(repr=False)

    @property
    def room(self) -> str:
        first = self.path.removeprefix("pytest_apex/").split("/")[0]
        return first.removesuffix(".py")


def read_module(text: str, path: str) -> Module:
    tree = ast.parse(text, path)
    return Module(path, tree, text, tuple(_imports(tree.body, late=False, types_only=False)))


def _imports(body: list[ast.stmt], late: bool, types_only: bool) -> Iterator[Import]:
    for node in body:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(alias.name, node.lineno, late, types_only)
        elif isinstance(node, ast.ImportFrom):
            module = "." * node.level + (node.module or "")
            for alias in node.names:
                yield Import(f"{module}.{alias.name}", node.lineno, late, types_only)
        else:
            inside = late or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
            for_types = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            for name in ("body", "orelse", "finalbody"):
                # Only the branch that TYPE_CHECKING opens is for types alone.
                yield from _imports(getattr(node, name, []), inside, types_only or (for_types and name == "body"))
            for part in (*getattr(node, "handlers", []), *getattr(node, "cases", [])):
                yield from _imports(part.body, inside, types_only)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def house() -> tuple[Module, ...]:
    """Every module of the package."""
    paths = sorted((ROOT / "pytest_apex").rglob("*.py"))
    return tuple(read_module(path.read_text("utf-8"), path.relative_to(ROOT).as_posix()) for path in paths)


@pytest.fixture(scope="session")
def read() -> Callable[[str, str], Module]:
    """`read(text, path)` makes a `Module` of a text, for showing that a rule catches what it should."""
    return read_module


@dataclass(frozen=True)
class Shell:
    """Runs a pytest command line as a newcomer types it, in a process of its own, with our plugin alone."""

    root: Path

    def pytest(self, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("APEX_", "ANDROID_", "PYTEST_"))}
        environment = {
            **kept, "PYTHONPATH": str(self.root), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "COLUMNS": "120",
        }  # fmt: skip
        command = [sys.executable, "-m", "pytest", "-p", "pytest_apex.plugin", "-p", "no:cacheprovider", *arguments]
        return subprocess.run(
            command, cwd=cwd, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=300,
            check=False,
        )  # fmt: skip


@pytest.fixture(scope="session")
def shell(root: Path) -> Shell:
    return Shell(root)
