"""`pytest-apex devices`: what `--device` can name now, and what is wrong with what it can't."""

from __future__ import annotations

import argparse
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser("devices", help="list the phones that adb has, and the built-in one")
    parser.set_defaults(run=run)


def run(_arguments: argparse.Namespace) -> int:
    from pytest_apex.backends.uiautomator2.connecting import listed_devices
    from pytest_apex.backends.uiautomator2.trouble import unusable
    from pytest_apex.leases.lease import holder_of

    print("virtual  (the built-in phone)")
    for listed in listed_devices():
        print(listed)
        holder = holder_of((listed.serial,))
        if holder:
            print(f"  {'in use:':<8} by {holder}")
        wrong = unusable(listed)
        if wrong is not None:
            print(f"  {'likely:':<8} {wrong.likely}")
            print(f"  {'try:':<8} {wrong.cure}")
    return 0
