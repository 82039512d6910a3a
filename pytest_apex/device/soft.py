"""Soft checks that failed, raised together."""

from __future__ import annotations

from collections.abc import Sequence

from pytest_apex.errors import CheckFailed


def raise_together(failures: Sequence[CheckFailed]) -> None:
    """Raise the failures as one, if there are any; a single one as it is."""
    if not failures:
        return
    if len(failures) == 1:
        raise failures[0]
    listed = "\n".join(f"{number}. {error.tried}{_where(error)}" for number, error in enumerate(failures, 1))
    seen = "\n".join(f"{number}. {_shortly(error.seen)}" for number, error in enumerate(failures, 1) if error.seen)
    together = CheckFailed(f"{len(failures)} soft checks failed\n{listed}", seen=seen)
    together.failure = failures[0].failure
    together.unsettled = failures[0].unsettled
    raise together


def _shortly(seen: str) -> str:
    """The first lines of what was seen."""
    lines = seen.splitlines()
    return "\n   ".join([*lines[:3], *(["…"] if len(lines) > 3 else [])])


def _where(error: CheckFailed) -> str:
    return f" at {error.failure.source}" if error.failure is not None and error.failure.source else ""
