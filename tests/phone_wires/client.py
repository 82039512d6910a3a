"""A client of adb's wire for these tests, a real clock's stand-in, and a phone to use them on."""

from __future__ import annotations

import json
import socket
import struct
from types import TracebackType
from typing import Any

from pytest_apex.phone_wires.adb.packets import CLSE, CNXN, OKAY, OPEN, VERSION, WRTE, Packet, pack, read_packet


class StepClock:
    """A clock that stands still, and jumps when someone sleeps on it."""

    def __init__(self) -> None:
        self.time = 1000.0

    def now(self) -> float:
        return self.time

    def sleep(self, seconds: float) -> None:
        self.time += max(0.0, seconds)


class AdbClient:
    """One connection; one stream at a time."""

    def __init__(self, port: int, *, greet: bool = True) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port), 10)
        self.banner = b""
        self._number = 0
        if greet:
            try:
                self.send(Packet(CNXN, VERSION, 256 * 1024, b"host::features=shell_v2,cmd,stat_v2"))
                self.banner = self.receive().data
            except (EOFError, OSError):
                self.socket.close()
                raise

    def __enter__(self) -> AdbClient:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.socket.close()

    def send(self, packet: Packet) -> None:
        self.socket.sendall(pack(packet))

    def receive(self) -> Packet:
        return read_packet(self._read)

    def _read(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            more = self.socket.recv(count - len(data))
            if not more:
                raise EOFError
            data += more
        return data

    def open(self, name: str) -> OpenStream | None:
        """None if the device refuses."""
        self._number += 1
        self.send(Packet(OPEN, self._number, 0, name.encode() + b"\0"))
        answer = self.receive()
        return OpenStream(self, self._number, answer.first) if answer.command == OKAY else None

    def shell(self, line: str) -> str:
        """Both outputs of a command."""
        return self.run(f"shell:{line}").decode()

    def run(self, name: str, data: bytes = b"") -> bytes:
        stream = self.open(name)
        assert stream is not None
        if data:
            stream.write(data)
        return stream.read_all()

    def shell2(self, line: str) -> tuple[int, str, str]:
        """Exit code, output and error output by the shell protocol."""
        data = self.run(f"shell,v2:{line}")
        parts: dict[int, bytes] = {}
        while data:
            kind, length = struct.unpack_from("<BI", data)
            parts[kind] = parts.get(kind, b"") + data[5 : 5 + length]
            data = data[5 + length :]
        return parts[3][0], parts.get(1, b"").decode(), parts.get(2, b"").decode()


class OpenStream:
    def __init__(self, client: AdbClient, ours: int, theirs: int) -> None:
        self._client, self._ours, self._theirs = client, ours, theirs
        self._rest = b""

    def write(self, data: bytes) -> None:
        self._client.send(Packet(WRTE, self._ours, self._theirs, data))
        self._await(OKAY)

    def _await(self, command: int) -> None:
        while (packet := self._client.receive()).command != command:
            if packet.command == CLSE:
                raise EOFError
            self._take(packet)

    def _take(self, packet: Packet) -> None:
        if packet.command == WRTE:
            self._rest += packet.data
            self._client.send(Packet(OKAY, self._ours, self._theirs))

    def read(self, count: int) -> bytes:
        while len(self._rest) < count:
            packet = self._client.receive()
            if packet.command == CLSE:
                raise EOFError
            self._take(packet)
        data, self._rest = self._rest[:count], self._rest[count:]
        return data

    def read_all(self) -> bytes:
        while (packet := self._client.receive()).command != CLSE:
            self._take(packet)
        return self._rest

    def close(self) -> None:
        self._client.send(Packet(CLSE, self._ours, self._theirs))

    def request(self, method: str, path: str, body: bytes = b"") -> tuple[int, bytes]:
        """One HTTP request over this stream."""
        head = f"{method} {path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        self.write(head.encode() + body)
        head_bytes = b""
        while not head_bytes.endswith(b"\r\n\r\n"):
            head_bytes += self.read(1)
        lines = head_bytes.decode().split("\r\n")
        length = next(int(line.split(": ")[1]) for line in lines if line.startswith("Content-Length"))
        return int(lines[0].split(" ")[1]), self.read(length)

    def rpc(self, method: str, *params: Any) -> Any:
        """The whole answer to a call."""
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": list(params)}
        return json.loads(self.request("POST", "/jsonrpc/0", json.dumps(message).encode())[1])
