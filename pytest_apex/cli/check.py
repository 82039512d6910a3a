"""`pytest-apex check PATH…`: all mistakes of app manuals and of app files of the built-in phone, with file, line and
column."""

from __future__ import annotations

import argparse
import re
import sys
from codecs import BOM_UTF8
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pytest_apex.errors import printable

if TYPE_CHECKING:
    from pytest_apex.manual.winners import ManualFile

_APP, _MANUAL = re.compile(rb"^app[ \t]*:", re.MULTILINE), re.compile(rb"^match[ \t]*:", re.MULTILINE)
#: Keys that app files have not.
_OTHERS = re.compile(
    rb"^(summary|controls|interruptions|live_regions|expected|environment|irreversible|flows)[ \t]*:", re.MULTILINE
)


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "check",
        help="check app manuals, and app files of the built-in phone",
        description="Tells every mistake as file:line:column. Ends with 1 if there is one; warnings alone end with 0.",
    )
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a file, or a folder of them")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    wrong = [path for path in arguments.paths if not (_is_folder_right(path) if path.is_dir() else _is_right(path))]
    return 1 if wrong else 0


def _is_folder_right(folder: Path) -> bool:
    """All manuals of a folder, as a run reads them: templates and a README are none."""
    from pytest_apex.manual_files import in_folder

    files = in_folder(folder, folder.as_posix())
    if not files:
        print(f"{folder}: there is no manual in this folder", file=sys.stderr)
        return False
    apps = [file for file in files if file.data and not _is_manual(folder / file.file, file.data)]
    right = [_is_app_right(folder / file.file) for file in apps]
    return _are_manuals_right([file for file in files if file not in apps], skip=True) and all(right)


def _is_right(path: Path) -> bool:
    from pytest_apex.manual_files import file_at

    file = file_at(path)
    if not (_is_manual(path, file.data) if file.data else path.suffix == ".md"):
        return _is_app_right(path)
    return _are_manuals_right([file], skip=False)


def _is_manual(path: Path, data: bytes) -> bool:
    """By its ending, else by the key that each of the two kinds needs, else by keys that only manuals have, else by the
    folder it lies in."""
    data = data.removeprefix(BOM_UTF8)
    if path.suffix == ".md" or _MANUAL.search(data):
        return True
    return not _APP.search(data) and (bool(_OTHERS.search(data)) or path.absolute().parent.name == "manuals")


def _are_manuals_right(files: list[ManualFile], *, skip: bool) -> bool:
    """`skip` lets a text without fields be; who names one itself means it as a manual."""
    from pytest_apex.manual.winners import shelve

    shelf = shelve(files)
    for shown in shelf.skipped:
        print(printable(f"{shown}: skipped: no line --- with the fields of a manual is at its head"))
    for rejected in shelf.rejected:
        for mistake in rejected.error.mistakes:
            print(printable(str(mistake)))
    for line in shelf.warnings:
        print(printable(f"{line} (a warning)"))
    wrong = {rejected.file.shown for rejected in shelf.rejected}
    wrong.update(() if skip else shelf.skipped)
    for file in files:
        if file.shown not in wrong and file.shown not in shelf.skipped:
            print(printable(f"{file.shown}: fine"))
    for loser in shelf.losers:
        print(printable(str(loser)))
    return not wrong


def _is_app_right(path: Path) -> bool:
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
