"""Small trees, written down as they look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from pytest_apex.model.geometry import NO_INSETS, Insets, Rect, Size
from pytest_apex.model.node import NodeState
from pytest_apex.model.screen import Screen
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window

NONE = NodeState(0)
SMALL = Size(100, 200)
NOTES = AppInFront("com.example.notes", 412, "Notes")
SEEN = NodeState.ENABLED | NodeState.VISIBLE


@dataclass(frozen=True)
class Sketch:
    """One node and what is in it."""

    role: str
    box: tuple[float, float, float, float]
    fields: dict[str, Any]
    children: tuple[Sketch, ...]


def sketch(
    role: str, box: tuple[float, float, float, float], *children: Sketch, more: NodeState = NONE,
    less: NodeState = NONE, **fields: Any,
) -> Sketch:  # fmt: skip
    """A visible, enabled node with the states `more` and without those of `less`."""
    return Sketch(role, box, {"states": int((SEEN | more) & ~less), **fields}, children)


def snapshot_of(
    *parts: Sketch | Window, size: Size = SMALL, insets: Insets = NO_INSETS,
    app: AppInFront = NOTES, **fields: Any,
) -> Snapshot:  # fmt: skip
    """Nodes, with a window before those that lie in it; one window of the app as large as the screen otherwise."""
    builder = TreeBuilder()
    if not parts or not isinstance(parts[0], Window):
        builder.window(Window(0, app.id, bounds=Rect(0, 0, size.width, size.height), pid=app.pid, focused=True))
    for part in parts:
        if isinstance(part, Window):
            builder.window(part)
        else:
            _add(builder, part)
    return Snapshot("s1", 1.5, builder.build(), Screen(size, insets=insets), app, **fields)


def _add(builder: TreeBuilder, part: Sketch) -> None:
    builder.open(part.role, part.box, **part.fields)
    for child in part.children:
        _add(builder, child)
    builder.close()


@pytest.fixture(scope="session")
def node() -> Callable[..., Sketch]:
    return sketch


@pytest.fixture(scope="session")
def shot() -> Callable[..., Snapshot]:
    return snapshot_of
