"""The words on controls: comparing them, and naming a control in a report."""

from __future__ import annotations

import re

from pytest_apex.model.node import Node, NodeState

_SPACES = re.compile(r"\s+")

#: A name in a report is cut here.
NAME_LENGTH = 60


def plain(text: str) -> str:
    """Without case and with single spaces: what a person would call the same words."""
    return _SPACES.sub(" ", text).strip().casefold()


def shown_text(node: Node) -> str:
    """What a person reads on it: its text, else its label, else all texts inside it, with spaces between."""
    own = node.text or node.label
    return own or " ".join(inner.text or inner.label for inner in node.descendants if inner.text or inner.label)


def short_id(identifier: str) -> str:
    """The part of an Android resource id after `:id/`; other ids whole."""
    return identifier.rpartition(":id/")[2]


def cut(text: str, length: int) -> str:
    """On one line, and with a mark where it was cut."""
    line = _SPACES.sub(" ", text).strip()
    return line if len(line) <= length else f"{line[: length - 1]}…"


def is_platform_made(identifier: str) -> bool:
    """Ids that AppKit and UIKit invent (`_NS:21`): different in every run, and no name for anything."""
    return identifier.startswith("_NS:")


def in_words(node: Node) -> str:
    """`"Save" (button)`; without a name, its role and place.

    A text field is called by its label, placeholder or id before what was typed into it; a password never is.
    """
    typed = "" if node.has(NodeState.PASSWORD) else node.text
    identifier = "" if is_platform_made(node.identifier) else short_id(node.identifier)
    if node.has(NodeState.EDITABLE):
        words = (node.label, node.hint, identifier, typed)
    else:
        words = (typed, node.label, node.hint, identifier)
    name = next((word for word in words if word.strip()), "")
    return f'"{cut(name, NAME_LENGTH)}" ({node.role})' if name else f"{node.role} at {node.bounds.center}"
