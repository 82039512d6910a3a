"""WebDriverAgent on the built-in iPhone and Apple TV: what Appium's XCUITest driver sends, replayed."""

from __future__ import annotations

import base64
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from xml.etree import ElementTree

import pytest

from pytest_apex.errors import ConfigError
from pytest_apex.model.snapshot import TreeBuilder, Window
from pytest_apex.phone.parts import AppFile
from pytest_apex.phone.stage import SystemDialog
from pytest_apex.phone_wires.wda.serve import ServedWda, serve_wda

from .appium_client import DOWN, UP, Refused, WdaSession, move, pointer, touches
from .client import StepClock

APP = "com.example.notes"
Start = Callable[..., tuple[ServedWda, WdaSession]]


@pytest.fixture
def start(app: AppFile, clock: StepClock) -> Iterator[Start]:
    with ExitStack() as stack:

        def make(platform: str = "ios", bundle: str = APP, **options: Any) -> tuple[ServedWda, WdaSession]:
            served = stack.enter_context(serve_wda([app], platform=platform, clock=clock, **options))
            session = WdaSession(served.port, bundleId=bundle)
            stack.callback(session.connection.close)
            return served, session

        yield make


@pytest.fixture
def phone(start: Start) -> tuple[ServedWda, WdaSession]:
    return start()


@pytest.fixture
def served(phone: tuple[ServedWda, WdaSession]) -> ServedWda:
    return phone[0]


@pytest.fixture
def session(phone: tuple[ServedWda, WdaSession]) -> WdaSession:
    return phone[1]


def tree(session: WdaSession, query: str = "?format=xml&scope=AppiumAUT") -> ElementTree.Element:
    return ElementTree.fromstring(session.get(f"/source{query}"))


def test_status(session: WdaSession) -> None:
    status = session.call("GET", "/status", whole=True)
    assert (status["ready"], status["device"], status["os"]["name"]) == (True, "iphone", "iOS")


def test_a_blind_tree_is_one_element_that_says_nothing(start: Start) -> None:
    served, session = start()
    assert len(list(tree(session)[0].iter())) > 5
    with served.pace.held() as phone:
        size = phone.screen().size
        builder = TreeBuilder()
        builder.window(Window(0, "android"))
        builder.leaf("other", (0, 0, size.width, size.height), class_name="XCUIElementTypeOther")
        blind = builder.build()
        phone.machine.fault.see_tree = lambda _tree, _now: blind  # type: ignore[method-assign]
    application = tree(session)[0]
    assert [(node.get("label"), len(node)) for node in application] == [(None, 0)]


def test_source_has_points_and_the_process_of_the_app(session: WdaSession, served: ServedWda) -> None:
    root = tree(session)
    application = root[0]
    with served.pace.held() as phone:
        pid = phone.app_state(APP)[1]
    assert (root.tag, application.get("bundleId"), application.get("processId")) == ("AppiumAUT", APP, str(pid))
    button = next(root.iter("XCUIElementTypeButton"))
    assert button.attrib == {
        "type": "XCUIElementTypeButton", "name": "log_in", "label": "Log in", "enabled": "false", "visible": "true",
        "accessible": "true", "x": "16", "y": "429", "width": "328", "height": "48",
        "traits": "Button, NotEnabled", "index": "5",
    }  # fmt: skip
    field = next(root.iter("XCUIElementTypeTextField"))
    assert (field.get("value"), field.get("placeholderValue"), field.get("label")) == ("E-mail", "E-mail", None)
    assert not list(root.iter("XCUIElementTypeStatusBar"))


def test_source_as_the_settings_have_it(session: WdaSession) -> None:
    assert tree(session, "").tag == "XCUIElementTypeApplication"
    assert "visible" not in tree(session, "?format=xml&excluded_attributes=visible,traits")[0].attrib
    settings = session.post("/appium/settings", settings={"includeHittableInPageSource": True, "snapshotMaxDepth": 3})
    assert settings["snapshotMaxDepth"] == 3
    root = tree(session)
    assert root[0].get("hittable") == "true"
    assert not list(root.iter("XCUIElementTypeButton"))
    assert "nativeFrame" not in root[0].attrib
    session.post("/appium/settings", settings={"includeNativeFrameInPageSource": True})
    assert tree(session)[0].get("nativeFrame") == "{{0, 0}, {360, 800}}"
    with pytest.raises(Refused, match="1 to 62"):
        session.post("/appium/settings", settings={"snapshotMaxDepth": 63})


