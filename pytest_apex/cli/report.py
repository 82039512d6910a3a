"""`pytest-apex report RUN_DIR`: a stored run as one page of HTML."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any


def add(commands: Any) -> None:
    parser = commands.add_parser(
        "report",
        help="make one page of HTML of a stored run",
        description="Tells where the page was written. It needs no other file, and nothing of it is loaded from a net.",
    )
    parser.add_argument("folder", type=Path, metavar="RUN_DIR", help="folder of a run, or .apex/latest")
    parser.add_argument("--out", type=Path, metavar="FILE", help="file to write (default: RUN_DIR/report.html)")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    from pytest_apex.evidence.store import run_folder
    from pytest_apex.reports.html.write import write_page

    folder = run_folder(arguments.folder)
    print(write_page(folder, arguments.out or folder / "report.html"))
    return 0
