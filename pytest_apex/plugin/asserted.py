"""What a plain `assert` of the user's is about: its names, read from the line that failed."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any

from pytest_apex.model.step import Step
from pytest_apex.plugin.tracebacks import is_users


def asks_step(trace: TracebackType | None, last: str) -> bool:
    """Whether the assertion that failed names a variable with the step `last`: what the device told of its last act is
    a reading, too."""
    return any(isinstance(value, Step) and value.id == last for value in _values(trace))


def _values(trace: TracebackType | None) -> Iterator[Any]:
    """The values of the names in the innermost of the user's own assertions."""
    innermost = None
    while trace is not None:
        if is_users(trace.tb_frame.f_code.co_filename):
            innermost = trace
        trace = trace.tb_next
    if innermost is None:
        return
    frame = innermost.tb_frame
    for name in _names(frame.f_code.co_filename, innermost.tb_lineno):
        yield frame.f_locals.get(name, frame.f_globals.get(name))


def _names(file: str, line: int) -> frozenset[str]:
    within = [one for one in _asserts(file) if one.lineno <= line <= (one.end_lineno or one.lineno)]
    return frozenset(node.id for one in within for node in ast.walk(one.test) if isinstance(node, ast.Name))


@lru_cache(maxsize=8)
def _asserts(file: str) -> tuple[ast.Assert, ...]:
    try:
        tree = ast.parse(Path(file).read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ()  # typed at a prompt, made at run time, or changed since: nothing is known of it
    return tuple(node for node in ast.walk(tree) if isinstance(node, ast.Assert))
