"""The built-in phone as a backend."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex.backends.base import Backend
from pytest_apex.backends.virtual import VirtualBackend, VirtualSpec, connect, demo_app, parse_spec
from pytest_apex.errors import ActionRefused, AppFileError, CapabilityMissing, ConfigError, DeviceLost
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.settings import Devices, Settings, Touch

NOTES = "com.example.notes"


@pytest.fixture
def on() -> Callable[..., VirtualBackend]:
    """`on("?fault=…")`: a connected phone with the demo app launched."""

    def make(query: str = "") -> VirtualBackend:
        backend = connect(f"virtual{query}", Settings())
        backend.launch(NOTES)
        backend.clock.sleep(1)
        return backend

    return make


def tap(backend: VirtualBackend, word: str, wait: float = 0.6) -> None:
    node = next(node for node in backend.capture().nodes if word in (node.text, node.identifier.rpartition("/")[2]))
    middle = node.bounds.center
    backend.perform(Track("tap", (Stroke(0, (Sample(0, middle.x, middle.y), Sample(50, middle.x, middle.y))),)))
    backend.clock.sleep(wait)


def log_in(backend: VirtualBackend) -> None:
    tap(backend, "email")
    backend.type_text("ada@example.com")
    tap(backend, "password")
    backend.type_text("x")
    backend.press("back")
    backend.clock.sleep(0.4)
    tap(backend, "log_in", 1.5)


@pytest.mark.parametrize(
    ("spec", "parsed"),
    [
        ("virtual", VirtualSpec()),
        ("virtual:my app.yaml", VirtualSpec(app="my app.yaml")),
        ("virtual:C:\\a.yaml", VirtualSpec(app="C:\\a.yaml")),
        ("virtual?fault=anr&platform=ios&seed=7", VirtualSpec(fault="anr", platform="ios", seed=7)),
        ("virtual:a.yaml?with=b.yaml&with=c.yaml", VirtualSpec(app="a.yaml", also=("b.yaml", "c.yaml"))),
    ],
)
def test_a_spec_is_taken_apart(spec: str, parsed: VirtualSpec) -> None:
    assert parse_spec(spec) == parsed


@pytest.mark.parametrize(
    ("spec", "seen"),
    [
        ("virtual?fualt=anr", "unknown key 'fualt'; known: fault, platform, seed, with"),
        ("virtual?fault=anrr", "unknown fault 'anrr'; did you mean \"anr\"?"),
        ("virtual?platform=windows", "unknown platform 'windows'; known: android, ios, tvos, watchos"),
        ("virtual?seed=x", "the seed 'x' is not a whole number"),
        ("virtual?seed=", "'seed=' is not KEY=VALUE"),
        ("virtual?fault", "'fault' is not KEY=VALUE"),
        ("virtual?seed=1&seed=2", "'seed' stands there twice"),
        (
            "virtual?platform=windows&seed=x&foo=1",
            "unknown key 'foo'; known: fault, platform, seed, with\n"
            "unknown platform 'windows'; known: android, ios, tvos, watchos\n"
            "the seed 'x' is not a whole number",
        ),
        ("virtual:", "no app file after the colon"),
        ("emulator-5554", "it begins with 'emulator-5554', not with virtual"),
    ],
)
def test_a_wrong_spec_is_refused_with_what_is_known(spec: str, seen: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_spec(spec)
    assert caught.value.seen == seen
    assert "virtual:APP.yaml" in caught.value.cure


def test_the_app_is_the_one_named_else_the_one_set_else_the_demo(tmp_path: Path) -> None:
    source = "app: com.example.%s\nname: A\nstart: s\nscreens: {s: {controls: []}}\n"
    for name in ("named", "set"):
        (tmp_path / f"{name}.yaml").write_text(source % name, encoding="utf-8")
    settings = Settings(devices=Devices(virtual_app=str(tmp_path / "set.yaml")))
    named = connect(f"virtual:{tmp_path / 'named.yaml'}", settings)
    assert [app.id for app in named.raw.machine.apps] == ["com.example.named"]
    assert [app.id for app in connect("virtual", settings).raw.machine.apps] == ["com.example.set"]
    assert [app.id for app in connect("virtual", Settings()).raw.machine.apps] == [NOTES]
    both = connect(f"virtual?with={tmp_path / 'named.yaml'}", Settings())
    assert [app.id for app in both.raw.machine.apps] == [NOTES, "com.example.named"]


def test_a_missing_and_a_broken_app_file_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"can't read the app file .*gone\.yaml"):
        connect(f"virtual:{tmp_path / 'gone.yaml'}", Settings())
    (tmp_path / "bad.yaml").write_text("app: [\n", encoding="utf-8")
    with pytest.raises(AppFileError, match=r"bad\.yaml:\d+:\d+  not YAML"):
        connect(f"virtual:{tmp_path / 'bad.yaml'}", Settings())


def test_a_fault_without_a_place_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(
        "app: com.example.a\nname: A\nstart: s\nscreens: {s: {controls: []}}\nfaults: {blank: {screen: s}}\n",
        encoding="utf-8",
    )
    with pytest.raises(ConfigError, match="'anr' has no place in") as caught:
        connect(f"virtual:{tmp_path / 'a.yaml'}?fault=anr", Settings())
    assert caught.value.seen.endswith("a.yaml: blank")


def test_the_seed_of_the_run_is_the_phones_unless_the_spec_has_one() -> None:
    def pid(spec: str, seed: int) -> int:
        return connect(spec, Settings(touch=Touch(seed=seed))).launch(NOTES)

    assert pid("virtual", 1) == pid("virtual", 1) == pid("virtual?seed=1", 5)
    assert pid("virtual", 1) != pid("virtual", 2)


def test_it_is_a_backend(on: Callable[..., VirtualBackend]) -> None:
    backend = on()
    assert isinstance(backend, Backend)
    info = backend.info()
    assert (info.platform, info.dp, info.screen.density) == ("android", 1.5, 1.5)
    assert connect("virtual?platform=ios", Settings()).info().dp == 1.0
    backend.close()
    backend.close()


def test_a_capture_costs_time_of_the_device(on: Callable[..., VirtualBackend]) -> None:
    backend = on()
    before = backend.clock.now()
    snapshot = backend.capture()
    assert snapshot.taken_at == before
    assert backend.clock.now() - before == pytest.approx(0.030)
    assert snapshot.skew_ms == 20
    assert (snapshot.app.id, snapshot.app.label, snapshot.app.version) == (NOTES, "Notes", "1.4.0")
    again = backend.capture()
    assert again.id != snapshot.id
    assert again.tree is snapshot.tree
    assert again.picture is snapshot.picture


def test_the_text_form_of_a_screen_reads_back(on: Callable[..., VirtualBackend]) -> None:
    snapshot = on().capture()
    back = Snapshot.from_text(snapshot.to_text())
    assert back.tree.texts == snapshot.tree.texts
    assert back.tree.boxes == snapshot.tree.boxes


def test_acts_have_receipts_with_times(on: Callable[..., VirtualBackend]) -> None:
    backend = on()
    track = Track("tap", (Stroke(0, (Sample(0, 5, 300), Sample(80, 5, 300))),))
    receipt = backend.perform(track)
    assert receipt.ended - receipt.started == pytest.approx(0.080)
    assert receipt.command == "tap along 2 points"
    held = backend.press("volume_up", 500)
    assert held.ended - held.started == pytest.approx(0.5)


def test_typing_without_a_field_is_refused(on: Callable[..., VirtualBackend]) -> None:
    backend = on()
    for act in (lambda: backend.type_text("x"), backend.clear_text):
        with pytest.raises(ActionRefused, match="focused text field") as caught:
            act()
        assert NOTES in caught.value.seen
    tap(backend, "email")
    backend.type_text("abc")
    backend.clear_text()
    assert next(node for node in backend.capture().nodes if node.identifier.endswith("email")).text == ""


def test_what_a_device_can_not_do_is_refused() -> None:
    backend = connect("virtual?platform=tvos", Settings())
    with pytest.raises(CapabilityMissing, match="tvos"):
        backend.perform(Track("tap", (Stroke(0, (Sample(0, 1, 1),)),)))
    with pytest.raises(CapabilityMissing):
        backend.press("back")


def test_the_log_is_read_from_a_cursor(on: Callable[..., VirtualBackend]) -> None:
    backend = on()
    start = backend.log()
    assert "am_proc_start" in start.text
    end = backend.log(-1)
    assert (end.text, end.cursor) == ("", start.cursor)
    backend.stop(NOTES)
    more = backend.log(end.cursor)
    assert "am_kill" in more.text
    assert "am_proc_start" not in more.text
    assert more.cursor > end.cursor


def test_states_of_apps(on: Callable[..., VirtualBackend]) -> None:
    backend = on()
    state = backend.app_state(NOTES)
    assert (state.id, state.state) == (NOTES, "foreground")
    assert state.pid > 0
    assert backend.app_in_front() == NOTES
    backend.press("home")
    assert backend.app_state(NOTES).state == "background"
    backend.activate(NOTES)
    assert backend.app_in_front() == NOTES
    backend.clear_data(NOTES)
    assert backend.app_state(NOTES).state == "not_running"


@pytest.mark.parametrize(
    ("query", "way", "expected"),
    [
        ("?fault=crash_on_tap", ("open_settings", "about"), "java"),
        ("?fault=anr", ("open_sync", "sync_now"), "anr"),
        ("?fault=silent_exit", ("open_settings", "log_out"), "exit"),
        ("", ("open_settings", "about"), None),
    ],
)
def test_records_of_the_phones_own_text(
    on: Callable[..., VirtualBackend], query: str, way: tuple[str, ...], expected: str | None
) -> None:
    backend = on(query)
    pid = backend.app_state(NOTES).pid
    log_in(backend)
    since = backend.clock.now()
    for word in way:
        tap(backend, word)
    backend.clock.sleep(6)
    records = backend.records(NOTES, since)
    assert {record.way for record in records} == ({expected} if expected else set())
    for record in records:
        assert record.app == NOTES
        assert record.pid in (pid, 0)
        assert record.at is not None
        assert since <= record.at <= backend.clock.now()
    assert backend.records(NOTES, backend.clock.now()) == []
    assert backend.records("com.example.other", 0) == []


def test_a_crash_on_ios_is_read_from_its_report(on: Callable[..., VirtualBackend]) -> None:
    backend = connect("virtual?platform=ios&fault=crash_on_tap", Settings())
    backend.launch(NOTES)
    backend.clock.sleep(1)
    tap(backend, "email")
    backend.type_text("a@b.c")
    tap(backend, "password")
    backend.type_text("x")
    backend.press("enter")
    backend.clock.sleep(0.4)
    tap(backend, "log_in", 1.5)
    pid = backend.app_state(NOTES).pid
    since = backend.clock.now()
    for word in ("open_settings", "about"):
        tap(backend, word)
    (record,) = backend.records(NOTES, since)
    assert (record.app, record.pid, record.way) == (NOTES, pid, "ios")
    assert record.at == pytest.approx(backend.clock.now() - 0.6, abs=0.3)


def test_a_stop_by_the_test_is_no_crash(on: Callable[..., VirtualBackend]) -> None:
    backend = on("?fault=restart_by_test")
    since = backend.clock.now()
    backend.stop(NOTES)
    backend.launch(NOTES)
    backend.clock.sleep(3)
    assert {record.way for record in backend.records(NOTES, since)} == {"user"}


def test_a_lost_device_answers_nothing_and_does_not_come_back(on: Callable[..., VirtualBackend]) -> None:
    backend = on("?fault=device_lost")
    log_in(backend)
    tap(backend, "open_settings")
    with pytest.raises(DeviceLost):
        tap(backend, "privacy")
    for call in (backend.capture, backend.app_in_front, lambda: backend.log(), lambda: backend.stop(NOTES)):
        with pytest.raises(DeviceLost, match="the built-in phone is gone"):
            call()
    before = backend.clock.now()
    with pytest.raises(DeviceLost):
        backend.recover()
    assert backend.clock.now() - before == pytest.approx(5, abs=0.3)


def test_a_device_that_was_gone_for_two_seconds_is_recovered(on: Callable[..., VirtualBackend]) -> None:
    backend = on("?fault=reconnect")
    log_in(backend)
    with pytest.raises(DeviceLost):
        tap(backend, "open_settings")
    before = backend.clock.now()
    assert backend.recover().startswith("the phone answers after ")
    assert backend.clock.now() - before < 2.3
    assert any(node.text == "Settings" for node in backend.capture().nodes)


def test_recovery_does_not_help_a_blind_tree(on: Callable[..., VirtualBackend]) -> None:
    backend = on("?fault=blind_tree")
    log_in(backend)
    for word in ("open_settings", "archive"):
        tap(backend, word)
    assert len(backend.capture()) == 1
    backend.recover()
    assert len(backend.capture()) == 1


def test_the_demo_app_is_found_beside_the_package() -> None:
    assert demo_app().id == NOTES
