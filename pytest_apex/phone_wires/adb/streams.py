"""One stream of a connection: bytes both ways, one unanswered write at a time each way."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable

from pytest_apex.phone_wires.adb.packets import WireError

#: A client that leaves a write unanswered for so long is gone (seconds).
WRITE_LIMIT_S = 60.0
#: A client may send no more than this without waiting for the answer to it.
_MOST_WAITING = 4 * 1024 * 1024


class StreamClosed(Exception):
    """The other side has closed the stream."""


class Stream:
    """`send` and `answer` put a packet with data, or the receipt of one, on the wire; `done` tells the other side that
    this stream has ended here."""

    def __init__(
        self, chunk: int, send: Callable[[bytes], None], answer: Callable[[], None], done: Callable[[], None]
    ) -> None:
        self._chunk = chunk
        self._send, self._answer, self._done = send, answer, done
        self._changed = threading.Condition()
        self._came: deque[bytes] = deque()
        self._waiting = 0
        self._owed = 0
        self._rest = b""
        self._may_write = True
        self._closed = False

    # From the thread that reads the connection

    def deliver(self, data: bytes) -> None:
        """Data has come. Raises `WireError` for a client that does not wait."""
        with self._changed:
            if self._closed:
                return
            self._waiting += len(data)
            if self._waiting > _MOST_WAITING:
                raise WireError("a client that sends without waiting for an answer")
            self._owed += 1
            self._came.append(data)
            self._changed.notify_all()

    def answered(self) -> None:
        """The other side has taken what was written last."""
        with self._changed:
            self._may_write = True
            self._changed.notify_all()

    def cut(self) -> None:
        """The other side has closed the stream, or the connection is gone."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    # From the thread that serves the stream

    @property
    def closed(self) -> bool:
        return self._closed

    def read(self, timeout: float | None = None) -> bytes:
        """What has come; empty at the end of the stream. `TimeoutError` when nothing comes in time."""
        with self._changed:
            if not self._changed.wait_for(lambda: bool(self._came) or self._closed, timeout):
                raise TimeoutError
            if not self._came:
                return b""
            data = self._came.popleft()
            self._waiting -= len(data)
            owed, self._owed = self._owed, 0
        for _ in range(owed):
            self._answer()
        return data

    def take(self, count: int, timeout: float | None = None) -> bytes:
        """Exactly so many bytes; `StreamClosed` when the stream ends before."""
        parts, size = [self._rest], len(self._rest)
        while size < count:
            data = self.read(timeout)
            if not data:
                raise StreamClosed
            parts.append(data)
            size += len(data)
        whole = b"".join(parts)
        self._rest = whole[count:]
        return whole[:count]

    def take_some(self, most: int, timeout: float | None = None) -> bytes:
        """What there is, at most so many bytes; empty at the end of the stream."""
        data = self._rest or self.read(timeout)
        self._rest = data[most:]
        return data[:most]

    def write(self, data: bytes) -> None:
        """Raises `StreamClosed` when the other side is gone or takes nothing any more."""
        for start in range(0, len(data), self._chunk):
            with self._changed:
                ready = self._changed.wait_for(lambda: self._may_write or self._closed, WRITE_LIMIT_S)
                if self._closed or not ready:
                    raise StreamClosed
                self._may_write = False
            self._send(data[start : start + self._chunk])

    def finish(self) -> None:
        """Close from this side, once what was written last is taken."""
        with self._changed:
            self._changed.wait_for(lambda: self._may_write or self._closed, WRITE_LIMIT_S)
            already, self._closed = self._closed, True
        if not already:
            self._done()
