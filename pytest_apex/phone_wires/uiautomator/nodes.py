"""The phone's tree as accessibility tells it to UI Automator: its windows, what is visible of each node, its texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.phone.phone import Phone

#: Windows that accessibility does not list (`AccessibilityWindowManager` leaves toasts out).
_UNLISTED = frozenset({"toast"})


@dataclass(frozen=True, slots=True)
class Seen:
    """One node: `index` counts it among its siblings, `depth` from its window's root (0)."""

    node: Node
    index: int
    depth: int
    screen: Rect

    @property
    def package(self) -> str:
        return self.node.window.app

    @property
    def text(self) -> str:
        """An empty field tells its hint."""
        return self.node.text or self.node.hint

    @property
    def bounds(self) -> tuple[int, int, int, int]:
        """The visible part, in whole pixels."""
        whole, screen = self.node.bounds, self.screen
        left, top = max(whole.left, screen.left), max(whole.top, screen.top)
        right, bottom = min(whole.right, screen.right), min(whole.bottom, screen.bottom)
        if right <= left or bottom <= top:
            return 0, 0, 0, 0
        return round(left), round(top), round(right), round(bottom)

    @property
    def center(self) -> tuple[int, int]:
        left, top, right, bottom = self.bounds
        return (left + right) // 2, (top + bottom) // 2

    @property
    def visible(self) -> bool:
        return self.node.has(NodeState.VISIBLE) and self.bounds != (0, 0, 0, 0)

    def flag(self, state: NodeState) -> bool:
        return self.node.has(state)

    def children(self) -> list[Seen]:
        """Those that are visible, with their index among all."""
        every = (Seen(child, index, self.depth + 1, self.screen) for index, child in enumerate(self.node.children))
        return [child for child in every if child.visible]

    def walk(self) -> Iterator[Seen]:
        """Itself and all below, in document order; no deeper than Python's stack could go: it does not recurse."""
        waiting = [self]
        while waiting:
            seen = waiting.pop()
            yield seen
            waiting.extend(reversed(seen.children()))


def roots(phone: Phone, *, active_only: bool = False, locked: bool = False) -> Sequence[Seen]:
    """The roots of all windows, of the system's own alone on a `locked` screen. Their order means nothing: UI
    Automator holds them in a hash set."""
    tree = phone.tree()
    screen = phone.screen().bounds
    tops = [index for index, parent in enumerate(tree.parents) if parent < 0]
    found = [Seen(tree.node(top), 0, 0, screen) for top in tops]
    found = [seen for seen in found if seen.node.window.kind not in _UNLISTED and seen.visible]
    if locked:
        found = [seen for seen in found if seen.package == phone.platform.status_bar]
    if active_only:
        focused = [seen for seen in found if seen.node.window.focused]
        return focused[-1:] or found[-1:]
    return sorted(found, key=_order)


def _order(seen: Seen) -> bytes:
    window = seen.node.window
    return blake2b(f"{window.app} {window.kind} {window.title}".encode(), digest_size=8).digest()
