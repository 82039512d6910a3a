"""A look for defects on a device: with what the test and the manual know of, and in words for the record."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from pytest_apex.device.acting import images
from pytest_apex.device.context import Context
from pytest_apex.device.locator import Locator
from pytest_apex.device.looking.known import today
from pytest_apex.errors import ConfigError
from pytest_apex.manual import lookup
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Target
from pytest_apex.model.verdict import CheckResult, Finding
from pytest_apex.verify import checks
from pytest_apex.verify.checks import KnownDefect, Policy

#: Warnings of one kind that are told in words.
_TOLD = 3


@dataclass(frozen=True)
class Asked:
    """What one check asks for. `ignored` are controls whose defects are known, or names of rules."""

    policy: Policy
    ignored: tuple[Target | str, ...] = ()


def asked(
    ctx: Context,
    *,
    ignore: object = (),
    rules: Mapping[str, str] | None = None,
    palette: Sequence[str] | None = None,
    tolerance: float = 3.0,
) -> Asked:
    """The arguments of a check; `ConfigError` for what can't be meant."""
    policy = checks.policy_of(rules=rules, palette=palette, tolerance=tolerance, extra=ctx.extra_checks)
    return Asked(policy, tuple(_ignored(ctx, ignore)))


def _ignored(ctx: Context, ignore: object) -> Iterator[Target | str]:
    items = [ignore] if isinstance(ignore, (Locator, str)) else ignore
    if not isinstance(items, (list, tuple)):
        raise _not_ignored(ignore)
    names = checks.rule_names(ctx.extra_checks)
    for item in items:
        if isinstance(item, Locator):
            yield item.target
        elif isinstance(item, str):
            if item not in names:
                raise checks.unknown_rule(item, names)
            yield item
        else:
            raise _not_ignored(item)


def _not_ignored(given: object) -> ConfigError:
    return ConfigError(
        "ignore= takes locators, whose defects are known, and names of rules",
        seen=repr(given)[:120],
        cure='ignore=[device.find(id="ad"), "misaligned"]',
    )


def look_for(ctx: Context, snapshot: Snapshot, what: Asked) -> CheckResult:
    """All checks, those of others too; without what the test ignores and what the app's manual expects."""
    known = (*_by_test(snapshot, what.ignored), *_by_manual(ctx, snapshot))
    return checks.check_defects(snapshot, ctx.extra_checks, replace(what.policy, known=known))


def _by_test(snapshot: Snapshot, ignored: Sequence[Target | str]) -> Iterator[KnownDefect]:
    for item in ignored:
        if isinstance(item, str):
            yield KnownDefect(rule=item, reason="ignored by the test")
        elif (known := checks.known_at(images.seek(snapshot, item), "ignored by the test")) is not None:
            yield known


def _by_manual(ctx: Context, snapshot: Snapshot) -> Iterator[KnownDefect]:
    """What the app's manual lists as expected on this screen, with a kind of finding that it explains."""
    shown = ctx.known.under_test(snapshot)
    if shown is None:
        return
    version = snapshot.app.version if snapshot.app.id == shown.app else ""
    for entry in lookup.expected_for(shown.manual, snapshot, today=today(), version=version).counts:
        if entry.kind.partition(".")[0] in ("visual", "accessibility"):
            until = f", until {entry.until}" if entry.until is not None else ""
            yield KnownDefect(kind=entry.kind, reason=f"expected: {entry.reason or entry.what}{until} ({entry.where})")


def as_failure(finding: Finding) -> Finding:
    """A warning that a test turned into a failure is a visual one."""
    category, _, kind = finding.kind.partition(".")
    return replace(finding, kind=f"visual.{kind}") if category == "accessibility" else finding


def in_lines(findings: Sequence[Finding]) -> list[str]:
    """For the record: each failure, and the warnings of one kind together."""
    lines = [f"{finding.kind}: {finding.reason}" for finding in findings if finding.severity == "fail"]
    warnings = sorted((item for item in findings if item.severity != "fail"), key=lambda finding: finding.kind)
    for kind, some in groupby(warnings, key=lambda finding: finding.kind):
        reasons = [finding.reason for finding in some]
        more = f"; {len(reasons) - _TOLD} more" if len(reasons) > _TOLD else ""
        lines.append(f"{kind} (warning): {'; '.join(reasons[:_TOLD])}{more}")
    return lines
