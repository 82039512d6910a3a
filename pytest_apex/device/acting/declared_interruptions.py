"""What the app's manual says may come over any screen: closed as it says, once each time that it comes up."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.device.acting import act, images, keys
from pytest_apex.device.context import Context
from pytest_apex.hierarchy import hit
from pytest_apex.manual import lookup
from pytest_apex.model.action import Tap
from pytest_apex.model.look import Hit
from pytest_apex.model.manual import Interruption
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step

#: One that comes up more often in a test is no interruption any more: it stays, and is told as what is in the way.
MOST = 5


def clear(ctx: Context, snapshot: Snapshot) -> str:
    """Close one that is on the screen; returns what was done, in words, or "". Raises `ActionRefused` where the guard
    does not allow what the manual says."""
    shown = ctx.known.under_test(snapshot)
    entries = shown.manual.interruptions if shown is not None else ()
    here = [entry for entry in entries if lookup.holds(entry.appears, snapshot)]
    handled, standing = ctx.known.handled, ctx.known.standing
    standing.intersection_update(entry.name for entry in here)
    for entry in here:
        if entry.name in standing or handled[entry.name] >= MOST:
            continue
        handled[entry.name] += 1
        standing.add(entry.name)
        done = _close(ctx, snapshot, entry)
        if done:
            return done
    return ""


def _close(ctx: Context, snapshot: Snapshot, entry: Interruption) -> str:
    before = ctx.last_act
    step, how = _act(ctx, snapshot, entry)
    if step is None:
        return ""
    # It was not the test's doing: what the test did last stays that.
    ctx.last_act = before
    if step.after is not None and not lookup.holds(entry.appears, step.after):
        ctx.known.standing.discard(entry.name)
    told = f"interruption {entry.name!r} of the manual ({entry.where}): {how}"
    line = f"expected.{told}"
    if line not in ctx.notes:
        ctx.notes.append(line)
    return told


def _act(ctx: Context, snapshot: Snapshot, entry: Interruption) -> tuple[Step | None, str]:
    words = act.Words(f"close what interrupts: {entry.name}")
    if entry.press:
        return keys.press(ctx, entry.press, words=words), f"{entry.press} was pressed"
    nodes = images.seek(snapshot, replace(entry.tap, names=ctx.known)) if entry.tap is not None else []
    reached = hit.find_hit(snapshot, nodes[0]) if len(nodes) == 1 else None
    if not isinstance(reached, Hit):
        return None, ""
    named = f"close {entry.name!r}: tap {entry.tap}"
    aim = act.Aim(act.settle_before(ctx), named, reached.area, hit=reached)
    return act.aimed(ctx, Tap(reached.point), lambda: aim, words=words), f"{entry.tap} was touched"
