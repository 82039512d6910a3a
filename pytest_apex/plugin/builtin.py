"""Our own backends, checks and reports, given through the public hooks as anybody's."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pytest_apex.plugin.stash import ATTEMPTS, RUN
from pytest_apex.plugin.workers import is_worker

if TYPE_CHECKING:
    from pytest_apex.backends.base import BackendSpec
    from pytest_apex.reports.base import Sink


def pytest_apex_backends() -> Iterable[BackendSpec]:
    from pytest_apex.backends.choice import OURS

    return OURS


def pytest_apex_sinks(config: pytest.Config) -> Iterable[Sink]:
    results = getattr(config.option, "allure_report_dir", None)
    if not results or not config.pluginmanager.has_plugin("allure_pytest"):
        return []
    from pytest_apex.reports.allure import AllureReport

    report = AllureReport(
        config.stash[RUN].folder, Path(results), config.stash[ATTEMPTS].redactor, worker=is_worker(config)
    )
    report.register()
    config.add_cleanup(report.unregister)
    return [report]
