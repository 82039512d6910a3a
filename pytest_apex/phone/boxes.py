"""A control at its place on the screen, and what its place depends on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pytest_apex.model.node import NodeState
from pytest_apex.phone.parts import Control
from pytest_apex.phone.template import Lookup, Template
from pytest_apex.vision.canvas import Box as PixelBox

_USUAL = int(NodeState.ENABLED | NodeState.VISIBLE)


class Scope:
    """Variables as a control sees them: those of the app, and the items of the lists around it."""

    __slots__ = ("_names", "_outer", "row")

    def __init__(self, outer: Lookup, names: Mapping[str, Any] | None = None, row: int | None = None) -> None:
        self._outer = outer
        self._names = names or {}
        self.row = row

    def __call__(self, name: str) -> Any:
        return self._names[name] if name in self._names else self._outer(name)

    def text(self, template: Template | None) -> str:
        return template.render(self) if template is not None else ""


@dataclass(slots=True, eq=False)
class Box:
    """A control at its place. Edges are pixels of the picture; `key` tells it from all others of its screen."""

    control: Control
    key: str
    role: str
    left: int
    top: int
    right: int
    bottom: int
    scope: Scope
    states: int = _USUAL
    text: str = ""
    label: str = ""
    hint: str = ""
    value: str = ""
    id: str = ""
    lines: tuple[str, ...] = ()
    size: int = 0
    bold: bool = False
    inset: int = 0
    centered: bool = False
    children: list[Box] = field(default_factory=list)
    clips: bool = False
    cut: bool = False
    #: Pixels scrolled, and the most that can be; None where nothing scrolls.
    scroll: tuple[int, int] | None = None

    @property
    def rect(self) -> PixelBox:
        return self.left, self.top, self.right, self.bottom

    @property
    def width(self) -> int:
        return self.right - self.left

    @property
    def height(self) -> int:
        return self.bottom - self.top

    def has(self, state: NodeState) -> bool:
        return bool(self.states & state.value)

    def move(self, dx: int, dy: int) -> None:
        if dx or dy:
            waiting = [self]
            while waiting:
                box = waiting.pop()
                box.left, box.right, box.top, box.bottom = box.left + dx, box.right + dx, box.top + dy, box.bottom + dy
                waiting.extend(box.children)


@dataclass(frozen=True, slots=True)
class Frame:
    """What a layout depends on besides the app file. `scrolls` holds the pixels scrolled by key; `slide` is where a
    sliding control is at this moment, in pixels."""

    density: float
    scope: Scope
    focus: str = ""
    scrolls: Mapping[str, int] = field(default_factory=dict)
    slide: int = 0
