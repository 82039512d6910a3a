"""The XML that `dumpWindowHierarchy` gives: attribute by attribute as uiautomator2's server writes it on API 30 and
newer."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Tree
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uiautomator.nodes import Seen, roots

#: The depth that uiautomator2 asks for if not told otherwise.
MAX_DEPTH = 50

#: Deep trees are not indented further.
_MOST_PADS = 60

_S = NodeState
_FLAGS = (
    ("checkable", _S.CHECKABLE),
    ("checked", _S.CHECKED),
    ("clickable", _S.CLICKABLE),
    ("enabled", _S.ENABLED),
    ("focusable", _S.FOCUSABLE),
    ("focused", _S.FOCUSED),
    ("scrollable", _S.SCROLLABLE),
    ("long-clickable", _S.LONG_CLICKABLE),
    ("password", _S.PASSWORD),
    ("selected", _S.SELECTED),
    ("visible-to-user", _S.VISIBLE),
)
#: What XML 1.0 can't say; each becomes a dot.
_UNSAYABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufdd0-\ufddf\ufffe\uffff]")
_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"}
_ESCAPED = re.compile('[&<>"\n\r\t]')
#: Classes that are never called "not accessibility friendly".
_NAF_EXCLUDED = ("GridView", "GridLayout", "ListView", "TableLayout")


def dump(phone: Phone, max_depth: int = MAX_DEPTH, *, active_only: bool = False, locked: bool = False) -> str:
    """The windows as XML, nothing deeper than `max_depth` below a root."""
    windows = roots(phone, active_only=active_only, locked=locked)
    return _written(phone.tree(), tuple(windows), phone.screen().rotation // 90, max_depth)


@per_tree
def _written(_tree: Tree, windows: Sequence[Seen], rotation: int, max_depth: int) -> str:
    """Once a tree: who waits for a screen asks for it again and again."""
    lines = ["<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>", f'<hierarchy rotation="{rotation}">']
    for root in windows:
        lines += _node(root, max_depth)
    if not windows:
        return f'{lines[0]}\r\n<hierarchy rotation="{rotation}" />'
    return "\r\n".join([*lines, "</hierarchy>"])


def _node(root: Seen, max_depth: int) -> list[str]:
    lines: list[str] = []
    waiting: list[tuple[Seen, bool]] = [(root, False)]
    while waiting:
        seen, done = waiting.pop()
        pad = "  " * min(seen.depth + 1, _MOST_PADS)
        if done:
            lines.append(f"{pad}</node>")
            continue
        children = seen.children() if seen.depth < max_depth else []
        lines.append(f"{pad}<node{_attributes(seen, children)}{'' if children else ' /'}>")
        if children:
            waiting.append((seen, True))
            waiting.extend((child, False) for child in reversed(children))
    return lines


def _attributes(seen: Seen, children: Sequence[Seen]) -> str:
    node = seen.node
    left, top, right, bottom = seen.bounds
    told = [
        ("index", str(seen.index)),
        ("text", seen.text),
        ("resource-id", node.identifier),
        ("class", node.class_name),
        ("package", seen.package),
        ("content-desc", node.label),
        *((name, "true" if seen.flag(state) else "false") for name, state in _FLAGS),
        ("bounds", f"[{left},{top}][{right},{bottom}]"),
        ("drawing-order", str(seen.index + 1 if seen.depth else 0)),
        ("hint", node.hint),
        ("display-id", "0"),
    ]
    if _is_unfriendly(seen, children):
        told.insert(0, ("NAF", "true"))
    return "".join(f' {name}="{_escaped(value)}"' for name, value in told)


def _escaped(value: str) -> str:
    return _ESCAPED.sub(lambda found: _ESCAPES[found[0]], _UNSAYABLE.sub(".", value))


def _is_unfriendly(seen: Seen, children: Sequence[Seen]) -> bool:
    """Whether something that can be clicked has no name, nor anything in it."""
    if not (seen.flag(_S.CLICKABLE) and seen.flag(_S.ENABLED)) or seen.text or seen.node.label:
        return False
    if seen.node.class_name.endswith(_NAF_EXCLUDED):
        return False
    return not any(below.text or below.node.label for child in children for below in child.walk())
