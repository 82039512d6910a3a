"""The life of an app as a test sees it: packages, the background, links, and what is restored after the test."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends.abilities import ShellOutput
from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.device.device import Device
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.device.expect import expect
from pytest_apex.errors import ActionRefused, AppDied, CapabilityMissing, CheckFailed, ConfigError, TargetNotFound
from pytest_apex.evidence.journal import read_journal
from pytest_apex.settings import App, Settings
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = "com.example.life"
LIFE = """
app: com.example.life
name: Life
version: 1.0
start: home
stored: [kept]
saved: [draft]
links: {"life://item/{id}": [{set: {draft: "{id}"}}, {goto: item}]}
data: {kept: "", draft: "", sent: ""}
screens:
  home:
    title: Home
    controls:
      - {role: text, text: Life at home}
      - {role: text, id: kept, text: "kept {kept}"}
      - {role: text, id: sent, text: "sent {sent}"}
      - {role: button, text: Keep, on_tap: {set: {kept: this, draft: words}}}
      - {role: button, text: More, on_tap: {goto: item}}
      - {role: button, text: Say, on_tap: {toast: "Saved {draft}"}}
      - {role: button, text: Post, on_tap: {notify: News, then: {goto: item}}}
      - {role: button, text: Die later, on_tap: {load: 2000, cover: false, then: {crash: java.lang.Error}}}
      - role: button
        text: Send
        on_tap: {load: 300, then: [{set: {sent: "yes"}}], offline: [{set: {sent: "no"}}]}
      - {role: button, text: Ask, on_tap: {ask: camera, then: {toast: granted}, denied: {toast: denied}}}
  item:
    title: Item
    controls: [{role: text, id: item, text: "item {draft}"}, {role: text, text: More text}]
faults:
  killed_in_background: {seconds: 1}
  lost_state: {seconds: 1}
