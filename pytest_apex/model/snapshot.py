"""Tree and picture of one moment.

A tree is kept as flat columns in document order (parent, end of subtree, …): nothing about it recurses, so that a
chain of
10,000 nodes, which devices do send, is an everyday input.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from pytest_apex.model.geometry import EMPTY, Rect, Size
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.screen import Screen

#: Kinds of windows, bottom to top of their usual layers.
WINDOW_KINDS = ("launcher", "application", "dialog", "keyboard", "toast", "system", "status_bar")
#: Title of the system's window while it is the lock screen.
LOCK_SCREEN = "lock screen"


@dataclass(frozen=True, slots=True)
class Window:
    """A window on screen. Windows are listed bottom to top, and their trees follow each other in that order."""

    index: int
    app: str
    kind: str = "application"
    title: str = ""
    bounds: Rect = EMPTY
    pid: int = 0
    focused: bool = False
    activity: str = ""


@dataclass(frozen=True, slots=True)
class AppInFront:
    """The application that owns the focused window."""

    id: str
    pid: int = 0
    label: str = ""
    activity: str = ""
    version: str = ""


class Picture(Protocol):
    """A picture of the screen, decoded or encoded only when someone asks (see `pytest_apex.vision.image`)."""

    @property
    def size(self) -> Size:
        """Width and height in pixels."""

    @property
    def key(self) -> str:
        """Equal keys mean equal pixels; unequal keys may still be equal pixels."""

    def png(self) -> bytes:
        """The picture as PNG, as the device gave it where it gave one."""

    def pixels(self) -> Any:
        """A `PIL.Image.Image` in mode RGB; do not change it."""


def _no_raw(_index: int) -> Mapping[str, str]:
    return {}


@dataclass(frozen=True, slots=True)
class Tree:
    """Columns of all nodes, in document order. Build one with `TreeBuilder`."""

    parents: tuple[int, ...]
    ends: tuple[int, ...]
    roles: tuple[str, ...]
    classes: tuple[str, ...]
    texts: tuple[str, ...]
    labels: tuple[str, ...]
    identifiers: tuple[str, ...]
    values: tuple[str, ...]
    hints: tuple[str, ...]
    states: tuple[int, ...]
    window_of: tuple[int, ...]
    boxes: array[float]
    windows: tuple[Window, ...]
    actions: Mapping[int, tuple[str, ...]] = field(default_factory=dict, hash=False)
    raw: Callable[[int], Mapping[str, str]] = field(default=_no_raw, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.parents)

    def __repr__(self) -> str:
        return f"<Tree of {len(self)} nodes in {len(self.windows)} windows>"

    def rect(self, index: int) -> Rect:
        at = index * 4
        return Rect(*self.boxes[at : at + 4])

    def node(self, index: int) -> Node:
        return Node(self, index)


class Nodes(Sequence[Node]):
    """All nodes of a tree in document order, made on demand."""

    __slots__ = ("_tree",)

    def __init__(self, tree: Tree) -> None:
        self._tree = tree

    def __len__(self) -> int:
        return len(self._tree)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return [Node(self._tree, at) for at in range(*index.indices(len(self._tree)))]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return Node(self._tree, index % len(self))


class TreeBuilder:
    """Collects nodes in document order: `open` a node, its children, then `close` it."""

    def __init__(self) -> None:
        self._columns: tuple[list[Any], ...] = tuple([] for _ in range(9))
        self._parents: list[int] = []
        self._ends: list[int] = []
        self._boxes = array("d")
        self._open: list[int] = []
        self._windows: list[Window] = []
        self._actions: dict[int, tuple[str, ...]] = {}

    def __len__(self) -> int:
        return len(self._parents)

    @property
    def depth(self) -> int:
        return len(self._open)

    def window(self, window: Window) -> int:
        """Start a window: nodes opened from now on belong to it. Its `index` is set here."""
        self._windows.append(replace(window, index=len(self._windows)))
        return len(self._windows) - 1

    def open(
        self,
        role: str,
        bounds: Rect | tuple[float, float, float, float],
        *,
        text: str = "",
        label: str = "",
        identifier: str = "",
        value: str = "",
        hint: str = "",
        class_name: str = "",
        states: int = int(NodeState.ENABLED | NodeState.VISIBLE),
        actions: tuple[str, ...] = (),
    ) -> int:
        """Add a node under the innermost open one; returns its index."""
        if not self._windows:
            self.window(Window(0, ""))
        index = len(self._parents)
        self._parents.append(self._open[-1] if self._open else -1)
        self._ends.append(index + 1)
        row = (role, class_name, text, label, identifier, value, hint, int(states), len(self._windows) - 1)
        for column, cell in zip(self._columns, row, strict=True):
            column.append(cell)
        box = bounds if isinstance(bounds, tuple) else (bounds.left, bounds.top, bounds.right, bounds.bottom)
        self._boxes.extend(box)
        if actions:
            self._actions[index] = actions
        self._open.append(index)
        return index

    def close(self) -> None:
        self._ends[self._open.pop()] = len(self._parents)

    def leaf(self, role: str, bounds: Rect | tuple[float, float, float, float], **fields: Any) -> int:
        """A node without children; same fields as `open`."""
        index = self.open(role, bounds, **fields)
        self.close()
        return index

    def build(self, raw: Callable[[int], Mapping[str, str]] = _no_raw) -> Tree:
        """The finished tree; nodes still open are closed."""
        while self._open:
            self.close()
        roles, classes, texts, labels, identifiers, values, hints, states, window_of = map(tuple, self._columns)
        return Tree(
            parents=tuple(self._parents), ends=tuple(self._ends), roles=roles, classes=classes, texts=texts,
            labels=labels, identifiers=identifiers, values=values, hints=hints, states=states, window_of=window_of,
            boxes=self._boxes, windows=tuple(self._windows), actions=self._actions, raw=raw,
        )  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Snapshot:
    """What was seen at one moment: tree, picture, screen and the app in front.

    `taken_at` is seconds on the device's clock; `skew_ms` is how much later the picture was taken than the tree;
    `source` names the reader or backend; `notes` say what was odd about it.
    """

    id: str
    taken_at: float
    tree: Tree
    screen: Screen
    app: AppInFront
    picture: Picture | None = None
    skew_ms: float = 0.0
    source: str = ""
    notes: tuple[str, ...] = ()
    platform: str = "android"

    @property
    def nodes(self) -> Sequence[Node]:
        """All nodes of all windows, each before those inside it."""
        return Nodes(self.tree)

    @property
    def root(self) -> Node | None:
        """The first node; None for an empty tree."""
        return Node(self.tree, 0) if len(self.tree) else None

    @property
    def windows(self) -> tuple[Window, ...]:
        """All windows, bottom to top."""
        return self.tree.windows

    def __len__(self) -> int:
        return len(self.tree)

    def __str__(self) -> str:
        return f"snapshot {self.id} of {self.app.id or 'no app'}: {len(self.tree)} nodes"

    def __repr__(self) -> str:
        return f"<{self}>"

    # The three readers and writers below are words of the public contract. They live on floors 1 and 2; these methods
    # only forward, with late imports: the only arrows in the house that point up (`tests/house` lists it by name).

    def to_text(self) -> str:
        """The hierarchy as text, one line a node; `from_text` reads it back, equal up to `raw`."""
        from pytest_apex.hierarchy.text import to_text

        return to_text(self)

    @classmethod
    def from_text(cls, source: str) -> Snapshot:
        """Read the text form; raises `SourceError` for anything else."""
        from pytest_apex.hierarchy.readers import from_text

        return from_text(source)

    @classmethod
    def from_source(
        cls, data: bytes | str | os.PathLike[str], picture: bytes | os.PathLike[str] | None = None
    ) -> Snapshot:
        """Read any hierarchy that Android and Apple tools write, and the PNG that was taken with it.

        Bytes and text are the content; a path is only what is an `os.PathLike`. Broken input is read as far as it goes,
        and `notes` tells what was wrong, also where tree and picture do not go together. Raises `SourceError` for what
        is no hierarchy.
        """
        from pytest_apex.hierarchy.readers import read
        from pytest_apex.verify.sight import noted
        from pytest_apex.vision.image import read_png

        return read(data) if picture is None else noted(read(data, picture=read_png(picture)))