@pytest.mark.parametrize(
    ("using", "value"),
    [
        ("accessibility id", "log_in"),
        ("id", "log_in"),
        ("xpath", '//XCUIElementTypeButton[@label="Log in"]'),
        ("xpath", "//XCUIElementTypeWindow//XCUIElementTypeButton[1]"),
        ("predicate string", 'type == "XCUIElementTypeButton" AND label BEGINSWITH[c] "LOG"'),
        ("class chain", '**/XCUIElementTypeButton[`label == "Log in"`]'),
        ("class chain", "XCUIElementTypeWindow/*/XCUIElementTypeButton[-2]"),
        ("link text", "label=Log in"),
    ],
)
def test_find(using: str, value: str, session: WdaSession) -> None:
    name = session.find(using, value)
    assert session.get(f"/element/{name}/rect") == {"x": 16, "y": 429, "width": 328, "height": 48}
    assert session.get(f"/element/{name}/text") == "Log in"


@pytest.mark.parametrize(
    ("using", "value", "error"),
    [
        ("id", "nope", "no such element"),
        ("xpath", "//[", "invalid selector"),
        ("predicate string", "label ==", "invalid selector"),
        ("class chain", "**/", "invalid selector"),
        ("css selector", "x", "invalid selector"),
    ],
)
def test_what_is_not_found(using: str, value: str, error: str, session: WdaSession) -> None:
    with pytest.raises(Refused) as caught:
        session.find(using, value)
    assert caught.value.error == error


def test_keystrokes_go_into_a_field(session: WdaSession) -> None:
    name = session.find("accessibility id", "email")
    session.post(f"/element/{name}/value", value=list("ada@example.com"))
    assert session.get(f"/element/{name}/attribute/value") == "ada@example.com"
    assert session.post("/elements", using="class name", value="XCUIElementTypeKeyboard")
    session.post("/wda/keyboard/dismiss", keyNames=["done"])
    with pytest.raises(Refused, match="no keyboard"):
        session.post("/wda/keyboard/dismiss")
    session.post(f"/element/{name}/clear")
    assert session.get(f"/element/{name}/text") == "E-mail"


def test_a_password_is_dots(session: WdaSession) -> None:
    name = session.find("accessibility id", "password")
    session.post(f"/element/{name}/value", text="secret")
    assert session.get(f"/element/{name}/text") == "••••••"


def test_native_gestures(session: WdaSession, served: ServedWda) -> None:
    session.post("/wda/tap", x=100, y=200)
    session.post("/wda/touchAndHold", x=100, y=200, duration=0.7)
    times = [entry.at for entry in served.journal.touches]
    assert touches(served.journal) == [(kind, 100, 200) for kind in ("down", "up", "down", "up")]
    assert times[3] - times[2] == pytest.approx(0.7)
    served.journal.clear()
    session.post("/wda/pressAndDragWithVelocity", pressDuration=0.5, holdDuration=0.25, velocity=200,
                 fromX=100, fromY=200, toX=100, toY=300)  # fmt: skip
    entries = served.journal.touches
    assert (entries[0].args, entries[-1].args) == ((0, 100, 200), (0, 100, 300))
    assert entries[-1].at - entries[0].at == pytest.approx(0.5 + 0.5 + 0.25)
    served.journal.clear()
    session.post(f"/wda/element/{session.find('id', 'log_in')}/tap", x=10, y=5)
    assert touches(served.journal)[0] == ("down", 26, 434)


def test_the_duration_of_a_drag_is_its_hold(session: WdaSession, served: ServedWda) -> None:
    session.post("/wda/dragfromtoforduration", duration=1.0, fromX=10, fromY=100, toX=10, toY=200)
    entries = served.journal.touches
    still = [entry for entry in entries if entry.args[2] == 100]
    assert still[-1].at - still[0].at == pytest.approx(1.0)


