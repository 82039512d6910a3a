"""`apex_watch_defects`: a look for visual defects on every new screen that a step comes to rest on."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.device.checking import defects
from pytest_apex.device.device import Device
from pytest_apex.errors import ApexError, CheckFailed
from pytest_apex.hierarchy.digest import structure
from pytest_apex.model.case import Failure
from pytest_apex.model.look import Settled
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step
from pytest_apex.model.verdict import Finding
from pytest_apex.verify.checks import Policy
from pytest_apex.verify.windows import is_home

_WATCHED = defects.Asked(Policy(accessibility=True))


class DefectWatch:
    """Looks at the screens of one test. `seen` are the screens that need no look any more; `note` takes a line a
    finding. With `fails`, findings are soft failures of the test."""

    def __init__(self, device: Device, seen: set[str], note: Callable[[str], None], *, fails: bool) -> None:
        self._device = device
        self._seen = seen
        self._note = note
        self._fails = fails

    def look(self, step: Step) -> None:
        if not isinstance(step.settled_after, Settled):
            return
        snapshot = step.settled_after.snapshot
        if is_home(snapshot.app.id, snapshot):  # the device's own screen, on which nothing is the app's
            return
        screen = f"{snapshot.app.id} {structure(snapshot)}"
        if screen in self._seen:
            return
        self._seen.add(screen)
        findings = self._findings(snapshot)
        if self._fails:
            failing = [finding for finding in findings if finding.severity == "fail"]
            self._device.soft_failures.extend(_failure(defects.as_failure(finding), step) for finding in failing)
            findings = [finding for finding in findings if finding.severity != "fail"]
        for line in defects.in_lines(findings):
            self._note(line)

    def _findings(self, snapshot: Snapshot) -> list[Finding]:
        """What still is there at a second look, which only failures get: a warning is worth no capture."""
        first = self._defects(snapshot)
        if not any(finding.severity == "fail" for finding in first):
            return first
        try:
            again = {(finding.rule, finding.nodes) for finding in self._defects(self._device.context.eyes.look())}
        except ApexError:  # the device is gone: the test's own next step says so
            return []
        return [finding for finding in first if (finding.rule, finding.nodes) in again]

    def _defects(self, snapshot: Snapshot) -> list[Finding]:
        return list(defects.look_for(self._device.context, snapshot, _WATCHED).findings)


def _failure(finding: Finding, step: Step) -> CheckFailed:
    error = CheckFailed(
        f"the screen after {step.id} ({step.named}) has a defect: {finding.rule}",
        seen=finding.reason,
        likely="the app draws this screen wrong",
        cure="see the picture of this step; apex_watch_defects = warn only lists what is found",
    )
    error.failure = Failure(
        type="check", message=str(error), kind=finding.kind, needs="picture", exception="CheckFailed",
        findings=(finding,), source=str(step.source or ""),
    )  # fmt: skip
    return error
