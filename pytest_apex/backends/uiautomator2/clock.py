"""The phone's clock: this machine's steps, on the time of day that the phone's logs are written in."""

from __future__ import annotations

from pytest_apex.clock import RealClock
from pytest_apex.records import log_seconds, read_time

#: What asks the phone for its local time of day: logs have no other.
ASK_TIME = "date '+%m-%d %H:%M:%S.%N'"


class PhoneClock(RealClock):
    """Seconds since the phone was connected. Its own time of day was read between `before` and `after`, which bounds
    the error of `to_log` by half of what that took."""

    def __init__(self) -> None:
        self._started = super().now()
        self._zero = 0.0
        #: By how much `to_log` may be wrong, in seconds.
        self.error_s = 0.0

    def now(self) -> float:
        return super().now() - self._started

    def set_by(self, told: str, before: float, after: float) -> bool:
        """Take in what `ASK_TIME` printed between two moments of this clock; False if it is no time."""
        # An old toybox has no %N and prints it as it stands.
        at = read_time(told.replace(".%N", "").replace(".N", ""))
        if at is None:
            return False
        self._zero = at - (before + after) / 2
        self.error_s = (after - before) / 2
        return True

    def to_log(self, at: float) -> float:
        """A time of this clock on the scale of `records.log_seconds`."""
        return self._zero + at

    def from_log(self, at: float) -> float:
        return at - self._zero

    def stamp(self, at: float) -> str:
        """A time of this clock as logs write it: `MM-DD HH:MM:SS.mmm`."""
        return log_stamp(self.to_log(at))


def log_stamp(seconds: float) -> str:
    """What `records.log_seconds` made its number of; within one year."""
    thousandths = max(round(seconds * 1000), 0)
    days, rest = divmod(thousandths, 86_400_000)
    months = [(log_seconds(month, 1) or 0.0) / 86400 for month in range(1, 13)]
    month = max(number for number, first in enumerate(months, 1) if first <= days)
    hours, rest = divmod(rest, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    day = int(days - months[month - 1]) + 1
    return f"{month:02d}-{day:02d} {hours:02d}:{minutes:02d}:{rest // 1000:02d}.{rest % 1000:03d}"
