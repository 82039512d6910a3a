"""The phone's time follows the real one: the phone's own clock moves only when told to, and this tells it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from pytest_apex.clock import Clock
from pytest_apex.phone.phone import Phone

#: How long a screen has to stay as it is to count as idle (QUIET_TIME_TO_BE_CONSIDERD_IDLE_STATE of UI Automator).
QUIET_S = 0.5
#: How often a wait looks.
LOOK_S = 0.02


class Pace:
    """One lock around the phone, and its time.

    What takes time of the device (a swipe) is done in the phone's time at once, which is then ahead of the real one;
    `catch_up` waits until the real time is there, without the lock.
    """

    def __init__(self, phone: Phone, clock: Clock) -> None:
        self.phone = phone
        self._clock = clock
        self._lock = threading.RLock()
        self._started = clock.now() - phone.clock.now()
        self._scene: object = None
        self._changed_at = phone.clock.now()
        #: Called without the lock after each use of the phone.
        self.after_use: Callable[[], None] = lambda: None

    def real_now(self) -> float:
        """The real clock."""
        return self._clock.now()

    def real_time(self, moment: float) -> float:
        """A time of the phone's clock on the real one."""
        return self._started + moment

    @contextmanager
    def held(self) -> Iterator[Phone]:
        """The phone for this thread alone, its time as far as the real one."""
        try:
            with self._lock:
                self._note()
                self.phone.clock.advance_to(self._clock.now() - self._started)
                self._note()
                try:
                    yield self.phone
                finally:
                    self._note()
        finally:
            self.after_use()

    def _note(self) -> None:
        scene = self.phone.scene()
        if scene is not self._scene:
            self._scene, self._changed_at = scene, self.phone.clock.now()

    def catch_up(self) -> None:
        """Wait until the real time has reached the phone's."""
        with self._lock:
            ahead = self.phone.clock.now() + self._started - self._clock.now()
        if ahead > 0:
            self._clock.sleep(ahead)

    def do(self, act: Callable[[Phone], object]) -> None:
        """Do something that takes the phone's time, and return when that time has passed."""
        with self.held() as phone:
            act(phone)
        self.catch_up()

    def sleep(self, seconds: float) -> None:
        """Let time pass on the clock."""
        self._clock.sleep(seconds)

    @staticmethod
    def nap(seconds: float) -> None:
        """A pause between two looks, of the host's time whatever the clock is: nobody waits for it."""
        threading.Event().wait(seconds)

    def wait(self, holds: Callable[[Phone], bool], limit: float, given_up: Callable[[], bool] = lambda: False) -> bool:
        """Wait until something holds on the phone, at most `limit` seconds; looks at least once."""
        deadline = self._clock.now() + limit
        while True:
            with self.held() as phone:
                if holds(phone):
                    return True
            left = deadline - self._clock.now()
            if left <= 0 or given_up():
                return False
            self._clock.sleep(min(LOOK_S, left))

    def idle(self, limit: float) -> bool:
        """Wait until nothing has changed for a while, at most `limit` seconds."""
        return limit > 0 and self.wait(lambda phone: phone.clock.now() - self._changed_at >= QUIET_S, limit)
