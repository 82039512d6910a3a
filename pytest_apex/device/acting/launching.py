"""Starting an app and bringing it to the front: until its own window shows something."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_apex.backends.abilities import KnowsPermissions
from pytest_apex.device import arguments
from pytest_apex.device.acting import act, interruptions
from pytest_apex.device.context import Context
from pytest_apex.device.looking.settle import GRACE_S, LOOK_EVERY_S, settle, shows_little
from pytest_apex.errors import ApexError, AppDied, CheckFailed, ScreenUnsettled
from pytest_apex.model.action import Receipt
from pytest_apex.model.case import Failure
from pytest_apex.model.look import Settled, Unsettled
from pytest_apex.model.snapshot import Snapshot, Window
from pytest_apex.model.step import Step
from pytest_apex.verify.dialogs import has_apple_alert

INHERITED = "$(inherited)"

#: A window of the system that takes less of the screen than this is a bar.
_ASKS_SHARE = 0.1


def launch(ctx: Context, app: str, args: Sequence[str] | None = None, env: Mapping[str, str] | None = None) -> Step:
    """Stop `app`, start it, wait until it is up. `$(inherited)` stands for the configured arguments or
    environment."""
    all_args, all_env = _arguments(ctx, args), _environment(ctx, env)

    def start() -> int:
        ctx.backend.stop(app)
        _set_permissions(ctx, app)
        make_way(ctx, app)
        return ctx.backend.launch(app, all_args, all_env)

    def do() -> Receipt:
        clock = ctx.backend.clock
        started = clock.now()
        ctx.watch.stopped(app)
        ctx.watch.launched(app, ctx.eyes.through(start))
        wait_up(ctx, app)
        return Receipt(started, clock.now(), f"launch {app}")

    before = act.settle_before(ctx)
    if interruptions.clear_left(ctx, before.snapshot):
        before = act.settle_before(ctx)
    return act.send(ctx, "launch", do, named=f"launch {app}", before=before)


def _set_permissions(ctx: Context, app: str) -> None:
    """Before launch, where the platform can: all at once, then those that the test names."""
    wanted = ctx.settings.app
    if "permissions" not in ctx.backend.capabilities:
        return
    answers = {"*": wanted.permissions, **wanted.permission_of}
    for permission, answer in answers.items():
        if answer in ("allow", "deny"):
            _remember_permissions(ctx, app)
            ctx.backend.set_permission(app, permission, answer == "allow")


def _remember_permissions(ctx: Context, app: str) -> None:
    """They are as before once the test is over, where the device can tell them."""
    backend, name = ctx.backend, f"permissions of {app}"
    if isinstance(backend, KnowsPermissions) and name not in ctx.undo:
        before = backend.permissions(app)
        ctx.undo[name] = lambda: backend.restore_permissions(app, before)


def make_way(ctx: Context, app: str) -> None:
    """The test brings `app` to the front: another one that is under test goes to the background."""
    if app != ctx.watch.app:
        ctx.watch.sent_away()


def activate(ctx: Context, app: str) -> Step:
    """Bring `app` to the front, starting it if it does not run."""

    def do() -> Receipt:
        started = ctx.backend.clock.now()
        bring(ctx, app)
        return Receipt(started, ctx.backend.clock.now(), f"activate {app}")

    return act.send(ctx, "activate", do, named=f"activate {app}")


def bring(ctx: Context, app: str) -> None:
    """To the front, and up. What became of the app under test while it was away is known before it comes back."""
    make_way(ctx, app)
    check_alive(ctx, "while it was in the background")
    was = ctx.backend.app_state(app).pid
    ctx.backend.activate(app)
    pid = ctx.backend.app_state(app).pid
    if pid != was:
        ctx.watch.launched(app, pid)
    elif app == ctx.watch.app:
        ctx.watch.came_back()
    wait_up(ctx, app)


def check_alive(ctx: Context, when: str) -> None:
    """Raise `AppDied` if the app under test died, and not by the test's own doing."""
    died = ctx.watch.died()
    if died is not None:
        raise AppDied(
            f"{ctx.watch.app} died {when}",
            seen=f"the app is {died.state.replace('_', ' ')}",
            likely="it crashed or ended itself",
            cure="see the log of this step",
        )


