"""A stored run as a device: it can be looked at, and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image

from pytest_apex.backends.base import Backend
from pytest_apex.backends.replay import ReplayBackend, connect
from pytest_apex.errors import CapabilityMissing, ConfigError
from pytest_apex.evidence.cases import JudgedFailure, write_cases
from pytest_apex.evidence.journal import Journal
from pytest_apex.evidence.keep import Keeper
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store, attempt_folder
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.case import Case, CrashRecord, Failure
from pytest_apex.model.geometry import Size
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window
from pytest_apex.model.verdict import Attempt
from pytest_apex.reports.results import ResultsWriter
from pytest_apex.settings import Settings
from pytest_apex.testing import BackendContract
from pytest_apex.verify.judge import judge
from pytest_apex.vision import image

APP = "com.example.notes"
FIRST, LAST = "test_it.py::test_first", "test_it.py::test_last"


def look(text: str, at: float = 50.0) -> Snapshot:
    builder = TreeBuilder()
    builder.window(Window(0, APP, pid=7, focused=True))
    builder.leaf("text", (10, 10, 90, 30), text=text)
    picture = image.from_image(Image.new("RGB", (200, 200), "white"))
    screen = Screen(Size(100, 100), density=2.0, scale=2.0)
    return Snapshot(f"s-{text}", at, builder.build(), screen, AppInFront(APP, 7, "Notes"), picture)


def add_test(run: Path, test: str, *steps: str, case: Case | None = None) -> None:
    """An attempt with a capture after each step, and at its failure."""
    folder, store = attempt_folder(test, 1), Store(run)
    keeper = Keeper(store, Redactor(), lambda _look: ())
    journal = Journal(run / folder / "steps.jsonl")
    for number, text in enumerate(steps, 1):
        step = f"step-{number:03d}"
        journal.write("evidence", step=step, evidence=keeper.look(look(text), "after", "after", step))
    journal.close()
    failure = case or Case(Failure("error", "x", exception="KeyError"))
    if case is not None:
        write_cases(run / folder, store, [JudgedFailure("call", case)])
    ResultsWriter(run).attempt(Attempt(test, 1, "failed", judge(failure), folder=folder))


def crashed() -> Case:
    record = CrashRecord(APP, 7, "java", "boom", 48.0, "logcat")
    other = CrashRecord("com.other", 9, "java", "else", 48.0)
    return Case(Failure("check", "x"), app=APP, since=47.0, now=look("at the failure"), pid=7, pid_now=0,
                in_front="home", records=(record, other))  # fmt: skip


@pytest.fixture
def run(tmp_path: Path) -> Path:
    add_test(tmp_path, FIRST, "one", "two")
    add_test(tmp_path, LAST, "three", case=crashed())
    return tmp_path


@pytest.fixture
def replay(run: Path, monkeypatch: pytest.MonkeyPatch) -> ReplayBackend:
    monkeypatch.delenv("PYTEST_CURRENT_TEST", raising=False)
    return connect(f"replay:{run}", Settings())


def running(monkeypatch: pytest.MonkeyPatch, test: str) -> None:
    monkeypatch.setenv("PYTEST_CURRENT_TEST", f"{test} (call)")


class TestContract(BackendContract):
    """What every backend keeps."""

    app = APP

    @pytest.fixture(autouse=True)
    def _run(self, run: Path) -> None:
        self.run = run

    def make_backend(self) -> Backend:
        return connect(f"replay:{self.run}", Settings())


def text_of(backend: ReplayBackend) -> str:
    return backend.capture().nodes[0].text


def test_it_shows_the_last_capture_of_the_run(replay: ReplayBackend) -> None:
    assert text_of(replay) == "at the failure"


def test_it_shows_what_the_running_test_stored(replay: ReplayBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    running(monkeypatch, FIRST)
    assert text_of(replay) == "two"
    running(monkeypatch, LAST)
    assert text_of(replay) == "at the failure"
    running(monkeypatch, "test_it.py::test_new")
    assert text_of(replay) == "at the failure"


def test_another_capture_by_its_name(replay: ReplayBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    running(monkeypatch, FIRST)
    assert replay.raw.looks == ("step-001 after", "step-002 after")
    replay.raw.show("step-001 after")
    assert text_of(replay) == "one"
    running(monkeypatch, LAST)
    assert text_of(replay) == "at the failure"
    running(monkeypatch, FIRST)
    assert text_of(replay) == "two"  # a choice holds for one test
    with pytest.raises(ConfigError, match="no capture 'step-009 after'"):
        replay.raw.show("step-009 after")


def test_a_capture_is_whole(replay: ReplayBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    running(monkeypatch, FIRST)
    seen, stored = replay.capture(), look("two")
    assert (seen.tree, seen.screen, seen.app) == (stored.tree, stored.screen, stored.app)
    assert seen.picture is not None
    assert seen.picture.size == Size(200, 200)
    assert seen.picture.pixels().getpixel((0, 0)) == (255, 255, 255)


def test_the_process_dies_as_it_did(replay: ReplayBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    running(monkeypatch, LAST)
    assert replay.app_state(APP).pid == 7  # before the failure
    begun = replay.clock.now()
    replay.capture()
    assert replay.app_state(APP).pid == 0
    assert replay.app_in_front() == "home"
    (record,) = replay.records(APP, begun)
    assert (record.reason, record.at) == ("boom", begun + 1.0)
    assert not list(replay.records(APP, begun + 5))
    assert replay.app_state("com.unknown").state == "not_installed"


def test_a_healthy_app_is_in_front(replay: ReplayBackend, monkeypatch: pytest.MonkeyPatch) -> None:
    running(monkeypatch, FIRST)
    assert replay.app_state(APP) == replay.app_state(APP)
    assert (replay.app_state(APP).state, replay.app_state(APP).pid) == ("foreground", 7)
    assert list(replay.records(APP, 0.0)) == []


TRACK = Track("tap", (Stroke(0, (Sample(0, 1, 1), Sample(50, 1, 1))),))
ACTS = {
    "tap": lambda device: device.perform(TRACK),
    "type": lambda device: device.type_text("x"),
    "clear a field": lambda device: device.clear_text(),
    "press 'back'": lambda device: device.press("back"),
    "turn": lambda device: device.set_orientation("portrait"),
    f"launch {APP}": lambda device: device.launch(APP),
    f"bring {APP} to the front": lambda device: device.activate(APP),
    f"stop {APP}": lambda device: device.stop(APP),
    f"clear the data of {APP}": lambda device: device.clear_data(APP),
    f"grant camera to {APP}": lambda device: device.set_permission(APP, "camera", True),
}


@pytest.mark.parametrize("what", ACTS)
def test_each_act_is_refused_by_name(replay: ReplayBackend, what: str) -> None:
    with pytest.raises(CapabilityMissing, match=f"a stored run can't {what}") as caught:
        ACTS[what](replay)
    assert "it can be looked at, and nothing else" in caught.value.seen


def test_wrong_runs(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="can't read the device 'replay:'"):
        connect("replay:", Settings())
    with pytest.raises(ConfigError, match="there is no run in"):
        connect(f"replay:{tmp_path}", Settings())
    ResultsWriter(tmp_path).attempt(Attempt(FIRST, 1, "passed", judge(Case(Failure("skipped", "x")))))
    with pytest.raises(ConfigError, match="stored no capture"):
        connect(f"replay:{tmp_path}", Settings())


def test_a_damaged_case_leaves_the_steps(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (run / attempt_folder(LAST, 1) / "case.json").write_text("{", "utf-8")
    running(monkeypatch, LAST)
    assert text_of(connect(f"replay:{run}", Settings())) == "three"
