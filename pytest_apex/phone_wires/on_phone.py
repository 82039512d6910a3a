"""A server that listens on a port of the phone as long as its process runs."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable

from pytest_apex.phone_wires.adb.streams import Stream
from pytest_apex.phone_wires.handset import Handset, Server
from pytest_apex.phone_wires.uiautomator.http import HttpConnection, Request, Response

#: How often a server that hangs looks whether it still has to (seconds).
_HANG_LOOK_S = 0.05


class ServerOnPhone(ABC):
    """Each start is a run of its own, by its number: what belongs to one does nothing to a later one."""

    def __init__(self, handset: Handset) -> None:
        self._handset = handset

    @property
    @abstractmethod
    def process(self) -> Server:
        """What the phone knows of it now."""

    @abstractmethod
    def respond(self, request: Request, stream: Stream, run: int) -> Response | None:
        """The answer to a request that came to the run of this number; None for one that gets none."""

    def stop(self, run: int) -> None:
        """End the run of this number; a later one goes on."""
        with self._handset.pace.held():
            if self.process.run == run:
                self.process.pid = 0

    @property
    def run(self) -> int:
        return self.process.run

    def runs(self, run: int) -> bool:
        """Whether the run of this number still goes on."""
        return self.run == run and self.process.pid != 0

    def port(self) -> Callable[[Stream], None] | None:
        """Serves one connection; None while nothing listens."""
        return self._serve if self.process.pid else None

    def _serve(self, stream: Stream) -> None:
        run = self.run
        HttpConnection(stream, lambda request: self._answer(request, stream, run)).serve()

    def _answer(self, request: Request, stream: Stream, run: int) -> Response | None:
        handset = self._handset
        handset.journal.add(handset.pace.real_now(), "http", f"{request.method} {request.path[:200]}")
        handset.pace.sleep(handset.slow_s)
        while self.process.hung and self.runs(run) and not stream.closed:
            handset.pace.nap(_HANG_LOOK_S)
        if not self.runs(run) or stream.closed:
            return None
        return self.respond(request, stream, run)
