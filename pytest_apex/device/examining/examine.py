"""A failure with all that was seen around it: the `Case` that the judge reads."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.backends.abilities import NotesOutside, SwitchesNetwork
from pytest_apex.device.acting import ended, lagging
from pytest_apex.device.acting.second import AGAIN
from pytest_apex.device.context import Context
from pytest_apex.device.examining import declared, touched
from pytest_apex.device.examining.logged import keep_log
from pytest_apex.device.looking.settle import settle
from pytest_apex.errors import ApexError
from pytest_apex.model.action import Press, Remote
from pytest_apex.model.case import Case, CrashRecord, Failure, LastTouch
from pytest_apex.model.look import Unsettled
from pytest_apex.model.snapshot import Snapshot

#: Calls of a suite's own driver that are told with a failure: the last ones.
_OUTSIDE_SHOWN = 10


def examine(ctx: Context, failure: Failure, error: BaseException | None = None) -> Case:
    """Look once more at the device, as far as it still answers, and gather what the rules read.

    Raises nothing: what can't be had any more is left out, and the harness trouble is in the case.
    """
    before = ctx.eyes.good
    since = ctx.last_act.step.started if ctx.last_act is not None else ctx.watch.began
    _note_outside(ctx)
    now, unsettled = _fresh(ctx)
    raised = error.unsettled if isinstance(error, ApexError) else None
    pid_now, in_front = _process(ctx)
    keep_log(ctx)
    return Case(
        failure=failure,
        app=ctx.watch.app,
        platform=ctx.info.platform,
        device_used=True,
        read_since_action=ctx.read_since_act,
        since=since,
        before=before,
        now=now,
        unsettled=raised or unsettled,
        pid=ctx.watch.pid,
        pid_now=pid_now,
        in_front=in_front,
        processes=tuple(ctx.watch.processes),
        records=tuple(_records(ctx, ended.since(ctx))),
        harness=touched.harness(ctx, now, since),
        last_touch=_last_touch(ctx),
        load_timeout=ctx.settings.timeouts.load,
        offline=_offline(ctx),
        environment=declared.environment(ctx, now),
        declared=declared.expected(ctx, now, failure.kind),
        interrupted=declared.interruption(ctx, now),
    )


def _note_outside(ctx: Context) -> None:
    """What the suite's own driver did counts as read from the device, and is on record."""
    if not isinstance(ctx.backend, NotesOutside):
        return
    told = ctx.backend.outside()
    if told:
        ctx.read_since_act = True
        ctx.notes.append(f"outside: {', '.join(told[-_OUTSIDE_SHOWN:])}")


def _offline(ctx: Context) -> bool:
    """Whether the device has no network, as far as it tells, and the test did not switch it off."""
    if "network" in ctx.undo or "network" not in ctx.backend.capabilities:
        return False
    try:
        return isinstance(ctx.backend, SwitchesNetwork) and not ctx.backend.network()
    except ApexError:
        return False  # a device that can't be asked any more tells so by other signs


def _fresh(ctx: Context) -> tuple[Snapshot | None, Unsettled | None]:
    try:
        resting = settle(ctx.eyes.look, ctx.backend.clock, ctx.resting(wait_for_loading=False))
    except ApexError:
        return None, None
    lagging.notice(ctx, resting)
    return resting.snapshot, resting if isinstance(resting, Unsettled) else None


def _process(ctx: Context) -> tuple[int | None, str]:
    if not ctx.watch.app:
        return None, ""
    try:
        ctx.watch.died()
        return ctx.backend.app_state(ctx.watch.app).pid, ctx.backend.app_in_front()
    except ApexError:
        return None, ""


def _records(ctx: Context, since: float) -> Sequence[CrashRecord]:
    if not ctx.watch.app or "records" not in ctx.backend.capabilities:
        return ()
    try:
        return ctx.backend.records(ctx.watch.app, since)
    except ApexError:
        return ()


def _last_touch(ctx: Context) -> LastTouch | None:
    last = ctx.last_act
    if last is None:
        return None
    step = last.step
    return LastTouch(
        step=step.id,
        verb=step.verb,
        target=step.named.removesuffix(AGAIN),
        effect=step.effect,
        repeatable=last.repeatable,
        repeated=last.repeated,
        # A launch or a stop leads to another screen too, but nobody touched anything to get there.
        navigated=step.change is not None
        and step.change.navigated
        and (step.track is not None or isinstance(step.action, (Press, Remote))),
        confirmed=last.confirmed,
    )
