"""The few words of HTTP that the server on the phone needs, over a connection that stays open."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

#: A tree of 10,000 nodes has 5 MB; more than this is no answer.
_MOST = 64 << 20
_MOST_HEAD = 64 << 10


class BrokenReply(Exception):
    """An answer that is none."""


class Reply(NamedTuple):
    """`keep`: the connection may be used again."""

    status: int
    body: bytes
    keep: bool


def request(method: str, path: str, body: bytes = b"") -> bytes:
    """Head and body in one piece: sent apart, they wait 40 ms for each other. No compression is asked for: NanoHTTPD's
    leaks (NanoHttpd/nanohttpd#492)."""
    head = (
        f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: keep-alive\r\nAccept-Encoding: identity\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


class _Reader:
    def __init__(self, receive: Callable[[int], bytes]) -> None:
        self._receive = receive
        self.buffer = bytearray()
        self.begun = False

    def more(self) -> bool:
        part = self._receive(1 << 16)
        self.begun = self.begun or bool(part)
        self.buffer += part
        if len(self.buffer) > _MOST:
            raise BrokenReply(f"more than {_MOST >> 20} MB")
        return bool(part)

    def until(self, mark: bytes) -> bytes:
        while (at := self.buffer.find(mark)) < 0:
            if len(self.buffer) > _MOST_HEAD:
                raise BrokenReply("no end of the head")
            if not self.more():
                raise BrokenReply("the connection ended within the answer" if self.begun else "no answer came")
        found = bytes(self.buffer[:at])
        del self.buffer[: at + len(mark)]
        return found

    def exactly(self, count: int) -> bytes:
        if count > _MOST:
            raise BrokenReply(f"{count} bytes are announced")
        while len(self.buffer) < count:
            if not self.more():
                raise BrokenReply(f"the connection ended {count - len(self.buffer)} bytes too early")
        found = bytes(self.buffer[:count])
        del self.buffer[:count]
        return found


def read_reply(receive: Callable[[int], bytes]) -> Reply:
    """One answer; `receive(n)` gives up to n bytes, and none at the end. Raises `BrokenReply`, and what it raises."""
    reader = _Reader(receive)
    status, *lines = reader.until(b"\r\n\r\n").decode("latin-1").split("\r\n")
    version, _, rest = status.partition(" ")
    code = rest[:3]
    if not version.startswith("HTTP/1.") or not code.isdecimal():
        raise BrokenReply(f"no HTTP but {status[:60]!r}")
    fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
    body, whole = _body(reader, fields)
    keep = whole and fields.get("connection", "").lower() != "close" and not reader.buffer
    return Reply(int(code), body, keep)


def _body(reader: _Reader, fields: dict[str, str]) -> tuple[bytes, bool]:
    if fields.get("transfer-encoding", "").lower() == "chunked":
        return _chunks(reader), True
    length = fields.get("content-length")
    if length is None:
        while reader.more():
            pass
        return bytes(reader.buffer), False
    if not length.isdecimal():
        raise BrokenReply(f"a length of {length[:20]!r}")
    return reader.exactly(int(length)), True


def _chunks(reader: _Reader) -> bytes:
    parts: list[bytes] = []
    while True:
        size = reader.until(b"\r\n").partition(b";")[0].strip()
        try:
            count = int(size, 16)
        except ValueError:
            raise BrokenReply(f"a piece of {size[:20]!r}") from None
        if count <= 0:
            reader.until(b"\r\n")
            return b"".join(parts)
        parts.append(reader.exactly(count))
        reader.exactly(2)
