"""What all checks share, worked out once a capture: which texts it shows, where, and what of them can be judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pytest_apex.hierarchy.visible import clips, visible_boxes
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.verify.pictures import app_area, fits
from pytest_apex.verify.windows import foreground

#: Overlays inside a window: what lies under them is not judged.
_MODAL_ROLES = frozenset({"dialog", "alert", "sheet", "menu"})
#: Controls that draw something themselves.
_DRAWN_ROLES = frozenset(
    {"text", "button", "link", "image", "icon", "switch", "checkbox", "radio", "slider", "progress", "text_field",
     "card", "video", "map", "web", "tab", "toast", "keyboard", "key"}
)  # fmt: skip
#: Overlaps up to so many pixels are rounding.
_TOUCHING_PX = 3
#: Edges this near to that of a scrolling container lie on it, in units of the tree.
_FLUSH = 1.0


@dataclass(frozen=True, slots=True)
class Shown:
    """A text on the screen. `box` is as reported, `part` what is not clipped, `pixels` that part on the picture.

    `partial`: something of it is or may be clipped. `covered`: something else is drawn over a part of it. `typed`: it
    stands in a text field, where text scrolls and a caret blinks.
    """

    node: Node
    text: str
    box: Rect
    part: Rect
    pixels: Rect
    partial: bool
    covered: bool
    typed: bool


@dataclass(frozen=True, slots=True)
class Page:
    """The layer of a capture that is judged: the window in front, or the dialog in it.

    `nodes` are its visible controls, `texts` those that show a text; `aside` says what was left out, and why.
    """

    look: Snapshot
    nodes: tuple[Node, ...]
    texts: tuple[Shown, ...]
    has_pixels: bool
    aside: tuple[str, ...]

    @property
    def dp(self) -> float:
        """Units of the tree a density-independent unit."""
        return self.look.screen.density / self.look.screen.scale if self.look.screen.scale > 0 else 1.0


# Holds the last capture only: all checks of one look run after each other.
@lru_cache(maxsize=1)
def page_of(look: Snapshot) -> Page:
    """The page of a capture."""
    nodes, aside = _layer(look)
    return Page(look, nodes, tuple(_texts(look, nodes)), fits(look), aside)


def _layer(look: Snapshot) -> tuple[tuple[Node, ...], tuple[str, ...]]:
    front = foreground(look)
    if front is None:
        return (), ("no window is in front",)
    tree = look.tree
    inside = [
        Node(tree, index)
        for index in range(len(tree))
        if tree.window_of[index] == front.index and tree.states[index] & NodeState.VISIBLE
    ]
    below = [window.title or window.app for window in look.windows[: front.index] if window.kind != "launcher"]
    aside = [f"what lies under {front.title or front.kind!r}: {', '.join(below)}"] if below else []
    modal = next((node for node in reversed(inside) if node.role in _MODAL_ROLES and node.parent is not None), None)
    if modal is not None:
        aside.append(f"what lies under {modal}")
        inside = [node for node in inside if node.is_inside(modal)]
    return tuple(inside), tuple(aside)


def _texts(look: Snapshot, nodes: tuple[Node, ...]) -> Iterator[Shown]:
    parts = visible_boxes(look.tree, look.screen.bounds)
    area = app_area(look)
    drawn = [
        (node.index, look.tree.ends[node.index], Rect(*part))
        for node in nodes
        if (node.role in _DRAWN_ROLES or node.text) and (part := parts[node.index]) is not None
    ]
    for node in nodes:
        part = parts[node.index]
        if part is None or not node.text.strip() or _repeated_inside(node):
            continue
        shown = Rect(*part).intersect(Rect(area.left, look.screen.bounds.top, area.right, area.bottom))
        if shown.is_empty:
            continue
        partial = _differs(node.bounds, shown) or _at_scroll_edge(node, parts)
        covered = any(_lies_over(node, shown, *other) for other in drawn)
        typed = any(around.has(NodeState.EDITABLE) for around in (node, *node.ancestors))
        yield Shown(node, node.text, node.bounds, shown, shown.scaled(look.screen.scale), partial, covered, typed)


def _repeated_inside(node: Node) -> bool:
    """Android repeats a button's words on the text inside it; the inner one is where they are drawn."""
    return any(inner.text == node.text for inner in node.descendants)


def _differs(one: Rect, other: Rect) -> bool:
    edges = ((one.left, other.left), (one.top, other.top), (one.right, other.right), (one.bottom, other.bottom))
    return any(abs(a - b) > _FLUSH for a, b in edges)


def _at_scroll_edge(node: Node, parts: list[tuple[float, float, float, float] | None]) -> bool:
    """Android reports clipped bounds: what ends at the edge of a scrolling container may go on beyond it."""
    container = next((above for above in node.ancestors if clips(above.tree, above.index)), None)
    frame = parts[container.index] if container is not None else None
    if container is None or frame is None:
        return False
    box = node.bounds
    if scrolls_sideways(container):
        return box.left <= frame[0] + _FLUSH or box.right >= frame[2] - _FLUSH
    return box.top <= frame[1] + _FLUSH or box.bottom >= frame[3] - _FLUSH


def scrolls_sideways(container: Node) -> bool:
    """Whether a scrolling container's content lies side by side (the platforms do not tell its direction)."""
    children = [child.bounds for child in container.children if child.visible and not child.bounds.is_empty]
    if len(children) == 1:
        inner = next(child for child in container.children if child.visible and not child.bounds.is_empty)
        children = [child.bounds for child in inner.children if child.visible and not child.bounds.is_empty]
    if len(children) < 2:
        return container.bounds.width > 4 * container.bounds.height
    first, second = children[:2]
    return second.left >= first.right - _FLUSH and second.top < first.bottom


def _lies_over(node: Node, shown: Rect, index: int, end: int, other: Rect) -> bool:
    """Whether a later control of another branch is drawn over `shown`."""
    if index < node.tree.ends[node.index] or index <= node.index < end:
        return False
    common = other.intersect(shown)
    return common.width > _TOUCHING_PX and common.height > _TOUCHING_PX
