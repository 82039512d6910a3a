"""How requests fail over real sockets, by a server that misbehaves."""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

import pytest
import urllib3

from pytest_apex.backends.appium.wire import Broken, Http, Reply

OK = b'HTTP/1.1 200 OK\r\nContent-Length: 14\r\nContent-Type: application/json\r\n\r\n{"value":null}'


@contextmanager
def serving(behave: Callable[[socket.socket], None]) -> Iterator[tuple[Http, list[bytes]]]:
    """A transport to a server that reads a request and then does as told; and what it got."""
    got: list[bytes] = []

    def accept() -> None:
        while True:
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            with connection:
                got.append(connection.recv(65536))
                behave(connection)

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        pool = urllib3.PoolManager()
        yield Http(pool, f"http://127.0.0.1:{listener.getsockname()[1]}", {"Authorization": "Basic x"}), got
        pool.clear()
        listener.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def test_an_answer_comes_as_it_is() -> None:
    with serving(lambda connection: connection.sendall(OK)) as (http, got):
        assert http("POST", "/session/1/actions", b"{}", 5.0) == Reply(200, b'{"value":null}')
    assert got[0].startswith(b"POST /session/1/actions HTTP/1.1")
    assert b"Basic x" in got[0]


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.parametrize(
    "behave",
    [
        lambda connection: None,
        reset,
        lambda connection: connection.sendall(OK[:-6]),
        lambda connection: connection.sendall(b"no answer of HTTP\r\n\r\n"),
    ],
)
def test_an_answer_that_breaks_off_may_mean_that_it_was_done(
    method: str, behave: Callable[[socket.socket], None]
) -> None:
    with serving(behave) as (http, got):
        with pytest.raises(Broken) as error:
            http(method, "/x", b"{}", 5.0)
        assert error.value.kind == "broken"
        assert len(got) == 1


def test_a_silent_server_is_given_its_time_once() -> None:
    end = threading.Event()
    with serving(lambda connection: bool(end.wait(5)) or None) as (http, got):
        with pytest.raises(Broken, match=r"no answer within 0\.05 s") as error:
            http("GET", "/x", None, 0.05)
        end.set()
        assert error.value.kind == "silent"
        assert len(got) == 1


def _drips(connection: socket.socket) -> None:
    end = threading.Event()
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    with suppress(OSError):
        while True:
            connection.sendall(b" ")
            end.wait(0.002)


def test_an_answer_that_drips_is_given_no_more_time() -> None:
    with serving(_drips) as (http, _), pytest.raises(Broken, match=r"no answer within 0\.05 s") as error:
        http("GET", "/x", None, 0.05)
    assert error.value.kind == "silent"


def test_a_big_answer_that_comes_in_pieces_is_whole() -> None:
    body = b'{"value": "' + b"x" * 300_000 + b'"}'
    head = f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n\r\n".encode()

    def in_pieces(connection: socket.socket) -> None:
        connection.sendall(head + body[:7])
        connection.sendall(body[7:])

    with serving(in_pieces) as (http, _):
        assert http("GET", "/x", None, 5.0).body == body


def test_nobody_there_means_that_it_was_not_sent() -> None:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{probe.getsockname()[1]}"
    with pytest.raises(Broken) as error:
        Http(urllib3.PoolManager(), url, {})("POST", "/x", b"{}", 1.0)
    assert error.value.kind == "unreachable"
    assert "refused" in str(error.value)
    assert "object at 0x" not in str(error.value)


def test_a_failure_is_told_in_whole_words() -> None:
    def hangs_up(_connection: socket.socket) -> None:
        return

    with serving(hangs_up) as (send, _), pytest.raises(Broken) as error:
        send("GET", "/status", None, 5.0)
    assert str(error.value) == "Connection aborted. Remote end closed connection without response"