def test_actions_land(session: WdaSession, served: ServedWda) -> None:
    session.post("/actions", actions=[pointer(move(100, 500), DOWN, move(100, 400, 100), UP)])
    found = touches(served.journal)
    assert (found[0], found[-1]) == (("down", 100, 500), ("up", 100, 400))
    entries = served.journal.touches
    assert entries[-1].at - entries[0].at == pytest.approx(0.1)


def test_the_screen(session: WdaSession) -> None:
    picture = base64.b64decode(session.get("/screenshot"))
    assert picture.startswith(b"\x89PNG")
    assert (int.from_bytes(picture[16:20], "big"), session.get("/wda/screen")["scale"]) == (720, 2)
    assert session.get("/window/rect") == {"x": 0, "y": 0, "width": 360, "height": 800}
    session.post("/orientation", orientation="LANDSCAPE")
    assert (session.get("/orientation"), session.get("/window/rect")["width"]) == ("LANDSCAPE", 800)
    with pytest.raises(Refused, match="must be one of"):
        session.post("/orientation", orientation="SIDEWAYS")


def test_apps(session: WdaSession) -> None:
    assert session.post("/wda/apps/state", bundleId=APP) == 4
    assert session.post("/wda/apps/terminate", bundleId=APP) is True
    assert session.post("/wda/apps/terminate", bundleId=APP) is False
    assert session.post("/wda/apps/state", bundleId=APP) == 1
    assert session.get("/wda/activeAppInfo")["bundleId"] == "com.apple.springboard"
    session.post("/wda/apps/launch", bundleId=APP, arguments=["-x"], environment={"A": "b"})
    info = session.get("/wda/activeAppInfo")
    assert (info["bundleId"], info["processArguments"]) == (APP, {"args": ["-x"], "env": {"A": "b"}})
    with pytest.raises(Refused, match="not installed"):
        session.post("/wda/apps/launch", bundleId="com.nope")


def test_arguments_are_ignored_while_it_runs(session: WdaSession) -> None:
    session.post("/wda/apps/launch", bundleId=APP, arguments=["-x"])
    assert session.get("/wda/activeAppInfo")["processArguments"]["args"] == []


def test_a_tested_app_that_is_gone_is_told(session: WdaSession, served: ServedWda) -> None:
    with served.pace.held() as phone:
        phone.stop(APP)
    with pytest.raises(Refused, match="is not running, possibly crashed") as caught:
        session.get("/source")
    assert caught.value.error == "invalid element state"


def test_an_alert_of_the_system(session: WdaSession, served: ServedWda) -> None:
    with served.pace.held() as phone:
        front = phone.machine.front
        assert front is not None
        phone.machine.dialog = SystemDialog("permission", front.app, "camera")
        phone.machine.version += 1
    assert session.get("/alert/text") == "“Notes” Would Like to Take pictures and record video"
    assert session.get("/wda/alert/buttons") == ["Allow", "Don’t Allow"]
    assert list(tree(session).iter("XCUIElementTypeAlert"))
    session.post("/alert/accept", name="Don’t Allow")
    with pytest.raises(Refused) as caught:
        session.post("/alert/dismiss")
    assert caught.value.error == "no such alert"


def test_device(session: WdaSession, served: ServedWda) -> None:
    assert session.get("/wda/device/info")["uuid"] == served.udid
    session.post("/wda/setPasteboard", content=base64.b64encode(b"hi").decode(), contentType="plaintext")
    assert base64.b64decode(session.post("/wda/getPasteboard")) == b"hi"
    session.post("/wda/lock")
    assert session.get("/wda/locked") is True
    session.post("/wda/unlock")
    session.post("/wda/pressButton", name="home")
    assert session.get("/wda/activeAppInfo")["bundleId"] == "com.apple.springboard"
    with pytest.raises(Refused, match="Only these are supported: home"):
        session.post("/wda/pressButton", name="power")


# Apple TV and Apple Watch


def test_apple_tv_goes_by_focus(start: Start) -> None:
    _, session = start("tvos")
    session.post("/wda/pressButton", name="down", duration=0.1)
    focused = session.get("/element/active")
    assert session.get(f"/element/{focused['ELEMENT']}/attribute/focused") == "true"
    assert tree(session)[0].get("focused") == "false"
    session.post(f"/element/{session.find('id', 'forgot')}/click")
    assert session.get("/alert/text").startswith("Forgot your password?")
    with pytest.raises(Refused, match="may not take the focus"):
        session.post(f"/element/{session.find('id', 'log_in')}/click")


