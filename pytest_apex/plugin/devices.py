"""Which device a test runs on: chosen from the settings, and connected from collection on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from pytest_apex.backends.choice import OURS, VIRTUAL, choose, claimant, connected_phones
from pytest_apex.plugin.answers import all_of
from pytest_apex.plugin.connections import Asked, Reserve
from pytest_apex.plugin.installing import build, check_package, installed, say
from pytest_apex.plugin.options import runs_nothing
from pytest_apex.plugin.stash import ATTEMPTS, CONNECTIONS, LEFT_OUT, RESULTS, SETTINGS
from pytest_apex.plugin.workers import given, is_worker, mark_unusable, worker_count, worker_id, worker_number

if TYPE_CHECKING:
    from pytest_apex.backends.base import Backend, BackendSpec
    from pytest_apex.settings import Settings

NO_DEVICE = "no device was given"
#: How long a process waits for a device that it shares with others of its run: they test meanwhile.
_SHARED_LAUNCHES = 20
_WITHOUT = f'{VIRTUAL}; or leave them out: -m "not apex", or apex_no_device = skip'


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


def spares(config: pytest.Config, settings: Settings) -> list[str]:
    """The devices that no process uses from the start, as far as they are this one's to take."""
    if settings.devices.each:
        return []
    count = worker_count(config)
    return list(settings.devices.specs[count:][worker_number(config) :: count])


def moved(item: pytest.Item, settings: Settings, backend: Backend) -> Backend:
    """Another device of the pool for a test whose own was lost before it; the lost one if there is none."""
    from pytest_apex.errors import ApexError

    config = item.config
    connections = config.stash[CONNECTIONS]
    if not connections.owns(backend) or not connections.is_lost(backend):
        return backend
    for device in spares(config, settings):
        try:
            other = connections.get(asked_by(item.path, device, settings, config.rootpath))
        except ApexError as error:
            config.stash[RESULTS].trouble(f"{device} could not take over for a device that was lost: {error.tried}")
            continue
        if not connections.is_lost(other):
            config.stash[RESULTS].trouble(f"a device was lost; tests after that ran on {device}")
            return other
    return backend


def others(item: pytest.Item, settings: Settings, backend: Backend) -> Iterator[Backend]:
    """The rest of the pool, for a test that does not fit on `backend`: what no process uses, and phones that each
    process may have for itself, as the built-in ones. None where each test runs on each device."""
    from pytest_apex.errors import ApexError

    config = item.config
    connections = config.stash[CONNECTIONS]
    if settings.devices.each or not connections.owns(backend):
        return
    offered = backends(config)
    free = [device for device in settings.devices.specs
            if not choose(device, settings.devices.backend, offered).names_of(device, settings)]  # fmt: skip
    for device in dict.fromkeys((*spares(config, settings), *free)):
        try:
            other = connections.get(asked_by(item.path, device, settings, config.rootpath))
        except ApexError as error:
            config.stash[RESULTS].trouble(f"{device} was not asked whether a test fits there: {error.tried}")
            continue
        if other is not backend and not connections.is_lost(other):
            yield other


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


def with_all_named(config: pytest.Config, settings: Settings) -> Settings:
    """`all` as the phones that it stands for; workers take what their controller found. Raises `pytest.UsageError`."""
    from pytest_apex.backends.choice import without_all
    from pytest_apex.errors import ApexError

    if "all" not in settings.devices.specs:
        return settings
    named: Sequence[str] | None = given(config).get("devices")
    if named is None:
        try:
            named, config.stash[LEFT_OUT] = without_all(settings.devices.specs, _behind_appium(settings))
        except ApexError as error:
            raise pytest.UsageError(f"apex: {error}") from None
    return settings.changed("devices", {}, specs=tuple(named))


def _behind_appium(settings: Settings) -> Sequence[str] | None:
    """The devices that the capabilities name; None where no Appium server is meant. Raises `ConfigError`."""
    if settings.devices.backend != "appium":
        return None
    from pytest_apex.backends.appium.capabilities import named_in, read_capabilities

    return named_in(read_capabilities(settings.devices.appium_caps))


def how_reserved(config: pytest.Config, settings: Settings) -> Reserve:
    """Processes that are more than the devices share those, a test at a time; so do all that use each device."""
    launch = settings.timeouts.launch
    count = worker_count(config)
    shared = count > (1 if settings.devices.each else len(settings.devices.specs))
    return Reserve(_SHARED_LAUNCHES * launch if shared else launch, shared)


# Connecting


def check_backends(config: pytest.Config) -> None:
    """What can be said before a test is collected. Raises `pytest.UsageError`."""
    settings = config.stash[SETTINGS]
    wrong = [*wrong_devices(config, settings), *(check_package(settings) if not is_worker(config) else ())]
    if not wrong and config.pluginmanager.hasplugin("dsession") and settings.origin("device") == "command line":
        # What tests the workers will collect is not known; who names a device there means it.
        wrong = _not_there(config, settings)
    if wrong:
        raise pytest.UsageError("apex: " + "\n".join(wrong))


