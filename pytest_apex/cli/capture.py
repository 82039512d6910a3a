"""`pytest-apex capture DIR`: what is on the screen now, as picture, tree and text; `capture --manual APP`: a first
manual from it."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from pytest_apex.cli.connecting import add_device_options, connected


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "capture", help="store picture, tree and text of the screen in a folder, or a first manual of an app"
    )
    parser.add_argument("folder", type=Path, metavar="DIR", nargs="?")
    parser.add_argument(
        "--manual", default="", metavar="APP", help="launch this app and write a first manual of it into manuals/"
    )
    add_device_options(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.errors import ConfigError
    from pytest_apex.hierarchy.state import index_state

    if arguments.manual:
        return _write_manual(arguments)
    if arguments.folder is None:
        raise ConfigError("capture needs a folder to write to", cure="pytest-apex capture DIR, or --manual APP")
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


def _write_manual(arguments: argparse.Namespace) -> int:
    """Beside the project's other manuals; a file that is there stays as it is."""
    from pytest_apex.errors import ConfigError
    from pytest_apex.manual.draft import draft, file_name
    from pytest_apex.verify.guard import warning_word

    if arguments.folder is not None:
        raise ConfigError(
            "a manual goes into the project's folder manuals/",
            seen=f"also a folder was named: {arguments.folder}",
            cure="leave it out; what is on the screen is stored by a capture of its own",
        )
    file = _place(file_name(arguments.manual))
    arguments.app = arguments.manual
    with connected(arguments) as device:
        snapshot = device.snapshot()
    if snapshot.app.id.casefold() != arguments.manual.casefold():
        raise ConfigError(
            f"no manual was written: {arguments.manual} is not in front",
            seen=f"in front is {snapshot.app.id or 'nothing'}",
            cure="close what lies over it, and call this again",
        )
    words = {node.index: word for node in snapshot.nodes if (word := warning_word(node))}
    try:
        file.parent.mkdir(exist_ok=True)
        with file.open("x", encoding="utf-8") as text:
            text.write(draft(snapshot, words))
    except OSError as error:
        raise ConfigError(f"can't write {file}", seen=error.strerror or str(error)) from error
    print(f"{file}\nsay in it what the comments ask for, then: pytest-apex check {file}")
    return 0


def _place(name: str) -> Path:
    """Where the manual goes: nothing is there yet, and no link leads out of the project."""
    from pytest_apex.cli.project import root_at
    from pytest_apex.errors import ConfigError

    root = root_at(Path.cwd())
    file = root / "manuals" / name
    if ".apex" in root.parts:
        raise ConfigError(f"a manual is not written among the files of a run: {root}", cure="call this in the project")
    if not file.parent.resolve().is_relative_to(root.resolve()):
        raise ConfigError(f"{file.parent} leads out of the project", cure="make it a folder of the project")
    stands = next((each for each in (file, file.with_suffix(".md")) if each.exists() or each.is_symlink()), None)
    if stands is not None:
        raise ConfigError(f"{stands} is there already, and is not written over", cure="move it, or go on with it")
    return file
