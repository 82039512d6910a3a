"""`pytest-apex schema NAME`: the JSON Schema of a kind of file, for editors."""

from __future__ import annotations

import argparse
import json
from typing import Any

#: The kinds of files that have one.
NAMES = ("manual",)


def add(commands: Any) -> None:
    parser = commands.add_parser("schema", help="print the JSON Schema of a kind of file, for editors")
    parser.add_argument("name", choices=NAMES, metavar="NAME", help=f"one of: {', '.join(NAMES)}")
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    from pytest_apex.manual.schema import manual_schema

    print(json.dumps(manual_schema(), indent=2))
    return 0
