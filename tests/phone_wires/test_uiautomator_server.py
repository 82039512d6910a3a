"""The server's life, its HTTP and its calls, over adb's wire as uiautomator2 talks to it."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from typing import Any

import pytest

from pytest_apex.phone_wires.handset import SERVER_JAR
from pytest_apex.phone_wires.serve import Served

from .client import AdbClient, OpenStream

APP = "com.example.notes"
LIFE_LINE = "shell:CLASSPATH=/data/local/tmp/u2.jar app_process / com.wetest.uia2.Main -p 9008"


@pytest.fixture
def life(served: Served) -> Iterator[OpenStream]:
    """The server runs as long as this stream is open."""
    served.handset.files.write(SERVER_JAR, b"jar")
    with AdbClient(served.port) as client:
        stream = client.open(LIFE_LINE)
        assert stream is not None
        assert b"Starting Server" in stream.read(52)
        yield stream


@pytest.fixture
def http(life: OpenStream, served: Served) -> Iterator[OpenStream]:
    with AdbClient(served.port) as client:
        stream = client.open("tcp:9008")
        assert stream is not None
        yield stream


@pytest.fixture
def shown(http: OpenStream, served: Served) -> OpenStream:
    """With the app up."""
    with served.pace.held() as phone:
        phone.launch(APP)
    served.pace.sleep(1.5)
    return http


def selector(**fields: Any) -> dict[str, Any]:
    return {"mask": 0, "childOrSibling": [], "childOrSiblingSelector": [], **fields}


# Its life


def test_without_its_jar_it_does_not_start(adb: AdbClient) -> None:
    code, _, err = adb.shell2(LIFE_LINE.removeprefix("shell:"))
    assert code == 134
    assert "Could not find or load main class" in err


def test_it_runs_as_long_as_its_line(served: Served, life: OpenStream) -> None:
    with AdbClient(served.port) as client:
        assert client.open("tcp:9008") is not None
        assert "already registered" in client.shell(LIFE_LINE.removeprefix("shell:"))
        assert "app_process" in client.shell("ps -A")
    life.close()
    for _ in range(200):
        with AdbClient(served.port) as client:
            if client.open("tcp:9008") is None:
                return
    pytest.fail("it still runs")


def test_a_killed_server_answers_no_more_and_can_be_started_again(served: Served, http: OpenStream) -> None:
    assert http.request("GET", "/ping") == (200, b"pong")
    served.switch_on("driver_killed")
    with pytest.raises(EOFError):
        http.request("GET", "/ping")
    with AdbClient(served.port) as client:
        assert client.open("tcp:9008") is None
        again = client.open(LIFE_LINE)
        assert again is not None
        again.read(52)
        with AdbClient(served.port) as other:
            assert other.open("tcp:9008") is not None


def test_kill_by_its_pid(served: Served, http: OpenStream) -> None:
    with AdbClient(served.port) as client:
        pid = client.shell("pidof app_process").strip()
        assert client.shell2(f"kill -9 {pid}") == (0, "", "")
        assert client.open("tcp:9008") is None


# HTTP


def test_a_connection_is_kept(served: Served, http: OpenStream) -> None:
    for _ in range(3):
        assert http.request("GET", "/ping") == (200, b"pong")
    assert len(served.journal.entries("open", "tcp:9008")) == 1


def test_what_is_not_there(http: OpenStream) -> None:
    assert http.request("GET", "/nix")[0] == 404
    assert http.rpc("noSuchCall")["error"]["code"] == -32601


@pytest.mark.parametrize(
    "sent",
    [b"\r\n\r\n", b"NONSENSE\r\n\r\n", b"GET /ping HTTP/1.1\r\nno colon\r\n\r\n", b"A" * 10_000,
     b"POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n", b"POST / HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n",
     b"POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n"],
)  # fmt: skip
def test_what_is_no_request_gets_an_error_and_the_end(http: OpenStream, sent: bytes) -> None:
    http.write(sent)
    assert http.read_all().startswith((b"HTTP/1.1 400 ", b"HTTP/1.1 413 "))


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'"x"', b'{"method": 5}', b'{"method": "click", "params": 5}',
                                  b"[" * 5000])  # fmt: skip
def test_what_is_no_call_gets_an_error(http: OpenStream, body: bytes) -> None:
    status, answer = http.request("POST", "/jsonrpc/0", body)
    assert status == 200
    assert "error" in json.loads(answer)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("click", []), ("click", [1]), ("click", ["x", "y"]), ("click", [True, 1]), ("click", [1e300, 1]),
        ("swipe", [1, 2, 3]), ("swipe", [1, 2, 3, 4, 10**9]), ("swipePoints", [[1], 5]), ("swipePoints", ["ab", 5]),
        ("objInfo", [5]), ("objInfo", [{"nix": 1}]), ("objInfo", [{"text": 5}]), ("objInfo", [{"instance": "a"}]),
        ("exist", [{"textMatches": "("}]), ("exist", [{"textMatches": "a" * 1000}]), ("exist", [{}, 1, 2, 3]),
        ("waitForExists", [{"text": "a"}, "long"]), ("takeScreenshot", ["file", 1, 80]), ("takeScreenshot", [500, 80]),
        ("gesture", [{}, 1, 2, 3, 4, 5]), ("dumpWindowHierarchy", [False, "deep"]), ("setConfigurator", [1]),
        ("pressKeyCode", ["back"]), ("injectInputEvent", [0, "x", 1, 0]), ("getText", ["no such object"]),
    ],
)  # fmt: skip
def test_wrong_parameters_are_an_error_and_touch_nothing(
    served: Served, http: OpenStream, method: str, params: list[Any]
) -> None:
    assert "error" in http.rpc(method, *params)
    assert list(served.journal.touches) == []


def test_a_hung_server_takes_requests_and_answers_none(served: Served, shown: OpenStream) -> None:
    served.switch_on("driver_hung")
    shown.write(b"GET /ping HTTP/1.1\r\n\r\n")
    shown._client.socket.settimeout(0.3)
    with pytest.raises(TimeoutError):
        shown.read(1)
    shown._client.socket.settimeout(10)
    served.switch_off("driver_hung")
    assert shown.read(15) == b"HTTP/1.1 200 OK"


# Calls


def test_device_info(shown: OpenStream) -> None:
    info = shown.rpc("deviceInfo")["result"]
    assert info["currentPackageName"] == APP
    assert (info["displayWidth"], info["displayHeight"], info["displayRotation"]) == (540, 1200, 0)
    assert (info["sdkInt"], info["screenOn"], info["naturalOrientation"]) == (36, True, True)


def test_dump_and_screenshot(served: Served, shown: OpenStream) -> None:
    text = shown.rpc("dumpWindowHierarchy", False, 50)["result"]
    assert text.startswith("<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>\r\n<hierarchy rotation=\"0\">")
    assert 'text="Sign in"' in text
    assert "systemui" not in shown.rpc("dumpWindowHierarchy", False, 50, True)["result"]
    assert base64.b64decode(shown.rpc("takeScreenshot", 1, 80)["result"])[:3] == b"\xff\xd8\xff"


def test_a_click_holds_100_ms_and_the_answer_waits_for_it(served: Served, shown: OpenStream) -> None:
    before = served.pace.real_now()
    assert shown.rpc("click", 270, 440)["result"] is True
    assert served.pace.real_now() - before == pytest.approx(0.1)
    down, up = served.journal.touches
    assert up.at - down.at == pytest.approx(0.1)
    assert served.phone.machine.keyboard_up
    shown.rpc("click", 270, 1000, 700)
    assert served.journal.touches[-1].at - served.journal.touches[-2].at == pytest.approx(0.7)
    assert shown.rpc("click", -1, 5)["result"] is False


def test_a_finger_event_by_event(served: Served, shown: OpenStream) -> None:
    for action, pause in ((0, 0.05), (1, 0.08), (0, 0.05), (1, 0.0)):
        assert shown.rpc("injectInputEvent", action, 270, 440, 0)["result"] is True
        served.pace.sleep(pause)
    names = [entry.name for entry in served.journal.touches]
    assert names == ["down", "up", "down", "up"]
    first, _, third, _ = served.journal.touches
    assert third.at - first.at == pytest.approx(0.13)


def test_swipes_take_their_time(served: Served, shown: OpenStream) -> None:
    before = served.pace.real_now()
    assert shown.rpc("swipe", 270, 900, 270, 300, 100)["result"] is True
    assert served.pace.real_now() - before == pytest.approx(0.495)
    shown.rpc("swipePoints", [270, 900, 260, 600, 270, 300], 20)
    shown.rpc("drag", 270, 900, 270, 300, 20)
    assert [entry.name for entry in served.journal.touches].count("down") == 3


def test_selectors(served: Served, shown: OpenStream) -> None:
    email = selector(resourceId=f"{APP}:id/email")
    assert shown.rpc("exist", email)["result"] is True
    assert shown.rpc("exist", selector(text="nix"))["result"] is False
    info = shown.rpc("objInfo", email)["result"]
    assert info["className"] == "android.widget.EditText"
    assert info["text"] == "E-mail"
    assert shown.rpc("setText", email, "ada@example.com")["result"] is True
    assert shown.rpc("getText", email)["result"] == "ada@example.com"
    shown.rpc("clearTextField", email)
    assert shown.rpc("getText", email)["result"] == "E-mail"
    assert shown.rpc("count", selector(className="android.widget.EditText"))["result"] == 2
    assert shown.rpc("exist", selector(textMatches="Sign..n", clickable=False))["result"] is True
    assert shown.rpc("exist", selector(textStartsWith="Sign", instance=1))["result"] is False
    inside = selector(className="android.widget.ScrollView", childOrSibling=["child"])
    assert shown.rpc("exist", {**inside, "childOrSiblingSelector": [selector(text="Log in")]})["result"] is True
    error = shown.rpc("objInfo", selector(text="nix"))["error"]
    assert (error["code"], error["message"]) == (-32001, "androidx.test.uiautomator.UiObjectNotFoundException")


def test_waiting_for_what_comes_and_goes(served: Served, http: OpenStream) -> None:
    with served.pace.held() as phone:
        phone.launch(APP)
    assert http.rpc("exist", selector(text="Sign in"))["result"] is False
    before = served.pace.real_now()
    assert http.rpc("waitForExists", selector(text="Sign in"), 20_000)["result"] is True
    assert 0.3 < served.pace.real_now() - before < 1
    before = served.pace.real_now()
    assert http.rpc("waitUntilGone", selector(text="Sign in"), 3000)["result"] is False
    assert served.pace.real_now() - before == pytest.approx(3.0)


def test_keys_orientation_clipboard_and_screen(served: Served, shown: OpenStream) -> None:
    assert shown.rpc("pressKey", "home")["result"] is True
    assert shown.rpc("deviceInfo")["result"]["currentPackageName"] != APP
    assert shown.rpc("pressKey", "nix")["result"] is False
    assert shown.rpc("pressKeyCode", 4)["result"] is True
    shown.rpc("setOrientation", "left")
    assert shown.rpc("deviceInfo")["result"]["displayRotation"] == 1
    shown.rpc("setOrientation", "natural")
    shown.rpc("setClipboard", None, "clip é")
    assert shown.rpc("getClipboard")["result"] == "clip é"
    shown.rpc("sleep")
    assert shown.rpc("isScreenOn")["result"] is False
    shown.rpc("wakeUp")
    assert shown.rpc("isScreenOn")["result"] is True
    shown.rpc("openNotification")
    assert "notification_panel" in shown.rpc("dumpWindowHierarchy", False, 50)["result"]


def test_pasting_goes_into_the_focused_field(served: Served, shown: OpenStream) -> None:
    shown.rpc("setClipboard", None, "Grüße 👋")
    shown.rpc("click", 270, 440)
    assert shown.rpc("pasteClipboard")["result"] is True
    assert shown.rpc("getText", selector(focused=True))["result"] == "Grüße 👋"
    shown.rpc("clearInputText")
    assert shown.rpc("getText", selector(focused=True))["result"] == "E-mail"


def test_the_last_toast_is_remembered_until_cleared(served: Served, shown: OpenStream) -> None:
    with served.pace.held() as phone:
        front = phone.machine.front
        assert front is not None
        phone.machine.toast_shown(front, "Saved")
    served.pace.sleep(5)
    assert shown.rpc("getLastToast")["result"] == "Saved"
    shown.rpc("clearLastToast")
    assert shown.rpc("getLastToast")["result"] is None


def test_idle_is_waited_for_only_when_configured(served: Served, shown: OpenStream) -> None:
    shown.rpc("pressKey", "home")
    before = served.pace.real_now()
    shown.rpc("dumpWindowHierarchy", False, 50)
    assert served.pace.real_now() == before
    assert shown.rpc("setConfigurator", {"waitForIdleTimeout": 10_000})["result"]["waitForIdleTimeout"] == 10_000
    shown.rpc("dumpWindowHierarchy", False, 50)
    assert served.pace.real_now() - before == pytest.approx(0.5, abs=0.15)
