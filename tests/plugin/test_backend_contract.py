"""The contract that every backend keeps, kept by ours; and what it says of one that breaks it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pytest_apex import expect
from pytest_apex.backends.base import Backend
from pytest_apex.backends.virtual import connect
from pytest_apex.errors import ConfigError
from pytest_apex.settings import Settings
from pytest_apex.testing import BackendContract, virtual_device

PACKAGE = Path(__file__).parents[2] / "fixtures/virtual_apps/contract.yaml"


class TestVirtual(BackendContract):
    app = "com.example.contract"
    package = PACKAGE
    keep = ("Keep it", "It is kept")
    toast = ("Say it", "It is said")
    url = ("contract://item/7", "Item 7")

    def make_backend(self) -> Backend:
        return connect(f"virtual:{PACKAGE}", Settings())


class TestVirtualIos(TestVirtual):
    def make_backend(self) -> Backend:
        return connect(f"virtual:{PACKAGE}?platform=ios", Settings())


BREAKS = """
    from pytest_apex.backends.virtual import VirtualBackend, connect
    from pytest_apex.model.action import Receipt
    from pytest_apex.settings import Settings
    from pytest_apex.testing import BackendContract


    class Hasty(VirtualBackend):
        capabilities = frozenset({"tap", "app_control", "telepathy"})

        def perform(self, track):
            return Receipt(5.0, 1.0)

        def press(self, key, hold_ms=0):
            return Receipt(0.0, 0.0)

        def stop(self, app):
            pass


    class TestHasty(BackendContract):
        app = "com.example.notes"

        def make_backend(self):
            return Hasty(connect("virtual", Settings()).raw)
"""


def test_it_finds_what_a_backend_breaks(project: Callable[..., pytest.RunResult]) -> None:
    result = project({"test_hasty.py": BREAKS}, "-rf")
    failed = {line.split("::")[-1].split(" ")[0] for line in result.outlines if line.startswith("FAILED")}
    assert failed >= {
        "test_its_capabilities_are_known_ones",
        "test_a_tap_is_played_in_its_own_time",
        "test_an_unknown_key_is_refused",
        "test_launch_and_stop",
    }
    assert "test_its_info_is_complete" not in failed


CLAIMS = """
    from pytest_apex.backends.virtual import VirtualBackend, connect
    from pytest_apex.settings import Settings
    from pytest_apex.testing import BackendContract


    class Forgetful(VirtualBackend):
        @property
        def capabilities(self):
            return super().capabilities | {"shell"}

        def set_clipboard(self, text):
            super().set_clipboard(text.replace("\\n", " "))

        def install(self, package, *, keep_data=True, progress=None):
            return super().install(package, keep_data=True)

        def kill_in_background(self, app):
            self.stop(app)

        def toasts(self, since):
            return super().toasts(0)


    class TestForgetful(BackendContract):
        app = "com.example.contract"
        package = PACKAGE
        keep = ("Keep it", "It is kept")
        toast = ("Say it", "It is said")
        url = ("contract://item/7", "Item 7")

        def make_backend(self):
            return Forgetful(connect(f"virtual:{PACKAGE}", Settings()).raw)
"""


def test_it_finds_abilities_that_are_not_kept(project: Callable[..., pytest.RunResult]) -> None:
    tests = CLAIMS.replace("= PACKAGE", f"= {str(PACKAGE)!r}").replace("{PACKAGE}", str(PACKAGE))
    result = project({"test_claims.py": tests}, "-rf")
    failed = {line.split("::")[-1].split(" ")[0] for line in result.outlines if line.startswith("FAILED")}
    assert failed >= {
        "test_an_ability_that_is_declared_has_its_methods[shell]",
        "test_an_upgrade_keeps_the_data_unless_told_otherwise",
        "test_what_is_in_front_is_not_killed_as_if_it_were_not",
        "test_toasts_are_remembered_when_they_are_gone",
    }
    assert not [name for name in failed if name.startswith(("test_a_url", "test_a_file", "test_the_network"))]


def test_a_virtual_device_of_ones_own(tmp_path: Path) -> None:
    with virtual_device(tmp_path, app="com.example.notes") as device:
        expect(device.find("Sign in")).to_be_visible()
        assert (tmp_path / "steps.jsonl").is_file()


def test_a_virtual_device_that_can_not_be(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="unknown fault 'no'"), virtual_device(tmp_path, "virtual?fault=no"):
        pass
