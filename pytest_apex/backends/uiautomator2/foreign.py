"""Touches by a finger, or by a tool that writes to `/dev/input`. What Android injects (UiAutomation, `input`, scrcpy)
does not pass there, so that all that passes is somebody else's."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence

from pytest_apex.backends.abilities import ForeignTouch
from pytest_apex.backends.uiautomator2.adb import AdbTrouble, Stream
from pytest_apex.backends.uiautomator2.facts import Changing
from pytest_apex.backends.uiautomator2.handset import Handset
from pytest_apex.backends.uiautomator2.touch_events import ASK, TouchEvents, on_screen
from pytest_apex.clock import Clock
from pytest_apex.errors import DeviceProblem

_KEPT = 200
#: One that ended sooner is not started again.
_LIVES_S = 5.0


class ForeignTouches:
    """Listens from the first question on, in one stream of the phone's shell; `changing` tells size and rotation.

    Whatever goes wrong here, nothing is told, and nobody is harmed.
    """

    def __init__(self, phone: Handset, clock: Clock, changing: Callable[[], Changing]) -> None:
        self._phone, self._clock, self._changing = phone, clock, changing
        self._touches: deque[ForeignTouch] = deque(maxlen=_KEPT)
        self._ear: _Ear | None = None
        self._gives_up = False
        self._refused = ""

    @property
    def refused(self) -> str:
        """Why this phone tells of no touch; "" as far as is known."""
        return self._refused or (self._ear.events.refused if self._ear is not None else "")

    def since(self, at: float) -> Sequence[ForeignTouch]:
        self._listen()
        return [touch for touch in tuple(self._touches) if touch.at > at]

    def _listen(self) -> None:
        if self._gives_up or (self._ear is not None and not self._ear.ended):
            return
        if self._ear is not None and (not self._ear.events.told or self._ear.lasted < _LIVES_S):
            self._gives_up = True
            return
        try:
            # shell: gives it a terminal: it writes line by line, and ends with the stream.
            stream = self._phone.keep_open(f"shell:{ASK}", self._phone.limits.ping)
        except DeviceProblem as error:
            self._gives_up, self._refused = True, error.tried
            return
        self._ear = _Ear(stream, self._heard, self._clock)

    def _heard(self, share: tuple[float, float] | None) -> None:
        now = self._changing()
        place = on_screen(share, now.size, now.rotation) if share is not None else None
        self._touches.append(ForeignTouch(self._clock.now(), place))

    def close(self) -> None:
        self._gives_up = True
        if self._ear is not None:
            self._ear.end()


class _Ear:
    """Reads one stream to its end, in a thread that nobody waits for."""

    def __init__(self, stream: Stream, heard: Callable[[tuple[float, float] | None], None], clock: Clock) -> None:
        self.events = TouchEvents()
        self.ended = False
        #: For how long it was open, once it has ended, in seconds.
        self.lasted = 0.0
        self._stream, self._heard, self._clock = stream, heard, clock
        threading.Thread(target=self._read, name="apex-touches", daemon=True).start()

    def end(self) -> None:
        self._stream.hang_up()

    def _read(self) -> None:
        started = self._clock.now()
        try:
            while part := self._stream.read_part():
                for share in self.events.feed(part):
                    self._heard(share)
        except AdbTrouble:
            return  # the phone is gone: its own calls say so
        finally:
            self.lasted = self._clock.now() - started
            self.ended = True
            self._stream.close()
