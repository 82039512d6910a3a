"""Whether somebody else's touch can explain a failure."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.device.acting.effect import shows
from pytest_apex.device.context import Context
from pytest_apex.model.case import HarnessEvent
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.compare import compare


def harness(ctx: Context, now: Snapshot | None, since: float) -> tuple[HarnessEvent, ...]:
    """All trouble of the test. A foreign touch is a note (`recovered`), unless it came since the last act began and
    the screen is another one than before it, or that act came to nothing while the finger was there."""
    open_ones = {
        event
        for event, before in ctx.eyes.foreign.noticed
        if event.at >= since and (_changed(ctx, before, now) or _took_its_place(ctx, event.at))
    }
    return tuple(replace(event, recovered=False) if event in open_ones else event for event in ctx.watch.harness)


def _changed(ctx: Context, before: Snapshot | None, now: Snapshot | None) -> bool:
    return before is not None and now is not None and shows(ctx, compare(before, now), before, now)


def _took_its_place(ctx: Context, at: float) -> bool:
    """A finger on the screen ends the touch of a tool, and the other way round."""
    step = ctx.last_act.step if ctx.last_act is not None else None
    if step is None or step.track is None or step.receipt is None or step.effect != "none":
        return False
    return step.receipt.started <= at <= step.receipt.ended
