"""The words on controls: comparing them, and naming a control in a report."""

from __future__ import annotations

from pytest_apex.hierarchy.around import is_touchable
from pytest_apex.model.node import Node, NodeState

#: A name in a report is cut here.
NAME_LENGTH = 60

#: What is called by the words in it, and by how many of them at most.
_ROWS = frozenset({"cell", "card", "menu_item", "button", "tab", "link"})
_MOST_WORDS = 3
#: Words further inside than this many nodes are no name: a nested tree would be looked through again and again.
_FAR = 200
_VISIBLE = int(NodeState.VISIBLE)


def plain(text: str) -> str:
    """Without case and with single spaces: what a person would call the same words."""
    return " ".join(text.split()).casefold()


def shown_text(node: Node) -> str:
    """What a person reads on it: its text, else its label, else all texts inside it, with spaces between."""
    own = node.text or node.label
    return own or " ".join(inner.text or inner.label for inner in node.descendants if inner.text or inner.label)


def short_id(identifier: str) -> str:
    """The part of an Android resource id after `:id/`; other ids whole."""
    return identifier.rpartition(":id/")[2]


def cut(text: str, length: int) -> str:
    """On one line, and with a mark where it was cut."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[: length - 1]}…"


def is_platform_made(identifier: str) -> bool:
    """Ids that AppKit and UIKit invent (`_NS:21`): different in every run, and no name for anything."""
    return identifier.startswith("_NS:")


def shown_id(node: Node) -> str:
    """Its id, as people gave it; nothing for one that the platform made up."""
    return "" if is_platform_made(node.identifier) else node.identifier


def in_words(node: Node) -> str:
    """`"Save" (button)`; without a name, its role and place.

    A text field is called by its label, placeholder or id before what was typed into it; a password never is. A row
    without a name of its own is called by the words in it.
    """
    typed = "" if node.has(NodeState.PASSWORD) else node.text
    identifier = short_id(shown_id(node))
    if node.has(NodeState.EDITABLE):
        words = [node.label, node.hint, identifier, typed]
    else:
        words = [typed, node.label, node.hint, words_inside(node) if node.role in _ROWS else "", identifier]
    name = next((word for word in words if word.strip()), "")
    return f'"{cut(name, NAME_LENGTH)}" ({node.role})' if name else f"{node.role} at {node.bounds.center}"


def words_inside(node: Node) -> str:
    """The texts in a row that are not those of controls in it, as far as a name goes: `Milk, 2 l`."""
    tree = node.tree
    words: list[str] = []
    index, end = node.index + 1, min(tree.ends[node.index], node.index + _FAR)
    while index < end and len(words) < _MOST_WORDS:
        if is_touchable(tree, index) or not tree.states[index] & _VISIBLE:
            index = tree.ends[index]
            continue
        word = tree.texts[index] or tree.labels[index]
        if word.strip() and word not in words:
            words.append(word)
        index += 1
    return ", ".join(words)
