"""`pytest-apex doctor`: what this machine and its phones need before a test can run, each with the one thing to do."""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_apex.backends.uiautomator2.doctor import Finding


def add(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="check this machine and its phones; ends with 1 if something is wrong")
    parser.add_argument("--platform", choices=("android", "ios"), default="android", help="default: android")
    parser.add_argument("--device", default="", metavar="UDID", help="with ios: this one alone")
    url = os.environ.get("APPIUM_URL") or "http://127.0.0.1:4723"
    told = "with ios: the server (default: APPIUM_URL, else http://127.0.0.1:4723)"
    parser.add_argument("--appium-url", default=url, metavar="URL", help=told)
    parser.add_argument("--appium-caps", default="", metavar="JSON", help="with ios: capabilities, or a file of them")
    parser.set_defaults(run=run)


def _examined(arguments: argparse.Namespace) -> Iterator[Finding]:
    if arguments.platform == "ios":
        from pytest_apex.backends.appium import doctor
        from pytest_apex.backends.appium.capabilities import read_capabilities

        caps = read_capabilities(arguments.appium_caps)
        devices = [arguments.device] if arguments.device else []
        return doctor.examine(doctor.this_host(), arguments.appium_url, caps, devices)
    from pytest_apex.backends.uiautomator2.adb import AdbServer
    from pytest_apex.backends.uiautomator2.doctor import examine
    from pytest_apex.backends.uiautomator2.limits import Limits
    from pytest_apex.leases.lease import holder_of

    return examine(AdbServer(), Limits(), holder=holder_of)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.backends.uiautomator2.doctor import as_lines

    wrong = False

    def noted() -> Iterator[Finding]:
        nonlocal wrong
        for finding in _examined(arguments):
            wrong = wrong or finding.level == "wrong"
            yield finding

    for line in as_lines(noted()):  # each as soon as it is known: a phone may be slow to answer
        print(line)
    return 1 if wrong else 0
