"""Read a folder of hierarchies and print for each file: nodes, controls, notes.

    python tests/quality/corpus.py [DIR]        (fixtures/captures)

`DIR/INDEX.csv`, where there is one, names the files and their kinds: kinds with "other" have to be refused by name, all
other hierarchies have to be read; pictures and logs are passed over. Without it every file is tried. The exit code is 1
if a file is not treated as it has to be.
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pytest_apex.errors import SourceError  # noqa: E402
from pytest_apex.hierarchy.readers import read  # noqa: E402
from pytest_apex.hierarchy.state import index_state  # noqa: E402

#: Kinds of hierarchies; an index may list logs and pictures as well.
_HIERARCHIES = re.compile(r"(?:android|ios)_(?:xml|other|hitpoint|debugdescription)")


def files(folder: Path) -> Iterator[tuple[Path, bool | None]]:
    """The files of a folder, and whether each has to be read (None: nobody says)."""
    index = folder / "INDEX.csv"
    if not index.exists():
        yield from ((path, None) for path in sorted(folder.rglob("*")) if path.is_file())
        return
    with index.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if _HIERARCHIES.match(row["kind"]):
                yield folder / row["file"], "_other_" not in row["kind"]


def report(path: Path, name: str, wanted: bool | None) -> bool:
    """Print the line of one file; whether it was treated as it has to be."""
    try:
        snapshot = read(path)
    except SourceError as error:
        print(f"{name:48} {'refused':>7}           {error.likely or error.seen}")
        return wanted is not True
    controls = len(index_state(snapshot).nodes)
    notes = "; ".join(snapshot.notes) or "-"
    print(f"{name:48} {len(snapshot):7} {controls:9}  {snapshot.source:26} {notes}")
    return wanted is not False


def main(arguments: list[str]) -> int:
    folder = Path(arguments[0]) if arguments else ROOT / "fixtures" / "captures"
    print(f"{'file':48} {'nodes':>7} {'controls':>9}  {'source':26} notes")
    wrong = [name for path, wanted in files(folder) if not report(path, name := str(path.relative_to(folder)), wanted)]
    for name in wrong:
        print(f"not as it has to be: {name}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
