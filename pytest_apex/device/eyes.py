"""Looking at the device: every capture of a test goes through here, and so does the one recovery that looking may
try."""

from __future__ import annotations

from pytest_apex.backends.base import Backend
from pytest_apex.device.watch import Watch
from pytest_apex.errors import ConfigError, DeviceLost, DeviceProblem, DriverDead
from pytest_apex.model.snapshot import Snapshot


class Eyes:
    """Captures, and remembers the last look. A lost device or dead driver is recovered once a loss, then the loss
    stands."""

    def __init__(self, backend: Backend, watch: Watch) -> None:
        self._backend = backend
        self._watch = watch
        self._lost: DeviceProblem | None = None
        self._closed = ""
        self.last: Snapshot | None = None
        #: The last look that showed the app under test.
        self.good: Snapshot | None = None

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
        if self.last.app.id == self._watch.app:
            self.good = self.last
        return self.last

    def close(self, why: str) -> None:
        """Look no more: the test is over."""
        self._closed = why

    def recover(self, error: DeviceProblem) -> None:
        """Try once to get the device back; raises `error` if it is gone."""
        what = error.failure_type
        try:
            done = self._backend.recover()
        except DeviceProblem as again:
            self._watch.trouble(what, f"{error.tried}; recovery failed: {again.tried}")
            self._lost = error
            raise error from again
        self._watch.trouble(what, f"{error.tried}; {done}", recovered=True)
