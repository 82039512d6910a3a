"""XPath over a tree, for those who need it: the tree as XML, made on first use."""

from __future__ import annotations

import re

from lxml import etree

from pytest_apex.errors import ConfigError
from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.hierarchy.names import short_id
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Tree
from pytest_apex.model.target import By

#: What XML 1.0 can't hold; devices do send it in texts.
_UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_FLAGS = tuple(
    (name, int(state))
    for name, state in (
        ("enabled", NodeState.ENABLED),
        ("visible", NodeState.VISIBLE),
        ("clickable", NodeState.CLICKABLE),
        ("checked", NodeState.CHECKED),
        ("selected", NodeState.SELECTED),
        ("focused", NodeState.FOCUSED),
        ("scrollable", NodeState.SCROLLABLE),
    )
)


def find_xpath(tree: Tree, by: By) -> frozenset[int]:
    """The nodes that an expression selects.

    Elements are named by role. Attributes: text, label, id, short-id, class, value, hint, index (place in document
    order), bounds, and the flags enabled, visible, clickable, checked, selected, focused, scrollable as `true` or
    `false`. Raises `ConfigError` for an expression that is wrong or selects something else than elements.
    """
    if not isinstance(by.value, str):
        raise ConfigError(f"an xpath is a text, got {by.value!r}")
    try:
        found = as_xml(tree).xpath(by.value)
    except (etree.XPathError, ValueError) as error:
        raise ConfigError(f"the xpath {by.value!r} is wrong", seen=str(error)) from error
    elements = [item for item in found if isinstance(item, etree._Element)] if isinstance(found, list) else []
    if not isinstance(found, list) or len(elements) < len(found):
        raise ConfigError(
            f"the xpath {by.value!r} does not select controls",
            seen=f"it selects {type(found).__name__ if not isinstance(found, list) else 'texts or attributes'}",
            cure="end it with an element, for instance //button[@text='Save']",
        )
    return frozenset(int(item.get("index", "-1")) for item in elements)


@per_tree
def as_xml(tree: Tree) -> etree._Element:
    """The tree under one element `hierarchy`."""
    top = etree.Element("hierarchy")
    elements: list[etree._Element] = []
    for index, parent in enumerate(tree.parents):
        above = top if parent < 0 else elements[parent]
        elements.append(etree.SubElement(above, tree.roles[index], _attributes(tree, index)))
    return top


def _attributes(tree: Tree, index: int) -> dict[str, str]:
    words = {
        "text": tree.texts[index],
        "label": tree.labels[index],
        "id": tree.identifiers[index],
        "short-id": short_id(tree.identifiers[index]),
        "class": tree.classes[index],
        "value": tree.values[index],
        "hint": tree.hints[index],
    }
    attributes = {name: _UNWRITABLE.sub("\ufffd", word) for name, word in words.items()}
    state = tree.states[index]
    attributes.update((name, "true" if state & bit else "false") for name, bit in _FLAGS)
    attributes["index"] = str(index)
    attributes["bounds"] = str(tree.rect(index))
    return attributes
