"""The backend for Android phones against the built-in phone, over a real adb: nothing between it and the wire is a
stand-in."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from pytest_apex.backends import abilities
from pytest_apex.backends.uiautomator2 import helper
from pytest_apex.backends.uiautomator2.adb import AdbServer
from pytest_apex.backends.uiautomator2.backend import Uiautomator2Backend
from pytest_apex.backends.uiautomator2.connecting import all_usable, connect, find, identify
from pytest_apex.backends.virtual import demo_app, read_app
from pytest_apex.errors import ActionRefused, CapabilityMissing, ConfigError
from pytest_apex.gestures.compile import compile_action
from pytest_apex.gestures.humanize import HumanizeConfig, humanize
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import DoubleTap, Drag, LongPress, Pinch, Swipe, Tap
from pytest_apex.model.geometry import Point
from pytest_apex.phone_wires.package import package_of
from pytest_apex.phone_wires.serve import Served, serve_phone
from pytest_apex.settings import Settings
from pytest_apex.testing import BackendContract

from .android import APP

pytestmark = pytest.mark.bench

CONTRACT_APP = Path(__file__).parents[2] / "fixtures/virtual_apps/contract.yaml"


@pytest.fixture
def backend(served: Served) -> Iterator[Uiautomator2Backend]:
    made = connect(served.serial, Settings())
    yield made
    made.close()


class TestContract(BackendContract):
    app = "com.example.contract"
    keep = ("Keep it", "It is kept")
    toast = ("Say it", "It is said")
    url = ("contract://item/7", "Item 7")

    @pytest.fixture(autouse=True)
    def _served(self, adb: AdbServer, tmp_path: Path) -> Iterator[None]:
        app = read_app(CONTRACT_APP)
        self.package = tmp_path / "contract.apk"
        self.package.write_bytes(package_of(app))
        with serve_phone([app]) as phone:
            phone.handset.files.write(helper.TARGET, helper.jar().read_bytes())
            self.serial = phone.serial
            yield
            adb.disconnect(phone.serial)

    def make_backend(self) -> Uiautomator2Backend:
        return connect(self.serial, Settings())


def shown(backend: Uiautomator2Backend, text: str) -> Point:
    """The middle of the control with this text or id, once it is there."""
    for _ in range(100):
        for node in backend.capture().nodes:
            if text in (node.text, node.identifier.rpartition("/")[2]):
                return node.bounds.center
        backend.clock.sleep(0.05)
    raise AssertionError(f"{text} never came up")


def fingers(served: Served) -> list[tuple[float, str]]:
    """What the phone received, in milliseconds from the first touch on."""
    touches = served.journal.touches
    return [((entry.at - touches[0].at) * 1000, entry.name) for entry in touches]


# Looking


def test_tree_and_picture_are_the_phones_own(backend: Uiautomator2Backend, served: Served) -> None:
    backend.launch(APP)
    shown(backend, "Sign in")
    seen = backend.capture()
    with served.pace.held() as phone:
        assert seen.picture is not None
        assert seen.picture.pixels().tobytes() == phone.frame().pixels().tobytes()
        tree = phone.tree()
        assert {node.text for node in seen.nodes} == {tree.node(at).text for at in range(len(tree))}
    assert seen.app.id == APP
    assert seen.app.activity.startswith(f"{APP}/")
    assert seen.app.version == "1.4.0"
    assert seen.screen.density == 1.5
    assert seen.source == "uiautomator2"
    assert abs(seen.skew_ms) < 100


def test_the_facts_of_the_phone(backend: Uiautomator2Backend) -> None:
    info = backend.info()
    assert (info.model, info.os_version, info.dp) == ("Virtual phone", "16", 1.5)
    assert info.facts["android"] == "16 (API 36)"
    assert info.facts["density"] == "240 dpi"
    assert info.facts["dark"] == "no"


def test_a_look_asks_for_tree_picture_and_front_and_no_more(backend: Uiautomator2Backend, served: Served) -> None:
    backend.launch(APP)
    backend.capture()
    served.journal.clear()
    backend.capture()
    assert len(served.journal.entries("rpc")) == 1
    assert len(served.journal.shell) == 2


# Fingers, by what the phone received


def test_a_foreign_finger_is_told_and_what_we_send_is_not(backend: Uiautomator2Backend, served: Served) -> None:
    backend.launch(APP)
    middle = shown(backend, "Sign in")
    assert list(backend.foreign_touches(0.0)) == []  # from here on it listens
    _until(backend, lambda: "getevent -lp; getevent -l" in "".join(served.journal.shell))
    backend.clock.sleep(0.3)
    backend.perform(compile_action(Tap(Point(270, 600), 60), RULES["android"]))
    backend.shell("input tap 270 600")
    with served.pace.held() as phone:
        phone.stranger.touch(middle)
    before = backend.clock.now()
    _until(backend, lambda: backend.foreign_touches(0.0))
    (touch,) = backend.foreign_touches(0.0)
    assert touch.place is not None
    assert (touch.place.x, touch.place.y) == pytest.approx((middle.x, middle.y), abs=1)
    assert touch.at == pytest.approx(before, abs=1.0)
    assert list(backend.foreign_touches(touch.at)) == []
    assert "foreign_touches" not in backend.info().facts
    served.journal.clear()
    backend.foreign_touches(0.0)
    assert not served.journal.shell  # nothing is asked of the phone


def _until(backend: Uiautomator2Backend, holds: Callable[[], object]) -> None:
    for _ in range(100):
        if holds():
            return
        backend.clock.sleep(0.05)
    raise AssertionError("it never came")


def test_a_phone_without_getevent_tells_so(backend: Uiautomator2Backend, served: Served) -> None:
    tools: Any = served.services.tools
    del tools["getevent"]
    assert list(backend.foreign_touches(0.0)) == []
    _until(backend, lambda: "foreign_touches" in backend.info().facts)
    assert "getevent: inaccessible or not found" in backend.info().facts["foreign_touches"]
    backend.launch(APP)
    backend.perform(compile_action(Tap(Point(270, 600), 60), RULES["android"]))
    assert list(backend.foreign_touches(0.0)) == []


def test_a_tap_is_held_as_long_as_asked(backend: Uiautomator2Backend, served: Served) -> None:
    backend.perform(compile_action(Tap(Point(270, 600), 60), RULES["android"]))
    (down, first), (up, last) = fingers(served)
    assert (first, last) == ("down", "up")
    assert up - down == pytest.approx(60, abs=1)


def test_a_long_press_is_held_by_the_phone(backend: Uiautomator2Backend, served: Served) -> None:
    backend.perform(compile_action(LongPress(Point(270, 600), 1200), RULES["android"]))
    (down, _), (up, _) = fingers(served)
    assert up - down == pytest.approx(1200, abs=1)


def test_a_double_tap_keeps_its_pause(backend: Uiautomator2Backend, served: Served) -> None:
    for _ in range(10):
        served.journal.clear()
        backend.perform(compile_action(DoubleTap(Point(270, 600), 80), RULES["android"]))
        times = fingers(served)
        assert [name for _, name in times] == ["down", "up", "down", "up"]
        assert times[2][0] - times[1][0] == pytest.approx(80, abs=15)


@pytest.mark.parametrize("seed", range(5))
def test_a_human_swipe_keeps_its_time_and_its_way(backend: Uiautomator2Backend, served: Served, seed: int) -> None:
    action = Swipe(Point(270, 900), Point(270, 300), 500)
    track = humanize(action, HumanizeConfig(), random.Random(seed))
    backend.perform(track)
    times = fingers(served)
    assert times[-1][0] == pytest.approx(track.duration_ms, rel=0.10)
    touches = served.journal.touches
    assert touches[0].args[1:] == (round(track.points[0].x), round(track.points[0].y))
    assert touches[-1].args[1:] == (round(track.points[-1].x), round(track.points[-1].y))
    # The speed is the hand's own: where the finger is at each moment is where the track has it, give or take 20 ms.
    samples = track.strokes[0].samples
    for at, entry in zip((time for time, _ in times), touches, strict=True):
        near = [s for s in samples if abs(s.t_ms - at) <= 30] or [samples[-1]]
        assert min(abs(s.y - entry.args[2]) for s in near) <= 60


def test_an_exact_swipe_is_the_phones_own(backend: Uiautomator2Backend, served: Served) -> None:
    backend.perform(compile_action(Swipe(Point(270, 900), Point(270, 300), 500), RULES["android"]))
    assert [entry.name for entry in served.journal.entries("rpc")][-1] == "swipe"
    assert fingers(served)[-1][0] == pytest.approx(500, rel=0.10)


def test_a_drag_holds_before_it_moves(backend: Uiautomator2Backend, served: Served) -> None:
    track = compile_action(Drag(Point(270, 900), Point(270, 500), 800, 600), RULES["android"])
    backend.perform(track)
    times = [time for time, _ in fingers(served)]
    assert max(after - before for before, after in pairwise(times[:3])) == pytest.approx(800, abs=60)
    assert times[-1] == pytest.approx(
        compile_action(Drag(Point(270, 900), Point(270, 500), 800, 600), RULES["android"]).duration_ms, rel=0.1
    )


def test_two_fingers_are_refused_and_nothing_is_sent(backend: Uiautomator2Backend, served: Served) -> None:
    assert not {"pinch", "twist", "multi_touch"} & backend.capabilities
    pinch = compile_action(Pinch(Point(270, 600), 0.5, 600), RULES["android"])
    with pytest.raises(CapabilityMissing, match="can't play a pinch"):
        backend.perform(pinch)
    assert list(served.journal.touches) == []


# Text and keys


@pytest.mark.parametrize(
    "text", ["ada@example.com", "Some%sText%s!", "#general ~/notes", "Grüße 你好 🎉", "a'b\"c\\d$e`f"]
)
def test_text_arrives_exactly(backend: Uiautomator2Backend, text: str) -> None:
    backend.launch(APP)
    backend.perform(compile_action(Tap(shown(backend, "email"), 60), RULES["android"]))
    backend.clock.sleep(0.5)
    backend.set_clipboard("mine")
    backend.type_text(text)
    assert any(node.text == text for node in backend.capture().nodes)
    assert backend.clipboard() == "mine"
    backend.clear_text()
    assert not any(node.text == text for node in backend.capture().nodes)


def test_text_without_a_field_is_refused(backend: Uiautomator2Backend, served: Served) -> None:
    with pytest.raises(ActionRefused, match="focused text field"):
        backend.type_text("lost")
    assert served.journal.entries("rpc", "pasteClipboard") == []


def test_a_key_is_held(backend: Uiautomator2Backend) -> None:
    assert "press_hold" in backend.capabilities
    before = backend.clock.now()
    backend.press("volume_up", 700)
    assert backend.clock.now() - before >= 0.7


@pytest.mark.parametrize("name", ["landscape_left", "landscape_right", "portrait_upside_down", "portrait"])
def test_orientations(backend: Uiautomator2Backend, name: str) -> None:
    backend.set_orientation(name)
    assert backend.capture().screen.orientation == name
    assert backend.info().screen.orientation == name


def test_lying_flat_is_refused(backend: Uiautomator2Backend) -> None:
    with pytest.raises(CapabilityMissing):
        backend.set_orientation("face_down")


# Apps and the phone


def test_arguments_and_environment_arrive(backend: Uiautomator2Backend, served: Served) -> None:
    backend.launch(APP, ["--reset", "a,b", "it's"], {"MODE": "demo run"})
    with served.pace.held() as phone:
        front = phone.machine.front
        assert front is not None
        assert front._built_in["args"] == ["--reset", "a,b", "it's"]
        assert front._built_in["env"] == {"MODE": "demo run"}


def test_a_crash_is_on_record(backend: Uiautomator2Backend, served: Served) -> None:
    pid = backend.launch(APP)
    backend.clock.sleep(1.0)
    before = backend.clock.now()
    with served.pace.held() as phone:
        assert phone.machine.front is not None
        phone.machine.crash(phone.machine.front, "java.lang.IllegalStateException", "no session")
    records = backend.records(APP, before)
    assert [(record.pid, record.way) for record in records] == [(pid, "java")]
    assert records[0].at is not None
    assert before - 0.01 <= records[0].at <= backend.clock.now()
    assert backend.records(APP, backend.clock.now() + 1) == []


def test_it_has_what_it_declares(backend: Uiautomator2Backend) -> None:
    for protocol in (
        abilities.Installs, abilities.Backgrounds, abilities.HasClipboard, abilities.HasShell, abilities.OpensUrls,
        abilities.ShowsToasts, abilities.HasNotifications, abilities.SwitchesNetwork, abilities.Wakes,
        abilities.MovesFiles, abilities.RecordsScreen, abilities.HasWebPages,
    ):  # fmt: skip
        assert isinstance(backend, protocol)


def test_files_there_and_back(backend: Uiautomator2Backend, tmp_path: Path) -> None:
    mine, back = tmp_path / "mine.bin", tmp_path / "back.bin"
    mine.write_bytes(bytes(range(256)) * 1000)
    backend.push(mine, "/data/local/tmp/mine.bin")
    backend.pull("/data/local/tmp/mine.bin", back)
    assert back.read_bytes() == mine.read_bytes()
    with pytest.raises(ActionRefused):
        backend.pull("/data/local/tmp/nothing.bin", back)


def test_an_installation_tells_how_far_it_is(backend: Uiautomator2Backend, tmp_path: Path) -> None:
    package, told = tmp_path / "notes.apk", list[float]()
    package.write_bytes(package_of(demo_app()))
    with ZipFile(package, "a") as archive:
        archive.writestr("assets/film.bin", random.Random(1).randbytes(1 << 20))
    assert backend.install(package, progress=told.append) == APP
    assert told == sorted(told)
    assert len(told) > 10
    assert told[-1] == 1.0


def test_shell(backend: Uiautomator2Backend) -> None:
    assert backend.shell("echo hello; exit 3") == abilities.ShellOutput("hello\n", 3)


def test_the_screen_sleeps_and_wakes(backend: Uiautomator2Backend) -> None:
    backend.sleep()
    assert not backend.capture().screen.awake
    backend.wake()
    assert backend.capture().screen.awake


def test_the_network_goes_and_comes(backend: Uiautomator2Backend) -> None:
    assert backend.network()
    backend.set_network(False)
    assert not backend.network()
    backend.set_network(True)
    assert backend.network()


def test_the_server_is_put_there_once(served: Served) -> None:
    served.handset.files.remove(helper.TARGET)
    for pushed in (True, False):
        served.journal.clear()
        backend = connect(served.serial, Settings())
        backend.close()
        sent = [entry for entry in served.journal.entries("sync") if entry.name == "SEND"]
        assert bool(sent) is pushed


def test_the_plain_device_of_uiautomator2(backend: Uiautomator2Backend) -> None:
    backend.launch(APP)
    shown(backend, "Sign in")
    assert backend.raw.info["currentPackageName"] == APP
    assert backend.raw(text="Sign in").exists


# Which phone


def test_auto_is_the_only_one(adb: AdbServer, served: Served) -> None:
    adb.connect(served.serial, 5.0)
    assert find(adb, "auto") == served.serial
    with serve_phone([demo_app()]) as other:
        adb.connect(other.serial, 5.0)
        with pytest.raises(ConfigError, match="there are several") as error:
            find(adb, "auto")
        assert served.serial in error.value.seen
        assert other.serial in error.value.seen
        adb.disconnect(other.serial)


def test_no_phone(adb: AdbServer) -> None:
    with pytest.raises(ConfigError, match="there is none"):
        find(adb, "auto")


def test_a_phone_with_two_names_is_one(adb: AdbServer, served: Served) -> None:
    again = served.serial.replace("127.0.0.1", "localhost")
    for name in (served.serial, again):
        adb.connect(name, 5.0)
    try:
        assert {one.serial for one in adb.devices()} == {served.serial, again}
        usable, left_out = all_usable()
        assert len(usable) == 1
        assert len(left_out) == 1
        assert "again" in left_out[0]
        assert find(adb, "auto") == usable[0]
        first, second = identify(served.serial, Settings()), identify(again, Settings())
        assert first[0] != second[0]
        assert first[1:] == second[1:]
    finally:
        adb.disconnect(again)


def test_a_phone_that_does_not_answer_is_not_among_all(adb: AdbServer, served: Served) -> None:
    adb.connect(served.serial, 5.0)
    with serve_phone([demo_app()]) as other:
        adb.connect(other.serial, 5.0)
        other.switch_on("slow", 6.0)
        usable, left_out = all_usable()
        other.switch_off("slow")
        adb.disconnect(other.serial)
    assert usable == [served.serial]
    assert f"{other.serial} does not answer" in left_out
