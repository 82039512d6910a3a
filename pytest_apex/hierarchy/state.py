"""The screen as a short text: useless wrappers folded away, a number for each control that can be acted on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from pytest_apex.hierarchy.around import is_touchable
from pytest_apex.hierarchy.covers import Covers, covers_of
from pytest_apex.hierarchy.hit import hit_among
from pytest_apex.hierarchy.names import cut, in_words, is_platform_made, plain, short_id
from pytest_apex.hierarchy.silent import advice
from pytest_apex.hierarchy.visible import Box, clips
from pytest_apex.model.look import Hit, Obscured
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

#: What may be there only to hold something, and how many nodes of it are looked at.
_WRAPPERS, _FAR = frozenset({"other", "group"}), 200

#: Lines are not indented further than this many levels: a chain of thousands would be mostly spaces.
_DEEPEST = 20

_VISIBLE, _ENABLED = int(NodeState.VISIBLE), int(NodeState.ENABLED)
_EDITABLE, _PASSWORD = int(NodeState.EDITABLE), int(NodeState.PASSWORD)
_SCROLLABLE, _FOCUSED = int(NodeState.SCROLLABLE), int(NodeState.FOCUSED)
_TRAITS = (
    ("checked", int(NodeState.CHECKED)),
    ("selected", int(NodeState.SELECTED)),
    ("focused", int(NodeState.FOCUSED)),
    ("required", int(NodeState.REQUIRED)),
    ("invalid", int(NodeState.INVALID)),
    ("password", int(NodeState.PASSWORD)),
    ("scrolls", int(NodeState.SCROLLABLE)),
)
_ANY_TRAIT = sum(bit for _, bit in _TRAITS)


@dataclass(frozen=True, slots=True)
class IndexedState:
    """`text` is what to read; `nodes[n]` is the control with the number n in it, and `hits[n]` where a finger reaches
    it."""

    text: str
    nodes: tuple[Node, ...]
    hits: tuple[Hit | Obscured, ...]

    def __str__(self) -> str:
        return self.text


@dataclass(slots=True)
class _Page:
    """The text under construction."""

    snapshot: Snapshot
    covers: Covers
    boxes: Sequence[Box | None]
    lines: list[str] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    hits: list[Hit | Obscured] = field(default_factory=list)
    #: All nodes that have a line.
    shown: list[int] = field(default_factory=list)
    #: Ends and depths of the containers that have a line and are still open.
    open: list[int] = field(default_factory=list)
    #: Nodes whose words stand on the line of the control around them.
    told: set[int] = field(default_factory=set)


def index_state(snapshot: Snapshot, heading: str = "") -> IndexedState:
    """The indexed state of a snapshot; `heading` goes under its first line (a manual's summary, say).

    One line a control: number, role, words, id, value, traits, actions. Labels without a touch of their own stand on
    the line of the control around them. A control off the screen, or covered, says so, and what to do. The status bar
    and the keys of a keyboard are left out; the focused control is named last. A tree that says next to nothing gets a
    note on what to switch on (see `silent`).
    """
    tree = snapshot.tree
    covers = covers_of(tree, snapshot.screen.bounds)
    page = _Page(snapshot, covers, covers.parts)
    page.lines.append(_title(snapshot))
    if heading:
        page.lines.append(heading)
    begin = len(page.lines)
    bars = {at for at, window in enumerate(tree.windows) if window.kind == "status_bar"}
    window, index, count = -1, 0, len(tree)
    while index < count:
        if tree.roles[index] == "status_bar" or tree.window_of[index] in bars:
            index = tree.ends[index]
            continue
        if tree.window_of[index] != window:
            window = tree.window_of[index]
            page.lines.extend(_window_line(snapshot, tree.windows[window]))
        index = _tell(page, index)
    note = advice(snapshot, page.shown)
    if note:
        page.lines.insert(begin, note)
    focused = next((at for at, state in enumerate(tree.states) if state & _FOCUSED and state & _VISIBLE), -1)
    if focused >= 0:
        number = next((f"[{at}] " for at, node in enumerate(page.nodes) if node.index == focused), "")
        page.lines.append(f"focused: {number}{in_words(Node(tree, focused))}")
    return IndexedState("\n".join(page.lines), tuple(page.nodes), tuple(page.hits))


def _title(snapshot: Snapshot) -> str:
    app, screen = snapshot.app, snapshot.screen
    named = f"{app.id} ({app.label})" if app.id and app.label else (app.id or app.label or "no app in front")
    return f"{named}, {screen.orientation.replace('_', ' ')}, {screen.size}"


def _window_line(snapshot: Snapshot, window: Window) -> Iterator[str]:
    if window.kind != "application" or window.app != snapshot.app.id:
        title = f" {cut(window.title, TEXT_LENGTH)!r}" if window.title else ""
        yield f"-- {window.kind.replace('_', ' ')}{title} of {window.app or 'an unknown app'} --"


def _tell(page: _Page, index: int) -> int:
    """Write the line of a node, if it gets one; the index to go on with."""
    tree = page.snapshot.tree
    while page.open and tree.ends[page.open[-1]] <= index:
        page.open.pop()
    role, state = tree.roles[index], tree.states[index]
    if role == "keyboard":
        page.lines.append(f"{'  ' * min(len(page.open), _DEEPEST)}keyboard")
        return tree.ends[index]
    unseen = page.boxes[index] is None
    if index in page.told or not (state & _VISIBLE or unseen) or (unseen and tree.rect(index).is_empty):
        return index + 1
    is_control = _is_control(tree, index) or bool(state & _SCROLLABLE)
    words = _words(page, index, is_control)
    if not is_control and not words and (unseen or role not in _TELLING):
        return index + 1
    if not is_control and role in _WRAPPERS and _says_what_is_inside(tree, index):
        return index + 1
    node, number = Node(tree, index), ""
    if is_control:
        number = f"[{len(page.nodes)}] "
        page.nodes.append(node)
    indent = "  " * min(len(page.open), _DEEPEST)
    page.lines.append(f"{indent}{number}{role}{words}{_facts(page, node, is_control)}")
    page.open.append(index)
    page.shown.append(index)
    return index + 1


def _says_what_is_inside(tree: Tree, index: int) -> bool:
    """Whether a wrapper is called by the words in it, one after the other, and by nothing else: React Native does so on
    iOS, wrapper around wrapper. An id of its own makes it tell something."""
    words = plain(tree.texts[index] or tree.labels[index])
    if not words or (tree.identifiers[index] and plain(tree.identifiers[index]) != words):
        return False
    inside: list[str] = []
    inner, end = index + 1, min(tree.ends[index], index + _FAR)
    while inner < end and len(inside) <= len(words):
        named = tree.texts[inner] or tree.labels[inner] if tree.states[inner] & _VISIBLE else ""
        if named.strip():
            inside.append(named)
        inner = tree.ends[inner] if named.strip() else inner + 1
    return plain(" ".join(inside)) == words


def _is_control(tree: Tree, index: int) -> bool:
    return is_touchable(tree, index) or tree.roles[index] in _CONTROLS


def _words(page: _Page, index: int, is_control: bool) -> str:
    """The words of a line: the control's own, else those of the labels inside it."""
    tree = page.snapshot.tree
    own = "" if tree.states[index] & (_PASSWORD | _EDITABLE) else tree.texts[index]
    name = own or tree.labels[index] or tree.hints[index]
    if is_control and tree.ends[index] > index + 1 and not clips(tree, index):
        labels = _labels_inside(page, index)
        name = name or ", ".join(labels)
    shown = f' "{cut(name, TEXT_LENGTH)}"' if name.strip() else ""
    identifier = tree.identifiers[index]
    if not identifier or not (is_control or shown) or is_platform_made(identifier):
        return shown
    return f"{shown} #{cut(short_id(identifier), TEXT_LENGTH)}"


def _labels_inside(page: _Page, index: int) -> list[str]:
    """The words inside a control that no other control owns; each is told once, on this line.

    Words that the control's own do not contain keep a line of their own.
    """
    tree, found = page.snapshot.tree, []
    own = plain(f"{tree.texts[index]} {tree.labels[index]}")
    inner, end = index + 1, tree.ends[index]
    while inner < end:
        if _is_control(tree, inner):
            inner = tree.ends[inner]
            continue
        words = tree.texts[inner] or tree.labels[inner]
        if words and (tree.states[inner] & _VISIBLE or page.boxes[inner] is None) and words.strip():
            if not own or plain(words) in own:
                page.told.add(inner)
            found.append(words)
        inner += 1
    return found


def _facts(page: _Page, node: Node, is_control: bool) -> str:
    tree, index, state = node.tree, node.index, node.tree.states[node.index]
    parts = []
    if state & _PASSWORD:
        parts.append(" filled" if tree.texts[index] else " empty")
    elif state & _EDITABLE:
        parts.append(f' text="{cut(tree.texts[index], TEXT_LENGTH)}"' if tree.texts[index] else " empty")
    if tree.values[index]:
        parts.append(f' value="{cut(tree.values[index], TEXT_LENGTH)}"')
    traits = [] if state & _ENABLED else ["disabled"]
    if state & _ANY_TRAIT:
        traits += [name for name, bit in _TRAITS if state & bit]
    if is_control or page.boxes[index] is None:
        hit = hit_among(page.covers, page.snapshot.screen, node)
        if is_control:
            page.hits.append(hit)
        if isinstance(hit, Obscured):
            traits.append(_reach(hit))
    if traits:
        parts.append(f" ({', '.join(traits)})")
    if index in tree.actions:
        parts.append(f" actions: {', '.join(tree.actions[index])}")
    return "".join(parts)


def _reach(hit: Obscured) -> str:
    """What keeps a finger from it."""
    if hit.why == "covered" and hit.by is not None:
        return f"covered by {in_words(hit.by)}"
    return f"{hit.why.replace('_', ' ')}: {hit.how}"
