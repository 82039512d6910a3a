"""XCUIApplication's `debugDescription`, from logs, consoles and test reports.

Attributes: Application, 0x105a2f7b0, pid: 994, label: 'Notes'
Element subtree:
 →Application, 0x105a2f7b0, pid: 994, label: 'Notes'
    Window (Main), 0x105a2fa90, {{0.0, 0.0}, {390.0, 844.0}}
      Button, 0x105a31650, {{24.0, 700.0}, {342.0, 48.0}}, identifier: 'login', label: 'Log in'
Path to element:
 →Application, 0x105a2f7b0, pid: 994, label: 'Notes'
Query chain:
 →Find: Target Application 'com.example.notes'
"""

from __future__ import annotations

import re

from pytest_apex.hierarchy.readers.apple_lines import is_long, logical
from pytest_apex.hierarchy.readers.apple_tree import section, snapshot
from pytest_apex.hierarchy.readers.encoding import printable
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.model.snapshot import Picture, Snapshot

_BEGIN = re.compile(r"\W*Element subtree:\s*$")
_END = re.compile(r"\s*(?:Path to element|Query chain|Possibly caused by runtime issues|Attributes):")
_TARGET = re.compile(r"→Find: (?:Target )?Application '([\w.-]{1,255})'")


def read(text: str, picture: Picture | None, notes: Notes) -> Snapshot:
    """The last complete tree in the text that holds an element."""
    text = printable(text, notes)
    trees, ends_cleanly = _trees(text.split("\n"))
    is_cut = not ends_cleanly and _is_cut(trees[-1][-1])
    if len(trees) > 1:
        which = "the last complete one" if is_cut else "the last"
        notes.add(f"there are {len(trees)} trees in the file: {which} is read")
    elif is_cut:
        notes.add("the tree is cut: its last line has no end")
    lines = trees[-2] if is_cut and len(trees) > 1 else trees[-1]
    targets = _TARGET.findall(text)
    part = section(targets[-1] if targets else "", logical(lines, is_long, strangers=True), notes)
    return snapshot([part], picture, notes, source="xcuitest debugDescription")


def _trees(lines: list[str]) -> tuple[list[list[str]], bool]:
    """The lines of each tree, and whether the last one is followed by something. A tree begins after its heading;
    without headings, at each line with an arrow."""
    headed = any(_BEGIN.match(line) for line in lines)
    trees: list[list[str]] = []
    current: list[str] | None = None if headed else []
    for line in lines:
        if _END.match(line):
            current = None
        elif _BEGIN.match(line) or (not headed and line.lstrip().startswith("→") and is_long(line)):
            current = [] if headed else [line]
            trees.append(current)
        elif current is not None:
            if not trees:
                trees.append(current)
            current.append(line)
    whole = [tree for tree in trees if any(map(is_long, tree))]
    return whole or [lines], current is None


def _is_cut(line: str) -> bool:
    """Whether the words of a line were opened and not closed, or its frame."""
    return line.count("{") != line.count("}") or (": '" in line and not re.search(r"'(?:, [A-Z].*)?\s*$", line))
