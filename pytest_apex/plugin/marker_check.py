"""Wrong marks are told while a file is collected: all of a file at once, with file and line.

pytest keeps no line for a mark, so the lines are looked up in the source, and only when something is wrong.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from pytest_apex.plugin import marker_rules


def complaint(module: pytest.Module) -> str:
    """What is wrong with the marks of a module, one line each with its place; empty when nothing is."""
    wrong = list(_wrong_marks(module.obj))
    return _complaint(module, wrong) if wrong else ""


class _Wrong:
    """A mark that can't be used: `owner` is the function or class that carries it, None for the module; `nth` counts
    marks of the same name on the same owner, from the innermost."""

    def __init__(self, mark: pytest.Mark, owner: Any, nth: int, what: str) -> None:
        self.mark, self.owner, self.nth, self.what = mark, owner, nth, what


def _wrong_marks(module: Any) -> Iterator[_Wrong]:
    seen: set[int] = set()
    for owner in _owners(module):
        if id(owner) in seen:
            continue
        seen.add(id(owner))
        counts: dict[str, int] = {}
        for mark in _marks(owner):
            if mark.name not in marker_rules.RULES:
                continue
            nth = counts[mark.name] = counts.get(mark.name, -1) + 1
            try:
                marker_rules.meaning(mark.name, mark.args, mark.kwargs)
            except ValueError as error:
                yield _Wrong(mark, None if owner is module else owner, nth, str(error))


def _owners(module: Any) -> Iterator[Any]:
    yield module
    for value in list(vars(module).values()):
        if isinstance(value, FunctionType):
            yield value
        elif isinstance(value, type):
            for base in value.__mro__[:-1]:
                yield base
                for member in vars(base).values():
                    function = getattr(member, "__func__", member)
                    if isinstance(function, FunctionType):
                        yield function


def _marks(owner: Any) -> Iterator[pytest.Mark]:
    marks = vars(owner).get("pytestmark", ())
    for entry in marks if isinstance(marks, (list, tuple)) else (marks,):
        mark = getattr(entry, "mark", entry)
        if not isinstance(mark, pytest.Mark):
            continue
        yield mark
        if mark.name == "parametrize" and len(mark.args) > 1 and isinstance(mark.args[1], (list, tuple)):
            for values in mark.args[1]:
                for inner in getattr(values, "marks", ()):
                    yield getattr(inner, "mark", inner)


def _complaint(collector: pytest.Module, wrong: Sequence[_Wrong]) -> str:
    places = _Places()
    lines = []
    for each in wrong:
        file, line = places.of(each, collector.path)
        try:
            shown = str(file.relative_to(collector.config.rootpath))
        except ValueError:
            shown = str(file)
        lines.append((shown, line, f"  {shown}:{line}  {each.mark.name}: {each.what}"))
    count = f"{len(lines)} markers" if len(lines) != 1 else "a marker"
    return "\n".join([f"apex: {count} can't be used", *(text for _file, _line, text in sorted(lines))])


class _Places:
    """Finds the line of a mark in the source of its owner."""

    def __init__(self) -> None:
        self._trees: dict[Path, ast.Module | None] = {}

    def of(self, wrong: _Wrong, module_path: Path) -> tuple[Path, int]:
        owner = wrong.owner
        if owner is None:
            tree = self._tree(module_path)
            found = _pick(_mentions(_pytestmark_values(tree.body if tree else ()), wrong.mark.name), wrong.nth)
            return module_path, found or 1
        if isinstance(owner, FunctionType):
            path, first = Path(owner.__code__.co_filename), owner.__code__.co_firstlineno
            return path, self._line_in(path, wrong, first) or first
        path = self._path_of_class(owner, module_path)
        return path, self._line_in(path, wrong, None) or 1

    def _path_of_class(self, owner: type, module_path: Path) -> Path:
        return Path(getattr(sys.modules.get(owner.__module__), "__file__", None) or module_path)

    def _tree(self, path: Path) -> ast.Module | None:
        if path not in self._trees:
            try:
                self._trees[path] = ast.parse(path.read_text("utf-8"))
            except (OSError, SyntaxError, ValueError):  # no source to look in: the first line has to do
                self._trees[path] = None
        return self._trees[path]

    def _line_in(self, path: Path, wrong: _Wrong, first: int | None) -> int | None:
        tree = self._tree(path)
        for node in ast.walk(tree) if tree else ():
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            if node.name != wrong.owner.__name__ or (first is not None and _first_line(node) != first):
                continue
            marks = [*reversed(node.decorator_list)]
            if isinstance(node, ast.ClassDef):
                marks += _pytestmark_values(node.body)
            return _pick(_mentions(marks, wrong.mark.name), wrong.nth) or node.lineno
        return None


def _first_line(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def _pytestmark_values(body: Sequence[ast.stmt]) -> list[ast.expr]:
    found: list[ast.expr] = []
    for statement in body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == "pytestmark" for target in statement.targets
        ):
            value = statement.value
            found += value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]
    return found


def _mentions(expressions: Sequence[ast.expr], name: str) -> list[int]:
    """Lines on which `….name` is written."""
    return [
        node.lineno
        for expression in expressions
        for node in ast.walk(expression)
        if isinstance(node, ast.Attribute) and node.attr == name
    ]


def _pick(lines: Sequence[int], nth: int) -> int | None:
    return lines[min(nth, len(lines) - 1)] if lines else None
