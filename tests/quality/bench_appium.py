"""What driving a phone through Appium costs, beside a plain script on Appium-Python-Client: both in one run.

    python tests/quality/bench_appium.py --servers FOLDER

Find a control and touch it, read the tree, take a picture, look ten controls up: on the built-in phone behind a real
adb and a real Appium server. Ends with 1 where ours takes more than half of the plain script's time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from wire.android import APP, own_adb
from wire.servers import appium

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.connecting import connect
from pytest_apex.backends.virtual import demo_app
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import Tap
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.phone_wires.serve import serve_phone
from pytest_apex.settings import Settings

MOST, ROUNDS, LOOKUPS = 0.5, 15, 10
FIELD, OTHER = f"{APP}:id/email", f"{APP}:id/password"


def plain(driver: Any) -> None:
    driver.find_element("id", FIELD).click()
    assert driver.page_source
    assert driver.get_screenshot_as_png()
    for _ in range(LOOKUPS):
        assert driver.find_element("id", OTHER)


def ours(backend: AppiumBackend) -> None:
    at = _named(backend.capture(), FIELD).bounds.center
    backend.perform(compile_action(Tap(at), RULES["android"]))
    seen = backend.capture()
    assert seen.picture is not None
    for _ in range(LOOKUPS):
        assert _named(seen, OTHER)


def _named(seen: Snapshot, name: str) -> Node:
    return next(node for node in seen.nodes if node.identifier == name)


def _seconds(do: Callable[[], None]) -> float:
    began = time.monotonic()
    do()
    return time.monotonic() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--servers", type=Path, default=Path(__file__).parents[1] / "wire/servers", metavar="FOLDER")
    folder = parser.parse_args().servers
    with tempfile.TemporaryDirectory() as scratch, own_adb() as adb, serve_phone([demo_app()]) as phone:
        server = appium.start(folder, Path(scratch) / "server.log")
        try:
            adb.connect(phone.serial, 5.0)
            caps = {
                "platformName": "Android", "adbPort": adb.port, "systemPort": appium.free_port(),
                "skipServerInstallation": True, "skipDeviceInitialization": True, "skipUnlock": True,
                "suppressKillServer": True,
            }  # fmt: skip
            asked = Settings().changed("devices", {}, appium_url=server.url, appium_caps=json.dumps(caps))
            backend = connect(phone.serial, asked)
            backend.launch(APP)
            backend.clock.sleep(2)  # until it is up
            both = [(_seconds(lambda: plain(backend.raw)), _seconds(lambda: ours(backend))) for _ in range(ROUNDS)]
            backend.close()
        finally:
            server.stop()
    theirs, own = (statistics.median(times) for times in zip(*both, strict=True))
    ratio = own / theirs
    print(f"plain script {theirs * 1000:.0f} ms, ours {own * 1000:.0f} ms: {ratio:.2f} of it (at most {MOST:g})")
    return 0 if ratio <= MOST else 1


if __name__ == "__main__":
    sys.exit(main())
