"""What all checks share, worked out once a capture: which texts it shows, where, and what of them can be judged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product

from pytest_apex.hierarchy.memo import per_tree
from pytest_apex.hierarchy.visible import Box, clips, visible_boxes
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot, Tree
from pytest_apex.verify.pictures import app_area, fits
from pytest_apex.verify.windows import foreground
from pytest_apex.vision import ink
from pytest_apex.vision.contrast import contrast
from pytest_apex.vision.ink import Ink

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
#: A box that takes more of the screen is a frame; glyphs in it can't be told from other content.
_TOO_LARGE = 0.6
#: How far up a control that is disabled is looked for.
_LEVELS = 50
#: So many children of a scrolling container tell in which direction it scrolls.
_SOME = 12
#: What lies farther out is sorted together: boxes may be huge.
_FAR = 4_096.0
#: Texts without a ground of their own: only their boxes end where the ink does.
BARE = frozenset({"text", "link"})
#: A corner as round as can be (half the height) lies outside of a box smaller by this share at each edge.
_CORNER = 0.15


@dataclass(frozen=True, slots=True)
class Shown:
    """A text on the screen. `box` is as reported, `part` what is not clipped, `pixels` that part on the picture.

    `partial`: something of it is or may be clipped. `shared`: something else is drawn over a part of it, or another
    text has room there. `laid_over`: it lies over something drawn that is not around it, as a badge over an icon.
    `typed`: it stands in a text field, where text scrolls and a caret blinks.
    """

    node: Node
    text: str
    box: Rect
    part: Rect
    pixels: Rect
    partial: bool
    shared: bool
    laid_over: bool
    typed: bool

    @property
    def core(self) -> Rect:
        """Where the ink of the text is, in pixels: its box, or for a control with a ground of its own that box without
        its round corners."""
        box = self.pixels
        return box if self.node.role in BARE else box.grown(-_CORNER * min(box.width, box.height))


@dataclass(frozen=True, slots=True)
class Page:
    """The layer of a capture that is judged: the window in front, or the dialog in it.

    `nodes` are its visible controls, `texts` those that show a text; `aside` says what was left out, and why. `area`
    is where the app is drawn, from the screen's top on.
    """

    look: Snapshot
    nodes: tuple[Node, ...]
    texts: tuple[Shown, ...]
    has_pixels: bool
    aside: tuple[str, ...]
    area: Rect
    parts: Sequence[Box | None]
    _drawn: _Drawn
    _inks: dict[Rect, Ink | None] = field(default_factory=dict)
    _contrasts: dict[Rect, float | None] = field(default_factory=dict)

    @property
    def dp(self) -> float:
        """Units of the tree a density-independent unit."""
        return self.look.screen.density / self.look.screen.scale if self.look.screen.scale > 0 else 1.0

    def ink(self, pixels: Rect) -> Ink | None:
        """What is drawn in a box of the picture, read once for all checks; None where it has no pixels."""
        if self.look.picture is None:
            return None
        if pixels not in self._inks:
            self._inks[pixels] = ink.read_ink(self.look.picture, pixels)
        return self._inks[pixels]

    def contrast(self, text: Shown) -> float | None:
        """How well a text stands out from its ground; None where no ink can be told from one."""
        seen = self.ink(text.core)
        if self.look.picture is None or seen is None or not seen.is_clear or not seen.lines:
            return None
        if text.core not in self._contrasts:
            self._contrasts[text.core] = contrast(self.look.picture, text.core, seen.ground)
        return self._contrasts[text.core]

    def part(self, node: Node) -> Rect | None:
        """What of a control is not clipped, inside the app's area; None for nothing."""
        box = self.parts[node.index]
        shown = Rect(*box).intersect(self.area) if box is not None else None
        return shown if shown is not None and not shown.is_empty else None

    def is_partial(self, node: Node) -> bool:
        """Whether something of a control is, or may be, clipped."""
        shown = self.part(node)
        around = surroundings(node.tree).clipping[node.index]
        return shown is None or _differs(node.bounds, shown) or _at_scroll_edge(node, around, self.parts)

    def is_covered(self, node: Node) -> bool:
        """Whether something else is drawn over a part of a control."""
        shown = self.part(node)
        return shown is not None and self._drawn.shares(node, shown)


# Holds the last capture only: all checks of one look run after each other.
@lru_cache(maxsize=1)
def page_of(look: Snapshot) -> Page:
    """The page of a capture."""
    nodes, aside = _layer(look)
    parts = visible_boxes(look.tree, look.screen.bounds)
    area = app_area(look)
    inside = Rect(area.left, look.screen.bounds.top, area.right, area.bottom)
    drawn = _Drawn(
        node
        for node in (*nodes, *_over(look))
        if (node.role in _DRAWN_ROLES or node.text) and parts[node.index] is not None
    )
    texts = tuple(_texts(look, nodes, parts, inside, drawn))
    return Page(look, nodes, texts, fits(look), aside, inside, parts, drawn)


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


def _over(look: Snapshot) -> Iterator[Node]:
    """What other windows draw over the one in front, such as a toast; the status bar has a place of its own."""
    front = foreground(look)
    above = look.windows[front.index + 1 :] if front is not None else ()
    over = {window.index for window in above if window.kind != "status_bar"}
    return (node for node in look.nodes if node.window.index in over and node.visible) if over else iter(())


