"""`pytest-apex doctor`: what this machine and its phones need before a test can run, each with the one thing to do."""

from __future__ import annotations

import argparse
from typing import Any

_MARKS = {"ok": "ok", "warn": "hint", "wrong": "WRONG"}


def add(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="check this machine and its phones; ends with 1 if something is wrong")
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    from pytest_apex.backends.uiautomator2.adb import AdbServer
    from pytest_apex.backends.uiautomator2.doctor import examine
    from pytest_apex.backends.uiautomator2.limits import Limits

    where, wrong = "", 0
    for finding in examine(AdbServer(), Limits()):
        if finding.where != where:
            where = finding.where
            print(where)
        print(f"  {_MARKS[finding.level]:<6} {finding.what}: {finding.seen}")
        if finding.cure:
            print(f"         try: {finding.cure}")
        wrong += finding.level == "wrong"
    return 1 if wrong else 0
