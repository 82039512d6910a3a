"""A report as others may see it: no frames of ours in its traceback, no secrets anywhere."""

from __future__ import annotations

import re
from collections.abc import Generator
from typing import Any

import pytest

from pytest_apex.plugin.stash import ATTEMPTS

_PREFIXED = re.compile(r"^((?:E\s+)?)pytest_apex\.(?:\w+\.)+(?=[A-Z])")


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    """What is known to be secret from the start is read now: a pattern that can't be used ends the run."""
    if ATTEMPTS not in config.stash:  # `--help`: nothing runs
        return
    from pytest_apex.errors import ConfigError
    from pytest_apex.plugin.secrets import Secrets

    try:
        _ = config.stash[ATTEMPTS].has_secrets
    except ConfigError as error:
        raise pytest.UsageError(f"apex: {error}") from None
    config.pluginmanager.register(Secrets(config.stash[ATTEMPTS]), "apex-secrets")


@pytest.hookimpl(wrapper=True, trylast=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Innermost, so that no other plugin sees a secret in a report."""
    ours = call.excinfo if call.excinfo is not None and _is_ours(call.excinfo.value) else None
    bare = ours is not None and not item.config.option.fulltrace and _trim(ours)
    if call.excinfo is not None and isinstance(call.excinfo.value, pytest.skip.Exception):
        _trim(call.excinfo)  # `-rs` and reports tell where the test asked for what is not there
    report = yield
    if ours is not None and report.longrepr is not None:
        if bare:
            report.longrepr = ours.getrepr(style="value")
        if not item.config.option.fulltrace:
            _without_cause(report.longrepr, ours.value)
        _name_shortly(report.longrepr)
    attempts = item.config.stash[ATTEMPTS]
    if attempts.has_secrets:
        from pytest_apex.plugin.masking import mask_report

        mask_report(report, attempts.redactor.text)
    return report


def _is_ours(error: BaseException) -> bool:
    from pytest_apex.errors import ApexError

    return isinstance(error, ApexError)


def _trim(excinfo: pytest.ExceptionInfo[BaseException]) -> bool:
    """Trim the traceback; whether nothing of the user's own remains of it."""
    from pytest_apex.plugin.tracebacks import trim

    return trim(excinfo.tb)


def _without_cause(longrepr: Any, error: BaseException) -> None:
    """Without what our error was made from: its traceback runs through our files, and `seen` tells of it."""
    if error.__cause__ is not None and len(getattr(longrepr, "chain", ())) > 1:
        longrepr.chain = longrepr.chain[-1:]


def _name_shortly(longrepr: Any) -> None:
    """`TargetNotFound: …` instead of `pytest_apex.errors.TargetNotFound: …`."""
    crash = getattr(longrepr, "reprcrash", None)
    if crash is not None:
        crash.message = _PREFIXED.sub(r"\1", crash.message)
    for entry in getattr(getattr(longrepr, "reprtraceback", None), "reprentries", ()):
        entry.lines = [_PREFIXED.sub(r"\1", line) for line in entry.lines]
