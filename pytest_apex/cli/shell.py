"""`pytest-apex shell`: a Python prompt with `device` and `expect`.

From a pipe, the exit code is 1 if the last command raised or a soft check in it failed.
"""

from __future__ import annotations

import argparse
import code
import sys
from types import CodeType
from typing import TYPE_CHECKING, Any

from pytest_apex.cli.connecting import add_device_options, connected

if TYPE_CHECKING:
    from pytest_apex.device.device import Device


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
        prompt = _Prompt(device, {"device": device, "expect": expect})
        shown, sys.displayhook = sys.displayhook, _show
        try:
            prompt.interact(banner, exitmsg="")
            if not sys.stdin.isatty():
                prompt.finish()
        finally:
            sys.displayhook = shown
    return 1 if prompt.failed and not sys.stdin.isatty() else 0


class _Prompt(code.InteractiveConsole):
    """Tells an error of ours by its four parts, without a traceback, and a soft check that fails at once. `failed` says
    how the last command went."""

    def __init__(self, device: Device, names: dict[str, object]) -> None:
        super().__init__(names)
        self.failed = False
        self._device = device

    def push(self, line: str, *more: Any, **named: Any) -> bool:
        if line.strip() and not line.lstrip().startswith("#"):
            self.failed = False
        return super().push(line, *more, **named)

    def finish(self) -> None:
        """What the end of the input cut off: a block ends there, and is run; anything else was not meant so."""
        if self.buffer and self.push(""):
            self.resetbuffer()
            self.failed = True
            self.write("SyntaxError: the input ends within a command\n")

    def runcode(self, code: CodeType) -> None:
        super().runcode(code)
        for soft in self._device.soft_failures:
            self._tell(soft)
        self._device.soft_failures.clear()

    def showtraceback(self) -> None:
        from pytest_apex.errors import ApexError

        error = sys.exc_info()[1]
        if isinstance(error, ApexError):
            self._tell(error)
        elif isinstance(error, KeyboardInterrupt):
            self.failed = True
            self.write("\nKeyboardInterrupt\n")  # as at Python's own prompt: what was under way is left
        else:
            self.failed = True
            super().showtraceback()

    def showsyntaxerror(self, *more: Any, **named: Any) -> None:
        self.failed = True
        super().showsyntaxerror(*more, **named)

    def _tell(self, error: Exception) -> None:
        self.failed = True
        self.write(f"{type(error).__name__}: {error}\n")


def _show(value: object) -> None:
    """Our values print themselves in words; all others as Python does."""
    if value is None:
        return
    ours = type(value).__module__.partition(".")[0] == "pytest_apex"
    print(value if ours else repr(value))