@pytest.mark.parametrize("platform", ["tvos", "watchos"])
def test_no_touch_but_on_ios(platform: str, start: Start) -> None:
    served, session = start(platform)
    for path, body in (("/wda/tap", {"x": 1, "y": 1}), ("/actions", {"actions": [pointer(move(1, 1), DOWN, UP)]})):
        with pytest.raises(Refused) as caught:
            session.post(path, **body)
        assert caught.value.error == "unknown command"
    assert not served.journal.touches


def test_apple_watch_has_a_crown(start: Start) -> None:
    _, session = start("watchos")
    session.post("/wda/rotateDigitalCrown", delta=0.5)
    session.post("/wda/performHandGesture", name="doubleTap")
    with pytest.raises(Refused, match="doubleTap, flick"):
        session.post("/wda/performHandGesture", name="wave")


# Troubles


def test_expired(session: WdaSession, served: ServedWda) -> None:
    served.switch_on("session_expired")
    with pytest.raises(Refused) as caught:
        session.get("/source")
    assert caught.value.error == "invalid session id"


@pytest.mark.parametrize("mode", ["driver_killed", "offline"])
def test_gone(mode: str, session: WdaSession, served: ServedWda) -> None:
    served.switch_on(mode)
    with pytest.raises((ConnectionError, OSError)):
        session.get("/source")
    session.connection.close()
    served.switch_off(mode)
    served.start_driver()
    with pytest.raises(Refused, match="Session does not exist"):
        session.get("/source")


def test_a_driver_of_a_fault_is_gone_too(start: Start) -> None:
    served, session = start()
    with served.pace.held() as phone:
        phone.machine.driver.alive = False
    with pytest.raises((ConnectionError, OSError)):
        session.get("/source")


def test_slow(session: WdaSession, served: ServedWda) -> None:
    served.switch_on("slow", 2.0)
    before = served.pace.real_now()
    session.get("/window/rect")
    assert served.pace.real_now() - before == pytest.approx(2.0)


@pytest.mark.parametrize("wrong", [{"platform": "android"}, {"modes": ["sleepy"]}, {"port": 70_000}])
def test_what_can_not_be_served(wrong: dict[str, Any], app: AppFile) -> None:
    with pytest.raises(ConfigError):
        serve_wda([app], **wrong)


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "/nope", b"", 404, "unknown command"),
        ("DELETE", "/screenshot", b"", 405, "unknown method"),
        ("POST", "/actions", b"{", 400, "invalid argument"),
        ("POST", "/actions", b'{"actions": []}', 400, "invalid argument"),
        ("POST", "/actions", b'{"actions": [{"type": "none", "actions": []}]}', 400, "invalid argument"),
        ("POST", "/wda/tap", b'{"x": "1", "y": 2}', 400, "invalid argument"),
        ("POST", "/wda/pinch", b'{"scale": 2, "velocity": -1}', 400, "invalid argument"),
        ("POST", "/wda/touchAndHold", b'{"duration": 1e9}', 400, "invalid argument"),
        ("POST", "/wda/pinch", b'{"scale": NaN, "velocity": 1}', 400, "invalid argument"),
        ("GET", "/element/nope/rect", b"", 404, "no such element"),
        ("GET", "/source?format=yaml", b"", 400, "invalid argument"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_an_error_of_the_standard(
    method: str, path: str, body: bytes, status: int, error: str, session: WdaSession
) -> None:
    assert session.mistake(method, path, body) == (status, error)


def test_bytes_that_are_no_http(session: WdaSession, served: ServedWda) -> None:
    for data in (b"\x00" * 100 + b"\r\n\r\n", b"GET / HTTP/1.1\r\n" + b"a" * 9000):
        with socket.create_connection(("127.0.0.1", served.port), 5) as raw:
            raw.sendall(data)
            assert raw.recv(100).startswith(b"HTTP/1.1 400")
    assert session.get("/window/rect")["width"] == 360
