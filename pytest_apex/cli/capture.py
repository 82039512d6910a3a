"""`pytest-apex capture DIR`: what is on the screen now, as picture, tree and text."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_apex.cli.connecting import add_device_options, connected


def add(commands: Any) -> None:
    parser = commands.add_parser("capture", help="store picture, tree and text of the screen in a folder")
    parser.add_argument("folder", type=Path, metavar="DIR")
    add_device_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.errors import ConfigError
    from pytest_apex.hierarchy.state import index_state

    with connected(arguments) as device:
        snapshot = device.snapshot()
    files = {"tree.txt": snapshot.to_text().encode(), "state.txt": index_state(snapshot).text.encode()}
    if snapshot.picture is not None:
        files["screen.png"] = snapshot.picture.png()
    try:
        arguments.folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (arguments.folder / name).write_bytes(content)
    except OSError as error:
        raise ConfigError(
            f"can't write to {arguments.folder}", seen=error.strerror or str(error), cure="name another folder"
        ) from error
    for name in files:
        print(arguments.folder / name)
    for note in snapshot.notes:
        print(f"note: {note}")
    return 0
