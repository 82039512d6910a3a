"""Just enough HTTP/1.1 for the server on the phone (NanoHTTPD on a real one): requests of bounded size, answers of
known length, connections kept open."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

#: NanoHTTPD's own bound of a head is 8 KiB; the body is that of one call.
MAX_HEAD, MAX_BODY = 8 * 1024, 16 * 1024 * 1024
#: How long a kept connection may rest, and how long a request may take to come (seconds).
KEPT_S, COMING_S = 300.0, 30.0
_REASONS = {200: "OK", 400: "Bad Request", 404: "Not Found", 405: "Method Not Allowed", 413: "Payload Too Large",
            500: "Internal Server Error", 502: "Bad Gateway"}  # fmt: skip


class Channel(Protocol):
    """Bytes both ways: a stream of adb, or a socket."""

    def read(self, timeout: float | None = None) -> bytes:
        """What has come; empty at the end. `TimeoutError` when nothing comes in time."""

    def write(self, data: bytes) -> None: ...


@dataclass(frozen=True, slots=True)
class Request:
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Response:
    status: int
    body: bytes
    media_type: str = "text/plain"


class BadRequest(Exception):
    """What came is no request; `status` is what to answer."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


#: Answers a request; None: never, the connection ends without an answer.
Answer = Callable[[Request], Response | None]


class HttpConnection:
    """Requests of one client, one after the other."""

    def __init__(self, stream: Channel, answer: Answer) -> None:
        self._stream = stream
        self._answer = answer
        self._rest = b""

    def serve(self) -> None:
        while True:
            try:
                request = self._read()
            except BadRequest as error:
                self._send(Response(error.status, b"BAD REQUEST: Syntax error."), keep=False)
                return
            if request is None:
                return
            response = self._answer(request)
            if response is None:
                return
            keep = request.headers.get("connection", "").lower() != "close"
            self._send(response, keep=keep)
            if not keep:
                return

    def _more(self, limit: float) -> bool:
        data = self._stream.read(limit)
        self._rest += data
        return bool(data)

    def _read(self) -> Request | None:
        """The next request; None when the client is done. Raises `BadRequest`."""
        limit = KEPT_S
        while b"\r\n\r\n" not in self._rest:
            if len(self._rest) > MAX_HEAD:
                raise BadRequest(400)
            if not self._more(limit):
                return None
            limit = COMING_S
        head, _, self._rest = self._rest.partition(b"\r\n\r\n")
        method, path, headers = _read_head(head)
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > 12 or "transfer-encoding" in headers:
            raise BadRequest(400)
        size = int(length)
        if size > MAX_BODY:
            raise BadRequest(413)
        while len(self._rest) < size:
            if not self._more(COMING_S):
                return None
        body, self._rest = self._rest[:size], self._rest[size:]
        return Request(method, path, headers, body)

    def _send(self, response: Response, *, keep: bool) -> None:
        head = (
            f"HTTP/1.1 {response.status} {_REASONS.get(response.status, 'OK')}\r\n"
            f"Content-Type: {response.media_type}\r\n"
            f"Connection: {'keep-alive' if keep else 'close'}\r\n"
            f"Content-Length: {len(response.body)}\r\n\r\n"
        )
        self._stream.write(head.encode() + response.body)


def _read_head(head: bytes) -> tuple[str, str, dict[str, str]]:
    if len(head) > MAX_HEAD:
        raise BadRequest(400)
    first, *lines = head.decode("latin-1").split("\r\n")
    words = first.split(" ")
    if len(words) != 3 or not words[2].startswith("HTTP/1."):
        raise BadRequest(400)
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise BadRequest(400)
        headers[name.strip().lower()] = value.strip()
    return words[0], words[1], headers
