"""What a check is."""

from __future__ import annotations

from typing import Protocol

from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding, Outcome


class Check(Protocol):
    """Looks at one capture for one kind of defect, without an approved picture.

    `name` is the rule in reports, `claim` what holds on a clean screen, in words, `kind` the dotted kind of its
    findings. `run` never guesses: what it can't tell about a control goes to the result's `unknown`, with the reason.
    """

    name: str
    claim: str
    kind: str

    def applies(self, snapshot: Snapshot) -> bool:
        """Whether the capture has what the check reads; if not, it is not run."""

    def run(self, snapshot: Snapshot) -> CheckResult:
        """The answer for the whole capture."""


def result(check: Check, findings: list[Finding], unknown: tuple[str, ...] = ()) -> CheckResult:
    """Pass or fail by the findings' severity."""
    failed = any(finding.severity == "fail" for finding in findings)
    return CheckResult(
        check.name, check.claim, Outcome.FAIL if failed else Outcome.PASS, tuple(findings), tuple(unknown)
    )
