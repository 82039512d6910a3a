"""What the phone writes down: lines of a log, and why processes ended. The formats are those of the platforms
(`android_log`, `apple_log`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

#: The moment the phone's clock stands at 0.
EPOCH = datetime(2026, 3, 2, 9, 41, tzinfo=timezone.utc)
#: Process id of the system's own process, which writes about all others.
SYSTEM_PID = 1523
#: Lines that are kept, as in a ring buffer.
_KEPT = 20_000


def moment(at: float) -> datetime:
    """A time of the phone's clock as a date (UTC)."""
    return EPOCH + timedelta(seconds=at)


@dataclass(frozen=True, slots=True)
class Who:
    """The process that a line is about."""

    app: str
    name: str
    activity: str
    pid: int
    uid: int


class Log(ABC):
    """Lines with a running number, so that a reader can go on where it stopped. Times are seconds of the phone."""

    def __init__(self) -> None:
        self._lines: deque[tuple[float, str]] = deque(maxlen=_KEPT)
        self._count = 0

    @property
    def count(self) -> int:
        """Lines written so far."""
        return self._count

    def add(self, at: float, line: str) -> None:
        self._lines.append((at, line))
        self._count += 1

    def from_line(self, number: int) -> str:
        """All lines from a running number on."""
        skip = max(0, number - (self._count - len(self._lines)))
        return "".join(f"{line}\n" for index, (_, line) in enumerate(self._lines) if index >= skip)

    def from_time(self, at: float) -> str:
        return "".join(f"{line}\n" for when, line in self._lines if when >= at)

    @abstractmethod
    def write(self, at: float, who: Who, level: str, tag: str, text: str) -> None:
        """A line of an app."""

    @abstractmethod
    def started(self, at: float, who: Who) -> None:
        """A process was started."""

    @abstractmethod
    def shown(self, at: float, who: Who, took_ms: float) -> None:
        """The first window of a process is there."""

    @abstractmethod
    def died(self, at: float, who: Who) -> None:
        """A process is gone."""

    @abstractmethod
    def stopped(self, at: float, who: Who) -> None:
        """Someone outside stopped an app."""

    @abstractmethod
    def crashed(self, at: float, who: Who, exception: str, message: str, screen: str) -> None:
        """An exception on the main thread that nobody caught."""

    @abstractmethod
    def froze(self, at: float, who: Who) -> None:
        """An app did not answer to input for five seconds."""

    @abstractmethod
    def killed_frozen(self, at: float, who: Who) -> None:
        """An app that did not answer was ended: by the user, or by the watchdog of the system."""

    @abstractmethod
    def signalled(self, at: float, who: Who) -> None:
        """A process died of SIGSEGV."""

    @abstractmethod
    def reclaimed(self, at: float, who: Who, adj: int) -> None:
        """The system killed a process for its memory; `adj` is 0 in front, higher the less it was needed."""

    @abstractmethod
    def exited(self, at: float, who: Who, status: int) -> None:
        """A process ended itself."""

    @abstractmethod
    def exit_info(self, app: str) -> str:
        """The platform's own record of why the app's processes ended; empty where it keeps none."""

    @abstractmethod
    def crash_texts(self, app: str, since: float) -> list[str]:
        """All that tells of ends of the app's processes since a time."""
