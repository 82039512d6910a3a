"""`--apex-doctor`: what this machine and the devices of `--device` still need, told in place of a run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest

from pytest_apex.plugin.stash import SETTINGS

if TYPE_CHECKING:
    from pytest_apex.backends.uiautomator2.doctor import Finding
    from pytest_apex.settings import Settings


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.getgroup("apex").addoption(
        "--apex-doctor",
        action="store_true",
        help="check this machine and its devices, print what to fix, run no test",
    )


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> int | None:
    if not config.option.apex_doctor:
        return None
    from pytest_apex.backends.uiautomator2.doctor import as_lines

    config._do_configure()
    try:
        found = list(_findings(config))
        writer = config.get_terminal_writer()
        for line in as_lines(found):
            writer.line(line)
    finally:
        config._ensure_unconfigure()
    wrong = any(finding.level == "wrong" for finding in found)
    return pytest.ExitCode.TESTS_FAILED if wrong else pytest.ExitCode.OK


def _behind_appium(settings: Settings, devices: Sequence[str]) -> Iterator[Finding]:
    """The server; of iPhones what they need. Phones that adb of the server's machine has are that one's to examine."""
    from pytest_apex.backends.appium import doctor
    from pytest_apex.backends.appium.capabilities import read_capabilities, wanted

    given, host = read_capabilities(settings.devices.appium_caps), doctor.this_host()
    apple = [device for device in devices if wanted(device, given)["platformName"].lower() != "android"]
    if apple:
        yield from doctor.examine(host, settings.devices.appium_url, given, apple)
    else:
        yield doctor.check_server(host, settings.devices.appium_url)


def _findings(config: pytest.Config) -> Iterator[Finding]:
    """Of the devices that are named, else of all that adb has."""
    from pytest_apex.backends.choice import claimant
    from pytest_apex.backends.uiautomator2.adb import AdbServer
    from pytest_apex.backends.uiautomator2.doctor import Finding, examine
    from pytest_apex.backends.uiautomator2.limits import Limits
    from pytest_apex.errors import ConfigError
    from pytest_apex.leases.lease import holder_of
    from pytest_apex.plugin.devices import backends

    settings = config.stash[SETTINGS]
    offered, limits = backends(config), Limits.of(settings.timeouts)
    phones = []
    for device in settings.devices.specs:
        spec = claimant(device, offered)
        if spec is None:
            phones.append(device)
        else:
            yield Finding(device, "backend", "ok", spec.name)
    if settings.devices.specs and not phones:
        return
    try:
        if settings.devices.backend == "appium":
            yield from _behind_appium(settings, phones)
        else:
            yield from examine(AdbServer(), limits, phones, holder_of)
    except ConfigError as error:
        raise pytest.UsageError(f"apex: {error}") from None
