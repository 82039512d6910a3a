"""The time of a log, which has no year: seconds from 1 January in a calendar with a 29 February."""

from __future__ import annotations

import re

_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
YEAR_S = sum(_DAYS) * 86400.0

_TIME = re.compile(r"(?:\d{4}-)?(\d\d)-(\d\d)[ T](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,9}))?")


def log_seconds(month: int, day: int, hour: int = 0, minute: int = 0, second: float = 0.0) -> float | None:
    """Seconds from 1 January, 00:00; None for a date that does not exist.

    `log_seconds(1, 2) == 86400.0`. The day after 28 February is 29 February in every year, so two times of one log
    may lie a day too far apart across the end of February, never in the wrong order.
    """
    if not (1 <= month <= 12 and 1 <= day <= _DAYS[month - 1] and hour < 24 and minute < 60 and second < 61):
        return None
    return (sum(_DAYS[: month - 1]) + day - 1) * 86400.0 + hour * 3600 + minute * 60 + second


def read_time(text: str) -> float | None:
    """The first `[YYYY-]MM-DD HH:MM:SS[.fraction]` in `text`, as `log_seconds`; a time zone is not applied."""
    found = _TIME.search(text)
    if found is None:
        return None
    month, day, hour, minute, second = (int(part) for part in found.groups()[:5])
    return log_seconds(month, day, hour, minute, second + float(f"0.{found[6] or 0}"))
