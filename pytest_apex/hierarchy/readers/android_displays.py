"""What `uiautomator dump --windows` writes: displays, their windows in layers, and a tree in each.

<displays><display id="0"><window index="0" title="" bounds="…" focused="true" layer="0" type="TYPE_APPLICATION">
<hierarchy rotation="0"><node …/></hierarchy></window></display></displays>
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from pytest_apex.hierarchy.readers.android_windows import Told
from pytest_apex.hierarchy.readers.columns import Columns
from pytest_apex.hierarchy.readers.notes import Notes
from pytest_apex.model.node import NodeState

ROOT = "displays"
_WRAPPERS = frozenset({"display", "window", "hierarchy"})
_LAYER = re.compile(r"-?[0-9]{1,9}")
_FOCUSED = int(NodeState.FOCUSED)


class Around(NamedTuple):
    """What the elements around the trees tell, a column each: see the example above."""

    tags: Sequence[str]
    titles: Sequence[str]
    layers: Sequence[str]
    types: Sequence[str]
    numbers: Sequence[str]
    rotations: Sequence[str]


class Lifted(NamedTuple):
    """The trees without the elements around them, bottom to top if `layered`."""

    columns: Columns
    told: list[Told]
    rotation: str
    layered: bool


def filled(tags: Sequence[str], bounds: Sequence[str]) -> list[str]:
    """Bounds for the elements around the trees, which mostly have none and don't miss them."""
    return ["[0,0][1,1]" if tag in _WRAPPERS else text for tag, text in zip(tags, bounds, strict=True)]


def lift(columns: Columns, around: Around, packages: Sequence[str], notes: Notes) -> Lifted:
    """The trees of the default display (0, else the first), and what is told of their windows."""
    inside: dict[int, tuple[int, int, int]] = {}  # of each wrapper: the display, window and hierarchy it is, or is in
    tops: list[int] = []
    for index, (tag, parent) in enumerate(zip(around.tags, columns.parents, strict=True)):
        if tag in _WRAPPERS:
            display, window, tree = inside.get(parent, (-1, -1, -1))
            inside[index] = (
                index if tag == "display" else display,
                index if tag == "window" else window,
                index if tag == "hierarchy" else tree,
            )
        elif parent < 0 or parent in inside:
            tops.append(index)
    tops = _of_default_display(columns, around, tops, inside, notes)
    windows = {top: inside.get(columns.parents[top], (-1, -1, -1)) for top in tops}
    layers = {top: around.layers[windows[top][1]] if windows[top][1] >= 0 else "" for top in tops}
    layered = bool(layers) and all(map(_LAYER.fullmatch, layers.values()))
    if layered:
        tops.sort(key=lambda top: int(layers[top]))
    rotations = (around.rotations[windows[top][2]] for top in tops if windows[top][2] >= 0)
    told = [_told(columns, around, packages, top, windows[top][1]) for top in tops]
    return Lifted(columns.reordered(tops), told, next(rotations, ""), layered)


def _of_default_display(
    columns: Columns, around: Around, tops: list[int], inside: dict[int, tuple[int, int, int]], notes: Notes
) -> list[int]:
    display_of = {top: inside.get(columns.parents[top], (-1, -1, -1))[0] for top in tops}
    displays = list(dict.fromkeys(display_of.values()))
    if len(displays) < 2:
        return tops
    chosen = next((at for at in displays if at >= 0 and around.numbers[at] == "0"), displays[0])
    notes.add(f"there are {len(displays)} displays: number {around.numbers[chosen] or '?'} is read")
    return [top for top in tops if display_of[top] == chosen]


def _told(columns: Columns, around: Around, packages: Sequence[str], top: int, window: int) -> Told:
    app = next(filter(None, packages[top : columns.ends[top]]), "")
    if window < 0:
        return Told(app)
    return Told(app, around.titles[window], around.types[window], bool(columns.states[window] & _FOCUSED))
