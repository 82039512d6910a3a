"""The fixtures, a chain of small ones; a suite overrides a link in its conftest.

Session: `apex_settings` → `apex_lease` → `apex_backend`. Function: `apex_device` (alone knows markers), `device`,
`hierarchy`, `screenshot`, `app_manual`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from pytest_apex.plugin.stash import CONNECTIONS, OWNS_FIXTURE, OWNS_OPTION, SETTINGS

if TYPE_CHECKING:
    from pytest_apex.backends.base import Backend
    from pytest_apex.device.device import Device
    from pytest_apex.model.manual import Manual
    from pytest_apex.model.snapshot import Picture, Snapshot
    from pytest_apex.plugin.devices import Lease
    from pytest_apex.settings import Settings


#: What leads to a device: a suite that overrides one of these has its own way to it.
_CHAIN = ("apex_settings", "apex_lease", "apex_backend", "apex_device")


@pytest.fixture(scope="session")
def apex_settings(pytestconfig: pytest.Config) -> Settings:
    """All settings of the run, each with where it was set; markers not yet in."""
    return pytestconfig.stash[SETTINGS]


@pytest.fixture(scope="session")
def apex_lease(pytestconfig: pytest.Config, apex_settings: Settings) -> Lease:
    """Which device this process uses. Without one the test is skipped or fails, as `apex_no_device` says."""
    from pytest_apex.plugin.devices import leased_or_skip

    return leased_or_skip(pytestconfig, apex_settings)


@pytest.fixture(scope="session")
def apex_backend(request: pytest.FixtureRequest, apex_settings: Settings, apex_lease: Lease) -> Backend:
    """The connected device. Override it to return a `Backend` of your own, or a `uiautomator2.Device` that runs."""
    from pytest_apex.plugin.devices import connected

    return connected(request.session, apex_settings, apex_lease)


@pytest.fixture
def apex_device(request: pytest.FixtureRequest, apex_settings: Settings, apex_backend: Backend) -> Device:
    """The device, with the application under test launched on it."""
    from pytest_apex.plugin.starting import start

    return start(request, apex_settings, request.config.stash[CONNECTIONS].of(apex_backend))


@pytest.fixture
def hierarchy(apex_device: Device) -> Callable[[str], Snapshot]:
    """`hierarchy("after login")` captures, attaches tree and picture to the report, returns the `Snapshot`."""

    def capture(name: str = "hierarchy") -> Snapshot:
        snapshot = apex_device.snapshot()
        apex_device.context.recorder.attach(name, snapshot)
        return snapshot

    return capture


@pytest.fixture
def screenshot(hierarchy: Callable[[str], Snapshot]) -> Callable[[str], Picture]:
    """`screenshot("home")` captures, attaches the picture to the report, returns it."""

    def capture(name: str = "screenshot") -> Picture:
        from pytest_apex.errors import DeviceProblem

        picture = hierarchy(name).picture
        if picture is None:
            raise DeviceProblem("the device gave no picture", likely="a secure screen, or the driver can't take one")
        return picture

    return capture


@pytest.fixture
def app_manual(apex_device: Device) -> Manual | None:
    """The manual of the app under test, or None."""
    return apex_device.manual


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """With `--apex-each-device` each test that uses our device runs once on every one, which its id names."""
    devices = metafunc.config.stash[SETTINGS].devices if SETTINGS in metafunc.config.stash else None
    if devices is None or not devices.each or "apex_device" not in metafunc.fixturenames:
        return
    chains = (metafunc._arg2fixturedefs.get(name) or () for name in _CHAIN)
    if all(chain and chain[-1].func.__module__.startswith("pytest_apex.plugin.") for chain in chains):
        metafunc.parametrize("apex_device", dict.fromkeys(devices.specs), ids=str, indirect=True)


class DeviceName:
    """The short name `device`, registered only if no other plugin has a fixture of that name."""

    @pytest.fixture
    def device(self, apex_device: Device) -> Device:
        """The device, with the application under test launched on it; the same as `apex_device`."""
        return apex_device


@pytest.hookimpl(trylast=True)
def pytest_configure(config: pytest.Config) -> None:
    owner = _owner_of_device(config)
    config.stash[OWNS_FIXTURE] = owner is None
    if owner is None:
        config.pluginmanager.register(DeviceName(), "apex-device-name")
    if not config.stash.get(OWNS_OPTION, True):
        _warn_of_stray_value(config)


def _owner_of_device(config: pytest.Config) -> Any:
    """The plugin that brings a fixture `device`. Conftests don't count: theirs overrides ours, as it should."""
    for plugin in config.pluginmanager.get_plugins():
        if getattr(plugin, "__name__", "").rpartition(".")[2] == "conftest":
            continue
        named = vars(plugin) if isinstance(plugin, ModuleType) else vars(type(plugin))
        if any(isinstance(value, _FIXTURE) and value.__name__ == "device" for value in list(named.values())):
            return plugin
    return None


def _a_fixture() -> None:
    """Only there to tell what a fixture function is an instance of: pytest does not export the type."""


_FIXTURE = type(pytest.fixture(_a_fixture))


class ApexWarning(pytest.PytestWarning):
    """Something about pytest-apex that is worth a look."""


def _warn_of_stray_value(config: pytest.Config) -> None:
    given = getattr(config.option, "device", None) or ()
    for value in [given] if isinstance(given, str) else given:
        if not isinstance(value, str) or value.partition("?")[0].partition(":")[0] not in ("virtual", "replay"):
            continue
        told = f"--device={value} went to another plugin, which owns --device here; use --apex-device={value}"
        try:
            config.issue_config_time_warning(ApexWarning(told), stacklevel=2)
        except ApexWarning:  # the project makes warnings errors
            raise pytest.UsageError(f"apex: {told}") from None
