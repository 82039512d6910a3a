"""Whether an act had any effect: tree, pixels outside of what lives by itself, focus, log, process."""

from __future__ import annotations

from pytest_apex.device.context import Context
from pytest_apex.device.living import changed_boxes, is_clock_text, outside
from pytest_apex.model.change import Change
from pytest_apex.model.snapshot import Snapshot


def log_mark(ctx: Context) -> int:
    """Where the device's log ends now; 0 where it has none."""
    if "log" not in ctx.backend.capabilities:
        return 0
    return ctx.backend.log(-1).cursor


def effect_of(ctx: Context, change: Change, before: Snapshot, after: Snapshot, mark: int) -> str:
    """`changed` or `none`. What says nothing of the act (a ticking clock, the caret) does not count."""
    altered = [item for item in change.altered if not (item.field == "text" and is_clock_text(item.after))]
    if change.appeared or change.vanished or change.moved or change.scrolled or altered or change.navigated:
        return "changed"
    if outside(changed_boxes(before, after), ctx.living.boxes):
        return "changed"
    if ctx.watch.died() is not None:
        return "changed"
    return "changed" if _app_logged(ctx, mark) else "none"


def _app_logged(ctx: Context, mark: int) -> bool:
    if "log" not in ctx.backend.capabilities or not ctx.watch.pid:
        return False
    pid = f" {ctx.watch.pid} "
    return any(pid in line for line in ctx.backend.log(mark).text.splitlines())
