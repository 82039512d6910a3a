"""JUnit files call `failure` what the app is to blame for; a verdict of unsure is an `error` there, as trouble is."""

from __future__ import annotations

from typing import Any

import pytest


class UnsureAsError:
    """Registered where a JUnit file is written. It corrects what pytest has just noted of a report: pytest has no word
    of its own to say it by."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config

    @pytest.hookimpl(trylast=True)
    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not getattr(report, "apex_unsure", False) or not report.failed:
            return
        from _pytest.junitxml import xml_key

        xml: Any = self._config.stash.get(xml_key, None)
        for node in xml.node_reporter(report).nodes if xml is not None else ():
            if node.tag == "failure":
                node.tag = "error"
                xml.stats["failure"] -= 1
                xml.add_stats("error")
