"""`pytest-apex phone [APP.yaml] --adb PORT` or `--wda PORT`: the built-in phone as real tools see one."""

from __future__ import annotations

import argparse
import signal
import threading
from pathlib import Path
from typing import Any

from pytest_apex.cli.connecting import add_seed


def add(commands: Any) -> None:
    parser = commands.add_parser("phone", help="put the built-in phone on the wire, for adb, Appium and other tools")
    parser.add_argument(
        "app", nargs="?", type=Path, metavar="APP.yaml", help="the app on it (the demo app if not given)"
    )
    wire = parser.add_mutually_exclusive_group(required=True)
    wire.add_argument("--adb", type=int, metavar="PORT", help="where adb connects to; 0 takes a free port")
    wire.add_argument("--wda", type=int, metavar="PORT", help="where WebDriverAgent listens; 0 takes a free port")
    parser.add_argument("--platform", default="ios", help="with --wda: ios, tvos or watchos (default: ios)")
    parser.add_argument(
        "--usbmux", type=int, metavar="PORT", help="with --wda: a usbmuxd too, for bundle ids and the log"
    )
    parser.add_argument(
        "--with", dest="also", type=Path, action="append", default=[], metavar="APP.yaml", help="a further app"
    )
    parser.add_argument("--fault", metavar="NAME", help="a fault that the app file places")
    add_seed(parser)
    parser.add_argument("--mode", action="append", default=[], metavar="MODE", help="trouble, such as offline or slow")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.backends.virtual import demo_app, read_app

    apps = [read_app(arguments.app) if arguments.app else demo_app(), *map(read_app, arguments.also)]
    served = _served(apps, arguments)
    off = threading.Event()
    # A handler of our own: Ctrl+C at any moment is the switch, and no exception somewhere in between.
    signal.signal(signal.SIGINT, lambda _number, _frame: off.set())
    with served:
        print(f"{apps[0].name} {apps[0].version} is on the phone; Ctrl+C switches it off")
        print("\n".join(_how(served)), flush=True)
        off.wait()
    return 0


def _served(apps: list[Any], arguments: argparse.Namespace) -> Any:
    common = {"fault": arguments.fault, "seed": arguments.seed, "modes": arguments.mode}
    if arguments.adb is not None:
        from pytest_apex.phone_wires.serve import serve_phone

        return serve_phone(apps, port=arguments.adb, **common)
    from pytest_apex.phone_wires.wda.serve import serve_wda

    return serve_wda(apps, port=arguments.wda, platform=arguments.platform, usbmux=arguments.usbmux, **common)


def _how(served: Any) -> list[str]:
    """What to type, or to put into the capabilities."""
    if hasattr(served, "serial"):
        return [f"adb connect {served.serial}"]
    lines = [f"appium:webDriverAgentUrl {served.url}", f"appium:udid {served.udid}",
             f"appium:platformVersion {served.device.os_version}"]  # fmt: skip
    return [*lines, f"USBMUXD_SOCKET_ADDRESS={served.usbmux} appium"] if served.usbmux else lines
