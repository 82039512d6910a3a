"""The line at the head of a run: what is not default, and where each value came from; and the list of devices."""

from __future__ import annotations

import pytest

from pytest_apex.plugin import options
from pytest_apex.plugin.stash import ATTEMPTS, LEFT_OUT, OWNS_FIXTURE, OWNS_OPTION, RUN, SETTINGS


def pytest_report_header(config: pytest.Config) -> list[str]:
    settings = config.stash[SETTINGS]
    shown = options.shown_options(settings)
    shown.setdefault("device", ("none", "default"))
    words = [f"{name}={value} ({origin})" if origin != "default" else f"{name}={value}" for name, (value, origin)
             in sorted(shown.items(), key=lambda entry: entry[0] != "device")]  # fmt: skip
    attempts = config.stash[ATTEMPTS]
    told = f"apex: {', '.join(words)}"
    lines = [attempts.redactor.text(told) if attempts.has_secrets else told]
    unused = [] if settings.devices.each else _unused_devices(config, len(settings.devices.specs))
    left_out = [f"apex: not among all devices: {line}" for line in config.stash.get(LEFT_OUT, ())]
    return lines + unused + left_out + _cleared(config) + _taken(config)


def _unused_devices(config: pytest.Config, devices: int) -> list[str]:
    workers = len(getattr(config.option, "tx", None) or ()) or 1
    if devices <= workers:
        return []
    return [f"apex: {devices} devices, {workers} in use: each process uses one; -n {devices} uses all"]


def _cleared(config: pytest.Config) -> list[str]:
    run = config.stash[RUN]
    return [f"apex: the evidence of an earlier run was cleared away from {run.folder}"] if run.cleared else []


def _taken(config: pytest.Config) -> list[str]:
    taken = [name for name, key in (("--device", OWNS_OPTION), ("the fixture device", OWNS_FIXTURE))
             if not config.stash.get(key, True)]  # fmt: skip
    if not taken:
        return []
    return [f"apex: {' and '.join(taken)} belong{'s' if len(taken) == 1 else ''} to another plugin; "
            "use --apex-device and apex_device"]  # fmt: skip


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    """An empty `--device` lists what could be used, and ends."""
    if not options.wants_listing(config):
        return None
    from pytest_apex.plugin.devices import available

    config._do_configure()
    try:
        config.get_terminal_writer().line(f"apex: {available(config)}")
    finally:
        config._ensure_unconfigure()
    return pytest.ExitCode.NO_TESTS_COLLECTED
