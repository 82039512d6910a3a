"""How long it takes to load many manuals and find the one for an app.

    python tests/quality/bench_manuals.py                    500 manuals in a folder: under 1 s
    python tests/quality/bench_manuals.py --manuals 100 --controls 60

Every file is read whole and checked, as a run does at its start: a mistake in any of them would be told. A manual has
eight controls, four screens, an interruption, a live region, known behaviour, what can't be undone and a flow. Ends
with 1 when it takes longer than `--limit` seconds of the processor (what else the machine does is not counted; the best
of five), or when a manual is not found.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from pytest_apex.manual.winners import Shelf, shelve
from pytest_apex.manual_files import gather
from pytest_apex.model.manual import Identity, MatchedManual

HEAD = """\
summary: Short texts, newest first. Any password signs in.
match: {{bundleId: com.example.app{number}, displayName: App {number}, version: ">=1.2"}}
screens:
{screens}
controls:
{controls}
interruptions:
  rating: {{appears: Enjoying this app?, tap: Not now}}
live_regions:
  clock: {{id: clock}}
expected:
  cut: {{what: the storage line is cut, reason: known, kind: visual.truncated, until: 2027-01-31}}
irreversible: {{normal: [key:ctrl+enter, control:control 1], critical: ["region:900,0,100,50"]}}
flows:
  write: {{needs: screen 0, steps: [{{type: ada@example.com, into: {{id: email}}}}, {{tap: control 3}}]}}
"""


def write_manuals(folder: Path, count: int, width: int) -> int:
    """`count` manuals with `width` controls each; returns how many bytes they have."""
    screens = "\n".join(f"  screen {at}: {{shows: [{{id: screen_{at}}}, Title {at}]}}" for at in range(4))
    controls = "\n".join(
        f"  control {at}: {{id: control_{at}, label: Control {at}, aliases: [the {at}th]}}" for at in range(width)
    )
    folder.mkdir()
    for number in range(count):
        text = HEAD.format(number=number, screens=screens, controls=controls)
        (folder / f"app_{number}.yaml").write_text(text, "utf-8")
    return sum(path.stat().st_size for path in folder.iterdir())


def load_and_match(root: Path, count: int) -> tuple[Shelf, bool]:
    """The manuals, and whether ten apps get their own."""
    shelf = shelve(gather(root))
    found = (
        shelf.find(Identity(f"com.example.app{number}", version="1.4")) for number in range(0, count, -(-count // 10))
    )
    return shelf, all(isinstance(answer, MatchedManual) for answer in found)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--manuals", type=int, default=500)
    parser.add_argument("--controls", type=int, default=8, help="in each")
    parser.add_argument("--limit", type=float, default=1.0, help="seconds")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        size = write_manuals(Path(scratch) / "manuals", arguments.manuals, arguments.controls)
        print(f"{arguments.manuals} manuals, {size / arguments.manuals:.0f} bytes each")
        took = []
        for _ in range(5):
            began, worked = time.perf_counter(), time.process_time()
            shelf, found = load_and_match(Path(scratch), arguments.manuals)
            took.append(time.process_time() - worked)
            waited = time.perf_counter() - began
            print(f"loaded and matched in {took[-1]:.2f} s of the processor, {waited:.2f} s by the clock")
    if shelf.rejected or not found:
        print(f"WRONG: {len(shelf.rejected)} rejected, found: {found}")
        return 1
    fast = min(took) < arguments.limit
    print(f"best {min(took):.2f} s, {'under' if fast else 'OVER'} the limit of {arguments.limit:g} s")
    return 0 if fast else 1


if __name__ == "__main__":
    sys.exit(main())