def _texts(
    look: Snapshot, nodes: tuple[Node, ...], parts: Sequence[Box | None], inside: Rect, drawn: _Drawn
) -> Iterator[Shown]:
    tree = look.tree
    around = surroundings(tree)
    repeated = _repeated_inside(tree)
    for node in nodes:
        part = parts[node.index]
        if part is None or not node.text.strip() or node.index in repeated:
            continue
        shown = Rect(*part).intersect(inside)
        if shown.is_empty or shown.area > _TOO_LARGE * inside.area:
            continue
        partial = _differs(node.bounds, shown) or _at_scroll_edge(node, around.clipping[node.index], parts)
        yield Shown(
            node=node,
            text=node.text,
            box=node.bounds,
            part=shown,
            pixels=shown.scaled(look.screen.scale),
            partial=partial,
            shared=drawn.shares(node, shown),
            laid_over=drawn.lies_over(node, shown),
            typed=around.typed[node.index],
        )


@dataclass(frozen=True, slots=True)
class Surroundings:
    """For each node: the nearest scrolling container around it (-1: none), whether it is in a text field or is one, and
    on which axes (sideways, upright) it may lie outside of the screen because something around it scrolls."""

    clipping: tuple[int, ...]
    typed: tuple[bool, ...]
    scrolled: tuple[tuple[bool, bool], ...]


@per_tree
def surroundings(tree: Tree) -> Surroundings:
    """Worked out in one pass: trees may be ten thousand levels deep."""
    clipping: list[int] = []
    typed: list[bool] = []
    scrolled: list[tuple[bool, bool]] = []
    for index, parent in enumerate(tree.parents):
        editable = bool(tree.states[index] & NodeState.EDITABLE)
        typed.append(editable or (parent >= 0 and typed[parent]))
        clipping.append(parent if parent >= 0 and clips(tree, parent) else clipping[parent] if parent >= 0 else -1)
        axes = scrolled[parent] if parent >= 0 else (False, False)
        if clipping[-1] == parent and parent >= 0:
            across = scrolls_sideways(Node(tree, parent))
            axes = axes[0] or across, axes[1] or not across
        scrolled.append(axes)
    return Surroundings(tuple(clipping), tuple(typed), tuple(scrolled))


def is_disabled(node: Node) -> bool:
    """Whether a control, or the one around it that is touched, takes no touch now."""
    if not node.enabled:
        return True
    above = next((outer for outer in islice(node.ancestors, _LEVELS) if outer.has(NodeState.CLICKABLE)), None)
    return above is not None and not above.enabled


def _repeated_inside(tree: Tree) -> set[int]:
    """Nodes with their own text again on a node inside: Android repeats a button's words where they are drawn."""
    nearest: dict[str, int] = {}
    found = set()
    for index in range(len(tree) - 1, -1, -1):
        text = tree.texts[index]
        if nearest.get(text, len(tree)) < tree.ends[index]:
            found.add(index)
        nearest[text] = index
    return found


def _differs(one: Rect, other: Rect) -> bool:
    edges = ((one.left, other.left), (one.top, other.top), (one.right, other.right), (one.bottom, other.bottom))
    return any(abs(a - b) > _FLUSH for a, b in edges)


def _at_scroll_edge(node: Node, container: int, parts: Sequence[Box | None]) -> bool:
    """Android reports clipped bounds: what ends at the edge of a scrolling container may go on beyond it."""
    frame = parts[container] if container >= 0 else None
    if frame is None:
        return False
    box = node.bounds
    if scrolls_sideways(Node(node.tree, container)):
        return box.left <= frame[0] + _FLUSH or box.right >= frame[2] - _FLUSH
    return box.top <= frame[1] + _FLUSH or box.bottom >= frame[3] - _FLUSH


def scrolls_sideways(container: Node) -> bool:
    """Whether a scrolling container's content lies side by side (the platforms do not tell its direction)."""
    children = _first_shown(container)
    if len(children) == 1:
        children = _first_shown(children[0])
    if len(children) < 2:
        return container.bounds.width > 4 * container.bounds.height
    first, second, *more = (child.bounds for child in children)
    if any(box.top >= first.bottom - _FLUSH for box in more):
        return False  # a grid
    return second.left >= first.right - _FLUSH and second.top < first.bottom


def _first_shown(node: Node) -> list[Node]:
    shown = (child for child in node.children if child.visible and not child.bounds.is_empty)
    return list(islice(shown, _SOME))


class _Drawn:
    """What draws something itself, sorted into fields of the screen: calendars and charts draw thousands."""

    _FIELD = 64.0

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._fields: defaultdict[tuple[int, int], list[tuple[Node, Rect]]] = defaultdict(list)
        for node in nodes:
            box = node.bounds
            for place in self._of(box):
                self._fields[place].append((node, box))

    def _of(self, box: Rect) -> Iterator[tuple[int, int]]:
        left, top, right, bottom = (
            int(max(0.0, min(_FAR, edge)) // self._FIELD) for edge in (box.left, box.top, box.right, box.bottom)
        )
        return product(range(left, right + 1), range(top, bottom + 1))

    def shares(self, node: Node, shown: Rect) -> bool:
        """Whether a later control of another branch is drawn over `shown`, or any other text has a part of it."""
        ends = node.tree.ends
        for place in self._of(shown):
            for other, box in self._fields[place]:
                later = other.index >= ends[node.index]
                if (later or (other.text and ends[other.index] <= node.index)) and _meet(box, shown):
                    return True
        return False

    def lies_over(self, node: Node, shown: Rect) -> bool:
        """Whether an earlier control of another branch is drawn under a part of `shown`."""
        ends = node.tree.ends
        return any(
            ends[other.index] <= node.index and _meet(box, shown)
            for place in self._of(shown)
            for other, box in self._fields[place]
        )


def _meet(one: Rect, other: Rect) -> bool:
    common = one.intersect(other)
    return common.width > _TOUCHING_PX and common.height > _TOUCHING_PX
