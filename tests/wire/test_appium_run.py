"""Runs of pytest through a real Appium server that is ended in the middle of a test, and through a bad proxy."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.backends.virtual import demo_app
from pytest_apex.phone_wires.wda.serve import ServedWda, serve_wda
from pytest_apex.reports.results import read_results

from .conftest import not_run
from .servers import appium
from .servers.proxy import Proxy

pytestmark = pytest.mark.bench

ROOT = Path(__file__).parents[2]
#: The first touches of the second test are waited for; how long the server is away then, in seconds.
AWAY_S, LOOK_S, RUNS_S = 7.0, 0.05, 150.0
TESTS = """
import time
from urllib.request import urlopen

from pytest_apex import expect


def test_before(apex_device):
    expect(apex_device.find("Sign in")).to_be_visible()


def test_during(apex_device):
    apex_device.tap("Forgot password?")
    expect(apex_device.find("Forgot your password?")).to_be_visible()
    apex_device.tap("OK")
    expect(apex_device.find("Forgot your password?")).to_be_hidden()


def test_until_the_server_is_back(pytestconfig):
    # How long Node takes to start it is the machine's affair.
    for _ in range(600):
        try:
            urlopen(pytestconfig.getoption("apex_appium_url") + "/status", timeout=5)
            return
        except OSError:
            time.sleep(0.1)


def test_after(apex_device):
    expect(apex_device.find("Sign in")).to_be_visible()
"""


BEHIND_A_PROXY = """
from pytest_apex import expect


def test_a_look_is_answered_with_a_page(apex_device):
    apex_device.tap("Forgot password?")
    expect(apex_device.find("Forgot your password?")).to_be_visible()


def test_the_answer_to_a_tap_is_reset(apex_device):
    apex_device.tap("Forgot password?")
    expect(apex_device.find("Forgot your password?")).to_be_visible()


def test_a_tap_is_answered_with_a_page(apex_device):
    apex_device.tap("Forgot password?")
    expect(apex_device.find("Forgot your password?")).to_be_visible()


def test_after(apex_device):
    expect(apex_device.find("Sign in")).to_be_visible()
"""


@pytest.fixture
def folder(pytestconfig: pytest.Config, program: Callable[[str], str]) -> Path:
    """Where the servers are installed."""
    program("node")
    folder = Path(pytestconfig.getoption("wire_servers"))
    if not (folder / "node_modules" / "appium").is_dir():
        not_run(f"Appium is not installed in {folder}: npm ci there")
    return folder


class BadProxy:
    """The first look after the first tap is answered with a page of HTML, the answer to the second tap is lost, and the
    third tap never arrives."""

    def __init__(self) -> None:
        self.taps, self.answered = 0, False

    def __call__(self, _method: str, path: str, body: bytes) -> str:
        if path.endswith("/actions") or b'"mobile: tap"' in body:
            self.taps += 1
            return {2: "reset", 3: "page"}.get(self.taps, "")
        if self.taps == 1 and not self.answered and path.endswith("/source"):
            self.answered = True
            return "page"
        return ""


def test_the_run_goes_on_after_a_server_that_was_killed(folder: Path, tmp_path: Path) -> None:
    with serve_wda([demo_app()]) as phone:
        first = appium.start(folder, tmp_path / "first.log")
        servers = [first]
        thread = threading.Thread(target=lambda: servers.append(_killed_and_back(first, phone, folder, tmp_path)))
        thread.start()
        try:
            done = _run(TESTS, first.url, phone, tmp_path)
        finally:
            thread.join()
            for server in servers:
                server.stop()
    told = {one.test.rpartition("::")[2]: (one.outcome, one.verdict.kind) for one in read_results(tmp_path / "run")}
    assert told["test_before"] == ("passed", ""), done
    assert told["test_during"] == ("failed", "transient.harness.driver_dead"), done
    assert told["test_after"][0] == "passed", done
    # Nothing was done a second time.
    assert len([entry for entry in phone.journal.touches if entry.name == "down"]) == 1


def test_a_proxy_before_the_server_is_nobodys_fault_and_no_tap_is_done_twice(folder: Path, tmp_path: Path) -> None:
    bad, server = BadProxy(), appium.start(folder, tmp_path / "server.log")
    try:
        with serve_wda([demo_app()]) as phone, Proxy(server.url, bad) as proxy:
            done = _run(BEHIND_A_PROXY, proxy.url, phone, tmp_path)
    finally:
        server.stop()
    assert [what for what, _ in proxy.did] == ["page", "reset", "page"], done
    told = {one.test.rpartition("::")[2]: one for one in read_results(tmp_path / "run")}
    assert {name: (one.outcome, one.verdict.kind) for name, one in told.items()} == {
        "test_a_look_is_answered_with_a_page": ("passed", ""),
        "test_the_answer_to_a_tap_is_reset": ("passed", ""),
        "test_a_tap_is_answered_with_a_page": ("passed", ""),
        "test_after": ("passed", ""),
    }, done
    # The first tap and the second once each; of the third, which never arrived, the one that is allowed after a touch
    # without any effect.
    assert bad.taps == 4
    assert len([entry for entry in phone.journal.touches if entry.name == "down"]) == 3


def _killed_and_back(server: appium.AppiumServer, phone: ServedWda, folder: Path, scratch: Path) -> appium.AppiumServer:
    """Kill the server once the phone was touched, and start one at its place after a while."""
    pause, ends = threading.Event(), time.monotonic() + RUNS_S / 2
    while not phone.journal.touches and time.monotonic() < ends:
        pause.wait(LOOK_S)
    server.kill()
    pause.wait(AWAY_S)
    return appium.start(folder, scratch / "second.log", port=server.port)


def _run(tests: str, url: str, phone: ServedWda, folder: Path) -> str:
    (folder / "test_run.py").write_text(tests, "utf-8")
    caps = {"platformName": "iOS", "platformVersion": "17.5", "webDriverAgentUrl": phone.url}
    command = [
        sys.executable, "-m", "pytest", str(folder / "test_run.py"), f"--apex-device={phone.udid}",
        "--apex-backend=appium", f"--apex-appium-url={url}", f"--apex-appium-caps={json.dumps(caps)}",
        "--apex-app=com.example.notes", f"--apex-artifacts={folder / 'run'}", "--apex-settle-timeout=2",
        "--rootdir", str(folder), "-p", "no:cacheprovider", "-p", "no:randomly", "-p", "no:asyncio",
    ]  # fmt: skip
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("APEX_", "PYTEST_"))}
    environment["PYTHONPATH"] = str(ROOT)
    done = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=RUNS_S, check=False
    )
    return done.stdout[-3000:] + done.stderr[-1000:]
