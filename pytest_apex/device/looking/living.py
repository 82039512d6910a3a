"""What changes by itself on a screen at rest: clocks, the caret, videos, and corners that were seen to never rest."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.vision import compare

#: So long a region has to change, in so large a share of the looks, while the tree stands still, before it is taken for
#: one that lives by itself. Shorter, and a fade between two pictures would be one.
PROOF_S, PROOF_SHARE = 2.0, 0.6
#: A larger share of the screen is not a living corner but a screen that moves.
ALIVE_AREA = 0.4
_CLOCK_TEXT = re.compile(r"\d{1,3}([:.]\d{2}){1,3}( ?[AaPp]\.?[Mm]\.?)?|\d+ ?(s|sec|min|%)")


def is_clock_text(text: str) -> bool:
    """Whether a text reads like a clock or counter: `12:04:31`, `59 %`, `3 s`."""
    return bool(_CLOCK_TEXT.fullmatch(text.strip(" \"'")))


def is_clock(node: Node) -> bool:
    """A control that changes by itself: declared live, a video, or a text that reads like a clock or counter."""
    return node.has(NodeState.LIVE) or node.role == "video" or is_clock_text(node.text)


def living_boxes(snapshot: Snapshot) -> list[Rect]:
    """Where pixels may change without anything having happened: living controls, the focused field's caret, the
    status bar."""
    # The bar's clock goes on also where the tree has no bar, as on iOS, whose tree is the app's alone.
    screen = snapshot.screen
    boxes = [Rect(0, 0, screen.size.width, screen.insets.top)] if screen.insets.top else []
    for node in snapshot.nodes:
        if not node.visible:
            continue
        caret = node.role == "text_field" and node.has(NodeState.FOCUSED)
        if caret or node.role == "status_bar" or node.window.kind == "status_bar" or is_clock(node):
            boxes.append(node.bounds)
    return boxes


def changed_boxes(before: Snapshot, after: Snapshot) -> list[Rect]:
    """Where the picture changed, in units of the tree, outside of what lives by itself."""
    if before.picture is None or after.picture is None or before.picture.key == after.picture.key:
        return []
    found = compare.difference(before.picture, after.picture)
    if not found.same_size:
        return [after.screen.bounds]
    boxes = [box.scaled(1 / after.screen.scale) for box in found.boxes]
    return outside(boxes, living_boxes(after) + living_boxes(before))


def outside(boxes: list[Rect], living: list[Rect]) -> list[Rect]:
    """The boxes that lie in none of the living ones, two units of rounding allowed."""
    grown = [box.grown(2) for box in living]
    return [box for box in boxes if not any(alive.encloses(box, 2) for alive in grown)]


@dataclass
class Living:
    """Regions that were proven to live by themselves, remembered as long as the same screen is shown.

    `structure` is the digest of that screen; `history` holds the time of each look and what changed in it.
    """

    structure: str = ""
    boxes: list[Rect] = field(default_factory=list)
    history: list[tuple[float, list[Rect]]] = field(default_factory=list)

    def on(self, structure: str) -> None:
        """Another screen begins with nothing known."""
        if structure != self.structure:
            self.structure, self.boxes, self.history = structure, [], []

    def seen(self, at: float, changed: list[Rect], screen: Rect) -> list[Rect]:
        """Take in what changed in one look; returns what of it is not known to live by itself."""
        strange = outside(changed, self.boxes)
        self.history = [entry for entry in self.history if entry[0] >= at - 1.5 * PROOF_S]
        self.history.append((at, strange))
        if not strange or at - self.history[0][0] < PROOF_S:
            return strange
        busy = sum(1 for _, boxes in self.history if boxes) / len(self.history)
        proven = [box for _, boxes in self.history for box in boxes]
        if busy < PROOF_SHARE or max(box.area for box in proven) > ALIVE_AREA * screen.area:
            return strange
        self.boxes.extend(outside(proven, self.boxes))
        self.history.clear()
        return []
