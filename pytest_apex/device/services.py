"""What a device has besides its screen: links, clipboard, shell, notifications, network, files, recordings.

What shows on the screen is a step like any other; the rest stands in the journal as an event.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pytest_apex.backends.abilities import (
    HasClipboard,
    HasNotifications,
    HasShell,
    MovesFiles,
    OpensUrls,
    RecordsScreen,
    ShellOutput,
    SwitchesNetwork,
    Wakes,
)
from pytest_apex.device import arguments
from pytest_apex.device.acting import act, launching
from pytest_apex.device.acting.act import NO_WORDS, Words
from pytest_apex.device.context import Context
from pytest_apex.device.doors import door
from pytest_apex.errors import ApexError, ConfigError
from pytest_apex.model.action import Receipt
from pytest_apex.model.step import Step


def _send(ctx: Context, verb: str, named: str, do: Callable[[], None], words: Words = NO_WORDS) -> Step:
    def timed() -> Receipt:
        started = ctx.backend.clock.now()
        do()
        return Receipt(started, ctx.backend.clock.now(), named)

    return act.send(ctx, verb, timed, named=named, words=words)


def open_url(ctx: Context, url: str, app: str = "", *, words: Words = NO_WORDS) -> Step:
    """Open a deep link; the app under test may be started by it, or sent to the background by another app's."""
    arguments.text(url, "open_url()", empty=False)
    opener = door(ctx, OpensUrls, "open_url", "open a URL")
    arguments.text(app, "open_url(app=…)")

    def do() -> None:
        own = ctx.watch.app
        launching.check_alive(ctx, "before the URL was opened")
        opener.open_url(url, app)
        if not own:
            return
        started = ctx.backend.app_state(own).pid
        if started and not ctx.watch.pid:
            ctx.watch.launched(own, started)
        if ctx.backend.app_in_front() == own:
            launching.wait_up(ctx, own)
        else:
            ctx.watch.sent_away()

    return _send(ctx, "open_url", f"open {url}" + (f" in {app}" if app else ""), do, words)


# Clipboard and shell


def clipboard(ctx: Context) -> str:
    """Text on the clipboard."""
    text = door(ctx, HasClipboard, "clipboard", "tell its clipboard").clipboard()
    ctx.read_since_act = True
    ctx.recorder.event("clipboard", text=text)
    return text


def set_clipboard(ctx: Context, text: str) -> None:
    """Put text on it."""
    arguments.text(text, "device.clipboard")
    holder = door(ctx, HasClipboard, "clipboard", "put text on its clipboard")
    ctx.recorder.event("set_clipboard", text=text)
    holder.set_clipboard(text)
    ctx.settled = None


def shell(ctx: Context, command: str, timeout: float = 30.0) -> ShellOutput:
    """Run a command on the device. What it does to the app under test is the test's own doing."""
    arguments.text(command, "shell()", empty=False)
    arguments.seconds(timeout, "shell(timeout=…)", least=0.001)
    runner = door(ctx, HasShell, "shell", "run shell commands")
    launching.check_alive(ctx, "before the shell command")
    ctx.recorder.event("shell", command=command)
    output = runner.shell(command, timeout)
    ctx.recorder.event("shell_done", command=command, output=output.text, exit_code=output.exit_code)
    ctx.read_since_act, ctx.settled = True, None
    _follow(ctx)
    return output


def _follow(ctx: Context) -> None:
    """The app may have another process now, or none."""
    app, before = ctx.watch.app, ctx.watch.pid
    now = ctx.backend.app_state(app).pid if app else 0
    if now != before:
        if before:
            ctx.watch.stopped(app)
        if now:
            ctx.watch.launched(app, now)


# The system


def open_notifications(ctx: Context, *, words: Words = NO_WORDS) -> Step:
    """Pull the notification shade down."""
    puller = door(ctx, HasNotifications, "notifications", "open its notifications")
    return _send(ctx, "open_notifications", "open the notifications", puller.open_notifications, words)


def network(ctx: Context) -> bool:
    """Whether the device may use any network."""
    ctx.read_since_act = True
    return door(ctx, SwitchesNetwork, "network", "tell its network").network()


def set_network(ctx: Context, on: bool) -> Step:
    """All networks on or off; as before once the test is over."""
    arguments.flag(on, "device.network")
    switch = door(ctx, SwitchesNetwork, "network", "switch its network")
    before = switch.network()
    ctx.undo.setdefault("network", lambda: switch.set_network(before))

    def do() -> None:
        ctx.eyes.through(lambda: switch.set_network(on))

    return _send(ctx, "network", f"switch the network {'on' if on else 'off'}", do)


@contextmanager
def offline(ctx: Context) -> Iterator[None]:
    """Without a network inside the `with`, as before after it."""
    before = network(ctx)
    set_network(ctx, False)
    try:
        yield
    except BaseException:
        # The test has failed already: what it saw is kept as it is, and the end of the test restores.
        raise
    else:
        set_network(ctx, before)


def wake(ctx: Context) -> Step:
    """Turn the screen on."""
    return _send(ctx, "wake", "wake the screen", door(ctx, Wakes, "wake", "be woken").wake)


def sleep(ctx: Context) -> Step:
    """Turn the screen off; on again once the test is over."""
    sleeper = door(ctx, Wakes, "wake", "be sent to sleep")
    ctx.undo.setdefault("screen", sleeper.wake)
    return _send(ctx, "sleep", "turn the screen off", sleeper.sleep)


# Files and recordings


def push(ctx: Context, source: str | os.PathLike[str], target: str) -> None:
    """Copy a file of this machine to a path of the device."""
    path = Path(arguments.path(source, "push()"))
    arguments.text(target, "push()", empty=False)
    mover = door(ctx, MovesFiles, "files", "take files")
    if not path.is_file():
        raise ConfigError(f"can't push {path}", seen="there is no such file", cure="give the path of a file")
    ctx.recorder.event("push", source=str(path), target=target)
    ctx.eyes.through(lambda: mover.push(path, target))


def pull(ctx: Context, source: str, target: str | os.PathLike[str]) -> Path:
    """Copy a file of the device to this machine; a folder gets it under its own name."""
    arguments.text(source, "pull()", empty=False)
    path = Path(arguments.path(target, "pull()"))
    mover = door(ctx, MovesFiles, "files", "give files")
    if path.is_dir():
        path = path / source.rstrip("/").rpartition("/")[2]
    if not path.parent.is_dir():
        raise ConfigError(f"can't pull to {path}", seen=f"there is no folder {path.parent}")
    ctx.recorder.event("pull", source=source, target=str(path))
    ctx.eyes.through(lambda: mover.pull(source, path))
    ctx.read_since_act = True
    return path


@contextmanager
def recording(ctx: Context, name: str) -> Iterator[None]:
    """Record the screen inside the `with`; the film is attached to the report, also of a test that fails there."""
    arguments.text(name, "record()", empty=False)
    camera = door(ctx, RecordsScreen, "screen_recording", "record its screen")
    camera.start_recording()
    ctx.recorder.event("recording", caption=name)
    try:
        yield
    finally:
        try:
            ctx.recorder.attach_film(name, camera.stop_recording())
        except ApexError as error:
            # A film less: the test goes on as it would have without one.
            ctx.watch.trouble(error.failure_type, f"the recording {name!r} was lost: {error.tried}")
