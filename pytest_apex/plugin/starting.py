"""A test gets its device: the one that it means, if it fits, with its app launched; and gives it back at its end."""

from __future__ import annotations

from typing import Any

import pytest

from pytest_apex.backends.base import Backend
from pytest_apex.device.device import Device
from pytest_apex.errors import ConfigError, DeviceLost, DeviceRestarted, DriverDead
from pytest_apex.model.manual import Identity, NoManual
from pytest_apex.model.screen import DeviceInfo
from pytest_apex.plugin.answers import all_of
from pytest_apex.plugin.attempts import LiveAttempt, attempt_key
from pytest_apex.plugin.connections import Connections
from pytest_apex.plugin.debugging import asker, pauser
from pytest_apex.plugin.devices import asked_by, lease, moved, others
from pytest_apex.plugin.fitting import misfit
from pytest_apex.plugin.installing import installed, reinstall
from pytest_apex.plugin.manuals import manuals_of
from pytest_apex.plugin.markers import meaning_of, settings_for
from pytest_apex.plugin.results import Results
from pytest_apex.plugin.stash import ATTEMPTS, CONNECTIONS, RESULTS
from pytest_apex.plugin.watching import DefectWatch
from pytest_apex.settings import Settings


def start(request: pytest.FixtureRequest, settings: Settings, backend: Backend) -> Device:
    """The device of one test, started. It ends with its attempt, once a failing tear-down has been judged on it."""
    item = request.node
    config = request.config
    backend = moved(item, settings, _meant_by(item, settings, backend, getattr(request, "param", "")))
    attempt = config.stash[ATTEMPTS].of(item)
    connections = config.stash[CONNECTIONS]
    info = _held(attempt, backend, connections)
    why = misfit(item, info, backend.capabilities)
    if why:
        backend, info = _that_fits(attempt, settings, backend, why)
    settings = installed(config, backend, settings_for(settings, item))
    config.stash[RESULTS].begin(info)
    named = _manual_named(item)
    device = _device(attempt, backend, settings, named)
    _reset(backend, settings)
    device.start(settings.app.id)
    return device


def _held(attempt: LiveAttempt, backend: Backend, connections: Connections) -> DeviceInfo:
    """Have the device for this test, and ask what it is."""
    attempt.device_id = connections.ids.get(id(backend), backend.name)
    connections.hold(backend)
    connections.check(backend)  # before it is asked anything: one that hangs takes its time each time
    info = _info(backend, attempt.item.config.stash[RESULTS])
    attempt.device_id = connections.ids[id(backend)] = info.id
    return info


def _that_fits(attempt: LiveAttempt, settings: Settings, backend: Backend, why: str) -> tuple[Backend, DeviceInfo]:
    """Another device of the pool, on which the test can run; without one it is skipped, with the reason."""
    item = attempt.item
    own, reasons = attempt.device_id, [why]
    for other in others(item, settings, backend):
        info = _held(attempt, other, item.config.stash[CONNECTIONS])
        reason = misfit(item, info, other.capabilities)
        if not reason:
            return other, info
        reasons.append(reason)
    attempt.device_id = own
    pytest.skip("; ".join(dict.fromkeys(reasons)))


def _info(backend: Backend, results: Results) -> DeviceInfo:
    """Facts about the device; one that was gone between two tests, or started anew, is brought back once: nothing of
    this test has begun."""
    try:
        return backend.info()
    except (DeviceLost, DriverDead, DeviceRestarted) as error:
        try:
            done = backend.recover()
        except DeviceRestarted as restarted:
            done = restarted.seen
        results.trouble(f"{backend.name} was gone between two tests: {error.tried}; {done}")
    return backend.info()


def _meant_by(item: pytest.Item, settings: Settings, backend: Backend, device: str) -> Backend:
    """The built-in phone runs the app nearest to the test, so another folder's test may mean another phone; and with
    `--apex-each-device`, each test means the `device` in its name."""
    connections = item.config.stash[CONNECTIONS]
    leased = lease(item.config, settings)
    if leased is None or not connections.owns(backend):
        return backend
    return connections.get(asked_by(item.path, device or leased.device, settings, item.config.rootpath))


def _manual_named(item: pytest.Item) -> str:
    """The manual that the test names by its marker; `ConfigError` for one that is not there, or has mistakes."""
    named: str = meaning_of(item, "app_manual") or ""
    if named:
        found = manuals_of(item.config).find(Identity(), named)
        if isinstance(found, NoManual):
            told = "\n".join((*found.rejected, f"known: {', '.join(found.known) or 'none'}"))
            cure = "correct the marker app_manual, or the file"
            raise ConfigError(f"there is no manual {named!r}", seen=told, cure=cure)
    return named


def _device(attempt: LiveAttempt, backend: Backend, settings: Settings, manual: str) -> Device:
    item = attempt.item
    attempts = item.config.stash[ATTEMPTS]
    recorder = attempts.record(attempt)
    device = Device(
        backend,
        settings,
        recorder,
        test=attempt_key(attempt),
        checks=_checks(item),
        baselines=item.path.parent / "baselines",
        manuals=manuals_of(item.config),
        manual=manual,
    )
    device.context.on_pause = pauser(item.config)
    device.context.person = asker(item.config)
    attempt.device = device
    watch = settings.judging.watch_defects
    if watch != "off":
        seen = attempts.seen_screens if watch == "warn" else set()
        recorder.watchers.append(DefectWatch(device, seen, attempt.also.append, fails=watch == "fail").look)
    return device


def _checks(item: pytest.Item) -> tuple[Any, ...]:
    return tuple(all_of(item.ihook.pytest_apex_checks(config=item.config)))


def _reset(backend: Backend, settings: Settings) -> None:
    if settings.app.reset == "off":
        return
    if not settings.app.id:
        raise ConfigError(
            "there is no app whose data could be reset",
            seen=f"reset is {settings.app.reset}",
            cure="name it: --apex-app ID",
        )
    if settings.app.reset == "reinstall":
        reinstall(backend, settings)
        return
    backend.stop(settings.app.id)
    backend.clear_data(settings.app.id)
