"""A device for a command: the options that choose it, and the connected `Device` while it is used."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pytest_apex.device.device import Device


def add_device_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", default="virtual", metavar="SPEC", help="default: virtual, the built-in phone")
    parser.add_argument("--app", default="", metavar="ID", help="launch this app; default: what is in front")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="seed of every random choice (default: 0)")


@contextmanager
def connected(arguments: argparse.Namespace) -> Iterator[Device]:
    """The device, with the app launched if one is named. Its journal is thrown away. Raises `ApexError`."""
    from pytest_apex.backends.choice import OURS, choose
    from pytest_apex.device.device import Device
    from pytest_apex.evidence.recorder import Recorder
    from pytest_apex.evidence.redact import Redactor
    from pytest_apex.evidence.store import Store
    from pytest_apex.settings import Devices, Settings, Touch

    settings = Settings(devices=Devices(specs=(arguments.device,)), touch=Touch(seed=arguments.seed))
    backend = choose(arguments.device, "auto", {spec.name: spec for spec in OURS}).connect(arguments.device, settings)
    try:
        with tempfile.TemporaryDirectory(prefix="pytest-apex-") as folder:
            recorder = Recorder(Path(folder), Store(Path(folder)), Redactor(), "never")
            device = Device(backend, settings, recorder, test=arguments.command)
            device.start(arguments.app)
            yield device
            recorder.close(failed=False)
    finally:
        backend.close()
