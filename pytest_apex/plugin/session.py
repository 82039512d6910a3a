"""A run from start to end: what it keeps is made here, in order, once its options are known.

Each hook loads what it needs when it is called: importing the plugin has to cost next to nothing.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

from pytest_apex.plugin import options
from pytest_apex.plugin.lost import take_left_open
from pytest_apex.plugin.stash import ATTEMPTS, CONNECTIONS, RESULTS, RUN, SETTINGS, UNUSABLE
from pytest_apex.plugin.workers import given, is_worker, seed_of_run, tell_controller

if TYPE_CHECKING:
    from pytest_apex.backends.base import Backend
    from pytest_apex.leases.lease import Lease
    from pytest_apex.plugin.connections import Asked, Connections
    from pytest_apex.settings import Settings


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config: pytest.Config) -> None:
    if config.option.help or config.option.version:
        return
    from pytest_apex.plugin.attempts import Attempts
    from pytest_apex.plugin.devices import with_all_named, wrong_devices
    from pytest_apex.plugin.results import Listener, Results
    from pytest_apex.plugin.runs import make_run

    settings = options.make_settings(config, more=lambda read: wrong_devices(config, read))
    if not config.option.apex_doctor:  # which looks at all of them, and at what else adb has
        settings = with_all_named(config, settings)
    if "seed" not in settings.origins:
        settings = settings.changed("touch", {"seed": "random"}, seed=seed_of_run(config))
    run = make_run(settings, config.rootpath, given(config).get("run"))
    if settings.keep.artifacts and not is_worker(config) and not options.runs_nothing(config):
        run.take()
        config.add_cleanup(run.release)
    config.stash[SETTINGS] = settings
    config.stash[RUN] = run
    config.stash[ATTEMPTS] = Attempts(run, settings)
    config.stash[CONNECTIONS] = _connections(config, settings)
    config.stash[RESULTS] = Results(config, settings)
    config.pluginmanager.register(Listener(config.stash[RESULTS]), "apex-results")
    if getattr(config.option, "xmlpath", None) and not is_worker(config):
        from pytest_apex.plugin.junit import UnsureAsError

        config.pluginmanager.register(UnsureAsError(config), "apex-junit")


def _connections(config: pytest.Config, settings: Settings) -> Connections:
    from pytest_apex.backends.choice import choose
    from pytest_apex.plugin.connections import Connections
    from pytest_apex.plugin.devices import backends, how_reserved

    def connect(asked: Asked) -> Backend:
        spec = choose(asked.device, settings.devices.backend, backends(config))
        return spec.connect(asked.device, settings.changed("devices", {}, virtual_app=asked.app_file))

    def lease_of(asked: Asked) -> Lease | None:
        names = choose(asked.device, settings.devices.backend, backends(config)).names_of(asked.device, settings)
        if not names:
            return None
        from pytest_apex.leases.lease import Lease

        return Lease(names)

    connections = Connections(connect, lease_of, how_reserved(config, settings))

    def let_go() -> None:
        connections.close()

    config.add_cleanup(let_go)
    return connections


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """A device that several processes share is another one's between two tests."""
    try:
        return (yield)
    finally:
        item.config.stash[CONNECTIONS].let_go()


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    from pytest_apex.plugin.devices import check_backends
    from pytest_apex.plugin.installing import build_before_workers

    check_backends(session.config)
    build_before_workers(session.config)
    if session.config.stash[SETTINGS].keep.redact:
        # Values to mask are masked in the reports of all tests, from the first on.
        session.config.stash[RESULTS].prepare()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    from pytest_apex.plugin.devices import connect_or_end

    connect_or_end(session)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    config = session.config
    if RESULTS not in config.stash:  # the options were wrong: the run never began
        return
    results = config.stash[RESULTS]
    for problem in config.stash[CONNECTIONS].close():
        results.trouble(problem)
    try:
        take_left_open(config)
        results.close()
    except Exception as error:  # noqa: BLE001 - the tests' own results stand; what was not written is said
        results.broken("the run's folder is not complete", error)
    if is_worker(config):
        tell_controller(config)
        return
    if config.stash.get(UNUSABLE, False):
        session.exitstatus = pytest.ExitCode.USAGE_ERROR
    elif session.exitstatus == pytest.ExitCode.OK:
        from pytest_apex.plugin.results import too_many_unjudged

        if too_many_unjudged(config):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    results = config.stash.get(RESULTS, None)
    if results is None or not (results.attempts or results.troubles):
        return
    from pytest_apex.plugin.results import summary

    terminalreporter.section("apex")
    for line in summary(config):
        terminalreporter.write_line(line)
