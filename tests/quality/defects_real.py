"""What the rules find on captures of real devices: tree and picture of one moment.

    python tests/quality/defects_real.py                  # fixtures/captures, against tests/quality/defects_real.md
    python tests/quality/defects_real.py --corpus DIR     # and DIR/**/NAME.xml with a NAME.png beside it
    python tests/quality/defects_real.py --write          # store what is found; what was judged stays judged

Each finding was judged once by a person who looked at the picture: right, wrong, or why it does not matter. The exit
code is 1 for a finding that nobody has judged, for one that was judged wrong and is still found, and for one that is
gone. Findings on captures that are not at hand are left as they are stored.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pytest_apex import Snapshot, find_defects  # noqa: E402

STORED = Path(__file__).with_name("defects_real.md")
CAPTURES = ROOT / "fixtures" / "captures"
#: Files of hierarchies do not tell the density. Those of the devices in the corpus, by the width of their pictures.
DENSITIES = {1080: 2.625, 1280: 3.0, 1920: 2.0}
_HEAD = """# Findings on real captures

Written by `python tests/quality/defects_real.py --corpus DIR --write`, judged by eye. Accessibility warnings are listed
with the others. Captures without a line have no finding.

| capture | rule | severity | finding | judged |
|---|---|---|---|---|
"""


@dataclass(frozen=True)
class Line:
    """One finding on one capture."""

    capture: str
    rule: str
    severity: str
    reason: str
    judged: str = "?"

    @property
    def key(self) -> tuple[str, str, str]:
        return self.capture, self.rule, self.reason

    def row(self) -> str:
        return f"| {self.capture} | {self.rule} | {self.severity} | {self.reason} | {self.judged} |"


def pairs(corpus: Path | None) -> Iterator[tuple[str, Path, Path]]:
    """Name, tree and picture of each capture that has both."""
    seen = set()
    for picture in sorted(CAPTURES.glob("*/screen.png")):
        seen.add(picture.parent.name)
        yield picture.parent.name, picture.with_name("tree.xml"), picture
    for picture in sorted(corpus.rglob("*.png")) if corpus is not None else ():
        tree = picture.with_suffix(".xml")
        if tree.is_file() and picture.stem not in seen:
            yield picture.stem, tree, picture


def findings(name: str, tree: Path, picture: Path) -> Iterator[Line]:
    look = Snapshot.from_source(tree, picture)
    density = DENSITIES.get(int(look.screen.size.width), 1.0)
    look = replace(look, screen=replace(look.screen, density=density))
    for finding in find_defects(look, accessibility=True):
        reason = " ".join(finding.reason.split()).replace("|", "\\|")
        yield Line(name, finding.rule, finding.severity, reason)


def stored() -> dict[tuple[str, str, str], Line]:
    lines = {}
    for row in STORED.read_text("utf-8").splitlines() if STORED.is_file() else ():
        cells = [cell.strip() for cell in row.replace("\\|", "\0").split("|")]
        if len(cells) == 7 and cells[1] != "capture" and not cells[1].startswith("-"):
            line = Line(*(cell.replace("\0", "\\|") for cell in cells[1:6]))
            lines[line.key] = line
    return lines


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", type=Path)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args(arguments)
    known, found, looked_at = stored(), {}, set()
    for name, tree, picture in pairs(asked.corpus):
        looked_at.add(name)
        for line in findings(name, tree, picture):
            found[line.key] = replace(line, judged=known[line.key].judged if line.key in known else "?")
    kept = {key: line for key, line in known.items() if line.capture not in looked_at}
    new = [line for line in found.values() if line.judged == "?"]
    wrong = [line for line in found.values() if line.judged.startswith("wrong")]
    gone = [line for key, line in known.items() if line.capture in looked_at and key not in found]
    for what, lines in (("not judged", new), ("judged wrong, and still found", wrong), ("gone", gone)):
        for line in lines:
            print(f"{what}: {line.row()}")
    visual = sum(line.severity == "fail" for line in found.values())
    print(f"{len(looked_at)} captures, {len(found)} findings, {visual} of them failures; {len(kept)} on others stored")
    if asked.write:
        rows = sorted((*kept.values(), *found.values()), key=lambda line: line.key)
        STORED.write_text(_HEAD + "".join(f"{line.row()}\n" for line in rows), encoding="utf-8")
        return 0
    return int(bool(new or wrong or gone))


if __name__ == "__main__":
    raise SystemExit(main())
