"""`pytest-apex doctor`: what this machine and its phones need before a test can run, each with the one thing to do."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pytest_apex.backends.uiautomator2.doctor import Finding


def add(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="check this machine and its phones; ends with 1 if something is wrong")
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    from pytest_apex.backends.uiautomator2.adb import AdbServer
    from pytest_apex.backends.uiautomator2.doctor import as_lines, examine
    from pytest_apex.backends.uiautomator2.limits import Limits

    wrong = False

    def noted() -> Iterator[Finding]:
        nonlocal wrong
        for finding in examine(AdbServer(), Limits()):
            wrong = wrong or finding.level == "wrong"
            yield finding

    for line in as_lines(noted()):  # each as soon as it is known: a phone may be slow to answer
        print(line)
    return 1 if wrong else 0
