"""The screen as a short text: useless wrappers folded away, a number for each control that can be acted on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from pytest_apex.hierarchy.around import is_touchable
from pytest_apex.hierarchy.hit import find_hit
from pytest_apex.hierarchy.names import cut, in_words, is_platform_made, plain, short_id
from pytest_apex.hierarchy.visible import Box, clips, visible_boxes
from pytest_apex.model.look import Obscured
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree, Window

#: Longer words are cut here, with a mark.
TEXT_LENGTH = 160

#: Roles that are meant to be acted on, even where the platform does not call them clickable.
_CONTROLS = frozenset(
    {"button", "link", "text_field", "switch", "checkbox", "radio", "slider", "stepper", "picker", "tab", "menu_item"}
)
#: Controls without words that still tell something.
_TELLING = frozenset({"image", "progress", "video", "map", "toast", "alert", "dialog", "sheet"})

#: Lines are not indented further than this many levels: a chain of thousands would be mostly spaces.
_DEEPEST = 20

_TRAITS = (
    ("checked", NodeState.CHECKED),
    ("selected", NodeState.SELECTED),
    ("focused", NodeState.FOCUSED),
    ("required", NodeState.REQUIRED),
    ("invalid", NodeState.INVALID),
    ("password", NodeState.PASSWORD),
    ("scrolls", NodeState.SCROLLABLE),
)


@dataclass(frozen=True, slots=True)
class IndexedState:
    """`text` is what to read; `nodes[n]` is the control with the number n in it."""

    text: str
    nodes: tuple[Node, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class _Page:
    """The text under construction."""

    snapshot: Snapshot
    boxes: list[Box | None]
    lines: list[str] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    #: Ends and depths of the containers that have a line and are still open.
    open: list[int] = field(default_factory=list)
    #: Nodes whose words stand on the line of the control around them.
    told: set[int] = field(default_factory=set)


def index_state(snapshot: Snapshot, heading: str = "") -> IndexedState:
    """The indexed state of a snapshot; `heading` goes under its first line (a manual's summary, say).

    One line a control: number, role, words, id, value, traits, actions. Labels without a touch of their own stand on
    the line of the control around them. A control off the screen, or covered, says so, and what to do. The status bar
    and the keys of a keyboard are left out; the focused control is named last.
    """
    tree = snapshot.tree
    page = _Page(snapshot, visible_boxes(tree, snapshot.screen.bounds))
    page.lines.append(_title(snapshot))
    if heading:
        page.lines.append(heading)
    window = -1
    index = 0
    while index < len(tree):
        if _is_skipped(tree, index):
            index = tree.ends[index]
            continue
        if tree.window_of[index] != window:
            window = tree.window_of[index]
            page.lines.extend(_window_line(snapshot, tree.windows[window]))
        index = _tell(page, index)
    focused = next((node for node in snapshot.nodes if node.has(NodeState.FOCUSED) and node.visible), None)
    if focused is not None:
        number = f"[{page.nodes.index(focused)}] " if focused in page.nodes else ""
        page.lines.append(f"focused: {number}{in_words(focused)}")
    return IndexedState("\n".join(page.lines), tuple(page.nodes))


def _title(snapshot: Snapshot) -> str:
    app, screen = snapshot.app, snapshot.screen
    named = f"{app.id} ({app.label})" if app.label else (app.id or "no app in front")
    return f"{named}, {screen.orientation.replace('_', ' ')}, {screen.size}"


def _window_line(snapshot: Snapshot, window: Window) -> Iterator[str]:
    if window.kind != "application" or window.app != snapshot.app.id:
        title = f" {cut(window.title, TEXT_LENGTH)!r}" if window.title else ""
        yield f"-- {window.kind.replace('_', ' ')}{title} of {window.app or 'an unknown app'} --"


def _is_skipped(tree: Tree, index: int) -> bool:
    return tree.roles[index] == "status_bar" or tree.windows[tree.window_of[index]].kind == "status_bar"


def _tell(page: _Page, index: int) -> int:
    """Write the line of a node, if it gets one; the index to go on with."""
    tree = page.snapshot.tree
    while page.open and tree.ends[page.open[-1]] <= index:
        page.open.pop()
    indent = "  " * min(len(page.open), _DEEPEST)
    if tree.roles[index] == "keyboard":
        page.lines.append(f"{indent}keyboard")
        return tree.ends[index]
    node = Node(tree, index)
    unseen = page.boxes[index] is None
    if index in page.told or (not node.visible and not unseen):
        return index + 1
    is_control = is_touchable(tree, index) or node.role in _CONTROLS or node.has(NodeState.SCROLLABLE)
    words = _words(page, node, is_control)
    if not is_control and not words and (unseen or node.role not in _TELLING):
        return index + 1
    if unseen and node.bounds.is_empty:
        return index + 1
    number = f"[{len(page.nodes)}] " if is_control else ""
    if is_control:
        page.nodes.append(node)
    page.lines.append(f"{indent}{number}{node.role}{words}{_facts(page, node, is_control)}")
    page.open.append(index)
    return index + 1


def _words(page: _Page, node: Node, is_control: bool) -> str:
    """The words of a line: the control's own, else those of the labels inside it."""
    own = "" if node.has(NodeState.PASSWORD) or node.has(NodeState.EDITABLE) else node.text
    name = own or node.label or node.hint
    if is_control and not clips(node.tree, node.index):
        labels = list(_labels_inside(page, node))
        if not name:
            name = ", ".join(labels)
    shown = f' "{cut(name, TEXT_LENGTH)}"' if name.strip() else ""
    identifier = "" if is_platform_made(node.identifier) else short_id(node.identifier)
    return shown + (f" #{cut(identifier, TEXT_LENGTH)}" if identifier and (is_control or shown) else "")


def _labels_inside(page: _Page, node: Node) -> Iterator[str]:
    """The words inside a control that no other control owns; each is told once, on this line.

    Words that the control's own do not contain keep a line of their own.
    """
    tree = node.tree
    own = plain(f"{node.text} {node.label}")
    index = node.index + 1
    while index < tree.ends[node.index]:
        inner = Node(tree, index)
        if is_touchable(tree, index) or inner.role in _CONTROLS:
            index = tree.ends[index]
            continue
        words = inner.text or inner.label
        if words.strip() and (inner.visible or page.boxes[index] is None):
            if not own.strip() or plain(words) in own:
                page.told.add(index)
            yield words
        index += 1


def _facts(page: _Page, node: Node, is_control: bool) -> str:
    parts = []
    if node.has(NodeState.PASSWORD):
        parts.append(" filled" if node.text else " empty")
    elif node.has(NodeState.EDITABLE):
        parts.append(f' text="{cut(node.text, TEXT_LENGTH)}"' if node.text else " empty")
    if node.value:
        parts.append(f' value="{cut(node.value, TEXT_LENGTH)}"')
    traits = [name for name, state in _TRAITS if node.has(state)]
    if not node.enabled:
        traits.insert(0, "disabled")
    if is_control or page.boxes[node.index] is None:
        traits.extend(_reach(page.snapshot, node))
    parts.append(f" ({', '.join(traits)})" if traits else "")
    parts.append(f" actions: {', '.join(node.actions)}" if node.actions else "")
    return "".join(parts)


def _reach(snapshot: Snapshot, node: Node) -> Iterator[str]:
    """What keeps a finger from it."""
    hit = find_hit(snapshot, node)
    if not isinstance(hit, Obscured):
        return
    if hit.why == "covered" and hit.by is not None:
        yield f"covered by {in_words(hit.by)}"
    else:
        yield f"{hit.why.replace('_', ' ')}: {hit.how}"
