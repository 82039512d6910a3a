"""Listening on loopback: one thread for whoever connects, all ended when the listener is closed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from pytest_apex.errors import ConfigError

_END_S = 5.0
_CHUNK = 64 * 1024


class SocketChannel:
    """A socket as a channel of bytes."""

    def __init__(self, sock: socket.socket) -> None:
        self.sock = sock
        self.closed = False

    def read(self, timeout: float | None = None) -> bytes:
        """What has come; empty at the end. `TimeoutError` when nothing comes in time."""
        self.sock.settimeout(timeout)
        try:
            return self.sock.recv(_CHUNK)
        except TimeoutError:
            raise
        except OSError:
            self.closed = True
            return b""

    def write(self, data: bytes) -> None:
        self.sock.settimeout(_END_S * 4)
        self.sock.sendall(data)


class Listener:
    """`serve` gets each connection, in a thread of its own; the connection ends when it returns."""

    def __init__(self, port: int, name: str, serve: Callable[[SocketChannel], None]) -> None:
        self._sock = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            self._sock.bind(("127.0.0.1", port))
            self._sock.listen(64)
        except (OSError, OverflowError) as error:
            self._sock.close()
            raise ConfigError(
                f"can't listen on 127.0.0.1:{port}", seen=str(error), cure="name another port, or 0 for a free one"
            ) from error
        self.port: int = self._sock.getsockname()[1]
        self._name, self._serve_one = name, serve
        self._guard = threading.Lock()
        self._open: set[SocketChannel] = set()
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._start(self._accept)

    def _start(self, target: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=target, args=args, name=self._name, daemon=True)
        with self._guard:
            self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()

    def _accept(self) -> None:
        while not self._closed:
            try:
                sock, _ = self._sock.accept()
            except OSError:
                return  # closed
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            channel = SocketChannel(sock)
            with self._guard:
                self._open.add(channel)
            self._start(self._serve, channel)

    def _serve(self, channel: SocketChannel) -> None:
        with suppress(OSError):  # TimeoutError among them: the client is gone, or stays silent
            self._serve_one(channel)
        with self._guard:
            self._open.discard(channel)
        channel.closed = True
        channel.sock.close()

    def drop_all(self) -> None:
        """Break all connections."""
        with self._guard:
            channels = list(self._open)
        for channel in channels:
            channel.closed = True
            with suppress(OSError):  # it may be gone already
                channel.sock.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        self._closed = True
        with suppress(OSError):  # it may be closed already
            self._sock.shutdown(socket.SHUT_RDWR)  # wakes who waits for a client
        self._sock.close()
        self.drop_all()
        with self._guard:
            threads = list(self._threads)
        for thread in threads:
            thread.join(_END_S)
