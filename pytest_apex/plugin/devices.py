"""Which device a test runs on: chosen from the settings, and connected from collection on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_apex.backends.choice import VIRTUAL, choose, claimant
from pytest_apex.plugin.answers import all_of
from pytest_apex.plugin.connections import Asked
from pytest_apex.plugin.options import runs_nothing
from pytest_apex.plugin.stash import CONNECTIONS, SETTINGS
from pytest_apex.plugin.workers import is_worker, mark_unusable, worker_id, worker_number

if TYPE_CHECKING:
    from pytest_apex.backends.base import Backend, BackendSpec
    from pytest_apex.settings import Settings

NO_DEVICE = "no device was given"


class Lease(NamedTuple):
    """The device that this process uses: `device` is one entry of `--device`, `holder` the process (`main`, `gw0`)."""

    device: str
    holder: str


# Choosing


def lease(config: pytest.Config, settings: Settings) -> Lease | None:
    """The device of this process, None when none was given. Workers take the devices in turn."""
    specs = settings.devices.specs
    if not specs:
        return None
    return Lease(specs[worker_number(config) % len(specs)], worker_id(config))


def backends(config: pytest.Config) -> dict[str, BackendSpec]:
    """All backends on offer, by name."""
    answers = config.hook.pytest_apex_backends(config=config)
    return {spec.name: spec for spec in all_of(reversed(answers))}


def asked_by(test: Path, device: str, settings: Settings, root: Path) -> Asked:
    """The device with the app that this test means: the app file named, else the nearest `app.yaml` above the test."""
    if device.partition("?")[0] != "virtual":  # a real device, or one whose app is named
        return Asked(device)
    return Asked(device, settings.devices.virtual_app or _nearest_app(test, root))


def _nearest_app(test: Path, root: Path) -> str:
    inside = root in test.parents
    for folder in test.parents:
        if (folder / "app.yaml").is_file():
            return str(folder / "app.yaml")
        if inside and folder == root:
            break
    return ""


# Connecting


def check_backends(config: pytest.Config) -> None:
    """What can be said before a test is collected: is there a backend for each device? Raises `pytest.UsageError`."""
    from pytest_apex.errors import ConfigError

    devices = config.stash[SETTINGS].devices
    if is_worker(config) or not (devices.specs or devices.backend != "auto"):
        return
    offered = backends(config)
    wrong: list[str] = []
    for device in devices.specs or ("virtual",):
        try:
            choose(device, devices.backend, offered)
        except ConfigError as error:  # noqa: PERF203 - all wrong ones are told at once
            wrong.append(str(error))
    if wrong:
        raise pytest.UsageError("apex: " + "\n".join(dict.fromkeys(wrong)))


def connect_or_end(session: pytest.Session) -> None:
    """Tests are collected: begin to connect the device they need. Without one, skip them or raise `UsageError`."""
    config = session.config
    items = [item for item in session.items if needs_device(item)]
    if not items or runs_nothing(config):
        return
    settings = config.stash[SETTINGS]
    leased = lease(config, settings)
    if leased is None:
        _without_device(config, settings, items)
    else:
        _connect_first(session, settings, leased)


def needs_device(item: pytest.Item) -> bool:
    """Whether the test asks for the device of `--device`: not when the suite overrides a link of our chain."""
    definitions = getattr(getattr(item, "_fixtureinfo", None), "name2fixturedefs", {})
    links = (definitions.get("apex_settings"), definitions.get("apex_lease"))
    return all(chain and chain[-1].func.__module__.startswith("pytest_apex.plugin.") for chain in links)


def _without_device(config: pytest.Config, settings: Settings, items: Sequence[pytest.Item]) -> None:
    if settings.devices.no_device == "skip":
        for item in items:
            item.add_marker(pytest.mark.skip(reason=f"{NO_DEVICE}: {VIRTUAL}"))
    elif not is_worker(config):  # a worker can't end the run: there the fixture says it
        raise pytest.UsageError(f"apex: {no_device_text(config, len(items))}")


def no_device_text(config: pytest.Config, count: int = 0) -> str:
    """One text for the usage error, and for each test under pytest-xdist."""
    tests = {0: "this test uses", 1: "1 selected test uses"}.get(count, f"{count} selected tests use")
    return (
        f"{tests} a device, and {NO_DEVICE}\n"
        f"  {'seen:':<8} {available(config)}\n"
        f'  {"try:":<8} {VIRTUAL}; or leave them out: -m "not apex", or apex_no_device = skip'
    )


def available(config: pytest.Config) -> str:
    """What could be used now, in one line."""
    offered = backends(config)
    names = [f"{claim} (backend {spec.name})" for spec in offered.values() for claim in spec.claims]
    return f"there is: {', '.join(names)}" if names else "no backend is installed"


def _connect_first(session: pytest.Session, settings: Settings, leased: Lease) -> None:
    """Start connecting. A device that is surely a backend's own is no long way off: wait, so that what is wrong with
    it is said once and at once."""
    from pytest_apex.errors import ApexError

    config = session.config
    connections = config.stash[CONNECTIONS]
    asked = asked_first(session, settings, leased)
    connections.begin(asked)
    if is_worker(config) or claimant(asked.device, backends(config)) is None:
        return
    try:
        connections.get(asked)
    except ApexError as error:
        if error.failure_type == "config":
            raise pytest.UsageError(f"apex: {error}") from None


def asked_first(session: pytest.Session, settings: Settings, leased: Lease) -> Asked:
    """What this process connects first: its device, with the app that the first device test means."""
    first = next((item for item in session.items if needs_device(item)), None)
    if first is None:
        return Asked(leased.device, settings.devices.virtual_app)
    return asked_by(first.path, leased.device, settings, session.config.rootpath)


def connected(session: pytest.Session, settings: Settings, leased: Lease) -> Backend:
    """The device, connected. What is wrong with the device that was given ends the run with exit code 4."""
    from pytest_apex.errors import ApexError

    try:
        return session.config.stash[CONNECTIONS].get(asked_first(session, settings, leased))
    except ApexError as error:
        if error.failure_type == "config":
            mark_unusable(session.config)
        raise


def leased_or_skip(config: pytest.Config, settings: Settings) -> Lease:
    """The lease; without a device the test that asks is skipped or fails, as `apex_no_device` says."""
    found = lease(config, settings)
    if found is not None:
        return found
    if settings.devices.no_device == "skip":
        pytest.skip(f"{NO_DEVICE}: {VIRTUAL}")
    mark_unusable(config)
    pytest.fail(no_device_text(config), pytrace=False)
