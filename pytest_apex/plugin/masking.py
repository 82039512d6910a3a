"""Secrets out of a test's report, before anybody reads it: traceback, locals, captured output, properties."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

Mask: TypeAlias = Callable[[str], str]

_CAPTURED = "Captured "


def mask_report(report: pytest.TestReport, mask: Mask) -> None:
    """Mask every text of the report in place. pytest's own values for tracebacks are plain and can be changed."""
    mask_sections(report, mask)
    report.user_properties = [(name, _masked(value, mask)) for name, value in report.user_properties]
    longrepr: Any = report.longrepr
    if isinstance(longrepr, str):
        report.longrepr = mask(longrepr)
    elif isinstance(longrepr, tuple):
        path, line, reason = longrepr
        report.longrepr = (path, line, mask(reason))
    elif longrepr is not None:
        _mask_trace(longrepr, mask)
    if hasattr(report, "wasxfail"):
        report.wasxfail = mask(report.wasxfail)


def mask_sections(report: pytest.TestReport, mask: Mask) -> None:
    """Mask what was captured. pytest and its plugins find it by the names, `Captured stdout call`."""
    report.sections = [
        (name if name.startswith(_CAPTURED) else mask(name), mask(content)) for name, content in report.sections
    ]


def _masked(value: object, mask: Mask) -> object:
    """A property's value, which JUnit writes as its `str`."""
    shown = str(value)
    return value if mask(shown) == shown else mask(shown)


def _mask_trace(longrepr: Any, mask: Mask) -> None:
    longrepr.sections = [
        (name, mask(content), separator) for name, content, separator in getattr(longrepr, "sections", ())
    ]
    for trace, crash in _chain(longrepr):
        if crash is not None:
            crash.message = mask(crash.message)
        for entry in getattr(trace, "reprentries", ()):
            _mask_entry(entry, mask)


def _chain(longrepr: Any) -> Iterator[tuple[Any, Any]]:
    for trace, crash, _text in getattr(longrepr, "chain", ()):
        yield trace, crash
    if not hasattr(longrepr, "chain"):
        yield getattr(longrepr, "reprtraceback", None), getattr(longrepr, "reprcrash", None)


def _mask_entry(entry: Any, mask: Mask) -> None:
    if getattr(entry, "style", "") == "native":  # its lines carry their own ends
        entry.lines = [mask("".join(entry.lines))]
    else:
        entry.lines = mask("\n".join(entry.lines)).split("\n")
    if getattr(entry, "reprlocals", None) is not None:
        entry.reprlocals.lines = mask("\n".join(entry.reprlocals.lines)).split("\n")
    if getattr(entry, "reprfuncargs", None) is not None:
        entry.reprfuncargs.args = [(name, mask(value)) for name, value in entry.reprfuncargs.args]
    if getattr(entry, "reprfileloc", None) is not None:
        entry.reprfileloc.message = mask(entry.reprfileloc.message)
