"""What is known of a request that failed: by a server in a script."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.backends.appium.wire import Broken, Refused, Reply, value_of
from pytest_apex.backends.uiautomator2.channel import MaybeDone, NotSent
from pytest_apex.errors import AppDied, CapabilityMissing, DeviceLost, DriverDead
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.geometry import Size
from pytest_apex.verify.pictures import is_blind

from .scripted import ANDROID, HTML, IOS, TREE, Script, backend_on, failed, picture, scripts_of, value

TAP = Track("tap", (Stroke(0, (Sample(0, 10, 20), Sample(60, 10, 20))),), humanized=True)
UNREACHABLE, BROKEN = Broken("unreachable", "connection refused"), Broken("broken", "connection reset")
SILENT = Broken("silent", "no answer within 15 s")


# Answers


@pytest.mark.parametrize(
    "reply",
    [
        Reply(502, HTML), Reply(200, HTML), Reply(200, b""), Reply(404, b"Not Found"), Reply(200, b"[]"),
        Reply(200, b'{"status": 0}'), Reply(500, b'{"value": null}'), Reply(200, b'{"value": "cut sho'),
    ],
)  # fmt: skip
def test_what_is_no_answer_of_webdriver_is_no_value(reply: Reply) -> None:
    with pytest.raises(Broken):
        value_of(reply)


@pytest.mark.parametrize("told", [None, "text", 3, [], {"error": "an app's own word"}, {"x": 1}])
def test_a_value_is_given_as_it_is(told: Any) -> None:
    assert value_of(value(told)) == told


def test_an_error_is_the_servers_words() -> None:
    with pytest.raises(Refused, match="invalid session id: gone"):
        value_of(failed("invalid session id", "gone", 404))


# What acts is sent once


@pytest.mark.parametrize("answer", [Reply(502, HTML), Reply(200, b""), BROKEN, SILENT])
def test_a_touch_that_was_not_confirmed_may_be_done_and_is_not_sent_again(answer: Any) -> None:
    script = Script({"/actions": answer})
    backend = backend_on(script)
    with pytest.raises(MaybeDone, match="maybe done"):
        backend.perform(TAP)
    assert script.paths() == ["/actions"]


def test_a_touch_that_the_dead_server_on_the_phone_got_may_be_done() -> None:
    words = (
        "'POST /actions' cannot be proxied to UiAutomator2 server because the instrumentation process is not running"
    )
    script = Script({"/actions": failed("unknown error", words)})
    with pytest.raises(MaybeDone) as error:
        backend_on(script).perform(TAP)
    assert "UiAutomator2" in error.value.likely
    assert script.paths() == ["/actions"]


DEAD = failed("unknown error", "Could not proxy command to the remote server. Original error: socket hang up")


@pytest.mark.parametrize(
    ("time", "kind"),
    [
        (failed("unknown error", "adb: device '127.0.0.1:5555' not found"), DeviceLost),
        (failed("unknown error", "Could not find the expected device '0000-1'"), DeviceLost),
        (value("03-02 09:41:00"), DriverDead),
        (failed("unknown error", "Cannot read the time"), DriverDead),
        (SILENT, DriverDead),
    ],
)
@pytest.mark.parametrize("looks", [True, False])
def test_a_device_that_is_gone_is_told_from_a_driver_that_is(time: Any, kind: type[Exception], looks: bool) -> None:
    """What runs on the device answers in neither case: the machine of the server knows."""
    script = Script({"/appium/extensions": scripts_of("mobile: getDeviceTime"), "mobile: getDeviceTime": value("")})
    backend = backend_on(script)
    script.answers |= {"/actions": DEAD, "/source": DEAD, "mobile: getDeviceTime": time}
    with pytest.raises((DeviceLost, DriverDead)) as error:
        backend.capture() if looks else backend.perform(TAP)
    assert isinstance(error.value, kind)
    assert script.paths().count("/actions") == (0 if looks else 1)


@pytest.mark.parametrize("first", [UNREACHABLE, failed("invalid session id", "A session is either terminated", 404)])
def test_a_touch_that_surely_was_not_done_is_done_after_the_recovery(first: Any) -> None:
    script = Script({"/actions": [first, value(None)], "/window/rect": failed("invalid session id", "", 404)})
    backend_on(script).perform(TAP)
    assert script.paths() == ["/actions", "/actions"]
    assert "DELETE" in [method for method, _, _ in script.sent]


def test_a_touch_is_not_sent_a_third_time() -> None:
    script = Script({"/actions": UNREACHABLE, "/window/rect": value({"width": 1, "height": 1})})
    with pytest.raises(NotSent):
        backend_on(script).perform(TAP)
    assert script.paths() == ["/actions", "/actions"]


def test_a_suites_own_session_is_not_opened_anew() -> None:
    gone = failed("invalid session id", "", 404)
    script = Script({"/actions": gone, "/window/rect": gone})
    with pytest.raises(DriverDead, match="suite's own session"):
        backend_on(script, reopens=False).perform(TAP)
    assert script.paths() == ["/actions"]


def test_the_server_is_waited_for_and_named_when_it_stays_away() -> None:
    script = Script({"/actions": UNREACHABLE, "/status": UNREACHABLE})
    with pytest.raises(DriverDead, match="Appium server of R58M is gone"):
        backend_on(script).perform(TAP)
    assert script.paths("GET").count("/status") > 10


def test_what_was_waited_for_in_vain_is_waited_for_no_more_until_it_is_back() -> None:
    script = Script({"/actions": UNREACHABLE, "/status": UNREACHABLE, "/source": UNREACHABLE})
    backend = backend_on(script)
    with pytest.raises(DriverDead):
        backend.perform(TAP)
    script.sent.clear()
    for ask in (backend.capture, backend.recover):
        with pytest.raises(DriverDead):
            ask()
    backend.close()
    assert [(method, path) for method, path, _ in script.sent] == [
        ("GET", "/source"), ("GET", "/status"), ("DELETE", "/"),
    ]  # fmt: skip
    script.answers |= {"/status": value({"ready": True}), **FACTS}
    backend.recover()
    script.sent.clear()
    with pytest.raises(DriverDead):
        backend.capture()
    assert len(script.sent) > 10  # as before


# A pause that a server does not keep

TWICE = Track(
    "double_tap", tuple(Stroke(0, (Sample(t, 10, 20), Sample(t + 60, 10, 20))) for t in (0, 140)), humanized=True
)


@pytest.mark.parametrize("keeps", [True, False])
def test_a_double_tap_becomes_two_touches_where_its_pause_is_not_kept(keeps: bool) -> None:
    script = Script({"/actions": value(None)})
    backend = backend_on(script)
    script.on_send = lambda: backend.clock.sleep(0.2 if keeps else 0.01)
    first, second = backend.perform(TWICE), backend.perform(TWICE)
    assert ("two touches" in first.command, "two touches" in second.command) == (not keeps, not keeps)
    assert len(script.paths()) == (2 if keeps else 3)
    if not keeps:
        assert second.ended - second.started == pytest.approx(0.1, abs=0.001)  # the pause, and two answers


# What looks is asked again


@pytest.mark.parametrize("first", [Reply(502, HTML), BROKEN, UNREACHABLE, Reply(200, b"")])
def test_a_look_is_asked_again_where_the_answer_broke(first: Any) -> None:
    script = Script({"/source": [first, value(TREE)], "/screenshot": value(picture()), **FACTS})
    assert len(backend_on(script).capture()) == 2
    assert script.paths("GET").count("/source") == 2


def test_a_look_is_not_asked_again_where_the_server_was_silent() -> None:
    script = Script({"/source": SILENT})
    with pytest.raises(DriverDead, match="does not answer"):
        backend_on(script).capture()
    assert script.paths("GET") == ["/source"]


def test_a_look_ends_within_its_time() -> None:
    script = Script({"/source": Reply(502, HTML)})
    with pytest.raises(DriverDead) as error:
        backend_on(script).capture()
    assert "page of HTML" in error.value.seen
    assert 10 < len(script.sent) < 100


FACTS = {
    "/window/rect": value({"x": 0, "y": 0, "width": 400, "height": 800}),
    "/rotation": value({"x": 0, "y": 0, "z": 0}),
    "mobile: deviceInfo": value({"model": "Phone", "platformVersion": "16", "displayDensity": 320}),
}


@pytest.mark.parametrize("source", ["", "   ", "hello", "<html></html>", None, 7])
def test_what_is_no_tree_is_told(source: Any) -> None:
    script = Script({"/source": value(source), "/screenshot": value(picture()), **FACTS})
    with pytest.raises(DriverDead, match="sent no tree"):
        backend_on(script).capture()


NO_TREE = (
    failed("unknown error", "Cannot get 'xml' source of the current application"),
    failed("unknown error", "Timed out after 10000ms waiting for the root AccessibilityNodeInfo in the active window."),
    failed("timeout", "The source could not be retrieved in time"),
)


@pytest.mark.parametrize("refusal", NO_TREE)
@pytest.mark.parametrize("told", [IOS, ANDROID])
def test_an_app_that_cant_be_read_makes_a_blind_look(refusal: Reply, told: Any) -> None:
    answers = {
        "/source": refusal,
        "/screenshot": value(picture(lines=True)),
        "mobile: deviceScreenInfo": value({"scale": 2}),
    }
    seen = backend_on(Script({**answers, **FACTS}), told).capture()
    assert is_blind(seen)
    assert seen.screen.size == (Size(200, 400) if told is IOS else Size(400, 800))
    assert any(note.startswith("no tree: ") for note in seen.notes)


@pytest.mark.parametrize("refusal", NO_TREE)
def test_an_app_that_cant_be_read_nor_drawn_is_trouble_of_the_driver(refusal: Reply) -> None:
    script = Script({"/source": refusal, "/screenshot": failed("unknown error", "no"), **FACTS})
    with pytest.raises(DriverDead, match="sent no tree") as error:
        backend_on(script).capture()
    assert "no picture" in error.value.seen


@pytest.mark.parametrize("told", ["", "no base64!", "aGVsbG8=", None])
def test_a_look_without_a_picture_says_so(told: Any) -> None:
    script = Script({"/source": value(TREE), "/screenshot": value(told), **FACTS})
    seen = backend_on(script).capture()
    assert seen.picture is None
    assert any("no picture" in note for note in seen.notes)


def test_a_picture_turned_against_the_tree_is_left_out() -> None:
    script = Script({"/source": value(TREE), "/screenshot": value(picture(800, 400)), **FACTS})
    seen = backend_on(script).capture()
    assert seen.picture is None
    assert any("turned" in note for note in seen.notes)


def test_a_look_tells_sizes_density_and_skew() -> None:
    script = Script({"/source": value(TREE), "/screenshot": value(picture()), **FACTS})
    seen = backend_on(script).capture()
    assert (seen.screen.density, seen.screen.scale, seen.platform, seen.source) == (2.0, 1.0, "android", "appium")
    assert seen.skew_ms >= 0


# By name


@pytest.mark.parametrize(
    ("code", "words", "kind"),
    [
        ("invalid session id", "A session is either terminated or not started", DriverDead),
        ("unknown error", "the instrumentation process is not running (probably crashed)", DriverDead),
        ("unknown error", "Could not proxy command to the remote server. Original error: socket hang up", DriverDead),
        ("unknown error", "Error executing adbExec. device 'R58M' not found", DeviceLost),
        ("unknown error", "error: device offline", DeviceLost),
        ("unknown command", "The requested resource could not be found", CapabilityMissing),
    ],
)  # fmt: skip
def test_errors_by_their_name(code: str, words: str, kind: type[Exception]) -> None:
    script = Script({"/source": failed(code, words)})
    with pytest.raises(kind):
        backend_on(script).capture()
    assert script.paths("GET") == ["/source"]


DIED = failed(
    "invalid element state", "The application under test with bundle id 'x.y' is not running, possibly crashed"
)


def test_an_app_that_died_does_not_keep_the_screen_from_being_seen() -> None:
    script = Script(
        {"/source": [DIED, value(TREE)], "/screenshot": value(picture()), "mobile: terminateApp": value(False), **FACTS}
    )
    assert len(backend_on(script, IOS).capture()) == 2
    assert script.scripts("mobile: terminateApp") == [{"bundleId": "x.y"}]


def test_a_touch_for_an_app_that_died_says_so_and_is_not_sent_again() -> None:
    script = Script({"/actions": DIED})
    with pytest.raises(AppDied):
        backend_on(script, IOS).perform(TAP)
    assert script.paths() == ["/actions"]
