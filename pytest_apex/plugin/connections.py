"""The devices that this process has connected, each by a thread of its own in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from pytest_apex.backends.base import Backend
    from pytest_apex.leases.lease import Lease

#: After how long somebody who waits for a device is told why.
_TELL_S = 1.0


class Asked(NamedTuple):
    """What to connect: one entry of `--device`, and the app file that the built-in phone runs ("": the demo app)."""

    device: str
    app_file: str = ""


class Reserve(NamedTuple):
    """How devices are had: `wait_s` is how long another process may keep one, `shared` lets others have it between the
    tests of this one."""

    wait_s: float = 0.0
    shared: bool = False


class _Connection:
    """One device, being connected by a thread of its own. Python's threads end with the process (daemon)."""

    def __init__(self, connect: Callable[[], Backend], lease: Callable[[], Lease | None], reserve: Reserve) -> None:
        self._connect, self._lease_of, self._reserve = connect, lease, reserve
        self._backend: Backend | None = None
        self._error: BaseException | None = None
        self.lease: Lease | None = None
        #: Set once it is known whether the device is there and ours.
        self._reserved = threading.Event()
        self._thread = threading.Thread(target=self._run, name="apex-connect", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            self.lease = self._lease_of()
            if self.lease is not None:
                self.lease.take(self._reserve.wait_s)
            self._reserved.set()
            self._backend = self._connect()
        except BaseException as error:  # noqa: BLE001 - it is raised where the device is asked for
            self._error = error
        finally:
            self._reserved.set()
            if self.lease is not None and (self._error is not None or self._reserve.shared):
                self.lease.release()

    def reserved(self, told: Callable[[str], None]) -> None:
        """Wait until the device is known to be there, and this process's. Raises what kept it from being so; `told`
        gets who else has it, once."""
        while not self._reserved.wait(_TELL_S):
            who = self.lease.waits_for if self.lease is not None else ""
            if who and self.lease is not None:
                told(f"waiting for the device {self.lease.names[0]}, which is in use by {who}")
                self._reserved.wait()
        if self._error is not None:
            raise self._error.with_traceback(None)

    def result(self) -> Backend:
        self._thread.join()
        if self._error is not None:
            raise self._error.with_traceback(None)
        assert self._backend is not None
        return self._backend

    def close(self) -> None:
        if self.lease is not None:
            self.lease.give_up()
        self._thread.join()
        try:
            if self._backend is not None:
                self._backend.close()
        finally:
            if self.lease is not None:
                self.lease.release()


_ALONE = Reserve()


class Connections:
    """The devices that this process has connected, by what they were asked for. `lease_of` gives the lease of a device
    that only one process may use at a time; it is held until the end, or test by test where it is `shared`."""

    def __init__(
        self,
        connect: Callable[[Asked], Backend],
        lease_of: Callable[[Asked], Lease | None] = lambda _asked: None,
        reserve: Reserve = _ALONE,
    ) -> None:
        self._connect = connect
        self._lease_of = lease_of
        self._reserve = reserve
        self._open: dict[Asked, _Connection] = {}
        self._lost: dict[int, tuple[str, str]] = {}
        self._attached: dict[int, tuple[Any, Backend]] = {}
        #: What each device told as its id, by the backend's identity: one that is lost can't be asked.
        self.ids: dict[int, str] = {}

    def begin(self, asked: Asked) -> None:
        """Connect in the background; does nothing when that is under way or done."""
        if asked not in self._open:
            self._open[asked] = _Connection(lambda: self._connect(asked), lambda: self._lease_of(asked), self._reserve)

    def reserved(self, asked: Asked, told: Callable[[str], None]) -> None:
        """Wait until a device that is being connected is known to be there, and this process's. Raises what keeps it
        from being so; `told` gets who else has it."""
        self._open[asked].reserved(told)

    def hold(self, backend: Backend) -> None:
        """Have a shared device for the test that begins now. Raises `LeaseUnavailable`."""
        for connection in self._open.values():
            if connection.lease is not None and connection._backend is backend:
                connection.lease.take(self._reserve.wait_s)

    def let_go(self) -> None:
        """A test is over: another process may have the shared devices."""
        for connection in self._open.values() if self._reserve.shared else ():
            if connection.lease is not None and connection._backend is not None:
                connection.lease.release()

    def get(self, asked: Asked) -> Backend:
        """The connected device. Raises what connecting raised, each time."""
        self.begin(asked)
        return self._open[asked].result()

    def of(self, given: Any) -> Backend:
        """The backend for what a suite's own `apex_backend` gave: itself, or one beside a driver, attached once."""
        from pytest_apex.backends.attach import attach

        held = self._attached.get(id(given))
        if held is not None:
            return held[1]
        made: Backend = attach(given)
        if made is not given:
            self._attached[id(given)] = (given, made)  # the driver is kept, so that its id stays its own
        return made

    def owns(self, backend: Backend) -> bool:
        """Whether it was connected here, and not by a suite's own fixture."""
        return any(connection._backend is backend for connection in self._open.values())

    def lose(self, backend: Backend, test: str, reason: str) -> None:
        """Remember that the device was lost, and in which test first."""
        self._lost.setdefault(id(backend), (test, reason))

    def is_lost(self, backend: Backend) -> bool:
        return id(backend) in self._lost

    def check(self, backend: Backend) -> None:
        """Raise `DeviceLost` with the first cause if the device was lost before."""
        lost = self._lost.get(id(backend))
        if lost is None:
            return
        from pytest_apex.errors import DeviceLost

        raise DeviceLost(
            f"the device {backend.name} was lost before this test", seen=f"in {lost[0]}: {lost[1]}",
            likely="it was unplugged, or its driver died for good", cure="see the first test that lost it",
        )  # fmt: skip

    def close(self) -> list[str]:
        """Let go of all devices; returns what went wrong, in words. May be called twice."""
        problems = []
        open_ones = [(asked.device, connection.close) for asked, connection in self._open.items()]
        attached = [(backend.name, backend.close) for _, backend in self._attached.values()]
        for device, close in (*open_ones, *attached):
            try:
                close()
            except Exception as error:  # noqa: BLE001, PERF203 - a backend may be anybody's; the others are closed too
                problems.append(f"{device} was not closed: {type(error).__name__}: {error}")
        self._open.clear()
        self._attached.clear()
        return problems
