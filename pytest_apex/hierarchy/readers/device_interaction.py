"""The hierarchy that Xcode's device interaction writes, in its long and its short form.

    Device orientation: Unknown
    ------------------------
    Application bundle identifier: com.example.notes
    Application UI orientation: Portrait
    Application, pid: 412, label: 'Notes'
     Window, {{0.0, 0.0}, {402.0, 874.0}}, hitPoint: {201.0, 437.0}
      Button, {{24.0, 700.0}, {342.0, 48.0}}, identifier: 'login', label: 'Log in', hitPoint: {195.0, 724.0}

Several applications on the screen follow each other between rulers.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from pytest_apex.hierarchy.readers.apple_lines import is_long, is_short, logical
from pytest_apex.hierarchy.readers.apple_tree import Section, section, snapshot
from pytest_apex.hierarchy.readers.encoding import printable
from pytest_apex.hierarchy.readers.limits import MAX_NODES
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.model.snapshot import Picture, Snapshot

_DEVICE = "Device orientation:"
_HEAD = re.compile(
    rf"\s*(?:(?P<ruler>-{{5,}})|{_DEVICE}(?P<device>.*)|Application bundle identifier:(?P<bundle>.*)"
    r"|Application UI orientation:(?P<interface>.*))\s*$"
)
_ORIENTATIONS = {
    "portrait": "portrait",
    "portraitupsidedown": "portrait_upside_down",
    "landscapeleft": "landscape_left",
    "landscaperight": "landscape_right",
    "faceup": "face_up",
    "facedown": "face_down",
}
#: An interface in landscape is named for the side to which its content turns, a device for the opposite one
#: (`UIInterfaceOrientation.landscapeLeft` is `UIDeviceOrientation.landscapeRight`).
_DEVICE_OF_INTERFACE = {"landscape_left": "landscape_right", "landscape_right": "landscape_left"}


def read(text: str, picture: Picture | None, notes: Notes) -> Snapshot:
    """The snapshot of all applications in the text."""
    text = printable(text, notes)
    lines = text.split("\n")
    begins = is_long if any(map(is_long, lines)) else is_short
    heads = [at for at, line in enumerate(lines) if line.startswith(_DEVICE)]
    if len(heads) > 1:
        notes.add(f"there are {len(heads)} captures in the file: the last is read")
        lines = lines[heads[-1] :]
    turned, blocks = _blocks(lines, begins)
    sections: list[Section] = []
    room = MAX_NODES
    for bundle, block in blocks:
        made = section(bundle, logical(block, begins), notes, room)
        room -= len(made.lines)
        if made.lines:
            sections.append(made)
    return snapshot(sections, picture, notes, source="xcode device interaction", orientation_name=turned)


def _blocks(lines: list[str], begins: Callable[[str], bool]) -> tuple[str, list[tuple[str, list[str]]]]:
    """The orientation of the device, and each application's id and lines."""
    device = interface = ""
    blocks: list[tuple[str, list[str]]] = [("", [])]
    for line in lines:
        found = _HEAD.match(line) if not begins(line) else None
        if found is None:
            blocks[-1][1].append(line)
        elif found["bundle"] is not None:
            blocks.append((found["bundle"].strip().strip("'"), []))
        elif found["device"] is not None:
            device = _orientation(found["device"])
        elif found["interface"] is not None:
            interface = interface or _orientation(found["interface"])
    return device or _DEVICE_OF_INTERFACE.get(interface, interface), blocks


def _orientation(words: str) -> str:
    return _ORIENTATIONS.get(words.replace(" ", "").strip().lower(), "")
