"""Checks on what a step changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_apex.device.acting import find, images
from pytest_apex.device.acting.effect import pushed
from pytest_apex.device.context import Context, caller
from pytest_apex.device.locator import Locator
from pytest_apex.device.looking import changes
from pytest_apex.device.looking.changes import May
from pytest_apex.device.targets import make_target
from pytest_apex.errors import CheckFailed, ConfigError
from pytest_apex.hierarchy.names import in_words
from pytest_apex.model.case import Failure
from pytest_apex.model.geometry import Rect
from pytest_apex.model.look import Unsettled
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step
from pytest_apex.model.target import Target
from pytest_apex.model.verdict import Finding
from pytest_apex.verify.pictures import is_black

#: So many lines of what changed are told.
_TOLD = 8


class StepChecks:
    """Checks on what a step changed, by the looks before and after it. The step is over: they do not wait."""

    def __init__(self, step: Step, soft: bool) -> None:
        self._step = step
        self._ctx: Context | None = step.doer() if step.doer is not None else None
        self._soft = soft

    def to_change_only(self, *may: str | re.Pattern[str] | Locator) -> None:
        """Nothing changed but these controls and what is in them: neither in the tree nor in the picture.

        Each is a name (a text, else a label, else an id) or a locator, and has to be there before or after. They need
        not change. Clocks, videos, live regions and the caret may always.
        """
        if not may:
            raise ConfigError("to_change_only() takes the names of what may change", cure="to_change_nothing()")
        for item in may:
            _need_name(item)
        before, after = self._looks()
        named = [_ends(item, before, after) for item in may]
        words = ", ".join(str(item.target) if isinstance(item, Locator) else _shown(item) for item in may)
        self._judge(f"to change only {words}", before, after, changes.allowed(before, after, named))

    def to_change_nothing(self) -> None:
        """Neither tree nor picture changed, but for clocks, videos, live regions and the caret."""
        before, after = self._looks()
        self._judge("to change nothing", before, after, May())

    def _looks(self) -> tuple[Snapshot, Snapshot]:
        if self._step.before is None or self._step.after is None:
            raise ConfigError(
                f"{self._step.id} has no looks before and after it",
                seen=str(self._step),
                likely="it is a step from a record, not one that a verb returned",
                cure="expect(step) takes what device.tap(…) and the other verbs return",
            )
        return self._step.before, self._step.after

    def _judge(self, claim: str, before: Snapshot, after: Snapshot, may: May) -> None:
        lines = changes.changed_controls(before, after, may, pushed(self._step.action))
        if lines:
            return self._fail(claim, lines, "functional.wrong_state", "the app changed more than was asked of it")
        if before.picture is None or after.picture is None:
            return self._fail(claim, ["no picture was taken"], "unsure.no_picture", "a device that can't take one")
        if is_black(before) or is_black(after):
            return self._fail(claim, ["the picture is black"], "unsure.secure_picture", "a secure screen")
        living = self._ctx.living.boxes if self._ctx is not None else ()
        regions = changes.changed_regions(before, after, may, living)
        if regions:
            findings = [Finding("change", "visual.changed", _pixels(box, after), box=box) for box in regions]
            lines = [finding.reason for finding in findings]
            return self._fail(claim, lines, "visual.changed", "drawn otherwise, with the tree as it was", findings)
        return self._passed(claim)

    def _passed(self, claim: str) -> None:
        if self._ctx is None:
            return
        self._ctx.recorder.event("check", claim=f"{self._step.id} {claim}", holds=True)
        if self._ctx.last_act is not None and self._ctx.last_act.step.id == self._step.id:
            self._ctx.last_act.confirmed = True

    def _fail(self, claim: str, lines: Sequence[str], kind: str, likely: str, findings: Sequence[Finding] = ()) -> None:
        more = [f"and {len(lines) - _TOLD} more"] if len(lines) > _TOLD else []
        unsettled = next(
            (look for look in (self._step.settled_after, self._step.settled_before) if isinstance(look, Unsettled)),
            None,
        )
        error = CheckFailed(
            f"expected {self._step.id} {self._step.named} {claim}",
            seen="\n".join([*lines[:_TOLD], *more]),
            likely=f"the screen was not at rest: {unsettled}" if unsettled is not None else likely,
            cure="name what else may change: to_change_only(…, …)" if not kind.startswith("unsure") else "",
        )
        error.unsettled = unsettled
        error.failure = Failure(
            type="check",
            message=str(error),
            kind=kind,
            needs="tree" if kind.startswith("functional") else "picture",
            exception=type(error).__name__,
            target=str(self._step.target or ""),
            findings=tuple(findings),
            source=str(caller() or ""),
        )
        if self._ctx is not None:
            self._ctx.read_since_act = True
            self._ctx.recorder.event("check", claim=f"{self._step.id} {claim}", holds=False, seen=error.seen)
        if self._soft and self._ctx is not None:
            self._ctx.soft.append(error)
            return
        raise error


def _need_name(item: object) -> None:
    named = isinstance(item, Locator) or (isinstance(item, re.Pattern) and isinstance(item.pattern, str))
    if not named and not (isinstance(item, str) and item):
        raise ConfigError(
            "to_change_only() takes names (text, or re.compile(…)) and locators, one after the other",
            seen=repr(item)[:120],
            cure='to_change_only("badge", device.find(id="total"))',
        )


def _ends(item: str | re.Pattern[str] | Locator, before: Snapshot, after: Snapshot) -> tuple[Node | None, Node | None]:
    """The control before and after; raises `TargetNotFound` with near misses, or `TargetAmbiguous`."""
    targets = [item.target] if isinstance(item, Locator) else [make_target(item), make_target(id=item)]
    for target in targets:
        one, other = _one(target, before), _one(target, after)
        if one is not None or other is not None:
            return one, other
    raise find.missing(targets[0], after)


def _one(target: Target, snapshot: Snapshot) -> Node | None:
    found = images.seek(snapshot, target)
    if len(found) > 1:
        raise find.ambiguous(target, found)
    return found[0] if found else None


def _shown(name: str | re.Pattern[str]) -> str:
    return f'"{name}"' if isinstance(name, str) else f"/{name.pattern}/"


def _pixels(box: Rect, after: Snapshot) -> str:
    around = [node for node in after.nodes if node.visible and node.bounds.grown(2).encloses(box)]
    nearest = min(around, key=lambda node: node.bounds.area, default=None)
    return f"pixels changed in {box}" + (f", on {in_words(nearest)}" if nearest is not None else "")
