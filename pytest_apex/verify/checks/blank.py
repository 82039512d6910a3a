"""An app area that shows nothing."""

from __future__ import annotations

from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify.checks.base import result
from pytest_apex.verify.pictures import app_area, blank, fits


class Blank:
    """One colour from bar to bar, on a screen that is neither black, a splash nor the home screen."""

    name = "blank"
    claim = "the app shows something"
    kind = "visual.blank"

    def applies(self, snapshot: Snapshot) -> bool:
        return fits(snapshot)

    def run(self, snapshot: Snapshot) -> CheckResult:
        words = blank(snapshot)
        found = (
            [Finding(self.name, self.kind, f"the app shows nothing: {words}", box=app_area(snapshot))] if words else []
        )
        return result(self, found)
