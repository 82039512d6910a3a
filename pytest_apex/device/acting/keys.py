"""Acts that touch nothing: keys and buttons, the remote, the crown, turning the device, waiting."""

from __future__ import annotations

from pytest_apex.backends.abilities import HidesKeyboard
from pytest_apex.backends.base import HasCrown, KnowsKeys
from pytest_apex.device import arguments
from pytest_apex.device.acting import act
from pytest_apex.device.acting.act import NO_WORDS, Words
from pytest_apex.device.context import Context
from pytest_apex.device.doors import door
from pytest_apex.errors import CapabilityMissing, ConfigError
from pytest_apex.model.action import Crown, Orient, Press, Receipt, Remote, Wait
from pytest_apex.model.screen import ORIENTATIONS
from pytest_apex.model.step import Step

#: Keys that send the app in front to the background.
_LEAVE = frozenset({"home", "crown"})


def need_key(ctx: Context, key: str, hold_ms: int = 0) -> None:
    """Raise `CapabilityMissing` unless the device has this key, as far as it can tell, and can hold it."""
    ctx.need("press", f"press {key}")
    if hold_ms:
        ctx.need("press_hold", f"hold {key} for {hold_ms / 1000:g} s")
    _need_named(ctx, key)


def need_remote(ctx: Context, button: str) -> None:
    """Raise `CapabilityMissing` unless the device has a remote with this button."""
    ctx.need("remote", f"be told by a remote to {button}")
    _need_named(ctx, button)


def _need_named(ctx: Context, key: str) -> None:
    if isinstance(ctx.backend, KnowsKeys) and key not in ctx.backend.keys:
        raise CapabilityMissing(
            f"{ctx.info} has no key {key!r}",
            seen=f"it has: {', '.join(sorted(ctx.backend.keys))}",
            likely="the test was meant for a device of another kind",
            cure="press one that it has, or mark the test with platforms(…)",
        )


def need_crown(ctx: Context) -> HasCrown:
    """What turns the crown; `CapabilityMissing` for a device without one."""
    return door(ctx, HasCrown, "crown", "turn a crown")


def press(ctx: Context, key: str, hold_ms: int = 0, *, words: Words = NO_WORDS) -> Step:
    arguments.text(key, "press()", empty=False)
    arguments.milliseconds(hold_ms, "hold_ms")
    need_key(ctx, key, hold_ms)
    return act.send(
        ctx,
        "press",
        lambda: _press(ctx, key, hold_ms),
        named=f"press {key}" + (f" for {hold_ms / 1000:g} s" if hold_ms else ""),
        action=Press(key, hold_ms),
        words=words,
    )


def _press(ctx: Context, key: str, hold_ms: int) -> Receipt:
    if key in _LEAVE:
        ctx.watch.sent_away()
    return ctx.backend.press(key, hold_ms)


def remote(ctx: Context, button: str, *, words: Words = NO_WORDS) -> Step:
    need_remote(ctx, button)
    return act.send(
        ctx,
        "remote",
        lambda: _press(ctx, button, 0),
        named=f"remote: {button}",
        action=Remote(button),
        words=words,
    )


def crown(ctx: Context, turns: float, *, words: Words = NO_WORDS) -> Step:
    watch = need_crown(ctx)
    return act.send(
        ctx,
        "crown",
        lambda: watch.turn_crown(turns),
        named=f"turn the crown by {turns:g}",
        action=Crown(turns),
        words=words,
    )


def hide_keyboard(ctx: Context) -> Step | None:
    """By the tool's own way, else by Android's back key; nothing is pressed while no keyboard is shown."""
    before = act.settle_before(ctx)
    if all(window.kind != "keyboard" for window in before.snapshot.windows):
        return None
    tool, words = ctx.backend, Words("hide the keyboard")
    if "hide_keyboard" in tool.capabilities and isinstance(tool, HidesKeyboard):
        return act.send(ctx, "hide_keyboard", tool.hide_keyboard, named=words.purpose, words=words, before=before)
    if ctx.info.platform == "android":
        return press(ctx, "back", words=words)
    # The return key would hide it in some fields, and send the form in others.
    raise CapabilityMissing(
        f"{ctx.info} can't hide the keyboard without touching the app",
        seen=f"it can: {', '.join(sorted(tool.capabilities))}",
        likely="the keyboard has no key that hides it and does nothing else",
        cure='touch beside the field, or device.press("enter") where the return key does not send the form',
    )


def turn(ctx: Context, name: str, *, words: Words = NO_WORDS) -> Step:
    if arguments.text(name, "set_orientation()") not in ORIENTATIONS:
        raise ConfigError(f"there is no orientation {name!r}", cure=f"one of {', '.join(ORIENTATIONS)}")
    ctx.need("orientation", "be turned")
    ctx.turned = True
    return act.send(
        ctx,
        "orientation",
        lambda: ctx.backend.set_orientation(name),
        named=f"turn to {name}",
        action=Orient(name),
        words=words,
    )


def wait(ctx: Context, seconds: float, *, words: Words = NO_WORDS) -> Step:
    """Let time pass on the device's clock."""
    arguments.seconds(seconds, "wait()")
    clock = ctx.backend.clock

    def do() -> Receipt:
        started = clock.now()
        clock.sleep(seconds)
        return Receipt(started, clock.now(), f"wait {seconds}")

    return act.send(ctx, "wait", do, named=f"wait {seconds:g} s", action=Wait(seconds), words=words)
