"""Defects that can be seen in one capture, without an approved picture: one module a check."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pytest_apex.errors import ConfigError, SourceError
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding, Outcome
from pytest_apex.verify.checks.base import Check
from pytest_apex.verify.checks.blank import Blank
from pytest_apex.verify.checks.duplicate_label import DuplicateLabel
from pytest_apex.verify.checks.low_contrast import Contrast, LowContrast
from pytest_apex.verify.checks.misaligned import Misaligned
from pytest_apex.verify.checks.missing_image import MissingImage
from pytest_apex.verify.checks.missing_label import MissingLabel
from pytest_apex.verify.checks.occluded import Occluded
from pytest_apex.verify.checks.off_screen import OffScreen
from pytest_apex.verify.checks.overlap import Overlap
from pytest_apex.verify.checks.page import page_of
from pytest_apex.verify.checks.policy import KnownDefect, Policy, checked_rules, known_at, palette_of, unknown_rule
from pytest_apex.verify.checks.touch_target import TouchTarget
from pytest_apex.verify.checks.truncated import Truncated
from pytest_apex.verify.checks.unresolved_text import UnresolvedText
from pytest_apex.verify.checks.wrong_color import TOLERANCE, WrongColor
from pytest_apex.verify.dialogs import error_dialog, permission_dialog
from pytest_apex.verify.pictures import is_black, is_blind

__all__ = [
    "ACCESSIBILITY", "BUILTIN", "Check", "KnownDefect", "Policy", "check_defects", "find_defects", "known_at",
    "policy_of", "rule_names", "unknown_rule",
]  # fmt: skip

#: In this order: of several findings about one control the first is the cause, the others its symptoms.
BUILTIN: tuple[Check, ...] = (
    Blank(), UnresolvedText(), Occluded(), Overlap(), OffScreen(), Truncated(), LowContrast(), MissingImage(),
    Misaligned(),
)  # fmt: skip
#: Warnings for people who see, hear or touch less well; no part of what a screen looks like.
ACCESSIBILITY: tuple[Check, ...] = (TouchTarget(), Contrast(), DuplicateLabel(), MissingLabel())

_CLAIM = "nothing on the screen looks broken"


def rule_names(extra: Sequence[Check] = ()) -> list[str]:
    """The rules that there are."""
    return [check.name for check in (*BUILTIN, WrongColor(()), *ACCESSIBILITY, *extra)]


def policy_of(
    *,
    rules: Mapping[str, str] | None = None,
    palette: Iterable[str] | None = None,
    tolerance: float = TOLERANCE,
    accessibility: bool = False,
    extra: Sequence[Check] = (),
) -> Policy:
    """A policy in the words of `find_defects`; `ConfigError` for what can't be meant."""
    groups = {"accessibility": [check.name for check in ACCESSIBILITY]}
    severities = checked_rules({} if rules is None else rules, rule_names(extra), groups)
    return Policy(severities, palette_of(palette), tolerance, accessibility)


def find_defects(
    snapshot: Snapshot,
    extra: Sequence[Check] = (),
    *,
    rules: Mapping[str, str] | None = None,
    palette: Iterable[str] | None = None,
    tolerance: float = TOLERANCE,
    accessibility: bool = False,
) -> list[Finding]:
    """All findings of the built-in checks and of `extra`, the cause of each and not its symptoms.

    `rules` sets the severity of a rule (`{"truncated": "warn", "overlap": "off", "accessibility": "fail"}`). With a
    `palette` of declared colours, others are findings (`tolerance` in CIEDE2000). `accessibility` adds that group's
    warnings: touch targets, contrast, duplicate and missing labels.
    """
    policy = policy_of(rules=rules, palette=palette, tolerance=tolerance, accessibility=accessibility, extra=extra)
    return list(check_defects(snapshot, extra, policy).findings)


def check_defects(snapshot: Snapshot, extra: Sequence[Check] = (), policy: Policy | None = None) -> CheckResult:
    """One answer of all checks. `unknown` lists what could not be judged, `known` what the policy knows of.

    Unsure if the app can't be seen: no picture, a black one, a blind tree, or a dialog of the system over it. A check
    that raises is unknown, with its error.
    """
    if not isinstance(snapshot, Snapshot):
        raise ConfigError(
            "defects are looked for in a Snapshot",
            seen=repr(snapshot)[:120],
            cure="device.snapshot(), or Snapshot.from_source(data, picture)",
        )
    policy = policy or Policy()
    unseen = _unseen(snapshot)
    findings: list[Finding] = []
    unknown = [unseen] if unseen else list(page_of(snapshot).aside)
    for check in _asked(policy, extra):
        answer = _run(check, snapshot)
        if answer is None:
            continue
        findings.extend(finding for finding in answer.findings if not _explained(finding, findings))
        unknown.extend(f"{check.name}: {item}" for item in answer.unknown)
        if any(finding.kind == Blank.kind for finding in findings):
            break
    return _answer(policy, findings, unknown, unseen)


def _asked(policy: Policy, extra: Sequence[Check]) -> list[Check]:
    """The checks of a policy, in their order."""
    colors = (WrongColor(policy.palette, policy.tolerance),) if policy.palette else ()
    group = [check for check in ACCESSIBILITY if policy.accessibility or check.name in policy.rules]
    return [check for check in (*BUILTIN, *colors, *extra, *group) if policy.rules.get(check.name) != "off"]


def _answer(policy: Policy, findings: Sequence[Finding], unknown: Sequence[str], unseen: str) -> CheckResult:
    kept, known = [], []
    for finding in findings:
        excuse = next((excuse for excuse in policy.known if excuse.covers(finding)), None)
        severity = policy.severity(finding)
        if excuse is not None:
            known.append(f"{finding.rule}: {finding.reason}" + (f" ({excuse.reason})" if excuse.reason else ""))
        elif severity != "off":
            kept.append(finding if severity == finding.severity else replace(finding, severity=severity))
    failed = any(finding.severity == "fail" for finding in kept)
    outcome = Outcome.FAIL if failed else Outcome.UNSURE if unseen else Outcome.PASS
    return CheckResult("no_defects", _CLAIM, outcome, tuple(kept), tuple(unknown), known=tuple(known))


def _run(check: Check, snapshot: Snapshot) -> CheckResult | None:
    try:
        return check.run(snapshot) if check.applies(snapshot) else None
    except Exception as error:  # noqa: BLE001 - a stranger's check must not end the test it looks at
        return CheckResult(check.name, check.claim, Outcome.UNSURE, unknown=(f"{type(error).__name__}: {error}",))


def _explained(finding: Finding, earlier: Sequence[Finding]) -> bool:
    """Whether a control of the finding has been found already, by another rule."""
    return any(
        other.rule != finding.rule and other.severity == "fail" and set(other.nodes) & set(finding.nodes)
        for other in earlier
    )


def _unseen(snapshot: Snapshot) -> str:
    """Why the app can't be seen; "" if it can."""
    if snapshot.picture is None:
        return "there is no picture"
    try:
        snapshot.picture.pixels()
    except SourceError as error:
        return f"{error.tried}: {error.seen}"
    if not page_of(snapshot).has_pixels:
        return "picture and tree differ in size"
    if is_black(snapshot):
        return "the picture is black"
    if is_blind(snapshot):
        return "the tree says nothing, beside a picture that shows something"
    over = permission_dialog(snapshot)
    if over is not None or error_dialog(snapshot) is not None:
        return "a dialog of the system lies over the app"
    return ""
