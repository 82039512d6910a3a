"""The flows of an app's manual: named steps, each done as a test would do it, and so through the guard."""

from __future__ import annotations

from dataclasses import replace
from difflib import get_close_matches

from pytest_apex.device import handing
from pytest_apex.device.acting import act, keys, perform, scrolling, writing
from pytest_apex.device.acting.act import Words
from pytest_apex.device.checking.expect_locator import LocatorChecks
from pytest_apex.device.context import Context
from pytest_apex.device.locator import Locator
from pytest_apex.device.looking.settle import pause
from pytest_apex.errors import ActionRefused, ApexError, ConfigError
from pytest_apex.manual import lookup
from pytest_apex.model.action import LONG_PRESS_MS
from pytest_apex.model.manual import FlowStep, Manual, ManualFlow, Needs, NoManual, Shown
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Step
from pytest_apex.model.target import Target

#: Flows may call others so deep. A manual that is read from a file has none that leads into itself.
_DEEPEST = 20


def run(ctx: Context, name: str) -> list[Step]:
    """Do the flow with this name of the manual of the app under test; returns what was done.

    Raises `ConfigError` where there is no such flow, `ActionRefused` before anything is sent where what it needs is not
    on the screen, and what its steps raise.
    """
    known = _manual(ctx)
    return _flow(ctx, known, _called(known, name), 0)


def _manual(ctx: Context) -> Manual:
    look = ctx.eyes.last or ctx.eyes.look()
    shown = ctx.known.under_test(look)
    if shown is not None:
        return shown.manual
    found = ctx.known.search(ctx.watch.app or look.app.id, look)
    told = str(found) if isinstance(found, NoManual) else ""
    raise ConfigError("there is no manual whose flow could be done", seen=told, cure="flows stand in the app's manual")


def _called(manual: Manual, name: str) -> ManualFlow:
    flow = manual.flow(name)
    if flow is not None:
        return flow
    names = [flow.name for flow in manual.flows]
    near = get_close_matches(name, names, 1)
    raise ConfigError(
        f"the manual {manual} has no flow {name!r}",
        seen=f"it has: {', '.join(names) or 'none'}",
        likely=f"{near[0]!r} is meant" if near else "",
        cure="name one of them, or add it under flows",
    )


def _flow(ctx: Context, manual: Manual, flow: ManualFlow, depth: int) -> list[Step]:
    if depth > _DEEPEST:
        raise ConfigError(f"the flow {flow.name!r} leads into itself", seen=str(flow.where))
    _need(ctx, manual, flow)
    ctx.recorder.event("flow", flow=flow.name, where=str(flow.where))
    return _steps(ctx, manual, flow, flow.steps, depth)


def _steps(ctx: Context, manual: Manual, flow: ManualFlow, steps: tuple[FlowStep, ...], depth: int) -> list[Step]:
    done: list[Step] = []
    for step in steps:
        try:
            done += _do(ctx, manual, flow, step, depth)
        except ApexError as error:  # noqa: PERF203 - it ends the loop
            place = f"in the flow {flow.name!r}, {step.where}"
            error.seen = f"{error.seen}\n{place}".strip() if place not in error.seen else error.seen
            raise
    return done


def _do(ctx: Context, manual: Manual, flow: ManualFlow, step: FlowStep, depth: int) -> list[Step]:
    words = Words(step.purpose)
    match step.verb:
        case "flow":
            return _flow(ctx, manual, _called(manual, step.text), depth + 1)
        case "when":
            holds = _holds(ctx, manual, step.needs or Needs(), act.settle_before(ctx).snapshot)
            return _steps(ctx, manual, flow, step.steps, depth) if holds else []
        case "perform":
            return perform.perform(ctx, step.text, words=words)
        case "press":
            return [keys.press(ctx, step.text, words=words)]
        case "wait":
            return [keys.wait(ctx, step.seconds or 0.0)]
        case "hand_over":
            return [_hand_over(ctx, step, words)]
        case "swipe" if step.target is None:
            return [scrolling.swipe(ctx, step.text, words=words)]
        case "type" if step.target is None:
            return [writing.type_text(ctx, step.text, secret=step.secret, words=words)]
    return _on_control(ctx, step)


def _on_control(ctx: Context, step: FlowStep) -> list[Step]:
    if step.target is None:
        raise ConfigError(f"a step {step.verb!r} names no control", seen=str(step.where))
    control, why = Locator(ctx, _named(ctx, step.target)), step.purpose
    match step.verb:
        case "tap":
            return [control.tap(purpose=why)]
        case "double_tap":
            return [control.double_tap(purpose=why)]
        case "long_press":
            seconds = step.seconds if step.seconds is not None else LONG_PRESS_MS / 1000
            return [control.long_press(duration_ms=round(seconds * 1000), purpose=why)]
        case "type":
            return [control.fill(step.text, secret=step.secret, purpose=why)]
        case "swipe":
            return [control.swipe(step.text, purpose=why)]
        case "scroll_to":
            control.scroll_into_view()
        case "expect":
            LocatorChecks(control, soft=False).to_be_visible()
        case "expect_not":
            LocatorChecks(control, soft=False).to_be_hidden()
        case _:
            raise ConfigError(f"there is no step {step.verb!r}", seen=str(step.where))
    return []


def _hand_over(ctx: Context, step: FlowStep, words: Words) -> Step:
    if step.target is None:
        raise ConfigError("a step hand_over needs until: a control that is shown once it is done", seen=str(step.where))
    seconds = step.seconds if step.seconds is not None else handing.TIMEOUT_S
    return handing.hand_over(ctx, step.text, Locator(ctx, _named(ctx, step.target)), seconds, words=words)


def _named(ctx: Context, target: Target) -> Target:
    """In a flow, too, a word may be the manual's name for a control."""
    return replace(target, names=ctx.known)


# Preconditions


def _need(ctx: Context, manual: Manual, flow: ManualFlow) -> None:
    """Wait for what the flow needs, at most the check time-out."""
    clock = ctx.backend.clock
    started = clock.now()
    while True:
        look = act.settle_before(ctx).snapshot
        if _holds(ctx, manual, flow.needs, look):
            return
        ctx.settled = None
        waited = clock.now() - started
        if waited >= ctx.settings.timeouts.check:
            break
        clock.sleep(pause(waited))
    needed = [f"the screen {' or '.join(map(repr, flow.needs.screens))}"] if flow.needs.screens else []
    needed += [f"{target} on the screen" for target in flow.needs.shown.shows]
    needed += [f"no {target} on the screen" for target in flow.needs.shown.hides]
    here = lookup.screen_of(manual, look)
    shown = f"the screen {here.name!r} is shown" if here is not None else "a screen is shown that the manual has not"
    raise ActionRefused(
        f"the flow {flow.name!r} needs {', '.join(needed)}",
        seen=f"{shown}, of {look.app.id}",
        likely="the test is somewhere else than the flow begins",
        cure=f"go there first; nothing of it was done ({flow.where}; limit {ctx.limit('check')})",
    )


def _holds(ctx: Context, manual: Manual, needs: Needs, look: Snapshot) -> bool:
    if needs.screens:
        here = [screen for screen in manual.screens if screen.name in needs.screens]
        if not any(_shows(ctx, screen.shown, look) for screen in here):
            return False
    return needs.shown == Shown() or _shows(ctx, needs.shown, look)


def _shows(ctx: Context, shown: Shown, look: Snapshot) -> bool:
    named = Shown(tuple(_named(ctx, one) for one in shown.shows), tuple(_named(ctx, one) for one in shown.hides))
    return lookup.holds(named, look)