"""
OTHER = LIFE.replace(APP, "com.example.other").replace("Life", "Other").replace("life:", "other:")


@pytest.fixture
def life(tmp_path: Path) -> Iterator[Callable[..., Device]]:
    """`life("fault=lost_state")`: a device with the app in front, beside another one."""
    app, other = tmp_path / "life.yaml", tmp_path / "other.yaml"
    app.write_text(LIFE, "utf-8")
    other.write_text(OTHER, "utf-8")
    with ExitStack() as stack:

        def make(options: str = "", settings: Settings | None = None) -> Device:
            spec = f"virtual:{app}?with={other}" + (f"&{options}" if options else "")
            return stack.enter_context(virtual_device(tmp_path / "run", spec, app=APP, settings=settings))

        yield make


def kind_of(device: Device, error: Exception) -> str:
    return judge(device.examine(failure_of(error), error)).kind


def told(device: Device) -> list[str]:
    return [event.what for event in device.context.watch.processes]


# Packages


def test_an_upgrade_keeps_the_data(life: Any, tmp_path: Path) -> None:
    device = life()
    device.tap("Keep")
    (tmp_path / "new.yaml").write_text(LIFE.replace("version: 1.0", "version: 2.0"), "utf-8")
    before = device.app.pid
    step = device.app.install(tmp_path / "new.yaml")
    assert (step.verb, step.named) == ("install", "install new.yaml")
    assert (device.app.version, device.app.state) == ("2.0", "not_running")
    device.app.launch()
    assert device.app.pid != before
    expect(device.find(id="kept")).to_have_text("kept this")
    device.app.install(tmp_path / "new.yaml", keep_data=False)
    device.app.launch()
    expect(device.find(id="kept")).to_have_text("kept ")


def test_an_uninstalled_app_is_no_crash(life: Any) -> None:
    device = life()
    device.app.uninstall()
    assert device.app.state == "not_installed"
    assert APP not in device.apps
    with pytest.raises(CheckFailed) as raised:
        expect(device.find("Life at home")).to_be_visible(timeout=0.2)
    assert not kind_of(device, raised.value).startswith("crash")


def test_another_apps_package_is_told(life: Any, tmp_path: Path) -> None:
    device = life()
    with pytest.raises(ConfigError, match="it is another app"):
        device.app.install(tmp_path / "other.yaml")
    device.apps.install(tmp_path / "other.yaml")
    assert device.apps["com.example.other"].version == "1.0"


@pytest.mark.parametrize("path", ["gone.apk", "", 7])
def test_a_package_that_can_not_be(life: Any, path: Any) -> None:
    with pytest.raises(ConfigError):
        life().app.install(path)


def test_what_is_no_package_ends_nothing(life: Any, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("app: 7", "utf-8")
    device = life()
    with pytest.raises(ConfigError):
        device.app.install(tmp_path / "bad.yaml")
    expect(device.app).to_be_running()


# The background


def test_away_for_a_while_and_back_it_is_the_same_process(life: Any) -> None:
    device = life()
    device.tap("More")
    pid, before = device.app.pid, device.context.backend.clock.now()
    step = device.app.background(3)
    assert step.took_ms >= 3000
    assert device.context.backend.clock.now() - before >= 3
    expect(device.find(id="item")).to_be_visible()
    assert device.app.pid == pid
    assert told(device)[-2:] == ["background", "returned"]


def test_away_for_good(life: Any) -> None:
    device = life()
    device.app.background()
    assert device.app.state == "background"
    expect(device.app).to_be_running()
    device.app.activate()
    assert told(device)[-2:] == ["background", "returned"]


@pytest.mark.parametrize("come_back", ["activate", "icon"])
def test_killed_in_the_background_it_comes_back_as_it_was(life: Any, come_back: str) -> None:
    device = life()
    device.tap("Keep")
    device.tap("More")
    pid = device.app.pid
    device.app.kill_in_background()
    assert device.app.state == "not_running"
    expect(device.app).not_to_be_running()
    if come_back == "icon":
        device.tap("Life")
    else:
        device.app.activate()
    expect(device.find(id="item")).to_have_text("item words")
    assert device.app.pid != pid


@pytest.mark.parametrize("how", ["background", "home"])
def test_killed_by_the_system_it_is_noted_and_no_crash(life: Any, how: str) -> None:
    device = life("fault=killed_in_background")
    device.tap("Keep")
    device.tap("More")
    if how == "home":
        device.press("home")
        device.wait(2)
        device.app.activate()
    else:
        device.app.background(2)
    expect(device.find(id="item")).to_have_text("item words")
    assert [note for note in device.context.notes if note.startswith("expected.killed_in_background")]
    device.press("back")
    expect(device.find("Life at home")).to_be_visible()
    expect(device.app).to_be_running()


def test_state_that_is_lost_there_is_the_apps_fault(life: Any) -> None:
    device = life("fault=lost_state")
    device.tap("More")
    device.app.background(2)
    with pytest.raises(CheckFailed) as raised:
        expect(device.find(id="item")).to_be_visible(timeout=0.5)
    assert kind_of(device, raised.value) == "functional.missing_element"


def test_a_crash_in_the_background_is_one(life: Any) -> None:
    device = life()
    device.tap("Die later")
    with pytest.raises(AppDied, match="died while it was in the background") as raised:
        device.app.background(5)
    assert kind_of(device, raised.value).startswith("crash.")


def test_a_crash_after_the_return_is_one(life: Any) -> None:
    device = life()
    device.app.background(1)
    device.tap("Die later")
    with pytest.raises(AppDied) as raised:
        device.wait(3)
    assert kind_of(device, raised.value).startswith("crash.")


@pytest.mark.parametrize("verb", ["background", "kill_in_background"])
def test_what_does_not_run_can_not_be_in_the_background(life: Any, verb: str) -> None:
    device = life()
    device.app.stop()
    with pytest.raises(ActionRefused, match="it is not running"):
        getattr(device.app, verb)()


@pytest.mark.parametrize("seconds", [-1, "3", float("nan")])
def test_times_that_can_not_be(life: Any, seconds: Any) -> None:
    with pytest.raises(ConfigError):
        life().app.background(seconds)


# Other apps, links, notifications


def test_another_app_beside_the_one_under_test(life: Any) -> None:
    device = life("fault=killed_in_background")
    other = device.apps["com.example.other"]
    assert sorted(device.apps) == [APP, "com.example.other"]
    other.launch()
    expect(other).to_be_running()
    device.wait(3)
    assert device.app.id == APP
    device.app.activate()
    expect(device.find("Life at home")).to_be_visible()
    other.stop()
    expect(other).not_to_be_running()


@pytest.mark.parametrize("running", [True, False])
def test_a_link_opens_its_screen(life: Any, running: bool) -> None:
    device = life()
    if not running:
        device.app.stop()
    step = device.open_url("life://item/7")
    expect(device.find(id="item")).to_have_text("item 7")
    assert (step.verb, step.effect) == ("open_url", "changed")
    expect(device.app).to_be_running()


def test_another_apps_link_sends_this_one_away(life: Any) -> None:
    device = life("fault=killed_in_background")
    device.open_url("other://item/7")
    device.wait(3)
    assert device.app.state == "not_running"
    device.app.activate()
    expect(device.app).to_be_running()


def test_a_link_that_nobody_opens(life: Any) -> None:
    device = life()
    with pytest.raises(ActionRefused, match="nobody opens") as raised:
        device.open_url("nobody://x")
    assert kind_of(device, raised.value) == "test.refused"


def test_a_notification(life: Any) -> None:
    device = life()
    device.tap("Post")
    device.press("home")
    device.open_notifications()
    device.tap("News")
    expect(device.find(id="item")).to_be_visible()


# Toasts


def test_a_toast_counts_also_when_it_is_gone(life: Any) -> None:
    device = life()
    device.tap("Say")
    device.context.backend.clock.sleep(10)
    expect(device).to_have_toast("Saved ")
    expect(device).not_to_have_toast("Saved")
    device.tap("More")
    expect(device).not_to_have_toast("Saved ")


def test_a_toast_that_is_another_is_told_with_what_there_was(life: Any) -> None:
    device = life()
    device.tap("Keep")
    device.tap("Say")
    with pytest.raises(CheckFailed, match="since the step began: 'Saved words'") as raised:
        expect(device).to_have_toast("Saved word")
    assert raised.value.failure is not None
    assert raised.value.failure.near_misses == ("Saved words",)
    assert kind_of(device, raised.value) == "functional.missing_element"
    with pytest.raises(CheckFailed) as raised:
        expect(device).not_to_have_toast("Saved words")
    assert kind_of(device, raised.value) == "functional.wrong_state"


def test_a_toast_that_never_came(life: Any) -> None:
    device = life()
    device.tap("Keep")
    with pytest.raises(CheckFailed, match="no toast since the step began"):
        expect(device).to_have_toast("Saved")


# Network, clipboard, files


def test_without_a_network_and_with_it_again(life: Any) -> None:
    device = life()
    with device.offline():
        assert device.network is False
        device.tap("Send")
        expect(device.find(id="sent")).to_have_text("sent no")
    assert device.network is True
    device.tap("Send")
    expect(device.find(id="sent")).to_have_text("sent yes")


def test_a_test_leaves_network_and_permissions_as_they_were(life: Any) -> None:
    device = life(settings=Settings(app=App(permissions="allow")))
    backend = device.context.backend
    device.tap("Ask")
    expect(device).to_have_toast("granted")
    assert backend.permissions(APP) == {"*": True}
    device.network = False
    assert backend.network() is False
    device.finish()
    assert (backend.network(), backend.permissions(APP), backend.app_state(APP).pid) == (True, {}, 0)


def test_the_clipboard_goes_round_and_stands_masked_in_the_journal(life: Any, tmp_path: Path) -> None:
    from pytest_apex.settings import Keep

    device = life(settings=Settings(keep=Keep(redact=("geheim",))))
    device.clipboard = "Grüße, geheim"
    assert device.clipboard == "Grüße, geheim"
    (journal,) = (tmp_path / "run").rglob("steps.jsonl")
    texts = [line["text"] for line in read_journal(journal) if "clipboard" in line["event"]]
    assert len(texts) == 2
    assert all("Grüße" in text and "geheim" not in text for text in texts)


def test_files_go_there_and_back(life: Any, tmp_path: Path) -> None:
    device = life()
    (tmp_path / "a.txt").write_bytes(b"\0\1")
    device.push(tmp_path / "a.txt", "/sdcard/Download/b.txt")
    assert device.pull("/sdcard/Download/b.txt", tmp_path) == tmp_path / "b.txt"
    assert (tmp_path / "b.txt").read_bytes() == b"\0\1"
    with pytest.raises(ConfigError, match="no such file"):
        device.push(tmp_path / "gone.txt", "/sdcard/x")
    with pytest.raises(ActionRefused, match="no file"):
        device.pull("/sdcard/gone", tmp_path / "c.txt")
    with pytest.raises(ConfigError, match="no folder"):
        device.pull("/sdcard/Download/b.txt", tmp_path / "gone" / "c.txt")


# What a device has not


def test_what_the_device_has_not_is_refused_by_name(life: Any) -> None:
    device = life("platform=ios")
    asked: list[tuple[str, Callable[[], Any]]] = [
        ("run shell commands", lambda: device.shell("ls")),
        ("tell its network", lambda: device.network),
        ("open its notifications", device.open_notifications),
        ("show toasts", lambda: expect(device).to_have_toast("Saved")),
        ("end an app in the background", device.app.kill_in_background),
        ("look into web pages", device.web.pages),
        ("record its screen", lambda: device.record().__enter__()),
        ("give files", lambda: device.pull("/x", "y")),
    ]
    for what, ask in asked:
        with pytest.raises(CapabilityMissing, match=what) as raised:
            ask()
        assert kind_of(device, raised.value) == "test.capability"


def test_a_backend_that_claims_too_much_is_told(life: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    device = life()
    kind = type(device.context.backend)
    monkeypatch.setattr(kind, "capabilities", property(lambda _self: frozenset({"shell"})))
    with pytest.raises(CapabilityMissing, match="can't run shell commands") as raised:
        device.shell("ls")
    assert "declares 'shell'" in raised.value.seen


# What the built-in phone has not, by a backend that has it


class Richer(VirtualBackend):
    """A phone with a shell and a camera for its screen."""

    @property
    def capabilities(self) -> frozenset[str]:
        return super().capabilities | {"shell", "screen_recording"}

    def shell(self, command: str, timeout: float = 30.0) -> ShellOutput:
        if command.startswith("am force-stop "):
            self.stop(command.split()[-1])
        return ShellOutput(f"did {command}\n", 0)

    def start_recording(self) -> None:
        """It films."""

    def stop_recording(self) -> bytes:
        return b"\0\0\0\x18ftypmp42"


@pytest.fixture
def richer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pytest_apex.backends.virtual.VirtualBackend", Richer)


@pytest.mark.usefixtures("richer")
def test_what_a_shell_command_does_to_the_app_is_the_tests_own_doing(life: Any) -> None:
    device = life()
    assert device.shell("date") == ShellOutput("did date\n", 0)
    expect(device.app).to_be_running()
    device.shell(f"am force-stop {APP}")
    device.wait(1)
    assert told(device)[-1] == "stopped"
    with pytest.raises(CheckFailed) as raised:
        expect(device.find("Life at home")).to_be_visible(timeout=0.2)
    assert not kind_of(device, raised.value).startswith("crash")


@pytest.mark.usefixtures("richer")
@pytest.mark.filterwarnings("ignore::pytest_apex.evidence.store.EvidenceWarning")
@pytest.mark.parametrize(("secrets", "kept"), [((), 1), (("geheim",), 0)])
def test_a_film_is_kept_unless_there_is_something_to_mask(life: Any, secrets: tuple[str, ...], kept: int) -> None:
    from pytest_apex.settings import Keep

    device = life(settings=Settings(keep=Keep(redact=secrets)))
    with pytest.raises(TargetNotFound), device.record("a film"):
        device.tap("Nothing of the kind")
    recorder = device.context.recorder
    films = [item for item in recorder.close(failed=False) if item.kind == "video"]
    assert len(films) == kept
    assert len([line for line in recorder.problems if "can't keep the recording" in line]) == 1 - kept


def test_a_screen_that_a_test_turned_off_is_on_again_after_it(life: Any) -> None:
    device = life()
    device.sleep()
    assert device.context.backend.capture().screen.awake is False
    with pytest.raises(ActionRefused, match="asleep"):
        device.tap("Keep")
    device.wake()
    device.tap("Keep")
    device.sleep()
    device.finish()
    assert device.context.backend.capture().screen.awake is True
