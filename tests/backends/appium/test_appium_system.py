"""Screen, networks and shell of a device behind Appium, by a server in a script."""

from __future__ import annotations

import base64
from typing import Any

import pytest

from pytest_apex.backends.abilities import ABILITIES, ShellOutput
from pytest_apex.errors import ActionRefused, CapabilityMissing, DriverDead, ScreenLocked

from .scripted import ANDROID, IOS, Script, backend_on, failed, picture, scripts_of, value

FLAG = "Potentially insecure feature 'adb_shell' has not been enabled"
DRIVER = scripts_of(
    "mobile: shell", "mobile: lock", "mobile: unlock", "mobile: isLocked", "mobile: getConnectivity",
    "mobile: setConnectivity",
)  # fmt: skip
TREE = '<hierarchy rotation="0" width="400" height="800"><a package="com.x" bounds="[0,0][400,800]"/></hierarchy>'


def answers(**more: Any) -> Script:
    named = {name.replace("_", ": ", 1): told for name, told in more.items()}
    named = {"mobile: shell": [value("apex\n")], "mobile: pressKey": value(None), **named}
    return Script({"/appium/extensions": DRIVER, **named})


# The shell


def test_a_shell_command_tells_what_it_printed_and_how_it_ended() -> None:
    server = answers(mobile_shell=[value("apex\n"), value("two  words\r\n@apex:0:3\n")])
    assert backend_on(server).shell("echo 'two  words'; exit 3", 7.0) == ShellOutput("two  words\n", 3)
    (asked,) = server.scripts("mobile: shell")
    assert asked["timeout"] == 7000
    assert asked["command"].startswith("sh -c 'echo '\"'\"'two  words'")


@pytest.mark.parametrize("refused", [failed("unknown error", FLAG), value(""), failed("unknown command", "no", 404)])
def test_a_server_that_allows_no_shell_has_none_and_its_flag_is_named(refused: Any) -> None:
    server = answers(mobile_shell=refused)
    backend = backend_on(server)
    assert not {"shell", "background"} & backend.capabilities
    with pytest.raises(CapabilityMissing) as error:
        backend.shell("ls")
    assert error.value.cure == "start it with --allow-insecure=uiautomator2:adb_shell"
    assert server.sent == []


def test_a_server_that_allows_it_has_all_that_goes_by_it() -> None:
    backend = backend_on(answers())
    assert {"shell", "background", "network", "wake"} <= backend.capabilities
    assert all(isinstance(backend, ABILITIES[name]) for name in ("shell", "background", "network", "wake"))


def test_a_command_that_takes_too_long_is_named() -> None:
    late = failed("unknown error", "Cannot execute the 'x' shell command. Original error: 'adb' timed out after 1000ms")
    with pytest.raises(DriverDead, match="'sleep 9' did not end within 1 s"):
        backend_on(answers(mobile_shell=[value("apex"), late])).shell("sleep 9", 1.0)


def test_an_app_is_killed_as_the_system_does_when_memory_is_short() -> None:
    server = answers(mobile_shell=[value("apex"), value("@apex:0:0\n")])
    backend_on(server).kill_in_background("com.example.notes")
    assert "am kill com.example.notes" in server.scripts("mobile: shell")[0]["command"]


# The screen


def shown(script: Script) -> Script:
    script.answers |= {
        "/source": value(TREE), "/screenshot": value(picture()), "/rotation": value({"z": 0}),
        "/window/rect": value({"x": 0, "y": 0, "width": 400, "height": 800}),
    }  # fmt: skip
    return script


def test_whether_the_screen_is_off_is_asked_after_it_was_turned_off_and_until_it_is_on() -> None:
    server = shown(answers(mobile_isLocked=[value(True), value(True), value(False)], mobile_unlock=value(None)))
    backend = backend_on(server)
    assert backend.capture().screen.awake
    assert server.scripts("mobile: isLocked") == []
    backend.sleep()
    assert not backend.capture().screen.awake
    backend.wake()
    assert backend.capture().screen.awake
    assert [asked["keycode"] for asked in server.scripts("mobile: pressKey")] == [223, 224]
    assert len(server.scripts("mobile: isLocked")) == 3


