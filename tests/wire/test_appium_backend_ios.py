"""The Appium backend against the built-in iPhone and Apple TV: a real Appium server and its real XCUITest driver are
between them and the WebDriverAgent wire."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_apex import attach
from pytest_apex.backends.appium.attached import AttachedBackend
from pytest_apex.backends.appium.backend import AppiumBackend
from pytest_apex.backends.appium.connecting import connect
from pytest_apex.backends.virtual import demo_app, read_app
from pytest_apex.device.device import Device
from pytest_apex.errors import CapabilityMissing, ConfigError, DriverDead
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.humanize import HumanizeConfig, humanize
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import DoubleTap, Drag, LongPress, Pinch, Pointer, Swipe, Tap
from pytest_apex.model.geometry import Point
from pytest_apex.phone_wires.wda.serve import ServedWda, serve_wda
from pytest_apex.settings import Settings, Timeouts, Touch
from pytest_apex.testing import BackendContract

from .conftest import not_run
from .servers import appium

pytestmark = pytest.mark.bench

APP = "com.example.notes"
CONTRACT_APP = Path(__file__).parents[2] / "fixtures/virtual_apps/contract.yaml"
MIDDLE, ABOVE = Point(180, 600), Point(180, 250)


@pytest.fixture(scope="module")
def usbmux() -> int:
    return appium.free_port()


@pytest.fixture(scope="module")
def start_appium(
    pytestconfig: pytest.Config, program: Callable[[str], str], usbmux: int, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[], appium.AppiumServer]:
    """Servers of our own: the driver reads where usbmuxd is when it starts."""
    program("node")
    folder = Path(pytestconfig.getoption("wire_servers"))
    if not (folder / "node_modules" / "appium").is_dir():
        not_run(f"Appium is not installed in {folder}: npm ci there")

    def start() -> appium.AppiumServer:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("USBMUXD_SOCKET_ADDRESS", f"127.0.0.1:{usbmux}")
            return appium.start(folder, tmp_path_factory.mktemp("appium") / "server.log")

    return start


@pytest.fixture(scope="module")
def server(start_appium: Callable[[], appium.AppiumServer]) -> Iterator[appium.AppiumServer]:
    made = start_appium()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def served(usbmux: int) -> Iterator[ServedWda]:
    with serve_wda([demo_app(), read_app(CONTRACT_APP)], usbmux=usbmux) as phone:
        yield phone


def connected(
    server: appium.AppiumServer, phone: ServedWda, platform: str = "iOS", settle: float = 5.0
) -> AppiumBackend:
    caps = {"platformName": platform, "platformVersion": "17.5", "webDriverAgentUrl": phone.url}
    settings = Settings().changed("devices", {}, appium_url=server.url, appium_caps=json.dumps(caps))
    return connect(phone.device.udid, replace(settings, timeouts=Timeouts(settle=settle)))


@pytest.fixture
def backend(server: appium.AppiumServer, served: ServedWda) -> Iterator[AppiumBackend]:
    made = connected(server, served)
    yield made
    made.close()


class TestContract(BackendContract):
    app = "com.example.contract"
    url = ("contract://item/7", "Item 7")

    @pytest.fixture(autouse=True)
    def _served(self, server: appium.AppiumServer, served: ServedWda) -> None:
        self.server, self.phone = server, served

    def make_backend(self) -> AppiumBackend:
        return connected(self.server, self.phone)


def shown(backend: AppiumBackend, text: str) -> Point:
    """The middle of the control with this text, label or id, once it is there."""
    for _ in range(100):
        for node in backend.capture().nodes:
            if text in (node.text, node.label, node.identifier):
                return node.bounds.center
        backend.clock.sleep(0.05)
    raise AssertionError(f"{text} never came up")


def arrived(served: ServedWda) -> list[tuple[float, str, tuple[Any, ...]]]:
    """What the phone received: milliseconds from the first touch on, what, and where."""
    touches = served.journal.touches
    return [((entry.at - touches[0].at) * 1000, entry.name, tuple(entry.args[1:3])) for entry in touches]


@pytest.mark.parametrize(("action", "hold"), [(LongPress(MIDDLE, 1200), 1200), (Tap(MIDDLE, 200), 200)])
def test_a_touch_is_held_as_long_as_asked(
    backend: AppiumBackend, served: ServedWda, action: Pointer, hold: float
) -> None:
    served.journal.clear()
    backend.perform(compile_action(action, RULES["ios"]))
    (down, first, at), (up, last, _) = arrived(served)
    assert (first, last, at) == ("down", "up", (180, 600))
    assert up - down == pytest.approx(hold, abs=1)


def test_a_double_tap_keeps_its_pause(backend: AppiumBackend, served: ServedWda) -> None:
    served.journal.clear()
    backend.perform(compile_action(DoubleTap(MIDDLE, 80), RULES["ios"]))
    times = [(at, name) for at, name, _ in arrived(served)]
    assert [name for _, name in times] == ["down", "up", "down", "up"]
    assert times[2][0] - times[1][0] == pytest.approx(80, abs=1)


@pytest.mark.parametrize("action", [Swipe(MIDDLE, ABOVE, 500), Drag(MIDDLE, ABOVE, 800, 700)])
def test_ends_and_time_arrive_as_asked(backend: AppiumBackend, served: ServedWda, action: Pointer) -> None:
    track = compile_action(action, RULES["ios"])
    served.journal.clear()
    backend.perform(track)
    got = arrived(served)
    assert (got[0][2], got[-1][2]) == ((180, 600), (180, 250))
    assert got[-1][0] == pytest.approx(track.duration_ms, abs=20)


def test_a_human_swipe_arrives_by_its_waypoints(backend: AppiumBackend, served: ServedWda) -> None:
    track = humanize(Swipe(MIDDLE, ABOVE, 500), HumanizeConfig(), random.Random(5))
    served.journal.clear()
    backend.perform(track)
    got = arrived(served)
    assert got[-1][0] == pytest.approx(track.duration_ms, abs=5)
    way = {(round(sample.x), round(sample.y)) for sample in track.strokes[0].samples}
    assert way <= {place for _, _, place in got}


def test_two_fingers_arrive(backend: AppiumBackend, served: ServedWda) -> None:
    served.journal.clear()
    backend.perform(compile_action(Pinch(Point(180, 400), 0.5, 300), RULES["ios"]))
    assert len([entry for entry in served.journal.touches if entry.name == "down"]) == 2


@pytest.mark.parametrize("text", ["ada@example.com", "Grüße 你好 🎉"])
def test_text_arrives_exactly(backend: AppiumBackend, text: str) -> None:
    backend.launch(APP)
    backend.perform(compile_action(Tap(shown(backend, "email")), RULES["ios"]))
    backend.clock.sleep(0.5)
    backend.type_text(text)
    assert any(text in (node.text, node.value) for node in backend.capture().nodes)


def test_arguments_and_environment_arrive_though_it_runs(backend: AppiumBackend, served: ServedWda) -> None:
    before = backend.launch(APP)
    assert backend.launch(APP, ["--reset", "a,b", "it's"], {"MODE": "demo run"}) not in (0, before)
    with served.pace.held() as phone:
        front = phone.machine.front
        assert front is not None
        assert front._built_in["args"] == ["--reset", "a,b", "it's"]
        assert front._built_in["env"] == {"MODE": "demo run"}


def test_points_and_pixels_in_both_orientations(backend: AppiumBackend) -> None:
    for name in ("landscape_left", "portrait"):
        backend.set_orientation(name)
        seen = backend.capture()
        assert seen.picture is not None
        assert seen.screen.scale == 2.0
        assert seen.picture.size.width == seen.screen.size.width * 2
        assert seen.screen.orientation == name


# Trouble


def test_a_session_that_expired_is_opened_anew_and_the_tap_is_done_once(
    server: appium.AppiumServer, served: ServedWda
) -> None:
    backend = connected(server, served)
    backend.raw.quit()
    served.journal.clear()
    backend.perform(compile_action(Tap(MIDDLE), RULES["ios"]))
    assert [name for _, name, _ in arrived(served)] == ["down", "up"]
    backend.close()


def test_a_server_that_was_ended_is_named_and_the_run_goes_on_when_it_is_back(
    start_appium: Callable[[], appium.AppiumServer], served: ServedWda
) -> None:
    own = start_appium()
    backend = connected(own, served, settle=0.5)
    own.stop()
    served.journal.clear()
    with pytest.raises(DriverDead, match="is gone"):
        backend.perform(compile_action(Tap(MIDDLE), RULES["ios"]))
    assert list(served.journal.touches) == []
    with pytest.raises(DriverDead, match="does not answer"):
        backend.capture()
    backend.close()


def test_an_address_without_a_server_is_told(served: ServedWda) -> None:
    nobody = f"http://127.0.0.1:{appium.free_port()}"
    settings = Settings().changed("devices", {}, appium_url=nobody)
    with pytest.raises(ConfigError, match="no Appium server") as error:
        connect(served.device.udid, settings)
    assert nobody in str(error.value)


def test_a_session_that_the_server_refuses_is_told_in_its_words(server: appium.AppiumServer, served: ServedWda) -> None:
    with pytest.raises(ConfigError, match="opens no session") as error:
        connected(server, served, "watchOS")
    assert "watchOS" in error.value.seen


# A suite's own driver


def test_a_running_driver_is_attached_to_and_never_ended(server: appium.AppiumServer, served: ServedWda) -> None:
    own = connected(server, served)
    driver = own.raw
    beside = attach(driver)
    assert isinstance(beside, AttachedBackend)
    assert beside.raw is driver
    assert len(beside.capture()) > 0
    assert list(beside.outside()) == []
    driver.execute_script("mobile: tap", {"x": 10, "y": 20})
    assert list(beside.outside()) == ["mobile: tap x=10 y=20"]
    beside.close()
    assert driver.page_source
    assert "execute" not in vars(driver)
    own.close()


# Apple TV


def test_an_apple_tv_has_a_remote_and_no_touch(server: appium.AppiumServer, usbmux: int) -> None:
    del usbmux
    with serve_wda([demo_app()], platform="tvos") as phone:
        backend = connected(server, phone, "tvOS")
        assert "remote" in backend.capabilities
        assert not {"tap", "swipe"} & backend.capabilities
        with pytest.raises(CapabilityMissing, match="can't be touched"):
            backend.perform(compile_action(Tap(MIDDLE), RULES["ios"]))
        assert backend.launch(APP) > 0
        field = backend.raw.find_element("accessibility id", "email")
        field.click()
        backend.type_text("Grüße")
        assert "Grüße" in (field.text, field.get_attribute("value"))
        before = backend.capture()
        backend.press("down")
        assert backend.capture().screen.size == before.screen.size
        assert backend.info().platform == "tvos"
        backend.close()


# Two apps on one screen


def test_apps_beside_each_other_are_one_tree_and_each_is_touched_once_it_was_activated(
    server: appium.AppiumServer, served: ServedWda, tmp_path: Path
) -> None:
    del served  # its usbmuxd tells of the same device
    left, right = APP, "com.example.contract"
    with serve_wda([demo_app()], beside=[read_app(CONTRACT_APP)]) as phone:
        backend = connected(server, phone)
        recorder = Recorder(tmp_path, Store(tmp_path), Redactor(), "always")
        device = Device(backend, Settings(touch=Touch(humanize="off")), recorder, test="beside")
        backend.launch(left)
        phone.journal.clear()
        assert len({window.app for window in backend.capture().windows}) == 1
        assert not [entry for entry in phone.journal.entries("command") if "settings" in entry.name]
        assert backend.launch(right) > 0
        phone.journal.clear()
        device.tap("Keep it")
        device.find(id="email").fill("ada@example.com")
        device.tap("Keep it")
        look = backend.capture()
        assert {window.app for window in look.windows} == {left, right}
        assert {"It is kept", "ada@example.com"} <= {node.text for node in look.nodes}
        assert f"activationBundleId: '{left}'" in look.to_text()
        activated = [entry.args[0]["bundleId"] for entry in phone.journal.entries("command", "POST /wda/apps/activate")]
        assert activated == [left, right]
        assert not phone.journal.entries("inactive")
        settings = phone.server._session.settings if phone.server._session is not None else {}
        assert settings["defaultActiveApplication"] == "auto"
        # Whoever touches without activating is found out.
        backend.perform(compile_action(Tap(shown(backend, "email")), RULES["ios"]))
        assert [entry.name for entry in phone.journal.entries("inactive")] == [left]
        backend.close()
        recorder.close(failed=False)


def test_an_app_that_crashed_is_known_to_be_gone(backend: AppiumBackend, served: ServedWda) -> None:
    assert backend.launch(APP) > 0
    shown(backend, "Sign in")
    with served.pace.held() as phone:
        assert phone.machine.front is not None
        phone.machine.crash(phone.machine.front, "NSInvalidArgumentException", "no session")
    backend.clock.sleep(0.5)
    assert (backend.app_state(APP).state, backend.app_state(APP).pid) == ("not_running", 0)
    assert backend.app_in_front() != APP
    assert len(backend.capture()) > 0
    assert backend.launch(APP) > 0
