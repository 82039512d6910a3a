"""A small HTTP proxy on loopback before one server, as farms and offices have them, and what such a proxy may do."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

PAGE = b"<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1>nginx</body></html>"
PATIENCE_S = 60.0

#: `trouble(method, path, body)` says what becomes of a request: "" is handed on; `page` is answered with HTML and
#: status 502, and the server never sees it; `reset` is handed on, and the connection is reset in place of the answer.
Trouble = Callable[[str, str, bytes], str]


class Proxy:
    """Use it in a `with`. `did` holds the troubles that it made, with the path of the request."""

    def __init__(self, target: str, trouble: Trouble) -> None:
        self.did: list[tuple[str, str]] = []
        handler = type("Handler", (_Handler,), {"target": urlsplit(target).netloc, "trouble": staticmethod(trouble),
                                                "did": self.did})  # fmt: skip
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, name="proxy", daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Proxy:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(PATIENCE_S)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    target: str
    trouble: Trouble
    did: list[tuple[str, str]]

    def _hand_on(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        what = self.trouble(self.command, self.path, body)
        if what:
            self.did.append((what, self.path))
        if what == "page":
            self._answer(502, "text/html", PAGE)
            return
        connection = HTTPConnection(self.target, timeout=PATIENCE_S)
        try:
            # The server makes a new connection of each, so that none is found closed when it is used again.
            headers = {
                name: value for name, value in self.headers.items() if name.lower() not in ("host", "connection")
            }
            connection.request(self.command, self.path, body or None, headers)
            answer = connection.getresponse()
            told = answer.read()
        finally:
            connection.close()
        if what == "reset":
            self._reset()
            return
        self._answer(answer.status, answer.headers.get("Content-Type") or "application/json", told)

    do_GET = do_POST = do_DELETE = _hand_on

    def _answer(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _reset(self) -> None:
        self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close_connection = True
        self.connection.close()

    def log_message(self, *_words: object) -> None:
        """Says nothing."""
