"""The command `pytest-apex`: one module a command, each with `add(commands)` and `run(arguments)`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from pytest_apex.cli import capture, check, devices, do, doctor, judge, phone, shell


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code: 0 fine, 1 something is wrong (told on standard error), 2 wrong usage."""
    parser = argparse.ArgumentParser(prog="pytest-apex", description="On-device UI verification outside of tests.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (shell, capture, check, do, judge, phone, devices, doctor):
        command.add(commands)
    arguments = parser.parse_args(argv)
    from pytest_apex.errors import ApexError

    try:
        code: int = arguments.run(arguments)
    except ApexError as error:
        print(f"pytest-apex {arguments.command}: {error}", file=sys.stderr)
        return 1
    return code
