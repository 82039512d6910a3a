"""The one second touch that the rubric's rule 7 allows, and its record."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.device.context import Context, LastAct
from pytest_apex.errors import TargetProblem
from pytest_apex.model.action import Tap
from pytest_apex.model.look import Hit

#: What the second touch's step is called, after the name of the first.
AGAIN = " (again)"


def touch_again(ctx: Context) -> bool:
    """Touch the last target once more if its touch had no effect at all and may be repeated.

    Returns whether it was touched. Always on record: as a step of its own, and in `LastAct.repeated`.
    """
    from pytest_apex.device import (
        act,
    )  # the walk waits through `ready`, which comes here: one late import breaks the ring

    last = ctx.last_act
    if last is None or last.target is None or not last.repeatable or last.repeated or last.step.effect != "none":
        return False
    last.repeated = True
    first, target = last.step, last.target
    try:
        again = act.touch(
            ctx,
            target,
            lambda hit: _same_tap(first.action, hit),
            verb="tap",
            named=f"{first.named}{AGAIN}",
            words=act.Words("the first touch had no effect at all"),
            repeat=False,
        )
    except TargetProblem:
        # Its control is gone or covered now: nothing to touch, the failed check stands as it is.
        return False
    ctx.last_act = LastAct(again, target, repeatable=True, repeated=True)
    if again.effect == "changed":
        ctx.notes.append(f"transient.missed_touch: {first.id} {first.named} had no effect, {again.id} had")
    return True


def _same_tap(action: object, hit: Hit) -> Tap:
    """The same tap at the point where the control is now."""
    return replace(action, at=hit.point) if isinstance(action, Tap) else Tap(hit.point)
