"""The server of Appium's UiAutomator2 driver on port 6790: what the driver sends, replayed."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from xml.etree import ElementTree

import pytest

from pytest_apex.phone.stage import SystemDialog
from pytest_apex.phone_wires.serve import Served

from .appium_client import DOWN, UP, Refused, Uia2Session, move, pause, pointer, touches
from .client import AdbClient

APP = "com.example.notes"


@pytest.fixture
def session(served: Served, adb: AdbClient) -> Iterator[Uia2Session]:
    with served.pace.held() as phone:
        phone.launch(APP)
    served.pace._clock.sleep(3)
    with AdbClient(served.port) as life:
        yield Uia2Session(served.port, adb, life)


def test_nothing_listens_before_its_instrumentation_runs(adb: AdbClient) -> None:
    assert adb.open("tcp:6790") is None
    assert "Unable to find" in adb.shell("am instrument -w other.test/Runner")


def test_the_life_line_is_the_instrumentation(session: Uia2Session, served: Served) -> None:
    assert session.call("GET", "/status", whole=True)["ready"] is True
    assert session.adb.shell("am force-stop io.appium.uiautomator2.server") == ""
    assert b"Process crashed" in session.life.read_all()
    assert session.adb.open("tcp:6790") is None
    assert served.handset.appium.pid == 0


def test_the_end_of_the_session_ends_the_server(session: Uia2Session) -> None:
    assert session.call("DELETE", "") is None
    assert b"INSTRUMENTATION_CODE: 0" in session.life.read_all()


def test_source_names_classes_as_tags_and_leaves_out_what_is_not_there(session: Uia2Session) -> None:
    root = ElementTree.fromstring(session.get("/source"))
    assert (root.tag, root.get("width"), root.get("height"), root.get("rotation")) == ("hierarchy", "540", "1200", "0")
    field = next(root.iter("android.widget.EditText"))
    assert field.get("resource-id") == f"{APP}:id/email"
    assert field.get("displayed") == "true"
    assert field.get("visible-to-user") is None
    title = next(one for one in root.iter() if one.get("text") == "Notes")
    assert title.get("content-desc") is None
    assert {one.get("package") for one in root.iter() if one is not root} == {APP}


def test_several_windows_and_the_depth_by_settings(session: Uia2Session) -> None:
    session.post("/appium/settings", settings={"enableMultiWindows": True, "ofTheDriver": 1})
    assert "com.android.systemui" in session.get("/source")
    session.post("/appium/settings", settings={"enableMultiWindows": False, "snapshotMaxDepth": 2})
    assert len(list(ElementTree.fromstring(session.get("/source")).iter())) == 4
    with pytest.raises(Refused, match="must be 1 to 500"):
        session.post("/appium/settings", settings={"snapshotMaxDepth": 501})


@pytest.mark.parametrize(
    ("strategy", "selector"),
    [
        ("id", f"{APP}:id/log_in"),
        ("id", "log_in"),
        ("xpath", "//android.widget.Button[@text='Log in']"),
        ("xpath", "(//android.widget.Button)[1]"),
        ("-android uiautomator", 'new UiSelector().text("Log in")'),
        ("-android uiautomator", 'new UiSelector().className("android.widget.Button").instance(0);'),
        (
            "-android uiautomator",
            'new UiSelector().classNameMatches(".*ScrollView").childSelector(new UiSelector().textContains("Log"))',
        ),
    ],
)
def test_find(strategy: str, selector: str, session: Uia2Session) -> None:
    name = session.find(strategy, selector)
    assert session.get(f"/element/{name}/text") == "Log in"
    assert session.get(f"/element/{name}/rect") == {"x": 24, "y": 614, "width": 492, "height": 72}


@pytest.mark.parametrize(
    ("strategy", "selector", "error"),
    [
        ("id", "nope", "no such element"),
        ("accessibility id", "Log in", "no such element"),
        ("xpath", "//[", "invalid selector"),
        ("xpath", "count(//*)", "invalid selector"),
        ("-android uiautomator", "Runtime.exec()", "invalid selector"),
        ("-android uiautomator", 'new UiSelector().textMatches("(")', "invalid selector"),
        ("css selector", "x", "invalid selector"),
    ],
)
def test_what_is_not_found(strategy: str, selector: str, error: str, session: Uia2Session) -> None:
    with pytest.raises(Refused) as caught:
        session.find(strategy, selector)
    assert caught.value.error == error
    if error == "no such element":
        assert session.post("/elements", strategy=strategy, selector=selector) == []


def test_text_goes_into_a_field(session: Uia2Session) -> None:
    name = session.find("id", "email")
    session.post(f"/element/{name}/value", text="ada@")
    session.post(f"/element/{name}/value", text="example.com", replace=False)
    assert session.get(f"/element/{name}/text") == "ada@example.com"
    assert session.get("/element/active") == {"element-6066-11e4-a52e-4f735466cecf": name}
    session.post(f"/element/{name}/clear")
    assert session.get(f"/element/{name}/attribute/showing-hint") == "true"
    with pytest.raises(Refused, match="Cannot set the element"):
        session.post(f"/element/{session.find('id', 'log_in')}/value", text="x")


def test_an_element_is_stale_when_its_screen_is_gone(session: Uia2Session) -> None:
    name = session.find("id", "email")
    session.adb.shell(f"am force-stop {APP}")
    with pytest.raises(Refused) as caught:
        session.get(f"/element/{name}/rect")
    assert (caught.value.error, caught.value.status) == ("stale element reference", 404)


def test_attributes_by_both_names(session: Uia2Session) -> None:
    name = session.find("id", "email")
    assert session.get(f"/element/{name}/attribute/resourceId") == f"{APP}:id/email"
    assert session.get(f"/element/{name}/attribute/content-desc") is None
    assert session.get(f"/element/{name}/attribute/bounds") == "[24,398][516,482]"
    with pytest.raises(Refused, match="unknown for the element"):
        session.get(f"/element/{name}/attribute/visible-to-user")


def test_screen(session: Uia2Session) -> None:
    assert base64.b64decode(session.get("/screenshot")).startswith(b"\x89PNG")
    assert session.get("/window/current/size") == {"width": 540, "height": 1200}
    assert session.post("/orientation", orientation="LANDSCAPE") == "LANDSCAPE"
    assert session.get("/rotation")["z"] == 270
    assert session.get("/window/rect") == {"x": 0, "y": 0, "width": 1200, "height": 540}
    session.post("/rotation", x=0, y=0, z=90)
    assert session.get("/orientation") == "LANDSCAPE"
    with pytest.raises(Refused, match="0, 90, 180, 270"):
        session.post("/rotation", x=0, y=0, z=45)


def test_device(session: Uia2Session) -> None:
    assert session.get("/appium/device/info")["realDisplaySize"] == "540x1200"
    assert session.get("/appium/device/pixel_ratio") == 1.5
    assert session.get("/appium/device/system_bars") == {"statusBar": 36}
    session.post("/appium/device/set_clipboard", content=base64.b64encode("é".encode()).decode())
    assert base64.b64decode(session.post("/appium/device/get_clipboard")).decode() == "é"
    session.post("/back")
    assert session.adb.shell("dumpsys activity activities").count(APP) == 0


def test_a_key(session: Uia2Session) -> None:
    session.post("/appium/device/press_keycode", keycode=3)
    assert session.adb.shell("dumpsys activity activities").count(APP) == 0


def test_a_permission_is_an_alert(session: Uia2Session, served: Served) -> None:
    with pytest.raises(Refused, match="modal dialog"):
        session.get("/alert/text")
    with served.pace.held() as phone:
        phone.machine.dialog = None
        front = phone.machine.front
        assert front is not None
        phone.machine.dialog = SystemDialog("permission", front.app, "camera")
        phone.machine.version += 1
    assert session.get("/alert/text").startswith("Allow Notes to take pictures")
    session.post("/alert/dismiss", buttonLabel=None)
    with pytest.raises(Refused):
        session.post("/alert/accept")


def test_a_toast_is_an_element_for_a_while(session: Uia2Session, served: Served) -> None:
    with served.pace.held() as phone:
        front = phone.machine.front
        assert front is not None
        phone.machine.toast_shown(front, "Saved")
    name = session.find("xpath", "//android.widget.Toast")
    assert session.get(f"/element/{name}/text") == "Saved"
    served.pace._clock.sleep(4)
    assert session.post("/elements", strategy="xpath", selector="//android.widget.Toast") == []


def test_actions_land(session: Uia2Session, served: Served) -> None:
    session.post("/actions", actions=[pointer(move(100, 900), DOWN, move(100, 800, 45), pause(10), UP)])
    assert touches(served.journal) == [
        ("down", 100, 900),
        ("move", 100, 900 - 100 / 3),
        ("move", 100, 900 - 200 / 3),
        ("move", 100, 800),
        ("up", 100, 800),
    ]
    times = [entry.at for entry in served.journal.touches]
    assert [round((at - times[0]) * 1000) for at in times] == [0, 20, 40, 60, 80]


def test_actions_from_an_element(session: Uia2Session, served: Served) -> None:
    origin = {"element-6066-11e4-a52e-4f735466cecf": session.find("id", "log_in")}
    session.post("/actions", actions=[pointer(move(5, -5, origin=origin), DOWN, pause(40), UP)])
    assert touches(served.journal)[0] == ("down", 275, 645)


@pytest.mark.parametrize("seconds", [0.5, 3.0])
def test_it_lasts_as_long_as_asked(seconds: float, session: Uia2Session, served: Served) -> None:
    before = served.pace.real_now()
    session.post("/actions", actions=[pointer(move(1, 1), pause(int(seconds * 1000)))])
    assert served.pace.real_now() - before == pytest.approx(seconds)


# Troubles


def test_expired(session: Uia2Session, served: Served) -> None:
    served.switch_on("session_expired")
    with pytest.raises(Refused) as caught:
        session.get("/source")
    assert (caught.value.error, caught.value.status) == ("invalid session id", 404)


def test_killed(session: Uia2Session, served: Served) -> None:
    served.switch_on("driver_killed")
    assert session.adb.open("tcp:6790") is None
    assert b"Process crashed" in session.life.read_all()


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "error"),
    [
        ("GET", "/nope", b"", 404, "unknown command"),
        ("DELETE", "/source", b"", 405, "unknown method"),
        ("POST", "/actions", b"{", 400, "invalid argument"),
        ("POST", "/actions", b"[1]", 400, "invalid argument"),
        ("POST", "/actions", b"[" * 100_000, 400, "invalid argument"),
        ("POST", "/actions", b'{"actions": [{"type": "pointer", "actions": [5]}]}', 400, "invalid argument"),
        ("POST", "/actions", b'{"actions": [{"type": "wheel", "actions": []}]}', 400, "invalid argument"),
        ("POST", "/appium/gestures/click", b"{}", 400, "invalid argument"),
        ("POST", "/appium/gestures/swipe", b'{"area": 1, "percent": 1, "direction": "up"}', 400, "invalid argument"),
        ("POST", "/appium/device/press_keycode", b'{"keycode": 1e999}', 400, "invalid argument"),
        ("POST", "/appium/device/set_clipboard", b'{"content": "!"}', 400, "invalid argument"),
        ("GET", "/element/x/text", b"", 404, "no such element"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_an_error_of_the_standard(
    method: str, path: str, body: bytes, status: int, error: str, session: Uia2Session
) -> None:
    assert session.mistake(method, path, body) == (status, error)
    assert session.get("/orientation") == "PORTRAIT"
