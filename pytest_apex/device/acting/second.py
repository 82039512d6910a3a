"""The one second touch that the rubric's rule 7 allows, and its record."""

from __future__ import annotations

from dataclasses import replace

from pytest_apex.device.acting import act, find, images
from pytest_apex.device.acting.act import Ready
from pytest_apex.device.acting.ready import wait_ready
from pytest_apex.device.context import Context, LastAct
from pytest_apex.device.looking.living import is_clock_text
from pytest_apex.device.looking.settle import only_in
from pytest_apex.errors import ActionRefused, TargetProblem
from pytest_apex.hierarchy import focus, query
from pytest_apex.hierarchy.diff import node_diff
from pytest_apex.model.action import Remote, Tap
from pytest_apex.model.look import Hit
from pytest_apex.model.step import Step
from pytest_apex.model.target import Target
from pytest_apex.vision.locate import find_again

#: What the second touch's step is called, after the name of the first.
AGAIN = " (again)"
#: How a hit point is called that is not the tree's.
ESTIMATED = "estimated"
_WORDS = act.Words("the first touch had no effect at all")


def touch_again(ctx: Context) -> bool:
    """Touch the last target once more if its touch had no effect at all and may be repeated.

    Returns whether it was touched. Always on record: as a step of its own, and in `LastAct.repeated`.
    """
    last = ctx.last_act
    if last is None or last.target is None or not last.repeatable or last.repeated or last.step.effect != "none":
        return False
    if _came_late(ctx, last):
        return False
    last.repeated = True
    first, target = last.step, last.target
    try:
        again = _touch(ctx, first, target) if not isinstance(first.action, Remote) else _select(ctx, first, target)
    except (TargetProblem, ActionRefused):
        # Its control is gone, covered, or not to be touched any more: the failed check stands as it is.
        return False
    ctx.last_act = LastAct(again, target, repeatable=True, repeated=True)
    if again.effect == "changed":
        where = f" ({again.hit.why})" if again.hit is not None and again.hit.why.startswith(ESTIMATED) else ""
        ctx.notes.append(f"transient.missed_touch: {first.id} {first.named} had no effect, {again.id} had{where}")
    return True


def _touch(ctx: Context, first: Step, target: Target) -> Step:
    return act.touch(
        ctx,
        target,
        lambda: _where_it_is(ctx, target, wait_ready(ctx, target, again=_not_a_third_time)),
        lambda hit: _same_tap(first.action, hit),
        verb="tap",
        named=f"{first.named}{AGAIN}",
        words=_WORDS,
        repeat=False,
    )


def _select(ctx: Context, first: Step, target: Target) -> Step:
    """The remote's key once more, where the focus still is on the control. Raises `ActionRefused`."""
    before = act.settle_before(ctx)
    goal, now = query.touchable(find.find_one(before.snapshot, target)), focus.focused(before.snapshot)
    if now is None or not focus.is_on(now, goal):
        raise ActionRefused(f"the focus is not on {target} any more", seen=str(now), cure="look again")
    return act.send(
        ctx, "tap", lambda: ctx.backend.press("select"), named=f"{first.named}{AGAIN}", action=first.action,
        target=target, words=_WORDS, before=before,
    )  # fmt: skip


def _not_a_third_time(_ctx: Context) -> bool:
    return False


def _came_late(ctx: Context, last: LastAct) -> bool:
    """Whether the screen went on by itself since the touch: then it had an effect, after its step was over, and a
    second touch would do it twice."""
    after, now = last.step.after, ctx.eyes.look()
    if after is None or ctx.eyes.lag:
        return False
    change = node_diff(after, now)
    if only_in(change, [*ctx.live_regions(now), *ctx.living.boxes]):
        return False  # what lives by itself tells nothing of the touch
    altered = [item for item in change.altered if not (item.field == "text" and is_clock_text(item.is_now))]
    gone = [node for node in change.vanished if node.window.kind != "toast"]  # that goes by itself
    if not (change.navigated or change.appeared or change.scrolled or altered or gone):
        return False
    ctx.notes.append(f"{last.step.id} {last.step.named} had its effect after its step was over: not touched again")
    last.step = replace(last.step, effect="changed")
    return True


def _where_it_is(ctx: Context, target: Target, found: Ready) -> Ready:
    """The hit point in the middle of the control as it is found in the picture, if it is not where the tree says.

    How the control looks is known from the last looks at rest: it has to be in the picture once, and not at the
    tree's hit point. Where nobody can tell the tree's hit point stays.
    """
    now = found.before.snapshot
    if now.picture is None:
        return found
    for look in reversed(ctx.eyes.rested):
        nodes = images.seek(look, target)
        if look.picture is None or len(nodes) != 1 or nodes[0].bounds.is_empty:
            continue
        places = find_again(now.picture, look.picture, nodes[0].bounds.scaled(look.screen.scale))
        boxes = [place.scaled(1 / now.screen.scale) for place in places]
        if len(boxes) == 1 and not boxes[0].contains(found.hit.point):
            box = boxes[0]
            why = f"{ESTIMATED}: found in the picture at {box.center}, the tree tells {found.hit.point}"
            note = "; ".join(part for part in (found.note, why) if part)
            return replace(found, hit=Hit(found.hit.node, box.center, box, why), note=note)
    return found


def _same_tap(action: object, hit: Hit) -> Tap:
    """The same tap at the point where the control is now."""
    return replace(action, at=hit.point) if isinstance(action, Tap) else Tap(hit.point)