def wait_up(ctx: Context, app: str) -> Settled:
    """Wait until the app's own window shows something that is not a splash, and the screen is at rest."""
    clock, limit = ctx.backend.clock, ctx.settings.timeouts.launch
    started = clock.now()
    shown_since: float | None = None
    while True:
        snapshot = ctx.eyes.look()
        shown_since = (shown_since or clock.now()) if shows_words(snapshot, app) else None
        if is_up(snapshot, app) or (shown_since is not None and clock.now() - shown_since >= GRACE_S):
            resting = settle(ctx.eyes.look, clock, ctx.resting(wait_for_loading=False))
            if isinstance(resting, Settled) or clock.now() - started >= limit:
                return resting if isinstance(resting, Settled) else Settled(resting.snapshot, 0.0, 1, by="launch limit")
        died = ctx.watch.died()
        if died is not None:
            raise AppDied(
                f"{app} died while it was launched",
                seen=f"the app is {died.state.replace('_', ' ')}",
                likely="it crashes at start",
                cure="see the log of this step",
            )
        if clock.now() - started >= limit:
            raise _not_up(ctx, app, snapshot, clock.now() - started)
        clock.sleep(LOOK_EVERY_S)


def is_up(snapshot: Snapshot, app: str) -> bool:
    """A window of the app (or a dialog over it) shows something, and nothing covers it that says it still loads."""
    has_window = any(window.app == app and window.kind in ("application", "dialog") for window in snapshot.windows)
    asked = has_apple_alert(snapshot) or any(_asks(window, app, snapshot) for window in snapshot.windows)
    return asked or (has_window and not shows_little(snapshot))


def _asks(window: Window, app: str, snapshot: Snapshot) -> bool:
    """A dialog of the system, or of another app, is to be answered before the app is seen. A navigation bar is none."""
    of_others = window.kind == "system" or (window.kind == "dialog" and window.app != app)
    return of_others and window.bounds.area >= _ASKS_SHARE * snapshot.screen.bounds.area


def shows_words(snapshot: Snapshot, app: str) -> bool:
    """Whether a window of the app shows at least one text: with little else, a small first screen or a splash."""
    return any(node.visible and node.text and node.window.app == app for node in snapshot.nodes)


def _not_up(ctx: Context, app: str, snapshot: Snapshot, waited: float) -> ApexError:
    """A screen that still moves, or one at rest that shows nothing: the first is no defect, the second is."""
    limit = ctx.limit("launch")
    told: dict[str, str] = {
        "seen": f"{snapshot}; in front: {snapshot.app.id or 'nothing'}",
        "likely": "the app is slow to start, or shows a blank first screen",
        "cure": "raise --apex-launch-timeout, or look at the picture of this step",
    }
    tried = f"{app} was launched, but its window showed nothing within {waited:.1f} s (limit {limit})"
    resting = settle(ctx.eyes.look, ctx.backend.clock, ctx.resting(wait_for_loading=True))
    if isinstance(resting, Unsettled):
        error = ScreenUnsettled(tried, **told)
        error.unsettled = resting
        return error
    failed = CheckFailed(tried, **told)
    failed.failure = Failure("check", str(failed), kind="functional.stuck_loading", waited_s=waited, timeout_name=limit)
    return failed


def _arguments(ctx: Context, args: Sequence[str] | None) -> tuple[str, ...]:
    configured = ctx.settings.app.args
    if args is None:
        return configured
    args = arguments.texts(args, "launch(args=…)")
    out: list[str] = []
    for item in args:
        out.extend(configured if item == INHERITED else (item,))
    return tuple(out)


def _environment(ctx: Context, env: Mapping[str, str] | None) -> dict[str, str]:
    configured = dict(ctx.settings.app.env)
    if env is None:
        return configured
    env = arguments.pairs(env, "launch(env=…)")
    out: dict[str, str] = {}
    for key, value in env.items():
        out.update(configured if key == INHERITED else {key: value})
    return out
