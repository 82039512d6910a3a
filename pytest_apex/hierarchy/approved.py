"""A tree as a text to be approved: what a person would call the same screen gives the same text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from difflib import SequenceMatcher

from pytest_apex.hierarchy.element_types import NAME_OF
from pytest_apex.hierarchy.escape import quoted
from pytest_apex.hierarchy.match import counted
from pytest_apex.hierarchy.names import is_platform_made, short_id
from pytest_apex.hierarchy.text import ABSENT, DEEPEST, FLAGS
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree

#: Windows that are not the app's, or come and go by themselves.
_LEFT_OUT = frozenset({"status_bar", "keyboard", "toast"})
#: What a control is able to do beside being touched is the platform's business.
_KEPT = tuple(
    (flag, int(state))
    for flag, state in FLAGS
    if state not in (NodeState.FOCUSABLE, NodeState.LONG_CLICKABLE, NodeState.LIVE, NodeState.OPAQUE_TO_TOUCH)
)
_DISABLED = tuple((flag, int(state)) for flag, state in ABSENT if state == NodeState.ENABLED)
_PASSWORD = int(NodeState.PASSWORD)
#: What stands in the line of a masked control, at its end.
MASKED = "masked"
_RESTLESS = "changes by itself"


def approved_text(
    snapshot: Snapshot,
    *,
    changes: Callable[[Node], bool] = lambda _node: False,
    masked: Collection[Node] = (),
    bounds: bool = False,
) -> str:
    """The visible tree without what differs from run to run: process ids, hit points, places (unless `bounds` asks for
    them, in whole units), empty wrappers, system bars, keyboard, toasts.

    Of controls that `changes` by themselves and of `masked` ones only role and id are kept; of masked ones nothing that
    is in them either. What stands in a password field is never written.
    """
    lines = []
    app, window = "", -1
    for index, depth in _kept(snapshot.tree, masked):
        node = Node(snapshot.tree, index)
        if node.window.kind in _LEFT_OUT:
            continue
        if node.window.app != app:
            app = node.window.app
            lines.append(f"Application: {quoted(app)}")
        if node.window.index != window:
            window = node.window.index
            lines.append(f" Window, kind: {quoted(node.window.kind)}")
        hidden = MASKED if node in masked else _RESTLESS if changes(node) else ""
        lines.append(f"{_indent(depth + 2)}{', '.join(_facts(node, hidden, bounds))}")
    return "\n".join(lines) + "\n"


def _kept(tree: Tree, masked: Collection[Node]) -> Iterator[tuple[int, int]]:
    """The nodes that get a line, with their depth among those."""
    shown = set(counted(tree))
    shown.update(
        index
        for index, identifier in enumerate(tree.identifiers)
        if identifier and not is_platform_made(identifier) and tree.states[index] & int(NodeState.VISIBLE)
    )
    hidden = {index for node in masked for index in range(node.index + 1, tree.ends[node.index])}
    ends: list[int] = []
    for index in sorted(shown - hidden):
        while ends and ends[-1] <= index:
            ends.pop()
        yield index, len(ends)
        ends.append(tree.ends[index])


def _facts(node: Node, hidden: str, bounds: bool) -> Iterator[str]:
    tree, index, state = node.tree, node.index, node.tree.states[node.index]
    yield NAME_OF.get(node.role, "Other")
    if bounds:
        box = node.bounds
        yield f"{{{{{box.left:.0f}, {box.top:.0f}}}, {{{box.width:.0f}, {box.height:.0f}}}}}"
    identifier = tree.identifiers[index]
    if identifier and not is_platform_made(identifier):
        yield f"identifier: {quoted(short_id(identifier))}"
    if hidden:
        yield hidden
        return
    text = "" if state & _PASSWORD else tree.texts[index]
    words = (("label", node.label), ("text", text), ("value", node.value), ("placeholder", node.hint))
    yield from (f"{name}: {quoted(word)}" for name, word in words if word)
    if state & _PASSWORD:
        yield "filled" if tree.texts[index] else "empty"
    yield from (flag for flag, bit in _DISABLED if not state & bit)
    yield from (flag for flag, bit in _KEPT if state & bit)


#: What may stand in a line, besides the role it begins with.
_FACT = "|".join(
    [
        r"(?:identifier|label|text|value|placeholder|kind): '(?:[^'\\]|\\.)*'",
        r"\{\{-?\d+, -?\d+\}, \{-?\d+, -?\d+\}\}",
        *(
            re.escape(word)
            for word in (MASKED, _RESTLESS, "filled", "empty", *(flag for flag, _ in (*_DISABLED, *_KEPT)))
        ),
    ]
)
_LINE = re.compile(
    rf"(?:Application: '(?:[^'\\]|\\.)*'| Window|(?:  +(?:\(\d+\) )?(?:Other|{'|'.join(set(NAME_OF.values()))})))"
    rf"(?:, (?:{_FACT}))*"
)


def first_flaw(approved: str) -> int:
    """The number of the first line that no approved tree has, from 1; 0 if there is none. What was cut off half-way, or
    merged and left with its marks, has one."""
    lines = approved.splitlines()
    return next((number for number, line in enumerate(lines, 1) if not _LINE.fullmatch(line)), 0)


def _indent(depth: int) -> str:
    return " " * depth if depth <= DEEPEST else f"{' ' * DEEPEST}({depth}) "


def differences(approved: str, now: str) -> list[str]:
    """The lines that differ: `- ` approved and missing, `+ ` there and not approved; in the order of the trees,
    indented as far as they differ in it."""
    left, right = approved.splitlines(), now.splitlines()
    same = 0
    while same < min(len(left), len(right)) and left[same] == right[same]:
        same += 1
    tail = 0
    while tail < min(len(left), len(right)) - same and left[-1 - tail] == right[-1 - tail]:
        tail += 1
    matcher = SequenceMatcher(None, left[same : len(left) - tail], right[same : len(right) - tail])
    found: list[tuple[str, str]] = []
    for what, a, b, c, d in matcher.get_opcodes():
        if what != "equal":
            found += [("-", line) for line in _whole(left, same + a, same + b)]
            found += [("+", line) for line in _whole(right, same + c, same + d)]
    margin = min((_depth(line) for _, line in found), default=0)
    return [f"{sign} {line[margin:]}" for sign, line in found]


def _whole(lines: list[str], begin: int, end: int) -> list[str]:
    """Lines that came or went, moved up where the same ones can be told from a less indented one on: a row with what
    is in it, rather than what is in one row and the line of the next."""
    while 0 < begin < end and lines[begin - 1] == lines[end - 1] and _depth(lines[begin - 1]) < _depth(lines[begin]):
        begin, end = begin - 1, end - 1
    return lines[begin:end]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
