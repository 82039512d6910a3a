"""A text of the command language, done on the device: all of it checked first, then one step for each command."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from pytest_apex.device.acting import act, keys, writing
from pytest_apex.device.acting.act import NO_WORDS, Aim, Words
from pytest_apex.device.acting.place import Place, outside, resolve
from pytest_apex.device.acting.ready import unsettled
from pytest_apex.device.context import Context, wait_error
from pytest_apex.device.looking.settle import pause
from pytest_apex.errors import ApexError
from pytest_apex.gestures.language import parse_commands
from pytest_apex.hierarchy import loading
from pytest_apex.model.action import (
    Action,
    Crown,
    DoubleTap,
    Drag,
    Fingers,
    Orient,
    Pointer,
    Press,
    Remote,
    Secondary,
    Swipe,
    Tap,
    TypeText,
    Wait,
)
from pytest_apex.model.geometry import Point
from pytest_apex.model.look import Settled, Unsettled
from pytest_apex.model.manual import NoManual
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step

#: A path by coordinates ends where it was told to, as exactly as a finger can: units of the tree.
_END_RADIUS = 3.0


def perform(ctx: Context, text: str, *, words: Words = NO_WORDS) -> list[Step]:
    """Do what `text` says; a text without a command only looks.

    Raises `CommandError`, `CapabilityMissing`, `ConfigError` or `ActionRefused` before anything of it is sent: for a
    text that is not right, that the device can't do, with gestures that can't arrive, or with points that are outside
    of the screen however it is turned. What depends on what is shown by then (where a point lands, what has the focus)
    is checked before each command, and raises `ActionRefused` or `ScreenUnsettled`.
    """
    actions = parse_commands(text)
    if not actions:
        ctx.read_since_act = True
        ctx.recorder.attach("capture", ctx.eyes.look())
        return []
    for action in actions:
        _check(ctx, action)
    if sum(isinstance(action, get_args(Pointer)) for action in actions) > 1:
        _warn_without_manual(ctx)
    steps: list[Step] = []
    try:
        for action in actions:
            step = _do(ctx, action, words)
            steps.append(step)
    except ApexError as error:
        if steps:
            done = f"{len(steps)} of {len(actions)} commands were done before, up to {steps[-1].id}"
            error.seen = f"{error.seen}\n{done}".strip()
        raise
    return steps


def _warn_without_manual(ctx: Context) -> None:
    """A chain of bare touches on an app that no manual tells of is noted, once a test: nothing knows what they mean."""
    look = ctx.eyes.last
    if look is None or ctx.known.library is None or ctx.known.in_front(look) is not None:
        return
    found = ctx.known.search(look.app.id, look)
    cure = f"; {found.cure}" if isinstance(found, NoManual) else ""
    app = look.app.id or "an unknown app"
    line = f"a chain of bare touches on {app}, without a manual that says what they do{cure}"
    if line not in ctx.notes:
        ctx.notes.append(line)


def _check(ctx: Context, action: Action) -> None:
    """Raise for what can be known without a look."""
    match action:
        case Press(key=key, hold_ms=hold):
            keys.need_key(ctx, key, hold)
        case Remote(button=button):
            keys.need_remote(ctx, button)
        case Crown():
            keys.need_crown(ctx)
        case TypeText(text=text):
            writing.check_typable(text)
            ctx.need("type", "type text")
        case Orient():
            ctx.need("orientation", "be turned")
        case Wait() | Secondary():
            pass
        case _:
            ctx.need(action.verb, action.verb.replace("_", " "))
            act.exact_track(ctx, action)
            for point in _points(action):
                _check_reachable(ctx, point)


def _check_reachable(ctx: Context, point: Point) -> None:
    """Raise for a point outside of the screen however it is turned."""
    size = ctx.info.screen.size
    longest = max(size.width, size.height)
    if longest and not (0 <= point.x < longest and 0 <= point.y < longest):
        raise outside(point, f"the screen is {size}, or {size.height:g}×{size.width:g}")


def _do(ctx: Context, action: Action, words: Words) -> Step:
    match action:
        case Press(key=key, hold_ms=hold):
            return keys.press(ctx, key, hold, words=words)
        case Remote(button=button):
            return keys.remote(ctx, button, words=words)
        case Crown(turns=turns):
            return keys.crown(ctx, turns, words=words)
        case TypeText(text=text):
            return writing.type_text(ctx, text, words=words)
        case Orient(name=name):
            return keys.turn(ctx, name, words=words)
        case Wait(seconds=seconds):
            return keys.wait(ctx, seconds, words=words)
        case Secondary():
            raise AssertionError("the command language has no secondary actions")
    return act.aimed(ctx, action, lambda: _aim(ctx, action), words=words)


def _points(action: Pointer) -> list[Point]:
    """Start first, end last."""
    match action:
        case Swipe(start=start, end=end) | Drag(start=start, end=end):
            return [start, end]
        case Fingers(frames=frames):
            return [point for frame in frames for point in frame.points if point is not None]
        case Tap(at=at) | DoubleTap(at=at):
            return [at]
    raise AssertionError(f"the command language has no {action.verb}")


def _aim(ctx: Context, action: Pointer) -> Aim:
    """Each point resolved, once, on a screen where nothing loads over it."""
    before, places = _at_rest(ctx, _points(action))
    start, end = places[0], places[-1]
    verb = action.verb.replace("_", " ")
    if isinstance(action, (Tap, DoubleTap)):
        held = f" for {action.hold_ms / 1000:g} s" if isinstance(action, Tap) and action.hold_ms else ""
        snapped = ctx.known.snap(before.snapshot, start.point)
        if snapped is not None:
            hit, why = snapped
            named = f"{verb} {hit.point}{held} on {hit.node}"
            return Aim(before, named, hit.area, hit=hit, note=why, instead=replace(action, at=hit.point))
        named = f"{verb} {start.point}{held}{start.named}"
        return Aim(before, named, start.area, hit=start.hit, note=str(start))
    areas = (start.area, end.area)
    if isinstance(action, Fingers):
        # Fingers miss together. Where one of them is on another control, each place stays exact.
        shared = start.area is not None and all(start.area.contains(place.point) for place in places)
        areas = (start.area if shared else None, None)
    named = f"{verb} from {start.point}{start.named} to {end.point}{end.named}"
    return Aim(before, named, *areas, radius=_END_RADIUS, hit=start.hit, note=f"{start}; {end}")


def _at_rest(ctx: Context, points: list[Point]) -> tuple[Settled | Unsettled, list[Place]]:
    """What the points land on, once nothing there is still loading; `ScreenUnsettled` if that does not end."""
    clock, limit = ctx.backend.clock, ctx.settings.timeouts.load
    started = clock.now()
    while True:
        before = act.settle_before(ctx)
        places = [resolve(before.snapshot, point) for point in points]
        signs = _loading_over(before.snapshot, places)
        if not signs:
            return before, places
        waited = clock.now() - started
        if waited >= limit:
            why = Unsettled(before.snapshot, waited * 1000, before.probes, "loading", signs, ctx.limit("load"))
            raise wait_error(unsettled(places[0].point, why), waited, ctx.limit("load"))
        ctx.settled = None
        clock.sleep(pause(waited))


def _loading_over(snapshot: Snapshot, places: list[Place]) -> tuple[str, ...]:
    signs = loading.loading_signs(snapshot)
    return tuple(str(sign) for sign in signs if any(_is_over(sign, place, snapshot) for place in places))


def _is_over(sign: Node, place: Place, snapshot: Snapshot) -> bool:
    if place.node is None:
        return False
    # A sign beside the point, inside the same wide container, says nothing of the place that is touched.
    beside = sign.is_inside(place.node) and not sign.bounds.contains(place.point)
    return not beside and loading.covers(sign, place.node, snapshot)