def wrong_devices(config: pytest.Config, settings: Settings) -> list[str]:
    """Is there a backend for each device, and can a device of the built-in phone be read? One text a mistake."""
    from pytest_apex.errors import ConfigError

    devices = settings.devices
    if is_worker(config) or not (devices.specs or devices.backend != "auto"):
        return []
    offered = backends(config)
    wrong: list[str] = []
    before = ""
    for device in devices.specs or ("virtual",):
        try:
            _check_device(device, before, devices.backend, offered)
        except ConfigError as error:
            wrong.append(str(error))
        before = device
    return list(dict.fromkeys(wrong))


def _check_device(device: str, before: str, wanted: str, offered: dict[str, BackendSpec]) -> None:
    if "fault=" in before and claimant(device, offered) is None:
        from pytest_apex.errors import ConfigError
        from pytest_apex.phone.faults import KNOWN_FAULTS

        if device in KNOWN_FAULTS:
            raise ConfigError(
                f"can't read the device {before + ',' + device!r}",
                seen="two faults; a comma separates devices, and one fault is switched on at a time",
                cure=f"a run for each, or a device for each: --device='{before}' --device='virtual?fault={device}'",
            )
    spec = choose(device, wanted, offered)
    if spec == OURS[0] and device != "virtual":
        from pytest_apex.backends.virtual import parse_spec

        parse_spec(device)


def _not_there(config: pytest.Config, settings: Settings) -> list[str]:
    """One text for each device that is not there."""
    offered = backends(config)
    told = (_missing(device, settings, offered) for device in settings.devices.specs)
    return [text for text in dict.fromkeys(told) if text]


def _missing(device: str, settings: Settings, offered: dict[str, BackendSpec]) -> str:
    from pytest_apex.errors import ApexError

    try:
        choose(device, settings.devices.backend, offered).names_of(device, settings)
    except ApexError as error:
        return str(error)
    return ""


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
        build(config)
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
    return f"{tests} a device, and {NO_DEVICE}\n  {'seen:':<8} {available(config)}\n  {'try:':<8} {_WITHOUT}"


def available(config: pytest.Config) -> str:
    """What could be used now, in one line."""
    offered = backends(config)
    names = [f"{claim} (backend {spec.name})" for spec in offered.values() for claim in spec.claims]
    names += connected_phones()
    return f"there is: {', '.join(names)}" if names else "no backend is installed"


def _connect_first(session: pytest.Session, settings: Settings, leased: Lease) -> None:
    """Start connecting. What can be known at once is waited for, so that it is said once: that the device is there and
    this run's, and all about one that is surely a backend's own, which is no long way off."""
    from pytest_apex.errors import ApexError

    config = session.config
    connections = config.stash[CONNECTIONS]
    asked = asked_first(session, settings, leased)
    connections.begin(asked)
    claimed = claimant(asked.device, backends(config))
    if is_worker(config):
        return
    try:
        connections.reserved(asked, lambda line: say(config, f"apex: {line}"))
        if claimed is None:
            return
        backend = connections.get(asked)
        if claimed in OURS:
            settings = installed(config, backend, settings)
        if claimed == OURS[0] and settings.app.id and _all_mean(session, settings, leased, asked):
            _check_installed(backend, settings)
    except ApexError as error:
        if error.failure_type == "config":  # with a server's own words, which may repeat what it was asked
            raise pytest.UsageError(config.stash[ATTEMPTS].redactor.text(f"apex: {error}")) from None


def _check_installed(backend: Backend, settings: Settings) -> None:
    if backend.app_state(settings.app.id).state == "not_installed":
        from pytest_apex.errors import ConfigError

        raise ConfigError(
            f"the app {settings.app.id!r} ({settings.origin('app')}) is not installed on the built-in phone",
            seen=f"installed: {', '.join(app.id for app in backend.raw.machine.apps)}",
            cure="name one of them, or add its app file: --device='virtual?with=APP.yaml'",
        )


def _all_mean(session: pytest.Session, settings: Settings, leased: Lease, asked: Asked) -> bool:
    """Whether every device test means this phone, and the app of the settings."""
    root = session.config.rootpath
    items = (item for item in session.items if needs_device(item))
    return all(
        item.get_closest_marker("app") is None and asked_by(item.path, leased.device, settings, root) == asked
        for item in items
    )


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
    if is_worker(config):  # each test in short; the whole is said once, at the end of the run
        config.stash[RESULTS].trouble(f"{NO_DEVICE}: {available(config)}; {_WITHOUT}")
        pytest.fail(f"{NO_DEVICE}: {VIRTUAL}", pytrace=False)
    pytest.fail(no_device_text(config), pytrace=False)
