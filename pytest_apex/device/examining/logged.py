"""The log of the app under test around a failure, kept as evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pytest_apex.device.context import Context
from pytest_apex.errors import DeviceProblem

#: The last lines are kept: those before a failure tell the most.
KEPT = 2000
#: The fact of a device that says where the standard output of its apps goes; without it, to its log.
PRINTED = "standard output"


def keep_log(ctx: Context) -> None:
    """Attach what the app logged since the failing act began, and what the system logged of it. A device that can't
    tell any more leaves nothing."""
    app = ctx.watch.app
    if not app or "log" not in ctx.backend.capabilities:
        return
    try:
        text = ctx.backend.log(ctx.log_from).text
    except DeviceProblem:
        return
    pids = {ctx.watch.pid, *(event.pid for event in ctx.watch.processes if event.app == app)} - {0}
    lines = lines_of(text, app, pids)
    printed = ctx.info.facts.get(PRINTED, "")
    if printed:
        lines = [f"{PRINTED}: {printed}", *lines]
    if lines:
        ctx.recorder.attach(f"log of {app} since the last act", "".join(f"{line}\n" for line in lines), kind="log")


def lines_of(text: str, app: str, pids: Iterable[int]) -> list[str]:
    """The lines that name the app, or one of its processes by its number, at most the last `KEPT`; with the lines
    after them that have no time of their own, as a stack has."""
    marks = [rf"(?<![\w.]){re.escape(app)}(?!\w|\.\w)", *(rf"(?<!\d){pid}(?!\d)" for pid in pids)]
    of_app = re.compile("|".join(marks))
    found, taken = [], False
    for line in text.splitlines():
        if line[:1].isdigit() or not taken:
            taken = bool(of_app.search(line))
        if taken:
            found.append(line)
    return found[-KEPT:]
