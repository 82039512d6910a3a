"""What kind of failure it is, and the record of one attempt of one test."""

from __future__ import annotations

import enum
from dataclasses import dataclass, field

from pytest_apex.model.geometry import Rect


class Category(str, enum.Enum):
    """The four categories of a failure. A failure that is not the app's has none."""

    FUNCTIONAL = "functional"
    VISUAL = "visual"
    TRANSIENT = "transient"
    CRASH = "crash"

    def __str__(self) -> str:
        return self.value


class Outcome(str, enum.Enum):
    """`UNSURE` is never green."""

    PASS = "pass"
    FAIL = "fail"
    UNSURE = "unsure"
    NOT_RUN = "not_run"

    def __str__(self) -> str:
        return self.value


@dataclass(frozen=True, slots=True)
class Finding:
    """Something a check saw. `severity` is `fail` or `warn`; `box` is in the units of the tree; `nodes` are in
    words."""

    rule: str
    kind: str
    reason: str
    severity: str = "fail"
    nodes: tuple[str, ...] = ()
    box: Rect | None = None


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The answer of one check. `claim` is what it asked, in words; `unknown` lists what it could not tell, and why;
    `known` what it found and someone had told it to leave out."""

    name: str
    claim: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    unknown: tuple[str, ...] = ()
    seen: str = ""
    known: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """One rule of the rubric: what it asked, what it answered, the evidence it read."""

    rule: str
    question: str
    answer: str
    evidence: tuple[str, ...] = ()
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """The judgement of one attempt. `kind` is dotted and begins with the category, `test` or `unsure`; `cure` is what
    to try where the rules know something."""

    outcome: Outcome
    category: Category | None = None
    kind: str = ""
    reason: str = ""
    rules: tuple[RuleAnswer, ...] = ()
    suspect: str = ""
    notes: tuple[str, ...] = ()
    cure: str = ""

    @property
    def prefix(self) -> str:
        """What a failing message begins with: `[functional.no_effect] `."""
        return f"[{self.kind}] " if self.kind else ""

    @property
    def why(self) -> tuple[str, ...]:
        """The short why, three lines at most: the deciding rule, its evidence, what was ruled out before. Where no rule
        decided: those that could not tell."""
        for at, answer in enumerate(self.rules):
            if answer.decided:
                before = ", ".join(rule.rule for rule in self.rules[:at])
                lines = (
                    f"{answer.rule}: {answer.answer}",
                    *answer.evidence[:2],
                    f"ruled out: {before}" if before else "",
                )
                return tuple(" ".join(line.split()) for line in lines if line)[:3]
        open_ones = [answer for answer in self.rules if not answer.answer.startswith(("no:", "nothing", "noted"))]
        told = (f"{answer.rule}: {' '.join(answer.answer.split())}" for answer in open_ones)
        return ("no rule decided", *told)[:3] if self.rules else ()

    def __str__(self) -> str:
        return f"{self.kind or self.outcome}: {self.reason}" if self.reason else (self.kind or str(self.outcome))


@dataclass(frozen=True, slots=True)
class Artifact:
    """A stored file. `path` is relative to the run's folder, with forward slashes."""

    kind: str
    path: str
    media_type: str
    sha256: str
    caption: str = ""
    step: str = ""
    redacted: bool = False


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt of one test: the single record from which every report is made.

    `outcome` is pytest's (passed, failed, skipped, xfailed, error); `also` lists what else went wrong, or was noted,
    in one line each.
    """

    test: str
    n: int
    outcome: str
    verdict: Verdict
    device: str = ""
    duration_s: float = 0.0
    folder: str = ""
    evidence: tuple[Artifact, ...] = ()
    also: tuple[str, ...] = ()
    phase: str = "call"
    facts: dict[str, str] = field(default_factory=dict, hash=False)
