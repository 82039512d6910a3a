"""Waiting until a control can be acted on: found once, enabled, visible, uncovered, not still loading."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.device.acting import ended, find, images, interruptions, pushed_back
from pytest_apex.device.acting.act import Ready
from pytest_apex.device.context import Context, wait_error
from pytest_apex.device.looking.settle import LOOK_EVERY_S, pause, settle
from pytest_apex.errors import (
    AppDied,
    ScreenUnsettled,
    TargetAmbiguous,
    TargetDisabled,
    TargetNotFound,
    TargetObscured,
    TargetProblem,
    TargetStale,
)
from pytest_apex.hierarchy import hit, loading, query
from pytest_apex.model.look import Hit, Settled, Unsettled
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Target


def wait_ready(ctx: Context, target: Target, *, enabled: bool = True, again: Callable[[Context], bool]) -> Ready:
    """Wait for the control, at most the check time-out; the load time-out while a loading sign is visible. `again` is
    asked once the time is over, and may touch what should have brought it: whether it did."""
    clock, limits = ctx.backend.clock, ctx.settings.timeouts
    started = clock.now()
    since = started
    notes: list[str] = []
    while True:
        rest = ctx.resting(wait_for_loading=False)
        before = settle(ctx.eyes.look, clock, rest, previous=ctx.settled)
        try:
            return Ready(before, _reach(ctx, before, target, enabled), "; ".join(notes))
        except (TargetProblem, ScreenUnsettled) as error:
            ctx.settled = None
            handled = interruptions.clear(ctx, before.snapshot)
            if handled:
                notes.append(handled)
                continue
            _raise_if_dead(ctx, before.snapshot)
            waited = clock.now() - since
            busy = bool(loading.loading_signs(before.snapshot))
            limit = limits.load if busy else limits.check
            is_final = isinstance(before, Settled) and (
                isinstance(error, TargetAmbiguous) or (isinstance(error, TargetStale) and not busy)
            )
            if waited < limit and not is_final:
                clock.sleep(pause(waited))
                continue
            if isinstance(error, (TargetNotFound, TargetObscured, TargetDisabled)) and again(ctx):
                since = clock.now()
                continue
            if pushed_back.bring_back(ctx, before.snapshot):
                since = clock.now()
                continue
            _explain(error, before, busy, ctx)
            raise wait_error(error, clock.now() - started, ctx.limit("load" if busy else "check")) from None


def _reach(ctx: Context, before: Settled | Unsettled, target: Target, enabled: bool) -> Hit:
    snapshot = before.snapshot
    try:
        node = find.find_one(snapshot, target)
    except TargetNotFound:
        spot = _last_resort(ctx, before, target)
        if spot is None:
            raise
        return spot
    touchable = query.touchable(node)
    if enabled:
        find.need_enabled(snapshot, touchable if not touchable.enabled else node, target)
    covering = [sign for sign in loading.loading_signs(snapshot) if loading.covers(sign, touchable, snapshot)]
    if covering:
        still = Unsettled(snapshot, before.waited_ms, before.probes, "loading", (str(covering[0]),), ctx.limit("load"))
        raise unsettled(target, still)
    # The control itself is preferred when a finger reaches it: the row around a label may hold other targets.
    answer = hit.find_hit(snapshot, node)
    reached = answer if isinstance(answer, Hit) else find.reach(snapshot, touchable, target)
    if isinstance(before, Unsettled) and not _stands_still(ctx, snapshot, target):
        raise unsettled(target, before)
    return reached


def _last_resort(ctx: Context, before: Settled | Unsettled, target: Target) -> Hit | None:
    """The region that the manual gives a control by this name, on a screen at rest where nothing loads over it."""
    word = target.by[0].value if len(target.by) == 1 and target.by[0].kind == "text" and target.within is None else ""
    if not isinstance(word, str) or not word or isinstance(before, Unsettled):
        return None
    spot = ctx.known.spot(before.snapshot, word)
    signs = loading.loading_signs(before.snapshot)
    return None if spot is None or any(sign.bounds.overlaps(spot.area) for sign in signs) else spot


def _stands_still(ctx: Context, snapshot: Snapshot, target: Target) -> bool:
    """On a screen that moves elsewhere: whether the control itself stayed where it is, two looks apart."""
    ctx.backend.clock.sleep(LOOK_EVERY_S)
    found = images.seek(ctx.eyes.look(), target)
    return len(found) == 1 and found[0].bounds == find.find_one(snapshot, target).bounds


def unsettled(target: object, why: Unsettled) -> ScreenUnsettled:
    error = ScreenUnsettled(
        f"the screen never came to rest for an act on {target}",
        seen=str(why),
        likely="something loads for ever" if why.why == "loading" else "an animation that does not end",
        cure="wait for it to end, or switch the animation off in the app under test",
    )
    error.unsettled = why
    return error


def _explain(error: TargetProblem | ScreenUnsettled, before: Settled | Unsettled, busy: bool, ctx: Context) -> None:
    if error.unsettled is not None:
        return
    if isinstance(before, Unsettled):
        error.unsettled = before
    elif busy:
        signs = tuple(f"{sign} {sign.bounds}" for sign in loading.loading_signs(before.snapshot))
        error.unsettled = Unsettled(
            before.snapshot, before.waited_ms, before.probes, "loading", signs, ctx.limit("load")
        )


def _raise_if_dead(ctx: Context, snapshot: Snapshot) -> None:
    died = ctx.watch.died()
    if died is not None:
        raise AppDied(
            f"{ctx.watch.app} died between two steps",
            seen=f"pid {ctx.watch.pid} is gone; the app is {died.state.replace('_', ' ')}",
            likely="the app crashed or ended itself",
            cure="see the log since the last step",
        )
    told = ended.told_of(ctx, snapshot)
    if told:
        raise AppDied(
            f"{ctx.watch.app} {told}",
            seen="the system says so, in a dialog or its records",
            likely="the last step made it so",
            cure="see the log since the last step",
        )
