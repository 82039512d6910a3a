"""How a test begins with its device, and how it gives it back."""

from __future__ import annotations

from pytest_apex.backends.abilities import Wakes
from pytest_apex.device.acting import launching
from pytest_apex.device.context import Context
from pytest_apex.errors import ApexError
from pytest_apex.model.manual import NoManual
from pytest_apex.verify.irreversible import fits, usual


def start(ctx: Context, app: str = "") -> None:
    """Launch `app`, or, when none is named, take what is in front as the app under test. A sleeping screen is woken
    first, where the device can do that. On a device that starts no apps it is taken as it is."""
    backend = ctx.backend
    if not ctx.info.screen.awake and "wake" in backend.capabilities and isinstance(backend, Wakes):
        backend.wake()
    if app and "app_control" in backend.capabilities:
        ctx.watch.app = app
        launching.launch(ctx, app)
    else:
        ctx.watch.under_test(app or backend.app_in_front())
        ctx.eyes.look()
    _note_missing_manual(ctx)


def _note_missing_manual(ctx: Context) -> None:
    """A manual that would be for the app, but for its mistakes, the version or the language, is missed: say so."""
    found = ctx.known.search(ctx.watch.app, ctx.eyes.last)
    if isinstance(found, NoManual):
        why = [line.partition("\n")[0].rstrip(":") for line in (*found.rejected, *found.left_out)]
        ctx.notes.extend(f"no manual for {ctx.watch.app or 'this app'}: {line}" for line in why)


def _note_idle_leave(ctx: Context) -> None:
    """A leave of the test's marker for what none of its manuals lists is a slip, or from a time when one did."""
    manuals = [found.manual for found in ctx.known.used.values()]
    listed = [str(item) for manual in manuals for item in manual.irreversible]
    for pattern in ctx.settings.touch.allow_here if manuals else ():
        if not usual(pattern).startswith("system:") and not any(fits(pattern, name) for name in listed):
            sources = ", ".join(manual.source for manual in manuals)
            line = f"allow_irreversible: {pattern!r} is nothing that {sources} lists"
            ctx.notes.extend([line] if line not in ctx.notes else [])


def finish(ctx: Context) -> None:
    """The app stopped; orientation, keyboard, permissions, network and screen as they were. Trouble is on record, not
    raised.

    Whoever kept the device past its test is told so, instead of touching what belongs to another.
    """
    _note_idle_leave(ctx)
    ctx.eyes.close(f"it belonged to {ctx.test or 'a test'}, which is over")
    if ctx.turned:
        ctx.undo["orientation"] = lambda: _upright(ctx)
    if ctx.watch.app and ctx.watch.pid:
        ctx.undo["app"] = lambda: _stop(ctx)
    while ctx.undo:
        _name, restore = ctx.undo.popitem()
        try:
            restore()
        except ApexError as error:
            ctx.watch.trouble(error.failure_type, f"while the test was cleaned up: {error.tried}")


def _upright(ctx: Context) -> None:
    ctx.backend.set_orientation("portrait")


def _stop(ctx: Context) -> None:
    ctx.watch.stopped(ctx.watch.app)
    ctx.backend.stop(ctx.watch.app)
