"""The Appium backend against the built-in phone: a real Appium server, its real UiAutomator2 driver and a real adb are
between them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.connecting import connect
from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.uiautomator2.channel import MaybeDone
from pytest_apex.backends.virtual import demo_app, read_app
from pytest_apex.errors import ActionRefused, CapabilityMissing, DriverDead
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.humanize import HumanizeConfig, humanize
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import DoubleTap, Drag, LongPress, Pinch, Pointer, Swipe, Tap
from pytest_apex.model.geometry import Point
from pytest_apex.phone_wires.package import package_of
from pytest_apex.phone_wires.serve import Served, serve_phone
from pytest_apex.settings import Settings, Timeouts
from pytest_apex.testing import BackendContract

from .android import APP, own_adb
from .servers.appium import AppiumServer, free_port, start

pytestmark = pytest.mark.bench

CONTRACT_APP = Path(__file__).parents[2] / "fixtures/virtual_apps/contract.yaml"


@pytest.fixture(scope="module")
def adb() -> Iterator[AdbServer]:
    with own_adb() as server:
        yield server


def settings_for(server: AppiumServer, adb: AdbServer, **more: Any) -> Settings:
    caps = {
        "platformName": "Android", "adbPort": adb.port, "systemPort": free_port(), "skipServerInstallation": True,
        "skipDeviceInitialization": True, "skipUnlock": True, "suppressKillServer": True, **more,
    }  # fmt: skip
    return Settings().changed("devices", {}, appium_url=server.url, appium_caps=json.dumps(caps))


@pytest.fixture(scope="module")
def served(adb: AdbServer) -> Iterator[Served]:
    with serve_phone([demo_app()]) as phone:
        adb.connect(phone.serial, 5.0)
        yield phone
        adb.disconnect(phone.serial)


@pytest.fixture(scope="module")
def settings(appium_server: AppiumServer, adb: AdbServer) -> Settings:
    return settings_for(appium_server, adb)


@pytest.fixture
def backend(settings: Settings, served: Served) -> Iterator[AppiumBackend]:
    made = connect(served.serial, settings)
    yield made
    made.close()


class TestContract(BackendContract):
    app = "com.example.contract"
    keep = ("Keep it", "It is kept")
    url = ("contract://item/7", "Item 7")

    @pytest.fixture(autouse=True)
    def _served(self, appium_server: AppiumServer, adb: AdbServer, tmp_path: Path) -> Iterator[None]:
        app = read_app(CONTRACT_APP)
        self.package = tmp_path / "contract.apk"
        self.package.write_bytes(package_of(app))
        with serve_phone([app]) as phone:
            adb.connect(phone.serial, 5.0)
            self.serial, self.settings = phone.serial, settings_for(appium_server, adb)
            yield
            adb.disconnect(phone.serial)

    def make_backend(self) -> AppiumBackend:
        return connect(self.serial, self.settings)

    def test_toasts_are_remembered_when_they_are_gone(self, backend: AppiumBackend) -> None:
        """Where there was a look while they were shown, as there is after each act."""
        self.launched(backend)
        before = backend.clock.now()
        self.tap(backend, "Say it")
        backend.capture()
        backend.clock.sleep(5)
        assert [toast.text for toast in backend.toasts(before)] == ["It is said"]
        assert [toast.text for toast in backend.toasts(backend.clock.now())] == []


def test_a_server_that_allows_the_shell(
    pytestconfig: pytest.Config, adb: AdbServer, served: Served, tmp_path: Path
) -> None:
    """Output and exit code, and an app that the system ends for its memory; a server without the flag has neither."""
    flag = ("--allow-insecure", "uiautomator2:adb_shell")
    server = start(Path(pytestconfig.getoption("wire_servers")), tmp_path / "server.log", arguments=flag)
    try:
        backend = connect(served.serial, settings_for(server, adb))
        output = backend.shell("echo 'two  words'; exit 3")
        assert (output.text, output.exit_code) == ("two  words\n", 3)
        pid = backend.launch(APP)
        backend.kill_in_background(APP)
        assert backend.app_state(APP).pid == pid > 0
        backend.press("home")
        backend.clock.sleep(0.5)
        backend.kill_in_background(APP)
        assert backend.app_state(APP).pid == 0
        backend.close()
    finally:
        server.stop()


def test_a_server_that_does_not_allow_it_is_known_before(backend: AppiumBackend) -> None:
    assert not {"shell", "background"} & backend.capabilities
    with pytest.raises(CapabilityMissing) as error:
        backend.shell("true")
    assert "--allow-insecure=uiautomator2:adb_shell" in error.value.cure


def shown(backend: AppiumBackend, text: str) -> Point:
    """The middle of the control with this text or id, once it is there."""
    for _ in range(100):
        for node in backend.capture().nodes:
            if text in (node.text, node.identifier.rpartition("/")[2]):
                return node.bounds.center
        backend.clock.sleep(0.05)
    raise AssertionError(f"{text} never came up")


# Fingers, by what the phone received

MIDDLE, ABOVE = Point(270, 900), Point(270, 400)


def arrived(served: Served) -> list[tuple[float, str, tuple[int, int]]]:
    """What the phone received: milliseconds from the first touch on, what, and where."""
    touches = served.journal.touches
    return [((entry.at - touches[0].at) * 1000, entry.name, tuple(entry.args[1:3])) for entry in touches]


@pytest.mark.parametrize(
    ("action", "hold"), [(Tap(MIDDLE, 200), 200), (LongPress(MIDDLE, 1200), 1200), (LongPress(MIDDLE, 600), 600)]
)
def test_a_touch_is_held_as_long_as_asked(backend: AppiumBackend, served: Served, action: Pointer, hold: float) -> None:
    served.journal.clear()
    backend.perform(compile_action(action, RULES["android"]))
    (down, first, at), (up, last, _) = arrived(served)
    assert (first, last, at) == ("down", "up", (270, 900))
    assert up - down == pytest.approx(hold, abs=1)


def test_a_double_tap_keeps_its_pause(backend: AppiumBackend, served: Served) -> None:
    served.journal.clear()
    backend.perform(compile_action(DoubleTap(MIDDLE, 80), RULES["android"]))
    times = [(at, name) for at, name, _ in arrived(served)]
    assert [name for _, name in times] == ["down", "up", "down", "up"]
    assert times[2][0] - times[1][0] == pytest.approx(80, abs=1)


@pytest.mark.parametrize("action", [Swipe(MIDDLE, ABOVE, 500), Drag(MIDDLE, ABOVE, 1200, 600)])
def test_ends_and_time_arrive_as_asked(backend: AppiumBackend, served: Served, action: Pointer) -> None:
    track = compile_action(action, RULES["android"])
    served.journal.clear()
    backend.perform(track)
    got = arrived(served)
    assert (got[0][2], got[-1][2]) == ((270, 900), (270, 400))
    assert got[-1][0] == pytest.approx(track.duration_ms, abs=1)


def test_a_human_swipe_arrives_by_its_waypoints(backend: AppiumBackend, served: Served) -> None:
    import random

    track = humanize(Swipe(MIDDLE, ABOVE, 500), HumanizeConfig(), random.Random(5))
    served.journal.clear()
    backend.perform(track)
    got = arrived(served)
    assert got[-1][0] == pytest.approx(track.duration_ms, abs=20)
    places = {place for _, _, place in got}
    way = {(round(sample.x), round(sample.y)) for sample in track.strokes[0].samples}
    assert len(way & places) >= len(way) - 2


def test_two_fingers_arrive(backend: AppiumBackend, served: Served) -> None:
    served.journal.clear()
    backend.perform(compile_action(Pinch(Point(270, 600), 0.5, 400), RULES["android"]))
    assert len([entry for entry in served.journal.touches if "down" in entry.name]) == 2


# Text, apps


@pytest.mark.parametrize("text", ["ada@example.com", "Grüße 你好 🎉", "a'b\"c\\d$e`f"])
def test_text_arrives_exactly(backend: AppiumBackend, text: str) -> None:
    backend.stop(APP)
    backend.launch(APP)
    backend.perform(compile_action(Tap(shown(backend, "email")), RULES["android"]))
    backend.clock.sleep(0.5)
    backend.type_text(text)
    assert any(node.text == text for node in backend.capture().nodes)
    backend.clear_text()
    assert not any(node.text == text for node in backend.capture().nodes)


def test_text_without_a_field_is_refused(backend: AppiumBackend) -> None:
    backend.press("home")
    with pytest.raises(ActionRefused, match="focused text field"):
        backend.type_text("lost")


def test_arguments_and_environment_arrive(backend: AppiumBackend, served: Served) -> None:
    backend.stop(APP)
    assert backend.launch(APP, ["--reset", "a,b", "it's"], {"MODE": "demo run"}) > 0
    with served.pace.held() as phone:
        front = phone.machine.front
        assert front is not None
        assert front._built_in["args"] == ["--reset", "a,b", "it's"]
        assert front._built_in["env"] == {"MODE": "demo run"}


def test_a_crash_is_on_record(backend: AppiumBackend, served: Served) -> None:
    backend.stop(APP)
    pid = backend.launch(APP)
    shown(backend, "Sign in")
    with served.pace.held() as phone:
        assert phone.machine.front is not None
        phone.machine.crash(phone.machine.front, "java.lang.IllegalStateException", "no session")
    backend.clock.sleep(0.5)
    crashes = [record for record in backend.records(APP, 0.0) if record.way == "java"]
    assert [record.pid for record in crashes] == [pid]
    assert "no session" in crashes[0].text
    assert backend.app_state(APP).pid == 0
    backend.perform(compile_action(Tap(shown(backend, "Close app")), RULES["android"]))


def test_tree_and_picture_are_the_phones_own(backend: AppiumBackend, served: Served) -> None:
    backend.stop(APP)
    backend.launch(APP)
    shown(backend, "Sign in")
    seen = backend.capture()
    with served.pace.held() as phone:
        assert seen.picture is not None
        assert seen.picture.pixels().tobytes() == phone.frame().pixels().tobytes()
    assert (seen.app.id, seen.screen.density, seen.screen.scale, seen.source) == (APP, 1.5, 1.0, "appium")


# Trouble


def test_a_session_that_expired_is_opened_anew_and_the_tap_is_done_once(settings: Settings, served: Served) -> None:
    backend = connect(served.serial, settings)
    backend.raw.quit()
    served.journal.clear()
    backend.perform(compile_action(Tap(MIDDLE), RULES["android"]))
    assert [name for _, name, _ in arrived(served)] == ["down", "up"]
    backend.close()


def test_a_dead_server_on_the_phone_is_named_and_comes_back(settings: Settings, served: Served) -> None:
    backend = connect(served.serial, settings)
    served.switch_on("driver_killed")
    served.journal.clear()
    with pytest.raises(MaybeDone, match="maybe done"):
        backend.perform(compile_action(Tap(MIDDLE), RULES["android"]))
    assert list(served.journal.touches) == []
    with pytest.raises(DriverDead):
        backend.capture()
    assert "a new session was opened" in backend.recover()
    assert len(backend.capture()) > 0
    backend.close()


def test_a_touch_that_a_hung_server_got_may_be_done_and_is_never_sent_again(
    appium_server: AppiumServer, adb: AdbServer, served: Served
) -> None:
    settings = replace(settings_for(appium_server, adb), timeouts=Timeouts(settle=0.5))
    backend = connect(served.serial, settings)
    served.switch_on("driver_hung")
    served.journal.clear()
    try:
        with pytest.raises(MaybeDone, match="maybe done") as error:
            backend.perform(compile_action(Tap(MIDDLE), RULES["android"]))
        assert "no answer within" in error.value.seen
    finally:
        served.switch_off("driver_hung")
    backend.recover()
    assert len(backend.capture()) > 0
    assert len([entry for entry in served.journal.touches if entry.name == "down"]) <= 1
    backend.close()


def test_looking_and_touching_take_few_requests(backend: AppiumBackend) -> None:
    """Find and touch, look, and ten look-ups: a plain script needs a request for each, which are fourteen."""
    backend.stop(APP)
    backend.launch(APP)
    before = backend._connection.channel.requests
    at = shown(backend, "Sign in")
    looks = backend._connection.channel.requests - before
    backend.perform(compile_action(Tap(at), RULES["android"]))
    seen = backend.capture()
    assert seen.picture is not None
    for _ in range(10):
        assert any(node.text == "Sign in" for node in seen.nodes)
    assert backend._connection.channel.requests - before - looks == 3
