"""`pytest-apex shell`: a Python prompt with `device` and `expect`."""

from __future__ import annotations

import argparse
import code
import sys
from typing import Any

from pytest_apex.cli.connecting import add_device_options, connected


def add(commands: Any) -> None:
    parser = commands.add_parser("shell", help="a Python prompt with `device` and `expect`")
    add_device_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.device.expect import expect

    with connected(arguments) as device:
        banner = (
            f"{device}\n`device` and `expect` are ready; device.state() says what is on the screen; end with Ctrl-D"
        )
        shown, sys.displayhook = sys.displayhook, _show
        try:
            _Prompt({"device": device, "expect": expect}).interact(banner, exitmsg="")
        finally:
            sys.displayhook = shown
    return 0


class _Prompt(code.InteractiveConsole):
    """Tells an error of ours by its four parts, without a traceback."""

    def showtraceback(self) -> None:
        from pytest_apex.errors import ApexError

        error = sys.exc_info()[1]
        if isinstance(error, ApexError):
            self.write(f"{type(error).__name__}: {error}\n")
        else:
            super().showtraceback()


def _show(value: object) -> None:
    """Our values print themselves in words; all others as Python does."""
    if value is None:
        return
    ours = type(value).__module__.partition(".")[0] == "pytest_apex"
    print(value if ours else repr(value))
