"""From lines that XCTest wrote to a snapshot."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pytest_apex.hierarchy.readers.apple import meaning, platform_of, spoken_titles
from pytest_apex.hierarchy.readers.apple_lines import Line, parse
from pytest_apex.hierarchy.readers.columns import Columns
from pytest_apex.hierarchy.readers.limits import MAX_COORDINATE, MAX_DEPTH, MAX_NODES
from pytest_apex.hierarchy.readers.notes import Notes, note_repeated_ids
from pytest_apex.hierarchy.readers.numbers import NOWHERE, within_reason
from pytest_apex.hierarchy.readers.screens import fit, orientation
from pytest_apex.model.geometry import Rect, Size
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Picture, Snapshot, Window


@dataclass(slots=True)
class Section:
    """The lines of one application, each with the number of its parent line (-1: none)."""

    bundle: str = ""
    lines: list[Line] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)

    @property
    def application(self) -> Line | None:
        return next((line for line in self.lines if line.kind == "Application"), None)


def section(bundle: str, sources: Iterable[str], notes: Notes, room: int = MAX_NODES) -> Section:
    """Read logical lines; what is listed twice at one place is taken once."""
    made = Section(bundle)
    above: list[int] = []
    for source in sources:
        line = parse(source)
        if line is None:
            notes.count("lines that are no element: {}, ignored")
            continue
        if len(made.lines) >= room:
            notes.add(f"the tree has {MAX_NODES} nodes or more: the rest was left out")
            break
        while above and made.lines[above[-1]].indent >= line.indent:
            above.pop()
        if len(above) >= MAX_DEPTH:
            notes.count(f"nodes deeper than {MAX_DEPTH} levels: {{}}, left out")
            continue
        made.parents.append(above[-1] if above else -1)
        above.append(len(made.lines))
        made.lines.append(line)
    return _once(made, notes)


def _once(made: Section, notes: Notes) -> Section:
    """Without elements that are listed again beside themselves, word for word and with all that is in them.

    XCTest does so with scroll bars and some buttons. Elements without words are left alone: equal wrappers are usual.
    """
    whole = [hash(line.source.strip()) for line in made.lines]
    ends = [index + 1 for index in range(len(whole))]
    for index in range(len(whole) - 1, -1, -1):
        parent = made.parents[index]
        if parent >= 0:
            ends[parent] = max(ends[parent], ends[index])
            whole[parent] = hash((whole[parent], whole[index]))
    seen: set[tuple[int, int]] = set()
    kept: list[int] = []
    index = 0
    while index < len(whole):
        key = (made.parents[index], whole[index])
        if made.lines[index].words and key in seen:
            notes.count("elements listed twice: {}, taken once")
            index = ends[index]
            continue
        seen.add(key)
        kept.append(index)
        index += 1
    if len(kept) == len(whole):
        return made
    places = {old: new for new, old in enumerate(kept)}
    return Section(made.bundle, [made.lines[old] for old in kept], [places.get(made.parents[old], -1) for old in kept])


def snapshot(
    sections: Sequence[Section], picture: Picture | None, notes: Notes, *, source: str, orientation_name: str = ""
) -> Snapshot:
    """The snapshot of the applications on the screen, in the order given; each is one window."""
    lines = [line for part in sections for line in part.lines]
    told = _size(lines)
    if told.width <= 0:
        notes.add("the size of the screen is unknown: no window has an area")
    columns = _columns(sections, lines, told, notes)
    note_repeated_ids(notes, columns.identifiers)
    size, scale = fit(told, picture, notes, pixels=False)
    front = _in_front(sections)
    bounds = Rect(0, 0, size.width, size.height)
    windows = [_window(at, part, bounds, at == front) for at, part in enumerate(sections)]
    window_of = [at for at, part in enumerate(sections) for _ in part.lines]
    app = windows[front] if windows else Window(0, "")
    return Snapshot(
        id="",
        taken_at=0.0,
        tree=columns.tree(windows, window_of),
        screen=Screen(size, density=scale, scale=scale, orientation=orientation_name or orientation(size)),
        app=AppInFront(app.app, app.pid, app.title),
        picture=picture,
        source=source,
        notes=notes.lines(),
        platform=platform_of(size),
    )


def _columns(sections: Sequence[Section], lines: Sequence[Line], screen: Size, notes: Notes) -> Columns:
    parents: list[int] = []
    for part in sections:
        first = len(parents)
        parents.extend(parent + first if parent >= 0 else -1 for parent in part.parents)
    ends = list(range(1, len(lines) + 1))
    for index in range(len(lines) - 1, -1, -1):
        if parents[index] >= 0:
            ends[parents[index]] = max(ends[parents[index]], ends[index])
    flat = array("d")
    for line in lines:
        # An application's line has no frame: it fills the screen.
        filling = (0.0, 0.0, screen.width, screen.height) if line.kind == "Application" else NOWHERE
        x, y, width, height = line.frame or filling
        flat.extend((x, y, x + width, y + height))
    words = [line.words for line in lines]
    hints = [given.get("placeholder", "") for given in words]
    labels = [given.get("label", "") or given.get("title", "") for given in words]
    values = [given.get("value", "") for given in words]
    kinds = [line.kind for line in lines]
    given = list(map(meaning, kinds, labels, values, hints, (line.states for line in lines)))
    columns = Columns(
        parents=parents, ends=ends, roles=[one.role for one in given], classes=kinds, texts=[one.text for one in given],
        labels=labels, identifiers=[one.get("identifier", "") for one in words], values=[one.value for one in given],
        hints=hints, states=[one.states for one in given], boxes=within_reason(flat, notes),
        raw=lambda index: lines[index].raw(),
    )  # fmt: skip
    for index in spoken_titles(columns.roles, ends, kinds):
        columns.texts[index] = ""
    return columns


def _size(lines: Sequence[Line]) -> Size:
    """The size of the first window, else of the first element at the origin."""
    for kinds in (("Window", "Application"), ()):
        for line in lines:
            if line.frame is not None and (line.kind in kinds or not kinds):
                x, y, width, height = line.frame
                if x <= 0 and y <= 0 and 0 < width < MAX_COORDINATE and 0 < height < MAX_COORDINATE:
                    return Size(x + width, y + height)
    return Size(0, 0)


def _window(at: int, part: Section, bounds: Rect, in_front: bool) -> Window:
    line = part.application
    pid, label = (line.pid, line.words.get("label", "")) if line is not None else (0, "")
    return Window(at, part.bundle, title=label.strip(), bounds=bounds, pid=pid, focused=in_front)


def _in_front(sections: Sequence[Section]) -> int:
    """The first application that need not be activated: the elements of one that does name it."""
    for at, part in enumerate(sections):
        if not any(line.bundle and line.bundle == part.bundle for line in part.lines):
            return at
    return 0
