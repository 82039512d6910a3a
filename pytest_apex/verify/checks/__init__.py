"""Defects that can be seen in one capture, without an approved picture: one module a check."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.errors import ConfigError, SourceError
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.verdict import CheckResult, Finding, Outcome
from pytest_apex.verify.checks.base import Check
from pytest_apex.verify.checks.blank import Blank
from pytest_apex.verify.checks.misaligned import Misaligned
from pytest_apex.verify.checks.off_screen import OffScreen
from pytest_apex.verify.checks.overlap import Overlap
from pytest_apex.verify.checks.page import page_of
from pytest_apex.verify.checks.truncated import Truncated
from pytest_apex.verify.checks.unresolved_text import UnresolvedText
from pytest_apex.verify.dialogs import error_dialog, permission_dialog
from pytest_apex.verify.pictures import is_black, is_blind

__all__ = ["BUILTIN", "Check", "check_defects", "find_defects"]

#: In this order: of several findings about one control the first is the cause, the others its symptoms.
BUILTIN: tuple[Check, ...] = (Blank(), UnresolvedText(), Overlap(), OffScreen(), Truncated(), Misaligned())

_CLAIM = "nothing on the screen looks broken"


def find_defects(snapshot: Snapshot, extra: Sequence[Check] = ()) -> list[Finding]:
    """All findings of the built-in checks and of `extra`, the cause of each and not its symptoms."""
    return list(check_defects(snapshot, extra).findings)


def check_defects(snapshot: Snapshot, extra: Sequence[Check] = ()) -> CheckResult:
    """One answer of all checks. `unknown` lists what could not be judged.

    Unsure if the app can't be seen: no picture, a black one, a blind tree, or a dialog of the system over it. A check
    that raises is unknown, with its error.
    """
    if not isinstance(snapshot, Snapshot):
        raise ConfigError(
            "defects are looked for in a Snapshot",
            seen=repr(snapshot)[:120],
            cure="device.snapshot(), or Snapshot.from_source(data, picture)",
        )
    unseen = _unseen(snapshot)
    findings: list[Finding] = []
    unknown = [unseen] if unseen else list(page_of(snapshot).aside)
    for check in (*BUILTIN, *extra):
        answer = _run(check, snapshot)
        if answer is None:
            continue
        findings.extend(finding for finding in answer.findings if not _explained(finding, findings))
        unknown.extend(f"{check.name}: {item}" for item in answer.unknown)
        if any(finding.kind == Blank.kind for finding in findings):
            break
    failed = any(finding.severity == "fail" for finding in findings)
    outcome = Outcome.FAIL if failed else Outcome.UNSURE if unseen else Outcome.PASS
    return CheckResult("no_defects", _CLAIM, outcome, tuple(findings), tuple(unknown))


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
