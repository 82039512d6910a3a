"""A window as the phone shows it: its boxes, its owner, and how it lies on the screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import NodeState
from pytest_apex.model.snapshot import Tree, TreeBuilder, Window
from pytest_apex.phone.boxes import Box
from pytest_apex.phone.paint import Painter
from pytest_apex.phone.platforms import Platform
from pytest_apex.phone.theme import Theme
from pytest_apex.vision import canvas
from pytest_apex.vision.canvas import Stamp

#: A control with one of these takes the touches that no child of it took.
TAKES_TOUCH = NodeState.CLICKABLE | NodeState.LONG_CLICKABLE | NodeState.OPAQUE_TO_TOUCH
#: Wider than any screen: what stands out sideways keeps its real edges in the tree.
_FAR = 1_000_000


@dataclass(frozen=True, slots=True)
class Touched:
    """A box under the finger, and the surface it belongs to."""

    box: Box
    surface: Surface


@dataclass(slots=True, eq=False)
class Surface:
    """`boxes` is the root of its tree. `owner` answers to touches: None for a window that lets them through (a toast).

    A modal one takes every touch on the screen. With `in_tree` false the tree knows nothing of it, with `listed` false
    only of its root. `opacity`, `dx` and `behind` belong to a transition; `scrim` darkens all below.
    """

    window: Window
    boxes: Box
    theme: Theme
    owner: Callable[[Touched, str], None] | None = None
    background: str = ""
    in_tree: bool = True
    listed: bool = True
    modal: bool = False
    scrim: int = 0
    opacity: float = 1.0
    dx: int = 0
    dy: int = 0
    behind: Surface | None = None

    @property
    def spins(self) -> bool:
        """Whether its picture changes by itself: a progress sign that turns, a video, a caret that blinks."""
        return _spins(self.boxes)

    def stamps(self, density: float, frame: int, screen: canvas.Box) -> list[Stamp]:
        """Its part of the display list."""
        out: list[Stamp] = []
        if self.behind is not None:
            out.extend(self.behind.stamps(density, frame, screen))
        if self.scrim:
            out.append(canvas.rect(screen, (0, 0, 0), self.scrim))
        own: list[Stamp] = []
        if self.background:
            own.append(canvas.rect(self.boxes.rect, self.theme[self.background]))
        Painter(self.theme, density, frame, own).paint(self.boxes, self.boxes.rect)
        if self.dx or self.dy:
            own = [stamp.moved(self.dx, self.dy) for stamp in own]
        if self.opacity < 1:
            own = [stamp.faded(self.opacity) for stamp in own]
        return out + own

    def touched(self, x: float, y: float) -> list[Touched] | None:
        """All boxes under a point, topmost first; None if the touch goes to a window below."""
        if self.owner is None:
            return None
        found: list[Touched] = []
        self._collect(self.boxes, x - self.dx, y - self.dy, found)
        if found or self.modal:
            return found
        return None

    def _collect(self, box: Box, x: float, y: float, found: list[Touched]) -> bool:
        """Add what is touched in `box`; True if something in it takes the touch, so that nothing below gets it."""
        inside = box.left <= x < box.right and box.top <= y < box.bottom
        taken = False
        if inside or not box.clips:
            for child in reversed(box.children):
                taken = self._collect(child, x, y, found)
                if taken:
                    break
        if inside:
            found.append(Touched(box, self))
            taken = taken or box.has(TAKES_TOUCH)
        return taken


def _spins(box: Box) -> bool:
    quirk = box.control.quirk
    alive = quirk is not None and (quirk.video or (quirk.blink and box.has(NodeState.FOCUSED)))
    turns = box.role == "progress" and box.control.value is None
    return alive or turns or any(_spins(child) for child in box.children)


class TreeWriter:
    """Writes surfaces into a tree, in the words of a platform. `unit` is pixels of the picture a unit of the tree."""

    def __init__(self, platform: Platform, unit: float) -> None:
        self._platform = platform
        self._unit = unit
        self._builder = TreeBuilder()
        #: What each node of the tree was made of.
        self.sources: list[Touched] = []

    def add(self, surface: Surface) -> None:
        builder = self._builder
        bounds = self._rect(surface.boxes, surface)
        window = surface.window
        builder.window(
            Window(0, window.app, window.kind, window.title, bounds, window.pid, window.focused, window.activity)
        )
        box = surface.boxes
        clip = (-_FAR, -_FAR, _FAR, _FAR)
        if self._platform.points and window.kind in ("application", "launcher"):
            builder.open("application", bounds, label=window.title, class_name=self._class("application"))
            self.sources.append(Touched(box, surface))
            self._node(box, surface, clip)
            builder.close()
        else:
            self._node(box, surface, clip)

    def build(self) -> Tree:
        return self._builder.build()

    def _class(self, role: str) -> str:
        return self._platform.classes.get(role, self._platform.classes["other"])

    def _rect(self, box: Box, surface: Surface, clip: canvas.Box | None = None) -> Rect:
        left, top, right, bottom = canvas.meet(box.rect, clip) if clip else box.rect
        dx, dy, unit = surface.dx, surface.dy, self._unit
        return Rect((left + dx) / unit, (top + dy) / unit, (right + dx) / unit, (bottom + dy) / unit)

    def _node(self, box: Box, surface: Surface, clip: canvas.Box) -> None:
        if box.role == "space":
            return
        shown = canvas.meet(box.rect, clip)
        hidden = canvas.is_empty(shown)
        points = self._platform.points
        if hidden and not points:
            return
        role, kind = self._role(box)
        states = box.states & ~int(NodeState.VISIBLE) if hidden else box.states
        text, label = box.text, box.label
        if points and not label and box.role not in ("text_field", "window", "group"):
            label = text
        self._builder.open(
            role,
            self._rect(box, surface, None if points else clip),
            text=text,
            label=label,
            identifier=self._identifier(box, surface.window.app),
            value=self._value(box),
            hint=box.hint,
            class_name=kind,
            states=states,
            actions=tuple(box.control.actions),
        )
        self.sources.append(Touched(box, surface))
        inner = (-_FAR, shown[1], _FAR, shown[3]) if box.clips else clip
        for child in box.children if surface.listed else ():
            self._node(child, surface, inner)
        self._builder.close()

    def _role(self, box: Box) -> tuple[str, str]:
        role = box.role
        if role == "icon":
            return ("button", self._class("icon")) if box.has(NodeState.CLICKABLE) else ("image", self._class("image"))
        if self._platform.points and role == "text_field" and box.has(NodeState.PASSWORD):
            return role, "XCUIElementTypeSecureTextField"
        if self._platform.points and role == "progress" and box.control.value is not None:
            return role, "XCUIElementTypeProgressIndicator"
        return role, self._class(role)

    def _identifier(self, box: Box, app: str) -> str:
        if not box.id or self._platform.points or ":" in box.id:
            return box.id
        return f"{app}:id/{box.id}"

    def _value(self, box: Box) -> str:
        if self._platform.points and box.has(NodeState.CHECKABLE):
            return "1" if box.has(NodeState.CHECKED) else "0"
        return box.value
