"""Several apps on one screen, each of which takes touches once it was activated (`activationBundleId`)."""

from __future__ import annotations

from pytest_apex.backends.abilities import SharesScreen
from pytest_apex.device.context import Context
from pytest_apex.errors import ActionRefused
from pytest_apex.hierarchy.at_point import window_at
from pytest_apex.model.geometry import Point
from pytest_apex.model.look import Hit
from pytest_apex.model.snapshot import Snapshot


def activated(ctx: Context, look: Snapshot, hit: Hit | None, at: Point) -> str:
    """Activate the app that a touch is for, where it is another one than was activated last; what was done, in words,
    or "". The screen may be another one then."""
    app = _app_of(look, hit, at)
    if not app or app not in _inactive(ctx):
        return ""
    ctx.recorder.event("activated", app=app)
    ctx.backend.activate(app)
    ctx.settled = None
    return f"{app} was activated for it"


def need_active(ctx: Context, look: Snapshot, hit: Hit | None, at: Point) -> None:
    """Raise `ActionRefused` where the touch would go to another app after all, now that one was activated."""
    app = _app_of(look, hit, at)
    if app and app in _inactive(ctx):
        raise ActionRefused(
            f"can't touch {at}: {app} is there since another app was activated for the touch",
            seen=f"in front is {look.app.id}",
            likely="the apps on the screen changed places",
            cure="it was not sent; look again",
        )


def _inactive(ctx: Context) -> frozenset[str]:
    return frozenset(ctx.backend.inactive_apps()) if isinstance(ctx.backend, SharesScreen) else frozenset()


def _app_of(look: Snapshot, hit: Hit | None, at: Point) -> str:
    window = hit.node.window if hit is not None else window_at(look, at)
    return window.app if window is not None else ""
