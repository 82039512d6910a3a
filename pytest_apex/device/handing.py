"""What only a person may do: asked for at the terminal, and waited for."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.device import arguments
from pytest_apex.device.acting import act, images
from pytest_apex.device.acting.act import NO_WORDS, Words
from pytest_apex.device.context import Context
from pytest_apex.device.locator import Locator
from pytest_apex.device.looking.settle import pause
from pytest_apex.errors import ActionRefused, ConfigError, TargetProblem
from pytest_apex.model.action import Receipt
from pytest_apex.model.step import Step

#: How long a person is waited for, in seconds.
TIMEOUT_S = 120.0


def hand_over(
    ctx: Context, what: str, until: Locator | Callable[[], object], timeout: float = TIMEOUT_S, *,
    words: Words = NO_WORDS,
) -> Step:  # fmt: skip
    """Ask a person to do something on the device, and wait until the control is visible, or the callable says so.

    Raises `ActionRefused` when nobody did it in time. Without a terminal the test is skipped, with the text.
    """
    arguments.text(what, "hand_over()", empty=False)
    arguments.seconds(timeout, "hand_over(timeout=…)", least=0.001)
    holds, named = _condition(ctx, until)
    if ctx.person is None:
        raise ConfigError(
            f"device.hand_over({what!r}) needs a test run by pytest",
            likely="the device was made without one",
            cure="call it in a test; without a terminal that is skipped",
        )
    asked = ctx.person(f"{what}\n(up to {timeout:g} s, until {named})")

    def do() -> Receipt:
        clock = ctx.backend.clock
        started = clock.now()
        with asked:
            while not holds():
                waited = clock.now() - started
                if ctx.watch.died() is not None:
                    break
                if waited >= timeout:
                    raise _nobody(what, named, timeout)
                clock.sleep(pause(waited))
        return Receipt(started, clock.now(), "by a person")

    return act.send(ctx, "hand_over", do, named=f"a person: {what}", words=words)


def _condition(ctx: Context, until: object) -> tuple[Callable[[], bool], str]:
    """What ends the waiting, and what it is called."""
    if isinstance(until, Locator):
        target = until.target
        return lambda: any(node.visible for node in images.seek(ctx.eyes.look(), target)), f"{target} is visible"
    if not callable(until):
        raise ConfigError(
            "hand_over(until=…) takes a locator, or a function",
            seen=repr(until)[:120],
            cure='until=device.find("Welcome"), or until=lambda: device.app.log.count("signed in") > 0',
        )

    def holds() -> bool:
        try:
            return bool(until())
        except TargetProblem:  # what it asks for is not there yet
            return False

    return holds, f"{getattr(until, '__name__', 'the function')}() holds"


def _nobody(what: str, named: str, timeout: float) -> ActionRefused:
    return ActionRefused(
        f"nobody did it within {timeout:g} s: {what}",
        seen=f"it was waited until {named}",
        likely="nobody was at the device, or it looks otherwise than the test expects",
        cure="run it again with somebody there, or raise timeout=",
    )
