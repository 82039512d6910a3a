"""Secrets where pytest shows them beside a test's report: names of tests, reasons of marks, warnings, subtests."""

from __future__ import annotations

import linecache
import warnings
from collections import Counter
from collections.abc import Generator
from typing import Any

import pytest

from pytest_apex.plugin.attempts import Attempts


class Secrets:
    """Masks what is secret, as far as it is known by then."""

    def __init__(self, attempts: Attempts) -> None:
        self._attempts = attempts

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_pycollect_makeitem(self) -> Generator[None, object, object]:
        """Rename tests whose parameters are secret. As early as this: what is printed has to be found again by the
        same name, and every process of pytest-xdist has to find the same names."""
        made = yield
        if self._attempts.has_secrets and isinstance(made, list):
            taken = Counter[str]()
            for item in made:
                name = self._attempts.redactor.test_id(item.name)
                if name != item.name:
                    taken[name] += 1
                    _rename(item, name if taken[name] == 1 else f"{name[:-1]}-{taken[name]}]")
        return made

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Reasons of `xfail`, which pytest adds once the report is made."""
        report = yield
        if self._attempts.has_secrets and hasattr(report, "wasxfail"):
            report.wasxfail = self._attempts.redactor.text(report.wasxfail)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """What a subtest is called, and its output, which pytest adds once its report is made."""
        context = getattr(report, "context", None)
        if not self._attempts.has_secrets or not hasattr(context, "msg") or not hasattr(context, "kwargs"):
            return
        from pytest_apex.plugin.masking import mask_sections

        redactor = self._attempts.redactor
        for name in ("msg", "kwargs"):  # of a frozen dataclass, which takes the `repr` of values that it is made with
            object.__setattr__(context, name, redactor.value(getattr(context, name)))
        mask_sections(report, redactor.text)

    @pytest.hookimpl(tryfirst=True)
    def pytest_warning_recorded(self, warning_message: warnings.WarningMessage) -> None:
        """Both the message and the line of source code that is shown with it."""
        if not self._attempts.has_secrets:
            return
        mask = self._attempts.redactor.text
        told = str(warning_message.message)
        if mask(told) != told:
            warning_message.message = UserWarning(mask(told))  # its category is a field of its own
        line = linecache.getline(warning_message.filename, warning_message.lineno).strip()
        if mask(line) != line:
            warning_message.line = mask(line)


def _rename(item: Any, name: str) -> None:
    """pytest has no public way to name a test whose parameters have ids of their own."""
    nodeid = item.nodeid.removesuffix(item.name) + name
    if hasattr(item, "_id"):  # since pytest 9.2
        item._id = type(item._id).parse(nodeid)
    else:
        item._nodeid = nodeid
    item.name = name
