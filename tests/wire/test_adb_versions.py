"""Two adbs of different protocols: the real one ends the server that it finds, and the doctor says so before.

Debian's adb and that of adbutils speak the same protocol (41), so the older server is one of ours: it answers in the
real protocol that it is of version 39.
"""

from __future__ import annotations

import os
import socketserver
import subprocess
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import adbutils
import pytest

from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.cli import main

from .android import end_adb

pytestmark = pytest.mark.bench


class OldServer(socketserver.ThreadingTCPServer):
    """An adb server of an older protocol without a phone; it ends when it is told to."""

    allow_reuse_address, daemon_threads = True, True

    def __init__(self, version: int) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.version = version
        self.asked: list[str] = []
        self.port: int = self.server_address[1]
        threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True).start()

    def end(self) -> None:
        self.shutdown()
        self.server_close()


class _Answers(socketserver.StreamRequestHandler):
    server: OldServer

    def handle(self) -> None:
        asked = self.rfile.read(int(self.rfile.read(4) or b"0", 16)).decode()
        self.server.asked.append(asked)
        told = f"{self.server.version:04x}" if asked == "host:version" else ""
        self.wfile.write(b"OKAY" if asked == "host:kill" else f"OKAY{len(told):04x}{told}".encode())
        if asked == "host:kill":
            self.wfile.flush()
            self.server.end()


@pytest.fixture(params=["PATH", "adbutils"])
def adb(request: pytest.FixtureRequest, program: Callable[[str], str], monkeypatch: pytest.MonkeyPatch) -> str:
    own = Path(adbutils.__file__).parent / "binaries" / "adb"
    path = program("adb") if request.param == "PATH" else str(own)
    monkeypatch.setenv("ADBUTILS_ADB_PATH", path)
    return path


@pytest.fixture
def serve(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[int], OldServer]]:
    """`serve(39)`: a server of that version, which everything here finds by the environment."""
    servers: list[OldServer] = []

    def start(version: int) -> OldServer:
        server = OldServer(version)
        servers.append(server)
        monkeypatch.setenv("ANDROID_ADB_SERVER_HOST", "127.0.0.1")
        monkeypatch.setenv("ANDROID_ADB_SERVER_PORT", str(server.port))
        return server

    yield start
    for server in servers:
        end_adb(AdbServer())  # ours, or the one that took its place
        server.server_close()


def test_the_doctor_says_what_the_real_adb_would_do(
    adb: str, serve: Callable[[int], OldServer], capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve(39)
    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "WRONG  adb server: the server that runs speaks protocol 39, this adb 41" in shown
    assert "adb kill-server" in shown
    assert "host:kill" not in server.asked  # the doctor only looks
    environment = {name: value for name, value in os.environ.items() if name != "ANDROID_ADB_SERVER_HOST"}
    done = subprocess.run([adb, "devices"], capture_output=True, env=environment, timeout=60, check=False)
    assert b"server version (39) doesn't match this client (41); killing" in done.stdout + done.stderr
    assert "host:kill" in server.asked


@pytest.mark.usefixtures("adb")
def test_a_server_of_the_same_protocol_is_fine(
    serve: Callable[[int], OldServer], capsys: pytest.CaptureFixture[str]
) -> None:
    server = serve(41)
    main(["doctor"])
    assert "ok     adb server: protocol 41" in capsys.readouterr().out
    assert "host:kill" not in server.asked
