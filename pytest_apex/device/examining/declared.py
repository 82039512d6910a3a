"""What the manual of the app under test says of the screen at a failure."""

from __future__ import annotations

from pytest_apex.device.context import Context
from pytest_apex.device.looking.known import today
from pytest_apex.manual import lookup
from pytest_apex.model.manual import ExpectedBehaviour
from pytest_apex.model.snapshot import Snapshot


def environment(ctx: Context, look: Snapshot | None) -> str:
    """The screen that the manual lists as trouble around the app, with its reason and place; "" if this is none."""
    shown = ctx.known.under_test(look) if look is not None else None
    found = lookup.environment_in(shown.manual, look) if shown is not None and look is not None else None
    if found is None:
        return ""
    return f"{found.name}{f': {found.reason}' if found.reason else ''} ({found.where})"


def interruption(ctx: Context, look: Snapshot | None) -> str:
    """The interruption that the manual lists and that is on this screen, and what was done about it; "" for none."""
    shown = ctx.known.under_test(look) if look is not None else None
    found = lookup.interruption_in(shown.manual, look) if shown is not None and look is not None else None
    if found is None:
        return ""
    times = ctx.known.handled[found.name]
    tried = f"closed {times} time{'' if times == 1 else 's'}, and is back" if times else "not closed"
    return f"{found.name}{f': {found.reason}' if found.reason else ''} ({found.where}): {tried}"


def expected(ctx: Context, look: Snapshot | None, kind: str) -> tuple[str, ...]:
    """Known behaviour on this screen that a failure of this kind may be about, a line each; what counts no longer or
    not in this version says so."""
    shown = ctx.known.under_test(look) if look is not None else None
    if shown is None or look is None:
        return ()
    version = look.app.version if look.app.id == shown.app else ""
    known = lookup.expected_for(shown.manual, look, today=today(), version=version)
    lines = [_told(entry) for entry in known.counts if _is_about(entry, kind)]
    lines += [f"{_told(entry)}: counts no more, {why}" for entry, why in known.not_counting if _is_about(entry, kind)]
    return tuple(lines)


def _is_about(entry: ExpectedBehaviour, kind: str) -> bool:
    return not entry.kind or f"{kind}.".startswith(f"{entry.kind}.")


def _told(entry: ExpectedBehaviour) -> str:
    limits = [f"versions {entry.versions}"] if entry.versions else []
    limits += [f"until {entry.until}"] if entry.until is not None else []
    more = "; ".join((*([entry.reason] if entry.reason else []), *limits, str(entry.where)))
    return f"{entry.name}: {entry.what} ({more})"
