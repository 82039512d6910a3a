"""A tree that does not follow the picture: noticed after an act or at a failure, waited for once, on record."""

from __future__ import annotations

from pytest_apex.device.context import Context
from pytest_apex.device.looking.settle import GRACE_S, pause, settle
from pytest_apex.model.look import Settled, Unsettled
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.lag import Lag, lag_between


def wait_for_tree(
    ctx: Context, before: Settled | Unsettled, after: Settled | Unsettled
) -> tuple[Settled | Unsettled, str]:
    """The look after an act, and what is to be noted of its tree.

    If the picture shows another screen and the tree tells the one before, it is looked at again for up to 2 s. A tree
    that follows by then is a note; one that does not is trouble of the harness (`stale_tree`) until it follows.
    """
    if ctx.eyes.lag:
        ctx.eyes.still_lags()
        return after, f"stale tree: {ctx.eyes.lag}"
    anchor, lag = _lag(ctx, before, after)
    if anchor is None or lag is None:
        return after, ""
    if not lag.sure:
        return after, f"unsure whether the tree follows the picture: {lag.words}"
    ctx.eyes.lags(anchor, lag.words)
    clock, started = ctx.backend.clock, ctx.backend.clock.now()
    while clock.now() - started < GRACE_S:
        clock.sleep(pause(clock.now() - started))
        ctx.eyes.look()
        if not ctx.eyes.lag:
            note = f"the tree followed {clock.now() - started:.1f} s late"
            return settle(ctx.eyes.look, clock, ctx.resting(wait_for_loading=True)), note
    return after, f"stale tree: {lag.words}"


def notice(ctx: Context, now: Settled | Unsettled) -> None:
    """At a failure: whether the picture went on since the end of the last act, and the tree did not."""
    after = ctx.last_act.step.settled_after if ctx.last_act is not None else None
    if ctx.eyes.lag or after is None:
        return
    anchor, lag = _lag(ctx, after, now)
    if anchor is not None and lag is not None and lag.sure:
        ctx.eyes.lags(anchor, lag.words)


def _lag(ctx: Context, before: Settled | Unsettled, after: Settled | Unsettled) -> tuple[Snapshot | None, Lag | None]:
    """Since which look the tree does not follow, and what says so.

    Compared are looks at rest: while a screen moves, tree and picture are never of one moment. A sign of loading that
    is only in the tree never ends: then the first look that had it is compared.
    """
    loading = isinstance(after, Unsettled) and after.why == "loading"
    anchor = ctx.eyes.since if loading else before.snapshot if isinstance(before, Settled) else None
    if anchor is None or not ctx.eyes.trusts(anchor) or (isinstance(after, Unsettled) and not loading):
        return None, None
    lag = lag_between(anchor, after.snapshot)
    return anchor, lag if lag is None or lag.sure or not loading else None
