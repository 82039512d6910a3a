"""One control of a captured tree, as a light view on the snapshot's flat columns."""

from __future__ import annotations

import enum
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from pytest_apex.model.geometry import Rect

if TYPE_CHECKING:
    from pytest_apex.model.snapshot import Tree, Window

#: The roles every reader translates its platform's classes into.
ROLES = frozenset(
    {
        "application", "window", "dialog", "alert", "sheet", "toolbar", "status_bar", "tab_bar", "tab", "keyboard",
        "key",
        "scroll", "list", "cell", "group", "card", "button", "link", "text", "text_field", "image", "icon", "switch",
        "checkbox", "radio", "slider", "stepper", "picker", "progress", "video", "web", "map", "toast", "menu",
        "menu_item", "other",
    }
)  # fmt: skip


class NodeState(enum.IntFlag):
    """What a control is able to do and how it is. Readers leave out what the platform does not tell."""

    ENABLED = enum.auto()
    VISIBLE = enum.auto()
    CLICKABLE = enum.auto()
    LONG_CLICKABLE = enum.auto()
    CHECKABLE = enum.auto()
    CHECKED = enum.auto()
    SELECTED = enum.auto()
    FOCUSABLE = enum.auto()
    FOCUSED = enum.auto()
    SCROLLABLE = enum.auto()
    EDITABLE = enum.auto()
    PASSWORD = enum.auto()
    REQUIRED = enum.auto()
    INVALID = enum.auto()
    LIVE = enum.auto()  #: declared by the platform to change by itself (live region, video)
    REMOTE = enum.auto()  #: a placeholder for content of another process
    OPAQUE_TO_TOUCH = enum.auto()  #: takes touches although it shows nothing and is not clickable


class Node:
    """A view on one row of a `Tree`; equal when tree and index are the same."""

    __slots__ = ("_tree", "index")

    def __init__(self, tree: Tree, index: int) -> None:
        self._tree = tree
        self.index = index

    @property
    def tree(self) -> Tree:
        return self._tree

    @property
    def role(self) -> str:
        return self._tree.roles[self.index]

    @property
    def class_name(self) -> str:
        """The platform's own class or element type."""
        return self._tree.classes[self.index]

    @property
    def text(self) -> str:
        """The text on the control; for a text field what was typed, never its placeholder."""
        return self._tree.texts[self.index]

    @property
    def label(self) -> str:
        """The accessibility label (content description on Android)."""
        return self._tree.labels[self.index]

    @property
    def identifier(self) -> str:
        """Resource id, accessibility identifier or test id, as the platform gives it."""
        return self._tree.identifiers[self.index]

    @property
    def value(self) -> str:
        """What a slider, picker, switch or progress bar stands at."""
        return self._tree.values[self.index]

    @property
    def hint(self) -> str:
        """The placeholder of an empty text field."""
        return self._tree.hints[self.index]

    @property
    def bounds(self) -> Rect:
        return self._tree.rect(self.index)

    @property
    def states(self) -> NodeState:
        return NodeState(self._tree.states[self.index])

    def has(self, state: NodeState) -> bool:
        return bool(
            self._tree.states[self.index] & int(state)
        )  # between ints: an IntFlag's own `&` takes 20 times as long

    @property
    def enabled(self) -> bool:
        return self.has(NodeState.ENABLED)

    @property
    def visible(self) -> bool:
        """What the platform says; whether a finger can reach it is `hierarchy.hit`'s question."""
        return self.has(NodeState.VISIBLE)

    @property
    def window(self) -> Window:
        return self._tree.windows[self._tree.window_of[self.index]]

    @property
    def actions(self) -> tuple[str, ...]:
        """Names of the secondary actions that the control offers."""
        return self._tree.actions.get(self.index, ())

    @property
    def raw(self) -> Mapping[str, str]:
        """The platform's own attributes, as read."""
        return self._tree.raw(self.index)

    @property
    def parent(self) -> Node | None:
        above = self._tree.parents[self.index]
        return None if above < 0 else Node(self._tree, above)

    @property
    def children(self) -> Iterator[Node]:
        child, end = self.index + 1, self._tree.ends[self.index]
        while child < end:
            yield Node(self._tree, child)
            child = self._tree.ends[child]

    @property
    def descendants(self) -> Iterator[Node]:
        for index in range(self.index + 1, self._tree.ends[self.index]):
            yield Node(self._tree, index)

    @property
    def ancestors(self) -> Iterator[Node]:
        above = self._tree.parents[self.index]
        while above >= 0:
            yield Node(self._tree, above)
            above = self._tree.parents[above]

    def is_inside(self, other: Node) -> bool:
        """Whether `other` is an ancestor or the same node."""
        return self._tree is other._tree and other.index <= self.index < self._tree.ends[other.index]

    @property
    def name(self) -> str:
        """The best word for it: its text, label, placeholder or identifier; the text of a password never, nor an id
        that the platform made up (`_NS:21`)."""
        shown = "" if self.has(NodeState.PASSWORD) else self.text
        identifier = self.identifier
        return shown or self.label or self.hint or ("" if identifier.startswith("_NS:") else identifier)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self._tree is other._tree and self.index == other.index

    def __hash__(self) -> int:
        return hash((id(self._tree), self.index))

    def __repr__(self) -> str:
        return f"<Node {self}>"

    def __str__(self) -> str:
        name = " ".join(self.name.split())
        name = name if len(name) <= 60 else f"{name[:59]}…"
        return f'"{name}" ({self.role} at {self.bounds.center})' if name else f"{self.role} at {self.bounds.center}"
