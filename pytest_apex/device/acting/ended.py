"""What the system tells of the end of the app under test, beyond its process: then nobody has to wait on."""

from __future__ import annotations

from pytest_apex.device.context import Context
from pytest_apex.errors import DeviceProblem
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.dialogs import error_dialog, names_app
from pytest_apex.verify.pictures import is_blind


def since(ctx: Context) -> float:
    """From when on a record tells of this failure: the last act began, or the app was last seen well, if that was
    before."""
    started = ctx.last_act.step.started if ctx.last_act is not None else ctx.watch.began
    return min(started, ctx.eyes.good.taken_at) if ctx.eyes.good is not None else started


def told_of(ctx: Context, snapshot: Snapshot) -> str:
    """`crashed` or `stopped answering`, if a dialog of the system says so of the app, or, where nothing of its tree
    can be had, a record of a freeze since the last act or good look; else ""."""
    app = ctx.watch.app
    dialog = error_dialog(snapshot)
    if dialog is not None:
        named = names_app(dialog, app, ctx.app_label)
        return ("stopped answering" if dialog.kind == "anr" else "crashed") if named else ""
    return "stopped answering" if app and is_blind(snapshot) and _froze(ctx, app) else ""


def _froze(ctx: Context, app: str) -> bool:
    if "records" not in ctx.backend.capabilities or ctx.last_act is None:
        return False
    try:
        found = ctx.backend.records(app, since(ctx))
    except DeviceProblem:
        return False
    return any(record.way == "anr" and record.pid in (0, ctx.watch.pid) for record in found)
