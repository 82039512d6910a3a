"""Every trouble of a device that a fault makes shows on the wire as it does on a real phone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from pytest_apex.phone.faults import KNOWN_FAULTS
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone_wires.handset import SERVER_JAR
from pytest_apex.phone_wires.serve import Served, serve_phone

from .client import AdbClient, OpenStream, StepClock

LIFE_LINE = "shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"
Start = Callable[[str], tuple[Served, OpenStream]]


@pytest.fixture
def start(app: AppFile) -> Iterator[Start]:
    """A phone with a fault, its server running."""
    with ExitStack() as stack:

        def start_with(fault: str) -> tuple[Served, OpenStream]:
            served = stack.enter_context(serve_phone([app], fault=fault, clock=StepClock()))
            served.handset.files.write(SERVER_JAR, b"jar")
            client = stack.enter_context(AdbClient(served.port))
            life = client.open(LIFE_LINE)
            assert life is not None
            life.read(52)
            stream = stack.enter_context(AdbClient(served.port)).open("tcp:9008")
            assert stream is not None
            return served, stream

        yield start_with


def reach(served: Served, screen: str) -> None:
    """The screen opens, by whatever way."""
    with served.pace.held() as phone:
        phone.launch(phone.machine.apps[0].id)
        phone.clock.sleep(1)
        phone.machine.screen_opened(screen)


def place(app: AppFile, fault: str) -> str:
    return app.faults[fault].screen


def test_device_lost_breaks_the_connection_for_good(start: Start, app: AppFile) -> None:
    served, http = start("device_lost")
    reach(served, place(app, "device_lost"))
    with pytest.raises((EOFError, ConnectionError)):
        http.request("GET", "/ping")
    served.pace.sleep(3600)
    with pytest.raises((EOFError, ConnectionError)):
        AdbClient(served.port)


def test_reconnect_comes_back_by_itself(start: Start, app: AppFile) -> None:
    served, http = start("reconnect")
    reach(served, place(app, "reconnect"))
    with pytest.raises((EOFError, ConnectionError)):
        http.request("GET", "/ping")
    served.pace.sleep(10)
    with served.pace.held():
        pass
    with AdbClient(served.port) as client:
        assert client.shell("echo back") == "back\n"


def test_driver_dead_ends_the_server_and_it_does_not_start_again(start: Start, app: AppFile) -> None:
    served, http = start("driver_dead")
    reach(served, place(app, "driver_dead"))
    with pytest.raises((EOFError, ConnectionError)):
        http.request("GET", "/ping")
    with AdbClient(served.port) as client:
        assert client.open("tcp:9008") is None
        assert client.shell("pidof com.example.notes") != ""
        assert "Error while connecting UiAutomation" in client.shell(LIFE_LINE.removeprefix("shell:"))
        assert client.open("tcp:9008") is None


def test_driver_restart_ends_the_server_once(start: Start, app: AppFile) -> None:
    served, http = start("driver_restart")
    reach(served, place(app, "driver_restart"))
    with pytest.raises((EOFError, ConnectionError)):
        http.request("GET", "/ping")
    with AdbClient(served.port) as client:
        life = client.open(LIFE_LINE)
        assert life is not None
        life.read(52)
        with AdbClient(served.port) as other:
            assert other.open("tcp:9008") is not None


def test_blind_tree_dumps_one_empty_node(start: Start, app: AppFile) -> None:
    served, http = start("blind_tree")
    reach(served, place(app, "blind_tree"))
    text = http.rpc("dumpWindowHierarchy", False, 50)["result"]
    assert text.count("<node ") == 1
    assert http.rpc("takeScreenshot", 1, 80)["result"]


def test_stale_tree_dumps_the_screen_before(start: Start, app: AppFile) -> None:
    served, http = start("stale_tree")
    with served.pace.held() as phone:
        phone.launch(app.id)
    served.pace.sleep(2)
    before = http.rpc("dumpWindowHierarchy", False, 50)["result"]
    reach(served, place(app, "stale_tree"))
    http.rpc("pressKey", "home")
    assert http.rpc("dumpWindowHierarchy", False, 50)["result"] == before


def test_every_other_fault_leaves_the_wire_alone(app: AppFile) -> None:
    """Those are faults of the app or of the screen: they show in what is dumped and pictured, not in the connection."""
    for fault in sorted(set(KNOWN_FAULTS) & set(app.faults) - {"device_lost", "reconnect"}):
        with serve_phone([app], fault=fault, clock=StepClock()) as served, AdbClient(served.port) as client:
            client.shell(f"am start -W -n {app.id}/.MainActivity")
            assert client.shell("echo here") == "here\n", fault