def test_the_power_key_may_turn_it_off_as_well() -> None:
    backend = backend_on(shown(answers(mobile_isLocked=value(True))))
    backend.press("power")
    assert not backend.capture().screen.awake


def test_a_lock_that_stays_is_told() -> None:
    server = answers(mobile_isLocked=value(True), mobile_unlock=value(None))
    with pytest.raises(ScreenLocked, match="can't unlock"):
        backend_on(server).wake()
    assert len(server.scripts("mobile: unlock")) == 1


def test_a_screen_that_is_not_locked_is_not_unlocked() -> None:
    server = answers(mobile_isLocked=value(False))
    backend_on(server).wake()
    assert server.scripts("mobile: unlock") == []


def test_an_iphone_is_locked_and_unlocked() -> None:
    locked = value(None)
    server = answers(mobile_lock=locked, mobile_unlock=locked, mobile_isLocked=[value(True), value(False)])
    backend = backend_on(server, IOS)
    assert "wake" in backend.capabilities
    backend.sleep()
    backend.wake()
    assert [name for name in server.paths() if "ock" in name] == [
        "mobile: lock", "mobile: isLocked", "mobile: unlock", "mobile: isLocked",
    ]  # fmt: skip


# Networks


@pytest.mark.parametrize(
    ("told", "on"),
    [
        ({"wifi": True, "data": False, "airplaneMode": False}, True),
        ({"wifi": True, "data": True, "airplaneMode": True}, False),
        ({"wifi": False, "data": False, "airplaneMode": False}, False),
        (None, False),
    ],
)
def test_whether_there_is_a_network(told: Any, on: bool) -> None:
    assert backend_on(answers(mobile_getConnectivity=value(told))).network() is on


def test_networks_go_by_airplane_mode_and_come_back_as_they_were() -> None:
    connected = value({"wifi": True, "data": False, "airplaneMode": False})
    server = answers(mobile_setConnectivity=value(None), mobile_getConnectivity=connected)
    backend = backend_on(server)
    backend.set_network(False)
    backend.set_network(True)
    assert server.scripts("mobile: setConnectivity") == [{"airplaneMode": True}, {"airplaneMode": False}]


def test_networks_that_were_off_one_by_one_come_on() -> None:
    off = value({"wifi": False, "data": False, "airplaneMode": False})
    server = answers(mobile_setConnectivity=value(None), mobile_getConnectivity=off)
    backend_on(server).set_network(True)
    assert server.scripts("mobile: setConnectivity")[-1] == {"wifi": True, "data": True}


def test_a_phone_that_is_reached_by_its_network_keeps_it() -> None:
    server = answers(mobile_setConnectivity=value(None))
    backend = backend_on(server, {**ANDROID, "appium:udid": "192.168.1.20:5555"})
    with pytest.raises(ActionRefused, match="networks"):
        backend.set_network(False)
    assert server.sent == []


# Recordings


def test_a_recording_is_the_film_that_the_server_sends() -> None:
    film = base64.b64encode(b"\0\0\0\x18ftypmp42").decode()
    server = answers()
    server.answers |= {"/appium/start_recording_screen": value(""), "/appium/stop_recording_screen": value(film)}
    backend = backend_on(server)
    assert "screen_recording" in backend.capabilities
    backend.start_recording()
    with pytest.raises(ActionRefused, match="under way"):
        backend.start_recording()
    assert backend.stop_recording()[4:8] == b"ftyp"
    assert server.paths() == ["/appium/start_recording_screen", "/appium/stop_recording_screen"]
    backend.start_recording()


@pytest.mark.parametrize("told", ["", None, 7])
def test_a_recording_that_is_none_is_told(told: Any) -> None:
    server = answers()
    server.answers["/appium/stop_recording_screen"] = value(told)
    with pytest.raises(ActionRefused, match="recorded nothing"):
        backend_on(server).stop_recording()
