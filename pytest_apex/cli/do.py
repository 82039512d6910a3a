"""`pytest-apex do "COMMANDS"`: gestures, keys and text in the command language, and what is on the screen then."""

from __future__ import annotations

import argparse
from typing import Any

from pytest_apex.cli.connecting import add_device_options, connected


def add(commands: Any) -> None:
    parser = commands.add_parser("do", help='do a text of the command language, such as "t 100 200 w 0.3 b h"')
    parser.add_argument("text", metavar="COMMANDS", help='in one argument; "" only looks')
    add_device_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.gestures.language import parse_commands

    parse_commands(arguments.text)  # a text that is not right connects to nothing
    with connected(arguments) as device:
        for step in device.perform(arguments.text):
            print(step)
        print(device.state())
    return 0
