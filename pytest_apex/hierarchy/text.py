"""The hierarchy as text: one line a node, readable, and complete up to `raw` and the picture.

    Device orientation: Portrait
    Screen: {540.0, 1200.0}, density: 1.5, scale: 1.0, rotation: 0, insets: {0.0, 36.0, 0.0, 0.0}, …
    Snapshot: 's7', platform: 'android', taken at: 12.5, …
    In front: 'com.example.notes', pid: 412, label: 'Notes', activity: 'Main', version: '1.0'
    ------------------------
    Application bundle identifier: com.example.notes
    Application UI orientation: Portrait
    Application, pid: 412, label: 'Notes'
     Window, {{0.0, 0.0}, {540.0, 1200.0}}, kind: 'application', Focused, hitPoint: {270.0, 600.0}
      Button, {{24.0, 700.0}, {342.0, 48.0}}, identifier: 'login', label: 'Log in', Clickable, hitPoint: {195.0, 724.0}

The lines `Application` and `Window` stand for an app and its windows; deeper lines are nodes. Apps follow each other
bottom to top. The nodes of an app that is not in front carry `activationBundleId`.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from itertools import groupby

from pytest_apex.hierarchy.element_types import NAME_OF
from pytest_apex.hierarchy.escape import quoted
from pytest_apex.hierarchy.hit import find_hit, window_hit
from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Hit
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import Snapshot, Tree, Window

RULER = "-" * 24

#: Deeper lines are not indented further, but begin with their depth in brackets.
DEEPEST = 60

#: The states as flags of a line, in the order of writing. Enabled and visible are the rule: their absence is written.
ABSENT = (("Disabled", NodeState.ENABLED), ("Invisible", NodeState.VISIBLE))
FLAGS = (
    ("Focused", NodeState.FOCUSED),
    ("Selected", NodeState.SELECTED),
    ("Checked", NodeState.CHECKED),
    ("Clickable", NodeState.CLICKABLE),
    ("Long Clickable", NodeState.LONG_CLICKABLE),
    ("Checkable", NodeState.CHECKABLE),
    ("Focusable", NodeState.FOCUSABLE),
    ("Scrollable", NodeState.SCROLLABLE),
    ("Editable", NodeState.EDITABLE),
    ("Password", NodeState.PASSWORD),
    ("Required", NodeState.REQUIRED),
    ("Invalid", NodeState.INVALID),
    ("Live", NodeState.LIVE),
    ("Opaque To Touch", NodeState.OPAQUE_TO_TOUCH),
    ("isRemoteLeafPlaceholder", NodeState.REMOTE),
)


def to_text(snapshot: Snapshot) -> str:
    """The text form of a snapshot."""
    lines = [*_head(snapshot)]
    lines.extend(line for part in _sections(snapshot) for line in part)
    return "\n".join(lines) + "\n"


def number(value: float) -> str:
    """A float that reads back equal."""
    return repr(float(value))


def pascal(name: str) -> str:
    """`landscape_left` → `LandscapeLeft`."""
    return "".join(part.capitalize() for part in name.split("_"))


def _head(snapshot: Snapshot) -> Iterator[str]:
    screen, app = snapshot.screen, snapshot.app
    yield f"Device orientation: {pascal(screen.orientation)}"
    yield f"Screen: {_screen(screen)}"
    facts = [
        quoted(snapshot.id),
        f"platform: {quoted(snapshot.platform)}",
        f"taken at: {number(snapshot.taken_at)}",
        f"skew ms: {number(snapshot.skew_ms)}",
        f"source: {quoted(snapshot.source)}",
        *(f"note: {quoted(note)}" for note in snapshot.notes),
    ]
    yield f"Snapshot: {', '.join(facts)}"
    yield (
        f"In front: {quoted(app.id)}, pid: {app.pid}, label: {quoted(app.label)}, "
        f"activity: {quoted(app.activity)}, version: {quoted(app.version)}"
    )


def _screen(screen: Screen) -> str:
    insets = screen.insets
    facts = [
        f"{{{number(screen.size.width)}, {number(screen.size.height)}}}",
        f"density: {number(screen.density)}",
        f"scale: {number(screen.scale)}",
        f"rotation: {screen.rotation}",
        f"insets: {{{', '.join(map(number, (insets.left, insets.top, insets.right, insets.bottom)))}}}",
        f"font scale: {number(screen.font_scale)}",
        f"locale: {quoted(screen.locale)}",
        f"orientation: {quoted(screen.orientation)}",
        *(["Dark"] if screen.dark else []),
        *([] if screen.awake else ["Asleep"]),
    ]
    return ", ".join(facts)


def _sections(snapshot: Snapshot) -> Iterator[Iterator[str]]:
    for (app, pid), windows in groupby(snapshot.windows, key=lambda window: (window.app, window.pid)):
        yield _section(snapshot, app, pid, list(windows))


def _section(snapshot: Snapshot, app: str, pid: int, windows: list[Window]) -> Iterator[str]:
    yield RULER
    yield f"Application bundle identifier: {quoted(app)[1:-1]}"
    yield f"Application UI orientation: {pascal(snapshot.screen.orientation)}"
    label = f", label: {quoted(snapshot.app.label)}" if app == snapshot.app.id and snapshot.app.label else ""
    yield f"Application, pid: {pid}{label}"
    elsewhere = f", activationBundleId: {quoted(app)}" if app != snapshot.app.id else ""
    tree = snapshot.tree
    depths = _depths(tree)
    for window in windows:
        yield f" {_window(snapshot, window)}"
        first, end = (bisect_left(tree.window_of, at) for at in (window.index, window.index + 1))
        for index in range(first, end):
            yield f"{_indent(depths[index] + 2)}{_node(snapshot, Node(tree, index))}{elsewhere}"


@per_tree
def _depths(tree: Tree) -> list[int]:
    depths: list[int] = []
    for parent in tree.parents:
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
    return depths


def _indent(depth: int) -> str:
    return " " * depth if depth <= DEEPEST else f"{' ' * DEEPEST}({depth}) "


def _window(snapshot: Snapshot, window: Window) -> str:
    facts = [f"Window, {_frame(window.bounds)}", f"kind: {quoted(window.kind)}"]
    facts.extend(
        f"{key}: {quoted(text)}" for key, text in (("title", window.title), ("activity", window.activity)) if text
    )
    if window.focused:
        facts.append("Focused")
    point = window_hit(snapshot, window)
    return ", ".join([*facts, *_hit_point(point)])


def _node(snapshot: Snapshot, node: Node) -> str:
    facts = [f"{NAME_OF.get(node.role, 'Other')}, {_frame(node.bounds)}"]
    words = (
        ("role", "" if node.role in NAME_OF else node.role),
        ("identifier", node.identifier),
        ("label", node.label),
        ("text", node.text),
        ("value", node.value),
        ("placeholder", node.hint),
        ("class", node.class_name),
        *(("action", action) for action in node.actions),
    )
    facts.extend(f"{key}: {quoted(text)}" for key, text in words if text)
    states = node.states
    facts.extend(flag for flag, state in ABSENT if not states & state)
    facts.extend(flag for flag, state in FLAGS if states & state)
    hit = find_hit(snapshot, node)
    return ", ".join([*facts, *_hit_point(hit.point if isinstance(hit, Hit) else None)])


def _hit_point(point: Point | None) -> Iterator[str]:
    if point is not None:
        yield f"hitPoint: {{{number(point.x)}, {number(point.y)}}}"


def _frame(box: Rect) -> str:
    """Place and size. Where right or bottom would not come out exactly of these, they are given as well."""
    x, y, width, height = map(number, (box.left, box.top, box.width, box.height))
    frame = f"{{{{{x}, {y}}}, {{{width}, {height}}}}}"
    if (box.left + box.width, box.top + box.height) != (box.right, box.bottom):
        frame += f", corner: {{{number(box.right)}, {number(box.bottom)}}}"
    return frame
