"""The one connection to the server on the phone, and what is known of a call that failed.

A touch that is sent twice is a touch too many, so each failure of an acting call says whether the server can have got
it. It can't have when the connection was not there, or had not answered yet: adb accepts a connection before it knows
whether anybody listens at the phone's end, so that a new connection first has to answer a ping. From the first byte of
the call on, it may have been done.
"""

from __future__ import annotations

import select
import socket
import time
from collections.abc import Callable
from typing import Any

from pytest_apex.backends.uiautomator2.http import BrokenReply, Reply, read_reply, request
from pytest_apex.backends.uiautomator2.rpc import RpcError, call, result_of
from pytest_apex.errors import DriverDead

#: How long a connection that answered is trusted without another ping. NanoHTTPD closes one after 5 s of silence.
_TRUSTED_S = 2.0

#: Opens a connection to the forwarded port within some seconds; raises `OSError`.
Dial = Callable[[float], socket.socket]


class NotSent(DriverDead):
    """The server surely did not get the call: it may be sent once the server is back."""


class MaybeDone(DriverDead):
    """The call was sent and not answered: it may have been done, and must not be sent again."""


class Channel:
    """Calls to the server, one after the other."""

    def __init__(
        self, dial: Dial, device: str, ping_s: float = 3.0, check: Callable[[str], None] = lambda _method: None
    ) -> None:
        """`check` is called when a call was not answered for `ping_s` seconds; it raises if the phone is gone."""
        self._dial = dial
        self._ping_s = ping_s
        self._check = check
        self._device = device
        self._sock: socket.socket | None = None
        self._answered = 0.0
        self._number = 0

    def close(self) -> None:
        if self._sock is not None:
            self._sock.close()
            self._sock = None

    def ping(self) -> bool:
        """Whether the server answers, over a new connection."""
        self.close()
        try:
            self._connect(self._ping_s)
        except (OSError, BrokenReply):
            self.close()
            return False
        return True

    def act(self, method: str, *params: Any, timeout: float) -> Any:
        """A call that does something, sent once. Raises `NotSent`, `MaybeDone`, or `RpcError` where the server answers
        that it failed."""
        self.ready(method)
        self._number += 1
        number = self._number
        try:
            reply = self._exchange(call(number, method, params), timeout, method)
            return result_of(reply, number, method)
        except _Unwritten as error:
            self.close()
            raise self._not_sent(method, error.__cause__ or error) from error
        except (OSError, BrokenReply) as error:
            self.close()
            raise self._maybe_done(method, error, timeout) from error
        except RpcError as error:
            self._forget_if_broken(error)
            if error.server_broken:
                raise self._maybe_done(method, error, timeout) from error
            raise

    def look(self, method: str, *params: Any, timeout: float) -> Any:
        """A call that only looks: one more connection is tried where the first broke, none where it was silent.
        Raises `DriverDead`, or `RpcError` where the server answers that it failed."""
        try:
            return self._look(method, params, timeout)
        except TimeoutError as error:
            raise self._dead(method, f"no answer within {timeout:g} s") from error
        except (OSError, BrokenReply):
            pass
        try:
            return self._look(method, params, timeout)
        except TimeoutError as error:
            raise self._dead(method, f"no answer within {timeout:g} s") from error
        except (OSError, BrokenReply) as error:
            raise self._dead(method, _words(error)) from error

    def _look(self, method: str, params: tuple[Any, ...], timeout: float) -> Any:
        self._number += 1
        number = self._number
        try:
            if not self._usable():
                self._open(timeout)
            return result_of(self._exchange(call(number, method, params), timeout, method), number, method)
        except (OSError, BrokenReply):
            self.close()
            raise
        except RpcError as error:
            self._forget_if_broken(error)
            if error.server_broken:
                raise BrokenReply(str(error)) from error
            raise

    def ready(self, what: str = "a call") -> None:
        """Have a connection that answered a moment ago. Raises `NotSent`."""
        if self._usable() and time.monotonic() - self._answered <= _TRUSTED_S:
            return
        try:
            self._connect(self._ping_s)
        except (OSError, BrokenReply) as error:
            self.close()
            raise self._not_sent(what, error) from error

    def _connect(self, timeout: float) -> None:
        self._open(timeout)
        reply = self._exchange(request("GET", "/ping"), timeout)
        if reply.status != 200 or reply.body.strip() != b"pong":
            raise BrokenReply(f"no pong but {reply.body[:40]!r}")
        if not reply.keep:  # the answer came from the server: what follows reaches it as well
            self._open(timeout)

    def _open(self, timeout: float) -> None:
        self.close()
        self._sock = self._dial(timeout)

    def _usable(self) -> bool:
        """Whether the connection is open and nothing stands in it: an end, or an answer that nobody waits for."""
        if self._sock is None:
            return False
        readable, _, _ = select.select([self._sock], [], [], 0)
        if readable:
            self.close()
        return not readable

    def _exchange(self, data: bytes, timeout: float, what: str = "") -> Reply:
        """Write a request, read its answer. `_Unwritten` when not a byte of it went out. `what` is a call: while it
        waits, the phone is asked whether it is there at all."""
        sock, end = self._sock, time.monotonic() + timeout
        assert sock is not None
        sock.settimeout(timeout)
        try:
            sent = sock.send(data)
        except OSError as error:
            raise _Unwritten from error
        if sent < len(data):
            sock.sendall(data[sent:])

        # Within half of the time: a phone that hangs as a whole is told from a server that does.
        asked_at = min(time.monotonic() + self._ping_s, end - timeout / 2)

        def receive(count: int) -> bytes:
            nonlocal asked_at
            while (left := end - time.monotonic()) > 0:
                sock.settimeout(max(min(left, asked_at - time.monotonic()), 0.001))
                try:
                    return sock.recv(count)
                except TimeoutError:
                    if asked_at < end and time.monotonic() >= asked_at:
                        asked_at = end
                        self._check_phone(what)
            raise TimeoutError

        reply = read_reply(receive)
        self._answered = time.monotonic()
        if not reply.keep:
            self.close()
        return reply

    def _check_phone(self, what: str) -> None:
        try:
            if what:
                self._check(what)
        except BaseException:
            self.close()
            raise

    def _forget_if_broken(self, error: RpcError) -> None:
        if error.server_broken:
            self.close()

    def _not_sent(self, method: str, error: BaseException) -> NotSent:
        return NotSent(
            f"the server on {self._device} can't be reached: {method} was not sent",
            seen=_words(error),
            likely="the server of uiautomator2 on the phone died, or adb's server was restarted",
            cure="nothing was done on the phone; see what is told of the recovery",
        )

    def _maybe_done(self, method: str, error: BaseException, timeout: float) -> MaybeDone:
        silent = isinstance(error, TimeoutError)
        return MaybeDone(
            f"the server on {self._device} did not confirm {method}: maybe done",
            seen=f"no answer within {timeout:g} s" if silent else _words(error),
            likely="the server of uiautomator2 on the phone hangs" if silent else "the server or the cable broke off",
            cure="it is never sent twice: what is on the screen now tells whether it was done",
        )

    def _dead(self, method: str, seen: str) -> DriverDead:
        return DriverDead(
            f"the server on {self._device} does not answer: {method}",
            seen=seen,
            likely="the server of uiautomator2 on the phone died or hangs",
            cure="it is started anew once; if it stays so: pytest-apex doctor",
        )


class _Unwritten(OSError):
    """Not a byte of the request went out."""


def _words(error: BaseException) -> str:
    if isinstance(error, TimeoutError):
        return "no answer to a ping"
    return str(error) or type(error).__name__
