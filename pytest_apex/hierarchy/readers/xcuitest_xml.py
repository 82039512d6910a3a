"""The page source of Appium's XCUITest driver (WebDriverAgent), from iOS, tvOS and watchOS."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pytest_apex.hierarchy.readers import xmlish
from pytest_apex.hierarchy.readers.apple import meaning, platform_of, spoken_titles
from pytest_apex.hierarchy.readers.columns import Columns
from pytest_apex.hierarchy.readers.notes import Notes, note_repeated_ids
from pytest_apex.hierarchy.readers.numbers import edges_of_frames, exact_edges
from pytest_apex.hierarchy.readers.screens import fit, orientation
from pytest_apex.hierarchy.readers.table import Table, Wanted
from pytest_apex.model.geometry import Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Picture, Snapshot, Window

#: The outermost element; older sources and fragments begin with the application, or deeper.
ROOT = "AppiumAUT"
PREFIX = "XCUIElementType"
_APPLICATION = f"{PREFIX}Application"

_WORDS = (
    "type", "name", "label", "value", "placeholderValue", "x", "y", "width", "height", "nativeFrame",
    "bundleId", "processId",
)  # fmt: skip
_FLAGS = ("enabled", "visible", "selected", "focused", "traits")
#: Words of the `traits`, and the states they mean.
_TRAITS = {"Selected": NodeState.SELECTED, "Button": NodeState.CLICKABLE, "Link": NodeState.CLICKABLE}


def read(text: str, picture: Picture | None, notes: Notes) -> Snapshot:
    """The snapshot in a page source; coordinates are points."""
    root = next((name for name in (ROOT, _APPLICATION) if f"<{name}" in text), ROOT)
    table = xmlish.scan(xmlish.last_tree(text, root, notes), Wanted(ROOT, _WORDS, _FLAGS, _states), notes)
    words = table.columns(len(_WORDS), notes)
    columns = _columns(table, words, notes)
    note_repeated_ids(notes, columns.identifiers)
    tops = columns.tops
    if not tops:
        notes.add("the tree is empty")
    told = _size(columns, tops)
    if told.width <= 0:
        notes.add("the size of the screen is unknown: no window has an area")
    size, scale = fit(told, picture, notes, pixels=False)
    owners = list(zip(*words[-2:], strict=True))
    windows = [_window(columns, at, top, *owners[top]) for at, top in enumerate(tops)]
    window_of = [at for at, top in enumerate(tops) for _ in range(columns.ends[top] - top)]
    screen = Screen(size, density=scale, scale=scale, orientation=orientation(size))
    front = windows[0] if windows else Window(0, "")
    return Snapshot(
        "", 0.0, columns.tree(windows, window_of), screen, AppInFront(front.app, front.pid, front.title), picture,
        source="xcuitest xml", notes=notes.lines(), platform=platform_of(size, "focused" in table.names),
    )  # fmt: skip


def _columns(table: Table[int], words: list[list[str]], notes: Notes) -> Columns:
    tags, types, names, labels, values, hints = words[:6]
    classes = [kind or tag for kind, tag in zip(types, tags, strict=True)]
    kinds = [name.removeprefix(PREFIX) for name in classes]
    given = list(map(meaning, kinds, labels, values, hints, table.kinds))
    columns = Columns(
        parents=table.parents,
        ends=table.ends,
        roles=[one.role for one in given],
        classes=classes,
        texts=[one.text for one in given],
        labels=labels,
        identifiers=names,
        values=[one.value for one in given],
        hints=hints,
        states=[one.states for one in given],
        boxes=exact_edges(edges_of_frames(words[6:10], notes), words[10]),
        raw=table.raw,
    )
    for index in spoken_titles(columns.roles, columns.ends, kinds):
        columns.texts[index] = ""
    return columns


def _states(given: Mapping[str, str]) -> int:
    states = NodeState(0)
    for says, state in (
        (given["enabled"] != "false", NodeState.ENABLED),
        (given["visible"] != "false", NodeState.VISIBLE),
        (given["selected"] == "true", NodeState.SELECTED),
        (given["focused"] == "true", NodeState.FOCUSED),
    ):
        states |= state if says else NodeState(0)
    for word in given["traits"].split(","):
        states |= _TRAITS.get(word.strip(), NodeState(0))
    return int(states)


def _size(columns: Columns, tops: Sequence[int]) -> Size:
    """As large as the application, else as its first window."""
    for index in (*tops, *(at for at, role in enumerate(columns.roles) if role == "window")):
        box = columns.rect(index)
        if not box.is_empty:
            return Size(box.right, box.bottom)
    return Size(0, 0)


def _window(columns: Columns, at: int, top: int, bundle: str, pid: str) -> Window:
    """One window per application. XCTest's own windows are layers of it: most lie over all the others and let touches
    through."""
    is_app = columns.roles[top] == "application"
    return Window(
        at,
        bundle,
        title=(columns.labels[top] or columns.identifiers[top]) if is_app else "",
        bounds=columns.rect(top),
        pid=int(pid) if pid.isascii() and pid.isdigit() and len(pid) < 10 else 0,
        focused=at == 0,
    )
