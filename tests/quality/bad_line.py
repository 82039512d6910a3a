"""A bad line between the backend and the server on the phone: passes on what comes, and breaks as it is told to."""

from __future__ import annotations

import random
import socket
import struct
import threading
from collections.abc import Callable

#: What may go wrong with one request, by where it does.
FAULTS = (
    "refused", "closed_before", "reset_before", "reset_in_head", "reset_in_body", "reset_after_request",
    "reset_in_answer", "cut_in_answer", "garbage", "html", "no_json", "other_id", "late", "too_late", "hung",
)  # fmt: skip
_CHUNK = 1 << 16


class BadLine:
    """Listens on a port of its own; each connection goes on to `target()`. `fault` is taken by the next ping, if
    `on_ping`, else by the next call after `skip` others; that sets it back to "". `hit` tells which one that was."""

    def __init__(
        self, target: Callable[[], tuple[str, int]], rng: random.Random, late_s: float, limit_s: float
    ) -> None:
        self._target = target
        self._rng = rng
        self._late_s, self._limit_s = late_s, limit_s
        self._closed = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.fault = ""
        self.on_ping = False
        self.skip = 0
        self.hit = ""
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._closed.set()
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if self.fault == "refused":
                self.fault, self.hit = "", "connection"
                _reset(near)
                continue
            threading.Thread(target=self._serve, args=(near,), daemon=True).start()

    def _serve(self, near: socket.socket) -> None:
        try:
            far = socket.create_connection(self._target(), 2.0)
        except OSError:
            near.close()
            return
        far.settimeout(None)
        near.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        far.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            while (asked := _message(near)) and self._pass_on(near, far, asked):
                pass
        except OSError:
            pass
        finally:
            near.close()
            far.close()

    def _pass_on(self, near: socket.socket, far: socket.socket, asked: bytes) -> bool:
        """One request and its answer; False ends the connection."""
        ping = asked.startswith(b"GET /ping")
        fault = self.fault if ping is self.on_ping else ""
        if fault and not ping and self.skip:
            self.skip -= 1
            fault = ""
        if fault:
            self.fault = ""
            self.hit = "ping" if ping else asked.partition(b'"method": "')[2].partition(b'"')[0].decode()
        if not self._ask(fault, near, far, asked):
            return False
        answer = _message(far)
        if not answer:
            return False
        return self._answer(fault, near, answer)

    def _ask(self, fault: str, near: socket.socket, far: socket.socket, asked: bytes) -> bool:
        head = asked.find(b"\r\n\r\n") + 4
        if fault == "closed_before":
            return False
        if fault in ("reset_before", "reset_in_head", "reset_in_body"):
            first, last = {"reset_before": (0, 0), "reset_in_head": (1, head - 1)}.get(fault, (head, len(asked) - 1))
            far.sendall(asked[: self._rng.randint(first, max(first, last))])
            _reset(far)
            _reset(near)
            return False
        far.sendall(asked)
        if fault == "reset_after_request":
            _reset(near)  # the phone goes on with it
            _message(far)
            return False
        return True

    def _answer(self, fault: str, near: socket.socket, answer: bytes) -> bool:
        if fault in ("reset_in_answer", "cut_in_answer"):
            near.sendall(answer[: self._rng.randrange(len(answer))])
            if fault == "reset_in_answer":
                _reset(near)
            return False
        if fault == "hung":
            self._closed.wait(4 * self._limit_s)
            return False
        if fault in ("late", "too_late"):
            self._closed.wait(self._late_s if fault == "late" else 2 * self._limit_s)
        near.sendall(self._spoilt(fault, answer))
        return True

    def _spoilt(self, fault: str, answer: bytes) -> bytes:
        if fault == "garbage":
            return self._rng.randbytes(self._rng.randint(1, 400)) + b"\r\n\r\n"
        if fault == "html":
            return b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 25\r\n\r\n<html>Bad Gateway</html>\n"
        if fault == "no_json":
            return b'HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"result"'
        if fault == "other_id":
            told = b'{"jsonrpc": "2.0", "id": 999999, "result": true}'
            return b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%s" % (len(told), told)
        return answer


def _message(sock: socket.socket) -> bytes:
    """One HTTP message as it came, head and body; nothing when the connection ended."""
    data = b""
    while b"\r\n\r\n" not in data:
        part = sock.recv(_CHUNK)
        if not part:
            return b""
        data += part
    head = data.partition(b"\r\n\r\n")[0]
    length = next(
        (int(line.partition(b":")[2]) for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")), 0
    )
    whole = len(head) + 4 + length
    while len(data) < whole:
        part = sock.recv(_CHUNK)
        if not part:
            return b""
        data += part
    return data


def _reset(sock: socket.socket) -> None:
    """End a connection the hard way: the other side sees a reset, and what was on its way is gone."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    sock.close()
