"""What the channel says of a call that failed: surely not sent, or maybe done. On socket pairs, served by scripts."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pytest_apex.backends.uiautomator2.channel import Channel, MaybeDone, NotSent
from pytest_apex.backends.uiautomator2.http import BrokenReply, Reply, read_reply, request
from pytest_apex.backends.uiautomator2.rpc import RpcError, result_of
from pytest_apex.errors import DriverDead

LIMIT = 5.0
#: Takes a request's text; gives the bytes of the answer, or None to hang up.
Script = Callable[[str], "bytes | None"]


def ok(body: bytes, head: str = "") -> bytes:
    return f"HTTP/1.1 200 OK\r\nContent-Length: {len(body)}\r\n{head}\r\n".encode() + body


def answer(asked: str, result: Any = True, *, number: int | None = None) -> bytes:
    call = json.loads(asked.partition("\r\n\r\n")[2])
    told = {"jsonrpc": "2.0", "id": call["id"] if number is None else number, "result": result}
    return ok(json.dumps(told).encode())


class Server:
    """Serves each connection by the next script; counts the calls that came whole."""

    def __init__(self) -> None:
        self.scripts: list[Script | None] = []
        self.calls: list[str] = []
        self._open: list[socket.socket] = []

    def dial(self, _timeout: float) -> socket.socket:
        script = self.scripts.pop(0) if self.scripts else None
        if script is None:
            raise ConnectionRefusedError("refused")
        near, far = socket.socketpair()
        self._open += [near, far]
        threading.Thread(target=self._serve, args=(far, script), daemon=True).start()
        return near

    def _serve(self, sock: socket.socket, script: Script) -> None:
        while True:
            try:
                asked = sock.recv(1 << 16).decode()
            except OSError:
                return
            if not asked:
                return
            if asked.startswith("POST"):
                self.calls.append(json.loads(asked.partition("\r\n\r\n")[2])["method"])
            told = script(asked)
            if told is None:
                sock.shutdown(socket.SHUT_RDWR)
                return
            if told:
                sock.sendall(told)

    def close(self) -> None:
        for sock in self._open:
            sock.close()


def healthy(asked: str) -> bytes:
    return ok(b"pong") if asked.startswith("GET /ping") else answer(asked)


def pings_then(told: bytes | Callable[[str], bytes] | None) -> Script:
    def script(asked: str) -> bytes | None:
        if asked.startswith("GET /ping"):
            return ok(b"pong")
        return told(asked) if callable(told) else told

    return script


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture
def channel(server: Server) -> Iterator[Channel]:
    made = Channel(server.dial, "R58")
    yield made
    made.close()


class TestActing:
    def test_it_goes_over_one_connection(self, channel: Channel, server: Server) -> None:
        server.scripts = [healthy]
        assert [channel.act("click", 1, 2, 60, timeout=LIMIT) for _ in range(3)] == [True] * 3
        assert server.calls == ["click"] * 3

    def test_no_connection_is_surely_not_sent(self, channel: Channel, server: Server) -> None:
        with pytest.raises(NotSent):
            channel.act("click", 1, 2, timeout=LIMIT)
        assert server.calls == []

    @pytest.mark.parametrize("told", [None, b"", b"what?", ok(b"gnop")])
    def test_a_connection_that_does_not_answer_a_ping_gets_no_call(self, server: Server, told: bytes | None) -> None:
        channel = Channel(server.dial, "R58", ping_s=0.05)
        server.scripts = [lambda _asked: told]
        with pytest.raises(NotSent):
            channel.act("click", 1, 2, timeout=LIMIT)
        assert server.calls == []

    @pytest.mark.parametrize(
        "told",
        [
            None,
            b"HTTP/1.1 200 OK\r\nContent-Le",
            ok(b"{")[:-1],
            b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n",
            ok(b"<html>"),
            ok(b"[]"),
            ok(b'{"id": 1}'),
            ok(b'{"id": 77, "result": true}'),
        ],
    )
    def test_from_the_first_byte_on_it_may_have_been_done(
        self, channel: Channel, server: Server, told: bytes | None
    ) -> None:
        cut = told is not None and told.endswith((b"Le", b"\r\n\r\n"))
        server.scripts = [pings_then(told)]
        with pytest.raises(MaybeDone, match="maybe done"):
            channel.act("click", 1, 2, timeout=0.2 if cut else LIMIT)
        assert server.calls == ["click"]

    def test_silence_ends_at_the_limit_and_nothing_is_sent_again(self, channel: Channel, server: Server) -> None:
        server.scripts = [pings_then(b""), healthy]
        with pytest.raises(MaybeDone) as error:
            channel.act("click", 1, 2, timeout=0.05)
        assert "no answer within 0.05 s" in error.value.seen
        assert server.calls == ["click"]

    def test_an_answer_that_comes_too_late_is_not_taken_for_the_next(self, channel: Channel, server: Server) -> None:
        server.scripts = [pings_then(lambda asked: answer(asked, number=0)), healthy]
        with pytest.raises(MaybeDone, match="maybe done"):
            channel.act("click", 1, 2, timeout=LIMIT)
        assert channel.act("press", 3, timeout=LIMIT) is True
        assert server.calls == ["click", "press"]

    def test_a_connection_that_ended_meanwhile_is_made_anew_before(self, channel: Channel, server: Server) -> None:
        server.scripts = [pings_then(lambda asked: answer(asked)), healthy]
        channel.act("click", 1, 2, timeout=LIMIT)
        server._open[1].shutdown(socket.SHUT_RDWR)
        assert channel.act("click", 1, 2, timeout=LIMIT) is True
        assert server.calls == ["click", "click"]

    def test_what_the_server_refuses_is_no_loss(self, channel: Channel, server: Server) -> None:
        def refuses(asked: str) -> bytes:
            number = json.loads(asked.partition("\r\n\r\n")[2])["id"]
            return ok(json.dumps({"id": number, "error": {"code": -32601, "message": "method not found"}}).encode())

        server.scripts = [pings_then(refuses)]
        with pytest.raises(RpcError) as error:
            channel.act("fly", timeout=LIMIT)
        assert error.value.code == -32601

    def test_a_server_without_its_automation_may_have_done_it(self, channel: Channel, server: Server) -> None:
        def broken(asked: str) -> bytes:
            number = json.loads(asked.partition("\r\n\r\n")[2])["id"]
            told = {"id": number, "error": {"code": -32001, "message": "UiAutomation not connected!"}}
            return ok(json.dumps(told).encode())

        server.scripts = [pings_then(broken)]
        with pytest.raises(MaybeDone):
            channel.act("click", 1, 2, timeout=LIMIT)


class TestLooking:
    def test_one_more_connection_where_the_first_broke(self, channel: Channel, server: Server) -> None:
        server.scripts = [pings_then(None), pings_then(lambda asked: answer(asked, "<hierarchy/>"))]
        assert channel.look("dumpWindowHierarchy", False, 500, timeout=LIMIT) == "<hierarchy/>"
        assert len(server.calls) == 2

    def test_no_third_one(self, channel: Channel, server: Server) -> None:
        server.scripts = [pings_then(None), pings_then(ok(b"no json")), healthy]
        with pytest.raises(DriverDead):
            channel.look("dumpWindowHierarchy", timeout=LIMIT)
        assert len(server.calls) == 2

    def test_none_at_all_where_the_first_was_silent(self, channel: Channel, server: Server) -> None:
        server.scripts = [pings_then(b""), healthy]
        with pytest.raises(DriverDead):
            channel.look("dumpWindowHierarchy", timeout=0.05)
        assert len(server.calls) == 1


class TestHttp:
    @staticmethod
    def read(data: bytes, size: int = 3) -> Reply:
        pieces = iter([data[at : at + size] for at in range(0, len(data), size)])
        return read_reply(lambda _count: next(pieces, b""))

    @pytest.mark.parametrize("size", [1, 2, 5, 1000])
    def test_bodies_by_length_by_pieces_and_to_the_end(self, size: int) -> None:
        assert self.read(ok(b"pong"), size) == Reply(200, b"pong", True)
        pieces = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\npon\r\n1;x=y\r\ng\r\n0\r\n\r\n"
        assert self.read(pieces, size) == Reply(200, b"pong", True)
        assert self.read(b"HTTP/1.0 200 OK\r\n\r\npong", size) == Reply(200, b"pong", False)
        assert not self.read(ok(b"pong", "Connection: close\r\n"), size).keep

    @pytest.mark.parametrize(
        "data",
        [
            b"",
            b"HTTP/1.1 200 OK\r\n",
            b"SSH-2.0\r\n\r\n",
            b"HTTP/1.1 xyz\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n",
            b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\npong",
            b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            b"\xff" * 100_000,
        ],
    )
    def test_anything_else_is_a_broken_reply(self, data: bytes) -> None:
        with pytest.raises(BrokenReply):
            self.read(data, 1000)

    def test_a_request_is_one_piece_with_its_length(self) -> None:
        assert request("POST", "/jsonrpc/0", b"{}").endswith(b"Content-Length: 2\r\n\r\n{}")

    def test_a_json_of_brackets_is_no_answer(self) -> None:
        with pytest.raises(BrokenReply):
            result_of(Reply(200, b"[" * 200_000, True), 1, "x")
