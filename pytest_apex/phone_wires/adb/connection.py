"""One client of the device: the handshake, then its streams. Each stream is served by a thread of its own."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from pytest_apex.phone_wires.adb.packets import (
    AUTH,
    CLSE,
    CNXN,
    MAX_DATA,
    OKAY,
    OPEN,
    VERSION,
    WRTE,
    Packet,
    WireError,
    pack,
    read_packet,
)
from pytest_apex.phone_wires.adb.streams import Stream, StreamClosed

#: Streams that one client may hold open.
MOST_STREAMS = 256
#: Before a client has introduced itself it has this long (seconds).
_HELLO_S = 30.0
_MOST_NAME = 64 * 1024
#: The kinds of AUTH: a token to sign from the device; a public key from the computer, when no signature was taken.
_TOKEN, _PUBLIC_KEY = 1, 3

#: Given a destination, what serves the stream; None refuses it.
Services = Callable[[str], Callable[[Stream], None] | None]


class Connection:
    """`locked` says whether the device (still) refuses this computer: it then asks for a signature for ever."""

    def __init__(self, sock: socket.socket, banner: bytes, services: Services, locked: Callable[[], bool]) -> None:
        self._socket = sock
        self._banner = banner
        self._services = services
        self._locked = locked
        self._sending = threading.Lock()
        self._streams: dict[int, Stream] = {}
        self._guard = threading.Lock()
        self._next = 1
        self._chunk = 4096
        self._known = self._asked = False
        self._threads: list[threading.Thread] = []

    def run(self) -> None:
        """Serve until the client is gone."""
        try:
            self._socket.settimeout(_HELLO_S)
            while True:
                self._take(read_packet(self._read))
        except (OSError, WireError, StreamClosed, EOFError):
            pass  # a client may leave at any moment and in any way; there is nobody left to tell
        finally:
            self.drop()

    def drop(self) -> None:
        """Break the connection, from any thread."""
        with self._guard:
            streams, self._streams = list(self._streams.values()), {}
        for stream in streams:
            stream.cut()
        with suppress(OSError):  # it may be broken already
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def admit(self) -> None:
        """The user has allowed this computer."""
        if self._asked and not self._known:
            self._greet()

    def join(self, timeout: float) -> None:
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(timeout)

    def _read(self, count: int) -> bytes:
        parts = []
        while count:
            data = self._socket.recv(min(count, 256 * 1024))
            if not data:
                raise EOFError
            parts.append(data)
            count -= len(data)
        return b"".join(parts)

    def _put(self, packet: Packet) -> None:
        try:
            with self._sending:
                self._socket.sendall(pack(packet))
        except OSError as error:
            self.drop()
            raise StreamClosed from error

    def _take(self, packet: Packet) -> None:
        if packet.command == CNXN:
            self._chunk = max(1, min(packet.second, MAX_DATA, 256 * 1024))
            self._greet()
        elif packet.command == AUTH and packet.first == _PUBLIC_KEY and self._locked():
            # A phone now asks its user, and stays silent until there is an answer.
            self._asked = True
            self._socket.settimeout(None)
        elif packet.command == AUTH:
            self._greet()
        elif not self._known:
            raise WireError("a client that did not introduce itself")
        elif packet.command == OPEN:
            self._open(packet)
        else:
            self._of_stream(packet)

    def _greet(self) -> None:
        if self._locked():
            self._put(Packet(AUTH, _TOKEN, 0, bytes(20)))
            return
        self._known = True
        self._socket.settimeout(None)
        self._put(Packet(CNXN, VERSION, MAX_DATA, self._banner))

    def _open(self, packet: Packet) -> None:
        theirs = packet.first
        name = packet.data[:_MOST_NAME].rstrip(b"\0").decode("utf-8", "replace")
        serve = self._services(name) if len(self._streams) < MOST_STREAMS else None
        if serve is None:
            self._put(Packet(CLSE, 0, theirs))
            return
        with self._guard:
            ours, self._next = self._next, self._next % 0xFFFFFFF0 + 1
        stream = Stream(
            self._chunk,
            send=lambda data: self._put(Packet(WRTE, ours, theirs, data)),
            answer=lambda: self._put(Packet(OKAY, ours, theirs)),
            done=lambda: self._forget(ours, theirs),
        )
        with self._guard:
            self._streams[ours] = stream
        self._put(Packet(OKAY, ours, theirs))
        thread = threading.Thread(target=_serve, args=(serve, stream), name=f"apex adb {name[:40]}", daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()]
        self._threads.append(thread)
        thread.start()

    def _forget(self, ours: int, theirs: int) -> None:
        with self._guard:
            self._streams.pop(ours, None)
        with suppress(StreamClosed):  # the connection may have gone first
            self._put(Packet(CLSE, ours, theirs))

    def _of_stream(self, packet: Packet) -> None:
        with self._guard:
            stream = self._streams.get(packet.second)
        if packet.command == CLSE:
            if stream is not None:
                with self._guard:
                    self._streams.pop(packet.second, None)
                stream.cut()
                self._put(Packet(CLSE, packet.second, packet.first))
        elif stream is None:
            self._put(Packet(CLSE, 0, packet.first))
        elif packet.command == OKAY:
            stream.answered()
        elif packet.command == WRTE:
            stream.deliver(packet.data)


def _serve(serve: Callable[[Stream], None], stream: Stream) -> None:
    try:
        serve(stream)
    except (StreamClosed, TimeoutError):
        pass  # the client went away in the middle; what it wanted nobody wants any more
    finally:
        stream.finish()
