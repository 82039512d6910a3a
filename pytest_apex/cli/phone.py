"""`pytest-apex phone [APP.yaml] --adb PORT`: the built-in phone as adb and its tools see one."""

from __future__ import annotations

import argparse
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("phone", help="put the built-in phone on the wire, for adb and tools that use it")
    parser.add_argument(
        "app", nargs="?", type=Path, metavar="APP.yaml", help="the app on it (the demo app if not given)"
    )
    parser.add_argument(
        "--adb", type=int, required=True, metavar="PORT", help="where adb connects to; 0 takes a free port"
    )
    parser.add_argument(
        "--with", dest="also", type=Path, action="append", default=[], metavar="APP.yaml", help="a further app"
    )
    parser.add_argument("--fault", metavar="NAME", help="a fault that the app file places")
    parser.add_argument("--seed", type=int, default=0, metavar="N")
    parser.add_argument("--mode", action="append", default=[], metavar="MODE", help="trouble, such as offline or slow")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.backends.virtual import demo_app, read_app
    from pytest_apex.phone_wires.serve import serve_phone

    apps = [read_app(arguments.app) if arguments.app else demo_app(), *map(read_app, arguments.also)]
    with serve_phone(
        apps, port=arguments.adb, fault=arguments.fault, seed=arguments.seed, modes=arguments.mode
    ) as served:
        print(f"{apps[0].name} {apps[0].version} is on the phone; Ctrl+C switches it off")
        print(f"adb connect {served.serial}", flush=True)
        with suppress(KeyboardInterrupt):  # this is how it is switched off
            threading.Event().wait()
    return 0
