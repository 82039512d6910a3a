"""What every backend keeps: the contract that each proves itself by."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pytest_apex.backends.base import CAPABILITIES, Backend
from pytest_apex.errors import CapabilityMissing
from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.model.screen import PLATFORMS
from pytest_apex.testing.ability_contract import AbilityContract


class BackendContract(AbilityContract):
    """What every backend keeps. Subclass it in a test module as `TestMine`, and give `make_backend`; the attributes of
    `AbilityContract` tell of the app to do it with.
    """

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
