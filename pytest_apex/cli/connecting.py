"""A device for a command: the options that choose it, and the connected `Device` while it is used."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pytest_apex.cli.project import Project, project_at, root_at
from pytest_apex.errors import printable

if TYPE_CHECKING:
    from pytest_apex.device.device import Device
    from pytest_apex.manual.winners import Shelf


def add_device_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", default="virtual", metavar="SPEC", help="default: virtual, the built-in phone")
    parser.add_argument(
        "--app",
        default="",
        metavar="ID",
        help="launch this app; default: apex_app of the project, else what is in front",
    )
    add_seed(parser)
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        type=_pattern,
        metavar="PATTERN",
        help="what may be done though it can't be undone, by the app's manual: control:delete, 'intent:send-*'",
    )


def _pattern(text: str) -> str:
    from pytest_apex.verify.irreversible import complaint

    wrong = complaint(text)
    if wrong:
        raise argparse.ArgumentTypeError(wrong)
    return text


def add_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seed", type=_whole, default=0, metavar="N", help="seed of every random choice (default: 0)")


def _whole(text: str) -> int:
    """As `--apex-seed` takes it: no sign, no fraction, no underscore."""
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError(f"expected a whole number, 0 or more, got {text!r}")
    return int(text)


@contextmanager
def connected(arguments: argparse.Namespace) -> Iterator[Device]:
    """The device, with the app launched if one is named. `virtual` runs the app of the project around the working
    directory. Its manuals are known, and the guard holds: who types a command is test and run in one, so that `--allow`
    is both leaves. Its journal is thrown away. Raises `ApexError`."""
    from pytest_apex.backends.choice import OURS, choose
    from pytest_apex.device.device import Device
    from pytest_apex.evidence.recorder import Recorder
    from pytest_apex.evidence.redact import Redactor
    from pytest_apex.evidence.store import Store
    from pytest_apex.leases.lease import Lease
    from pytest_apex.settings import Devices, Settings, Touch

    project = project_at(Path.cwd()) if arguments.device.partition("?")[0] == "virtual" else Project()
    allowed = tuple(arguments.allow)
    settings = Settings(
        devices=Devices(specs=(arguments.device,), virtual_app=project.app_file),
        touch=Touch(seed=arguments.seed, allow=allowed, allow_here=allowed),
    )
    manuals = _manuals(Path.cwd())
    spec = choose(arguments.device, "auto", {spec.name: spec for spec in OURS})
    lease = Lease(spec.names_of(arguments.device, settings))
    lease.take(0)  # a run that uses the device has it alone
    backend = None
    try:
        backend = spec.connect(arguments.device, settings)
        with tempfile.TemporaryDirectory(prefix="pytest-apex-") as folder:
            recorder = Recorder(Path(folder), Store(Path(folder)), Redactor(), "never")
            device = Device(backend, settings, recorder, test=arguments.command, manuals=manuals)
            device.start(arguments.app or project.app)
            yield device
            recorder.close(failed=False)
    finally:
        if backend is not None:
            backend.close()
        lease.release()


def _manuals(folder: Path) -> Shelf:
    """Those of the project around a folder, and ours; what is wrong with them is told."""
    from pytest_apex.manual.winners import shelve
    from pytest_apex.manual_files import entry_points, gather

    shelf = shelve(gather(root_at(folder), (), entry_points()))
    for rejected in shelf.rejected:
        print(printable(rejected.told("is left out: it has")), file=sys.stderr)
    return shelf
