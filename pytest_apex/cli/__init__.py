"""The command `pytest-apex`: one module a command, each with `add(commands)` and `run(arguments)`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress

from pytest_apex.cli import capture, check, devices, do, doctor, judge, phone, report, schema, shell


def make_parser() -> argparse.ArgumentParser:
    """The parser of the command line, with all commands."""
    parser = argparse.ArgumentParser(prog="pytest-apex", description="On-device UI verification outside of tests.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for command in (shell, capture, check, schema, do, judge, report, phone, devices, doctor):
        command.add(commands)
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code: 0 fine, 1 something is wrong (told on standard error), 2 wrong
    usage, 130 interrupted by Ctrl-C."""
    arguments = make_parser().parse_args(argv)
    from pytest_apex.errors import ApexError

    try:
        code: int = arguments.run(arguments)
        if sys.stdout is not None:  # it is None where it was closed before the start (`>&-`)
            sys.stdout.flush()
    except ApexError as error:
        print(f"pytest-apex {arguments.command}: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"\npytest-apex {arguments.command}: interrupted", file=sys.stderr)
        return 128 + signal.SIGINT
    except OSError as error:
        if not _takes_no_more(error):
            raise
        # Whoever read the output and has gone (`| head`) knows; of a full disk nobody does.
        if not isinstance(error, BrokenPipeError):
            print(f"pytest-apex {arguments.command}: can't write the output: {error.strerror}", file=sys.stderr)
        return 1
    return code


def _takes_no_more(error: OSError) -> bool:
    """Whether it was standard output that failed; what is left for it goes nowhere then, as the interpreter would write
    it at its end."""
    try:
        sys.stdout.write("\n")
        sys.stdout.flush()
    except OSError as again:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return again.errno == error.errno
    return False
