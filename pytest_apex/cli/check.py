"""`pytest-apex check PATH…`: all mistakes of app files of the built-in phone, with file, line and column."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("check", help="check app files of the built-in phone")
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    wrong = [path for path in arguments.paths if not _is_right(path)]
    return 1 if wrong else 0


def _is_right(path: Path) -> bool:
    from pytest_apex.backends.virtual import read_app
    from pytest_apex.errors import ConfigError, FileMistakes

    try:
        read_app(path)
    except FileMistakes as error:
        for mistake in error.mistakes:
            print(mistake)
        return False
    except ConfigError as error:
        print(f"{path}: {error.tried}: {error.seen}", file=sys.stderr)
        return False
    print(f"{path}: fine")
    return True
