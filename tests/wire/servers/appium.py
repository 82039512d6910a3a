"""A real Appium server on loopback: started, waited for, and ended with all that it started."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

#: Seconds. Four drivers are loaded in 2 to 3 on two free cores.
READY_WITHIN, ENDED_WITHIN = 90.0, 15.0
_GLANCE = 0.1
DEBIAN_SDK = Path("/usr/lib/android-sdk")


@dataclass(frozen=True)
class AppiumServer:
    """A server that answers. Its drivers are those of `package.json`; everything it says is in `log`."""

    url: str
    log: Path
    process: subprocess.Popen[bytes]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def kill(self) -> None:
        """End it as the kernel does when memory is short: it says nothing to anybody."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End the server by its process id, and then what is left of its own process group: drivers and browsers."""
        self.process.terminate()
        if _ends_within(ENDED_WITHIN, self.process) is None:
            self.process.kill()
            self.process.wait()
        # The group is named after the server, whose start made it: nobody else's process can be in it.
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def start(
    folder: Path, log: Path, *, port: int = 0, usbmux: int = 0, arguments: Sequence[str] = ()
) -> AppiumServer:  # fmt: skip
    """Start the server that is installed in `folder` and wait until it says that it is ready. `usbmux` is the port of a
    usbmuxd, which the driver for iOS looks for once; `arguments` are further ones of the server.

    Raises `RuntimeError` with the end of its log if it ends before that or takes too long.
    """
    port = port or free_port()
    # Not by npx, whose process id is not the server's. Appium finds its drivers in the folder that it is started in.
    command = [
        "node", "node_modules/appium/index.js", "server", "--address", "127.0.0.1", "--port", str(port),
        "--log-no-colors", *arguments,
    ]  # fmt: skip
    environment = {name: value for name, value in os.environ.items() if name != "APPIUM_HOME"}
    # Debian's adb lies in a folder that serves as an SDK; without one, the driver for Android opens no session.
    if DEBIAN_SDK.is_dir():
        environment.setdefault("ANDROID_HOME", str(DEBIAN_SDK))
    if usbmux:
        environment["USBMUXD_SOCKET_ADDRESS"] = f"127.0.0.1:{usbmux}"
    with log.open("wb") as said:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT,
            start_new_session=True,
        )  # fmt: skip
    server = AppiumServer(f"http://127.0.0.1:{port}", log, process)
    try:
        _wait_until_ready(server)
    except BaseException:
        server.stop()
        raise
    return server


def _wait_until_ready(server: AppiumServer) -> None:
    gives_up = time.monotonic() + READY_WITHIN
    while time.monotonic() < gives_up:
        ended = _ends_within(_GLANCE, server.process)
        if ended is not None:
            raise RuntimeError(f"the Appium server ended with {ended}:\n{_end_of(server.log)}")
        if _is_ready(server.url):
            return
    raise RuntimeError(f"the Appium server was not ready within {READY_WITHIN:g} s:\n{_end_of(server.log)}")


def _ends_within(seconds: float, process: subprocess.Popen[bytes]) -> int | None:
    try:
        return process.wait(seconds)
    except subprocess.TimeoutExpired:
        return None


def _is_ready(url: str) -> bool:
    try:
        with urlopen(f"{url}/status", timeout=5) as answer:
            return bool(json.load(answer)["value"]["ready"])
    except (URLError, TimeoutError, ConnectionError):
        return False


def free_port() -> int:
    """A port on loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text("utf-8", "replace").splitlines()[-20:])
