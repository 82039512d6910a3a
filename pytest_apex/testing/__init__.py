"""For authors of plugins and backends: a virtual device, the contract that every backend keeps, a project runner.

Unlike the plugin, this module loads pictures and the built-in phone at once: pytester forgets what is loaded while it
is in use, and numpy refuses to be loaded twice.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pytest_apex.backends import virtual
from pytest_apex.backends.base import CAPABILITIES, Backend
from pytest_apex.device.device import Device
from pytest_apex.errors import CapabilityMissing
from pytest_apex.evidence.recorder import Recorder
from pytest_apex.evidence.redact import Redactor
from pytest_apex.evidence.store import Store
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.screen import PLATFORMS
from pytest_apex.reports.results import attempt_to_dict, read_results
from pytest_apex.reports.runs import read_latest
from pytest_apex.settings import Settings
from pytest_apex.verify import judge as _judge
from pytest_apex.vision import image as _image

_LOADED = (_judge, _image)


@contextmanager
def virtual_device(
    folder: Path, spec: str = "virtual", *, app: str = "", settings: Settings | None = None
) -> Iterator[Device]:
    """A `Device` on the built-in phone, outside of a test run; its evidence goes to `folder`.

    `spec` is what `--device` takes; `app` is the id of the app to launch ("": what is in front). Raises `ConfigError`
    for a spec or app that can't be.
    """
    settings = settings or Settings()
    recorder = Recorder(folder, Store(folder), Redactor(settings.keep.redact), settings.keep.policy)
    device = Device(virtual.connect(spec, settings), settings, recorder, test="virtual_device")
    try:
        device.start(app)
        yield device
    finally:
        device.finish()
        recorder.close(failed=False)


def run_project(
    pytester: pytest.Pytester, files: Mapping[str, str], *args: str, plugins: tuple[str, ...] = ()
) -> pytest.RunResult:
    """Write `files` into pytester's folder and run pytest there, in this process, with pytest-apex and `plugins`
    (names that `-p` takes) and no other installed plugin. Texts are dedented.

    `pytest_plugins = ["pytester"]` has to stand in the root conftest of the tests that use it.
    """
    for name, text in files.items():
        path = pytester.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text).lstrip("\n"), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
        named = [part for plugin in ("apex", *plugins) for part in ("-p", plugin)]
        # This process has imported the plugin before: its assertions stay as they are, and that is fine.
        quiet = ("-W", "ignore:Module already imported:pytest.PytestAssertRewriteWarning")
        return pytester.runpytest_inprocess(*named, *quiet, *args)


def last_run(folder: Path) -> Path:
    """The folder of the last run in a project. Raises `ApexError` when there was none."""
    return read_latest(folder / ".apex")


def results_of(folder: Path) -> list[dict[str, Any]]:
    """The lines of `results.jsonl` of the last run in a project, in order."""
    return [attempt_to_dict(attempt) for attempt in read_results(last_run(folder))]


class BackendContract:
    """What every backend keeps. Subclass it in a test module as `TestMine`, and give `make_backend`.

    `app` is the id of an installed app that may be launched and stopped; tests that need one are skipped without.
    """

    app = ""

    def make_backend(self) -> Backend:
        """A connected backend."""
        raise NotImplementedError

    @pytest.fixture
    def backend(self) -> Iterator[Backend]:
        made = self.make_backend()
        yield made
        made.close()

    def need(self, backend: Backend, capability: str) -> None:
        if capability not in backend.capabilities:
            pytest.skip(f"{backend.name} has no {capability}")

    def launched(self, backend: Backend) -> int:
        self.need(backend, "app_control")
        if not self.app:
            pytest.skip("no app is named that may be launched")
        backend.stop(self.app)
        return backend.launch(self.app)

    def test_it_is_a_backend(self, backend: Backend) -> None:
        assert isinstance(backend, Backend)
        assert backend.name

    def test_its_capabilities_are_known_ones(self, backend: Backend) -> None:
        assert backend.capabilities <= CAPABILITIES

    def test_its_info_is_complete(self, backend: Backend) -> None:
        info = backend.info()
        assert info.id
        assert info.platform in PLATFORMS
        assert info.screen.size.width > 0
        assert info.screen.size.height > 0
        assert info.dp > 0

    def test_its_clock_goes_on(self, backend: Backend) -> None:
        before = backend.clock.now()
        backend.clock.sleep(0.05)
        assert backend.clock.now() - before >= 0.05

    def test_a_capture_is_tree_and_picture_of_one_screen(self, backend: Backend) -> None:
        snapshot = backend.capture()
        assert len(snapshot) > 0
        assert snapshot.windows
        assert snapshot.platform == backend.info().platform
        if snapshot.picture is not None:
            size, screen = snapshot.picture.size, snapshot.screen
            assert abs(size.width - screen.size.width * screen.scale) <= 1
            assert abs(size.height - screen.size.height * screen.scale) <= 1

    def test_captures_follow_each_other(self, backend: Backend) -> None:
        first, second = backend.capture(), backend.capture()
        assert first.id != second.id
        assert first.taken_at <= second.taken_at <= backend.clock.now()

    def test_a_tap_is_played_in_its_own_time(self, backend: Backend) -> None:
        self.need(backend, "tap")
        middle = backend.info().screen.bounds.center
        samples = (Sample(0, middle.x, middle.y), Sample(60, middle.x, middle.y))
        before = backend.clock.now()
        receipt = backend.perform(Track("tap", (Stroke(0, samples),)))
        assert before <= receipt.started <= receipt.ended <= backend.clock.now()

    def test_an_unknown_key_is_refused(self, backend: Backend) -> None:
        with pytest.raises(CapabilityMissing):
            backend.press("no_such_key")

    def test_launch_and_stop(self, backend: Backend) -> None:
        pid = self.launched(backend)
        assert pid > 0
        assert backend.app_state(self.app).pid == pid
        backend.stop(self.app)
        state = backend.app_state(self.app)
        assert (state.state, state.pid) == ("not_running", 0)

    def test_launching_again_gives_a_new_process(self, backend: Backend) -> None:
        assert self.launched(backend) != self.launched(backend)

    def test_the_app_in_front_is_the_launched_one(self, backend: Backend) -> None:
        self.launched(backend)
        assert backend.app_in_front() == self.app

    def test_an_unknown_app_is_not_installed(self, backend: Backend) -> None:
        self.need(backend, "app_control")
        state = backend.app_state("com.example.nothing.of.the.kind")
        assert (state.state, state.pid) == ("not_installed", 0)

    def test_the_log_goes_on_where_it_ended(self, backend: Backend) -> None:
        self.need(backend, "log")
        self.launched(backend)
        first = backend.log()
        assert first.text
        self.launched(backend)
        more = backend.log(first.cursor)
        assert more.cursor > first.cursor
        assert first.text.splitlines()[-1] not in more.text.splitlines()
        assert backend.log(-1) == replace(backend.log(-1), text="")

    def test_it_may_be_closed_twice(self, backend: Backend) -> None:
        backend.close()
        backend.close()
