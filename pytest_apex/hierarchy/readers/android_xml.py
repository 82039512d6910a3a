"""Android: what uiautomator dumps (through adb or uiautomator2), and the page source of Appium's UiAutomator2 driver.

Both describe the same nodes. uiautomator calls each of them `node` and writes what is missing as an empty attribute;
Appium names the element by its class and leaves the attribute out; old dumps lack `resource-id`; whether a control is
visible is called `visible-to-user` or `displayed`. Here they all become the same columns.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from pytest_apex.hierarchy.readers import android_displays, xmlish
from pytest_apex.hierarchy.readers.android_roles import GENERIC, LIVE_NAMES, role_of, simple_name
from pytest_apex.hierarchy.readers.android_windows import Told, lay_out
from pytest_apex.hierarchy.readers.columns import Columns
from pytest_apex.hierarchy.readers.notes import Notes, note_repeated_ids
from pytest_apex.hierarchy.readers.numbers import edges_of_bounds
from pytest_apex.hierarchy.readers.table import Table, Wanted
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Picture, Snapshot

ROOT = "hierarchy"

_WORDS = (
    "class", "text", "resource-id", "content-desc", "package", "hint", "bounds", "showing-hint", "pane-title",
    "title", "layer", "type", "id", "rotation",
)  # fmt: skip
#: Flags that set one state each, where they say `true`.
_FLAGS = (
    ("clickable", NodeState.CLICKABLE),
    ("long-clickable", NodeState.LONG_CLICKABLE),
    ("checkable", NodeState.CHECKABLE),
    ("checked", NodeState.CHECKED),
    ("selected", NodeState.SELECTED),
    ("focusable", NodeState.FOCUSABLE),
    ("focused", NodeState.FOCUSED),
    ("scrollable", NodeState.SCROLLABLE),
    ("password", NodeState.PASSWORD),
    ("editable", NodeState.EDITABLE),
    ("content-invalid", NodeState.INVALID),
)
#: Flags that take a state away, where they say `false`: their absence says nothing.
_DENIALS = (("enabled", NodeState.ENABLED), ("visible-to-user", NodeState.VISIBLE), ("displayed", NodeState.VISIBLE))
#: What role and states are made of.
_FLAGS_OF_KIND = (
    "class",
    "live-region",
    "is-collection",
    "is-collection-item",
    *(name for name, _ in (*_FLAGS, *_DENIALS)),
)

_NUMERIC = re.compile(r"\s*-?\d+(?:[.,]\d+)?\s*%?\s*")
_CLICKABLE = int(NodeState.CLICKABLE)
#: The part of a resource id before `:id/`; a last resort where a dump does not name packages.
_OWNER = re.compile(r"([\w.]+):id/")

_Kind: TypeAlias = tuple[str, int]


class _Words(NamedTuple):
    """The tags and the attributes of `_WORDS`, a column each."""

    tags: list[str]
    classes: list[str]
    texts: list[str]
    ids: list[str]
    labels: list[str]
    packages: list[str]
    hints: list[str]
    bounds: list[str]
    showing: list[str]
    panes: list[str]
    titles: list[str]
    layers: list[str]
    types: list[str]
    numbers: list[str]
    rotations: list[str]


def read(text: str, picture: Picture | None, notes: Notes) -> Snapshot:
    """The snapshot in an Android dump; `text` holds at least something like one."""
    root = android_displays.ROOT if f"<{android_displays.ROOT}" in text else ROOT
    table = xmlish.scan(xmlish.last_tree(text, root, notes), Wanted(root, _WORDS, _FLAGS_OF_KIND, _kind), notes)
    words = _Words(*table.columns(len(_WORDS), notes))
    if root == android_displays.ROOT:
        words = words._replace(bounds=android_displays.filled(words.tags, words.bounds))
    columns = _columns(table, words, notes)
    packages: Sequence[str] = words.packages
    if packages and not any(packages):
        packages = _owners(words.ids, notes)
    if root == android_displays.ROOT:
        around = android_displays.Around(words.tags, *words[-5:])
        lifted = android_displays.lift(columns, around, packages, notes)
        facts = {"rotation": lifted.rotation}
        return lay_out(lifted.columns, lifted.told, facts, picture, notes, layered=lifted.layered)
    told = [Told(next(filter(None, packages[top : columns.ends[top]]), ""), words.panes[top]) for top in columns.tops]
    return lay_out(columns, told, table.container, picture, notes)


def _columns(table: Table[_Kind], words: _Words, notes: Notes) -> Columns:
    classes = words.classes
    if "" in classes:
        classes = [name or ("" if tag == "node" else tag) for name, tag in zip(classes, words.tags, strict=True)]
    columns = Columns(
        parents=table.parents,
        ends=table.ends,
        roles=[role for role, _ in table.kinds],
        classes=classes,
        texts=words.texts,
        labels=words.labels,
        identifiers=words.ids,
        values=[""] * len(classes),
        hints=words.hints,
        states=[states for _, states in table.kinds],
        boxes=edges_of_bounds(words.bounds, notes),
        raw=table.raw,
    )
    _refine(columns)
    if any(words.hints):
        _empty_fields(columns, words.showing)
    note_repeated_ids(notes, words.ids)
    return columns


def _kind(given: Mapping[str, str]) -> _Kind:
    """Role and states."""
    class_name = given["class"] or ("" if given["tag"] == "node" else given["tag"])
    role = role_of(class_name)
    states = NodeState.ENABLED | NodeState.VISIBLE
    for name, state in _FLAGS:
        if given[name] == "true":
            states |= state
    for name, state in _DENIALS:
        if given[name] == "false":
            states &= ~state
    if given["live-region"] in ("1", "2") or role == "video" or simple_name(class_name) in LIVE_NAMES:
        states |= NodeState.LIVE
    if role == "text_field":
        states |= NodeState.EDITABLE
    elif states & NodeState.EDITABLE:
        role = "text_field"
    if role in GENERIC:
        role = _generic(given, states) or role
    elif role == "text" and states & NodeState.CHECKABLE:  # CheckedTextView, a row with a mark
        role = "checkbox"
    return role, int(states)


def _generic(given: Mapping[str, str], states: NodeState) -> str:
    """What a View or a layout is, by what it can do: Compose and React Native say no more than that."""
    if states & NodeState.CHECKABLE:
        return "checkbox"
    if given["is-collection"] == "true":
        return "list"
    if states & NodeState.SCROLLABLE:
        return "scroll"
    if given["is-collection-item"] == "true":
        return "cell"
    return ""


def _refine(columns: Columns) -> None:
    """Roles and values that depend on words or on the control around."""
    roles, parents = columns.roles, columns.parents
    for index, role in enumerate(roles):
        if role in GENERIC:
            around = roles[parents[index]] if parents[index] >= 0 else ""
            if around == "list":
                roles[index] = "cell"
            elif columns.states[index] & _CLICKABLE:
                if around == "tab_bar":
                    roles[index] = "tab"
                elif columns.texts[index] or columns.labels[index]:
                    roles[index] = "button"
        elif role in ("slider", "progress"):
            _take_value(columns, index)


def _take_value(columns: Columns, index: int) -> None:
    """Where a slider or progress bar stands is given as its text, or as its description (Flutter)."""
    text, label = columns.texts[index], columns.labels[index]
    if _NUMERIC.fullmatch(text):
        columns.values[index], columns.texts[index] = text.strip(), ""
    elif _NUMERIC.fullmatch(label):
        columns.values[index] = label.strip()


def _empty_fields(columns: Columns, showing: Sequence[str]) -> None:
    """An empty text field tells its placeholder as its text; here it has none."""
    for index, hint in enumerate(columns.hints):
        if hint and columns.texts[index] == hint and columns.roles[index] == "text_field" and showing[index] != "false":
            columns.texts[index] = ""


def _owners(identifiers: Sequence[str], notes: Notes) -> list[str]:
    """The packages that the resource ids name, for a dump that does not say it otherwise."""
    found = [match[1] if (match := _OWNER.match(identifier)) else "" for identifier in identifiers]
    own = [name for name in found if name not in ("", "android")]
    if own:
        notes.add("the dump does not name packages: taken from the resource ids")
    return found
