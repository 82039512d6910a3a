"""A web view of an app on the built-in phone: a real Chromium behind the debugging socket of the app's process."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pytest_apex.phone_wires.adb.streams import Stream, StreamClosed
from pytest_apex.phone_wires.serve import Served

_STARTS_S = 20.0
_CHUNK = 1 << 16


@contextmanager
def web_view(served: Served, pid: int, chromium: str, page: str, folder: Path) -> Iterator[str]:
    """The app's process `pid` shows `page`, a file's address, and lets itself be debugged; the socket's name."""
    name = f"webview_devtools_remote_{pid}"
    with _browser(chromium, page, folder) as port:
        served.services.sockets[name] = lambda: lambda stream: _bridge(stream, port)
        yield name
        del served.services.sockets[name]


@contextmanager
def _browser(chromium: str, page: str, folder: Path) -> Iterator[int]:
    command = [
        chromium, "--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-sync",
        "--disable-background-networking", "--disable-component-update", "--remote-debugging-port=0",
        "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={folder / 'profile'}", page,
    ]  # fmt: skip
    if os.geteuid() == 0:
        command.insert(1, "--no-sandbox")
    told = folder / "chromium.log"
    with told.open("wb") as log, subprocess.Popen(command, stdout=log, stderr=log) as process:
        try:
            yield _port(told)
        finally:
            process.kill()


def _port(told: Path) -> int:
    ends = time.monotonic() + _STARTS_S
    while time.monotonic() < ends:
        found = re.search(r"DevTools listening on ws://127\.0\.0\.1:(\d+)/", told.read_text("utf-8", "replace"))
        if found is not None:
            return int(found[1])
        threading.Event().wait(0.05)
    raise AssertionError(f"Chromium did not start: {told.read_text('utf-8', 'replace')[-500:]}")


def _bridge(stream: Stream, port: int) -> None:
    with socket.create_connection(("127.0.0.1", port)) as far:

        def back() -> None:
            with suppress(OSError, StreamClosed):
                while part := far.recv(_CHUNK):
                    stream.write(part)
            stream.finish()
            stream.cut()  # wakes who waits for more from the client

        thread = threading.Thread(target=back, daemon=True)
        thread.start()
        with suppress(OSError, StreamClosed):
            while part := stream.take_some(_CHUNK, None):
                far.sendall(part)
        with suppress(OSError):
            far.shutdown(socket.SHUT_RDWR)
        thread.join(5.0)
