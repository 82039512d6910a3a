"""Looking at the device: every capture of a test goes through here, and so does the one recovery that looking may
try."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TypeVar

from pytest_apex.backends.base import Backend
from pytest_apex.device.looking.foreign import ForeignTouches
from pytest_apex.device.looking.watch import Watch
from pytest_apex.errors import ConfigError, DeviceLost, DeviceProblem, DeviceRestarted, DriverDead
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.lag import lag_between, same_tree

_T = TypeVar("_T")
#: Looks that are remembered: pictures are large.
RESTED = 8


class Eyes:
    """Captures, and remembers the last look. A lost device or dead driver is recovered once a loss, then the loss
    stands."""

    def __init__(self, backend: Backend, watch: Watch) -> None:
        self._backend = backend
        self._watch = watch
        self._lost: DeviceProblem | None = None
        self._closed = ""
        self.foreign = ForeignTouches(backend, watch)
        self.last: Snapshot | None = None
        #: The last look that showed the app under test.
        self.good: Snapshot | None = None
        #: The last few looks at screens at rest, each after an act: how controls looked before.
        self.rested: deque[Snapshot] = deque(maxlen=RESTED)
        #: The first of the looks that had the tree of the last one.
        self.since: Snapshot | None = None
        #: The last look before a tree that does not follow its picture, and what says that it does not.
        self._stale: tuple[Snapshot, str] | None = None
        #: From when to when no tree was to be relied upon.
        self._lagged: list[tuple[float, float]] = []

    def look(self) -> Snapshot:
        """A fresh capture. Raises the first cause if the device is lost for good."""
        if self._closed:
            raise ConfigError(
                "this device can't be used any more",
                seen=self._closed,
                likely="it was kept past its test, in a fixture of a wider scope or a global",
                cure="ask for the fixture `device` in each test that uses it",
            )
        if self._lost is not None:
            raise self._lost
        try:
            self.last = self._backend.capture()
        except (DeviceLost, DriverDead) as error:
            self.recover(error)
            self.last = self._backend.capture()
        app = self._watch.app
        # A tree without any window of the app is no good look, whoever is in front.
        if self.last.app.id == app and any(window.app in ("", app) for window in self.last.windows):
            self.good = self.last
        self._watch.looked(self.last.app.id)
        self.foreign.looked(self.last)
        if self.since is None or not same_tree(self.since, self.last):
            self.since = self.last
        if self._stale is not None and _follows(self._stale[0], self.last):
            self._lagged.append((self._stale[0].taken_at, self.last.taken_at))
            self._stale = None
            self._watch.overcome("stale_tree")
        return self.last

    @property
    def lag(self) -> str:
        """Why the tree of the last look is known not to follow its picture; "" if it is not."""
        return self._stale[1] if self._stale is not None else ""

    def lags(self, before: Snapshot, why: str) -> None:
        """The tree is still that of this earlier look, and the picture is not: on record as trouble until there is
        another tree, or the picture that goes with this one."""
        self._stale = (before, why)
        self._watch.trouble("stale_tree", why)

    def still_lags(self) -> None:
        """A further act was done on a tree that does not follow."""
        if self._stale is not None:
            self._watch.trouble("stale_tree", self._stale[1])

    def trusts(self, look: Snapshot) -> bool:
        """Whether the tree of a look is not known to have belonged to another picture."""
        if self._stale is not None and look.taken_at > self._stale[0].taken_at:
            return False
        return not any(start < look.taken_at < end for start, end in self._lagged)

    def close(self, why: str) -> None:
        """Look no more: the test is over."""
        self._closed = why

    def through(self, do: Callable[[], _T]) -> _T:
        """Do what comes to the same however often it is done (an installation, never a touch): once more where the
        device was lost meanwhile and came back. Raises what `recover` raises."""
        try:
            return do()
        except (DeviceLost, DriverDead) as error:
            self.recover(error)
            return do()

    def recover(self, error: DeviceProblem) -> None:
        """Try once to get the device back; raises `error` if it is gone, and `DeviceRestarted` if it started anew."""
        what = error.failure_type
        try:
            done = self._backend.recover()
        except DeviceRestarted as restarted:
            self._watch.trouble(what, f"{error.tried}; {restarted.tried}", recovered=True)
            raise restarted from error
        except DeviceProblem as again:
            self._watch.trouble(what, f"{error.tried}; recovery failed: {again.tried}")
            self._lost = error
            raise error from again
        self._watch.trouble(what, f"{error.tried}; {done}", recovered=True)


def _follows(before: Snapshot, now: Snapshot) -> bool:
    """Whether there is another tree than before, or the picture that goes with this one."""
    return not same_tree(before, now) or lag_between(before, now) is None
