"""Windows that get in the way and are dealt with by policy: permission dialogs, error dialogs of other apps, and what
the app's manual declares."""

from __future__ import annotations

from pytest_apex.device.acting import act, declared_interruptions
from pytest_apex.device.context import Context
from pytest_apex.hierarchy import hit
from pytest_apex.model.action import Tap
from pytest_apex.model.look import Hit
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot, Window
from pytest_apex.verify.dialogs import ErrorDialog, error_dialog, names_app, permission_alert, permission_dialog

_ANSWERS = {"allow": "permission_allow", "deny": "permission_deny"}


def clear(ctx: Context, snapshot: Snapshot) -> str:
    """Close what policy allows to close; returns what was done, in words, or ""."""
    asks = permission_dialog(snapshot)
    if asks is not None:
        answer = _ANSWERS.get(ctx.settings.app.permissions, "")
        return _press(ctx, snapshot, asks, (answer,), f"permission: {ctx.settings.app.permissions}") if answer else ""
    alert = permission_alert(snapshot, ctx.app_label)
    if alert is not None:
        policy = ctx.settings.app.permissions
        button = {"allow": alert.allow, "deny": alert.deny}.get(policy)
        return _tap(ctx, snapshot, button, f"permission: {policy}") if button is not None else ""
    dialog = error_dialog(snapshot)
    if dialog is None or names_app(dialog, ctx.watch.app, ctx.app_label):
        return declared_interruptions.clear(ctx, snapshot)
    done = _dismiss(ctx, snapshot, dialog)
    if done:
        ctx.watch.trouble("other_app", f"{dialog.title} was dismissed", recovered=True)
    return done


def clear_left(ctx: Context, snapshot: Snapshot) -> bool:
    """Close a crash or freeze dialog that was there before an app is started: what it tells of is over. That of the app
    under test goes with its process, which the start ends. Returns whether one was closed."""
    dialog = error_dialog(snapshot)
    own = dialog is not None and ctx.watch.pid and names_app(dialog, ctx.watch.app, ctx.app_label)
    if dialog is None or own or not _dismiss(ctx, snapshot, dialog):
        return False
    ctx.notes.append(f"harness.other_app: {dialog.title} was left from before, and dismissed")
    return True


def _dismiss(ctx: Context, snapshot: Snapshot, dialog: ErrorDialog) -> str:
    return _press(ctx, snapshot, dialog.window, ("aerr_close", "aerr_wait"), f"dismiss {dialog.title!r}")


def _press(ctx: Context, snapshot: Snapshot, window: Window, ids: tuple[str, ...], named: str) -> str:
    """Tap the first reachable button of `window` whose id holds one of `ids`."""
    for part in ids:
        for node in snapshot.nodes:
            if node.window.index == window.index and part in node.identifier:
                done = _tap(ctx, snapshot, node, named)
                if done:
                    return done
    return ""


def _tap(ctx: Context, snapshot: Snapshot, node: Node, named: str) -> str:
    """Tap one button; what was done, or "" where it can't be reached. A window that comes back each time that it is
    closed stays in the end: it is told as what is in the way."""
    words = [item.text for item in snapshot.nodes if item.window.index == node.window.index and item.text]
    same = " ".join((named, *words))
    if ctx.known.handled[same] >= declared_interruptions.MOST:
        return ""
    ctx.known.handled[same] += 1
    reached = hit.find_hit(snapshot, node)
    if not isinstance(reached, Hit):
        return ""
    before = ctx.last_act
    act.gesture(ctx, Tap(reached.point), reached.area, named=named)
    # It was not the test's doing: what the test did last stays that.
    ctx.last_act = before
    return f"{named} ({node.name!r})"
