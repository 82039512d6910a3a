"""tvOS has no touch: a control is selected by the remote, once the focus was brought to it."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.device.acting import act, find, guarding, keys, touching
from pytest_apex.device.acting.act import Words
from pytest_apex.device.context import Context
from pytest_apex.errors import ActionRefused
from pytest_apex.hierarchy import focus, query
from pytest_apex.model.action import Remote
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step
from pytest_apex.model.target import Target
from pytest_apex.verify import guard

#: How often a way is planned anew from where the focus was before: it may go elsewhere than a plan has it, and a list
#: scrolls under it. A tree does not tell all that takes the focus, so that a way may lead over what no plan has.
_WAYS = 4
_MOST_KEYS = 30


def by_remote(ctx: Context) -> bool:
    """Whether a tap is a selection here."""
    return "tap" not in ctx.backend.capabilities and "remote" in ctx.backend.capabilities


def select(ctx: Context, target: Target, *, words: Words, note: str = "", repeat: bool = True) -> Step:
    """Bring the focus to a control and select it. The presses of one way are sent without a look between them; then the
    focus is looked at. Raises `TargetProblem`, `ScreenUnsettled`, `ActionRefused` or `CapabilityMissing`."""
    keys.need_remote(ctx, "select")
    found = touching.wait_ready(ctx, target)
    before = found.before
    # Before the focus is moved at all.
    permit = guarding.of_action(
        ctx, before.snapshot, Remote("select"), named=f"tap {target}", purpose=words.purpose, node=found.hit.node
    )
    wanted = repeat and ctx.settings.touch.repeat and not permit.allowed
    may_repeat = wanted and guard.may_repeat(found.hit.node, ctx.settings.touch.words)
    told, been, stuck = list[str](), list[Rect | None](), 0
    while stuck < _WAYS and len(told) < _MOST_KEYS:
        snapshot = before.snapshot
        goal = query.touchable(find.find_one(snapshot, target))
        now = focus.focused(snapshot)
        if now is not None and focus.is_on(now, goal):
            way_told = f"remote: {' '.join([*told, 'select'])}"
            return act.send(
                ctx, "tap", lambda: ctx.backend.press("select"), named=f"tap {target}", action=Remote("select"),
                target=target, words=words, note="; ".join(filter(None, (note, way_told))), before=before,
                repeatable=may_repeat,
            )  # fmt: skip
        place = now.bounds if now is not None else None
        stuck += place in been
        been.append(place)
        way = _way(snapshot, now, goal)
        if not way:
            break
        _press(ctx, way)
        told += way
        ctx.settled = None
        before = act.settle_before(ctx)
    raise _not_reached(target, focus.focused(before.snapshot), told)


def _way(snapshot: Snapshot, now: Node | None, goal: Node) -> Sequence[str]:
    # Where nothing has the focus yet, any key gives it to something.
    return ("down",) if now is None else focus.way(snapshot, now, goal)[:_MOST_KEYS]


def _press(ctx: Context, way: Sequence[str]) -> None:
    ctx.recorder.event("focus", keys=" ".join(way))
    for key in way:
        ctx.backend.press(key)


def _not_reached(target: Target, now: Node | None, told: Sequence[str]) -> ActionRefused:
    return ActionRefused(
        f"the focus can't be brought to {target}",
        seen=f"it is on {now}" if now is not None else "nothing has the focus",
        likely=f"the remote's way there is another one than {' '.join(told)}" if told else "no key leads there",
        cure='move it by hand: device.perform("r down")',
    )
