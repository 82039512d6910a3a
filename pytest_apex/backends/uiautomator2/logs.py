"""The phone's log, and its records of crashes, freezes and exits; over adb, so that they are to be had while the server
is dead."""

from __future__ import annotations

import re
import shlex
from collections import deque
from collections.abc import Sequence
from dataclasses import replace

from pytest_apex.backends.base import LogLines
from pytest_apex.backends.uiautomator2.clock import PhoneClock
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.model.case import CrashRecord

#: Without `events`, nothing tells of a freeze or of who was killed.
_BUFFERS = "-b main,system,crash,events"
_KEPT = 20_000
#: What is lost where times are cut to milliseconds, here and on the phone, and where clocks drift.
_ROUNDED_S = 0.005
_STAMP = re.compile(r"\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}")
#: `dumpsys activity exit-info` is there from this API on; before, the drop box keeps what crashed.
_EXIT_INFO_SDK = 30
_DROPBOX = ("data_app_crash", "data_app_anr", "data_app_native_crash")


class PhoneLog:
    """Lines since the phone was connected, with a running number."""

    def __init__(self, phone: Handset, clock: PhoneClock, sdk: int) -> None:
        self._phone = phone
        self._clock = clock
        self._sdk = sdk
        self._lines: deque[str] = deque(maxlen=_KEPT)
        self._count = 0
        self._last = clock.stamp(clock.now())
        self._at_last: list[str] = []

    def read(self, since: int) -> LogLines:
        self._fetch()
        if since < 0:
            return LogLines("", self._count)
        skip = max(0, since - (self._count - len(self._lines)))
        return LogLines("".join(f"{line}\n" for at, line in enumerate(self._lines) if at >= skip), self._count)

    def restart(self) -> None:
        """The phone has started anew: its log begins again."""
        self._last, self._at_last = self._clock.stamp(self._clock.now() - 60), []

    def _fetch(self) -> None:
        told = self._phone.run(f"logcat -d {_BUFFERS} -v threadtime -T '{self._last}'").text
        for line in new_lines(told, self._last, self._at_last):
            self._lines.append(line)
            self._count += 1
            stamp = _STAMP.match(line)
            if stamp is not None and stamp[0] >= self._last:
                if stamp[0] != self._last:
                    self._last, self._at_last = stamp[0], []
                self._at_last.append(line)

    def records(self, app: str, since: float) -> Sequence[CrashRecord]:
        """What the phone wrote down of ends and freezes of `app` since a time of its clock."""
        from pytest_apex.records import read_crash_evidence

        begins = since - self._clock.error_s - _ROUNDED_S
        stamp = self._clock.stamp(begins)
        commands = [f"logcat -d {_BUFFERS} -v threadtime -T '{stamp}'"]
        if 0 < self._sdk < _EXIT_INFO_SDK:
            commands += [f"dumpsys dropbox --print {tag}" for tag in _DROPBOX]
        else:
            commands.append(f"dumpsys activity exit-info {shlex.quote(app)}")
        texts = [answer.text for answer in self._phone.ask(commands)]
        found = read_crash_evidence("\n".join(texts), app=app, since=self._clock.to_log(begins))
        return [replace(record, at=None if record.at is None else self._clock.from_log(record.at)) for record in found]


def new_lines(text: str, last: str, known: Sequence[str]) -> list[str]:
    """The lines of logcat that are not known yet: it was asked for those from the time `last` on, and `known` are the
    ones of that very time that were there before."""
    left = list(known)
    found = []
    for line in text.splitlines():
        if not line.strip() or line.startswith("--------- "):
            continue
        if left and line.startswith(last) and line in left:
            left.remove(line)
            continue
        if _STAMP.match(line) and line[: len(last)] < last:
            continue
        found.append(line.rstrip("\r"))
    return found
