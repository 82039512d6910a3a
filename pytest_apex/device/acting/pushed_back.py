"""An app under test that another app came in front of, unasked: brought back once, then left alone."""

from __future__ import annotations

from pytest_apex.device.acting import launching
from pytest_apex.device.context import Context
from pytest_apex.errors import ApexError, AppDied
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.windows import dialog_of, foreground, is_home

#: Acts that lead to another app by themselves.
_LEAVING = frozenset({"press", "activate", "open_url", "background", "stop", "open_notifications"})


def bring_back(ctx: Context, snapshot: Snapshot) -> bool:
    """Bring the app under test to the front again, once a test, where another one came in between since the last act.

    Not where the test went there, or the app itself: then the other app was in front at the end of the last act, or it
    is the home screen. Returns whether it was brought back, which is on record. Raises `AppDied`.
    """
    app, front = ctx.watch.app, snapshot.app.id
    if not _came_in_between(ctx, app, snapshot) or "app_control" not in ctx.backend.capabilities:
        return False
    if ctx.known.handled[_key(app)]:
        return False
    ctx.known.handled[_key(app)] += 1
    ctx.recorder.event("brought back", app=app, before=front)
    ctx.settled = None
    try:
        launching.bring(ctx, app)
    except AppDied:
        raise
    except ApexError:
        return False
    ctx.notes.append(f"harness.other_app: {front} came in front of {app}, which was brought back once")
    return True


def _key(app: str) -> str:
    return f"bring back {app}"


def _came_in_between(ctx: Context, app: str, snapshot: Snapshot) -> bool:
    front, last = snapshot.app.id, ctx.last_act
    if not app or not ctx.watch.pid or front in ("", app) or is_home(front, snapshot) or last is None:
        return False
    window = foreground(snapshot)
    if window is None or window.app != front or window.kind != "application" or dialog_of(snapshot, front) is not None:
        return False
    after = last.step.after
    stayed = after is not None and after.app.id == app and last.step.verb not in _LEAVING
    opened = any(event.by_test and event.what == "launched" and event.app == front for event in ctx.watch.processes)
    return stayed and not opened
