"""Checks on where controls are: in line, inside another, apart from another. They read the tree's boxes."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from pytest_apex.device import arguments
from pytest_apex.device.acting import images
from pytest_apex.device.acting.find import ambiguous, missing, need_on_screen
from pytest_apex.device.checking.expect_base import Checks
from pytest_apex.device.checking.waiting import Answer, Question
from pytest_apex.device.facets import ScreenFacet
from pytest_apex.device.locator import Locator
from pytest_apex.errors import ConfigError, TargetNotFound
from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.target import Target

#: Where a line may run, and how it is read from a box.
_EDGES: dict[str, Callable[[Rect], float]] = {
    "left": lambda box: box.left,
    "right": lambda box: box.right,
    "top": lambda box: box.top,
    "bottom": lambda box: box.bottom,
    "center_x": lambda box: box.center.x,
    "center_y": lambda box: box.center.y,
}
#: Whole pixels make boxes differ by so much, in dp.
_ROUNDING = 1.0


class FrameChecks(Checks):
    """What the checks on one control say of its box. `tolerance` is in dp (points on Apple's)."""

    def __init__(self, locator: Locator, soft: bool) -> None:
        super().__init__(locator._ctx, soft)
        self._target = locator.target

    def to_be_aligned(
        self, edge: str, *others: Locator, tolerance: float = _ROUNDING, timeout: float | None = None
    ) -> None:
        """It and `others` are in line: their `left`, `right`, `top`, `bottom`, `center_x` or `center_y` is the same.

        Without `others`, all controls that fit are meant: `expect(device.find(role="cell")).to_be_aligned("left")`.
        """
        self._aligned(edge, others, tolerance, True, timeout)

    def not_to_be_aligned(
        self, edge: str, *others: Locator, tolerance: float = _ROUNDING, timeout: float | None = None
    ) -> None:
        self._aligned(edge, others, tolerance, False, timeout)

    def to_be_within(
        self, other: Locator | ScreenFacet, *, tolerance: float = _ROUNDING, timeout: float | None = None
    ) -> None:
        """Its box lies inside that of `other`, or on the screen between the system's bars (`device.screen`)."""
        self._within(other, tolerance, True, timeout)

    def not_to_be_within(
        self, other: Locator | ScreenFacet, *, tolerance: float = _ROUNDING, timeout: float | None = None
    ) -> None:
        self._within(other, tolerance, False, timeout)

    def to_overlap(self, other: Locator, *, tolerance: float = _ROUNDING, timeout: float | None = None) -> None:
        """Its box and that of `other` have more than an edge in common."""
        self._overlap(other, tolerance, True, timeout)

    def not_to_overlap(self, other: Locator, *, tolerance: float = _ROUNDING, timeout: float | None = None) -> None:
        self._overlap(other, tolerance, False, timeout)

    # How they ask

    def _ask(
        self, claim: str, ask: Callable[[Snapshot], Answer], timeout: float | None, *, needs: str = "tree"
    ) -> None:
        self._check(Question(f"{self._target} {claim}", ask, str(self._target), needs), timeout)

    def _one(self, snapshot: Snapshot, target: Target | None = None) -> Node | Answer:
        """The one control, or the answer that says why there is not exactly one."""
        target = target or self._target
        need_on_screen(snapshot, target)
        found = images.seek(snapshot, target)
        if len(found) == 1:
            return found[0]
        if found:
            several = ambiguous(target, found)
            return Answer(False, several.seen, "test.ambiguous", several.likely, several.cure)
        why = missing(target, snapshot)
        near = tuple(str(node) for node in why.near_misses) if isinstance(why, TargetNotFound) else ()
        return Answer(False, why.seen, "functional.missing_element", why.likely, why.cure, near)

    def _slack(self, tolerance: float) -> float:
        """A tolerance in units of the tree."""
        return arguments.number(tolerance, "tolerance=", least=0.0) * self._ctx.info.dp

    def _aligned(
        self, edge: str, others: Sequence[Locator], tolerance: float, holds: bool, timeout: float | None
    ) -> None:
        if edge not in _EDGES:
            raise ConfigError("there is no such edge", seen=repr(edge)[:120], cure=f"one of {', '.join(_EDGES)}")
        targets = [_target(other) for other in others]
        slack, read = self._slack(tolerance), _EDGES[edge]

        def ask(snapshot: Snapshot) -> Answer:
            nodes = self._line(snapshot, targets)
            if isinstance(nodes, Answer):
                return nodes
            places = [read(node.bounds) for node in nodes]
            apart = max(places) - min(places)
            ends = [nodes[places.index(end)] for end in (min(places), max(places))]
            seen = f"{edge} is {min(places):g} for {ends[0]} and {max(places):g} for {ends[1]}"
            return Answer((apart <= slack) == holds, seen, "visual.misaligned")

        word = "to be" if holds else "not to be"
        names = "".join(f", {target}" for target in targets) or ", all that fit"
        self._ask(f"{word} aligned at {edge}{names} (tolerance {tolerance:g})", ask, timeout)

    def _line(self, snapshot: Snapshot, targets: Sequence[Target]) -> list[Node] | Answer:
        """The controls that are compared, two at least."""
        if not targets:
            nodes = [node for node in images.seek(snapshot, self._target) if not node.bounds.is_empty]
            if len(nodes) > 1:
                return nodes
            why = f"only {nodes[0]} fits" if nodes else "no control fits"
            kind = "functional.wrong_value" if nodes else "functional.missing_element"
            return Answer(False, why, kind, cure="name the others: to_be_aligned(edge, other)")
        found: list[Node] = []
        for target in (self._target, *targets):
            node = self._one(snapshot, target)
            if isinstance(node, Answer):
                return node
            found.append(node)
        return found

    def _within(self, other: Locator | ScreenFacet, tolerance: float, holds: bool, timeout: float | None) -> None:
        target = None if isinstance(other, ScreenFacet) else _target(other)
        slack = self._slack(tolerance)

        def ask(snapshot: Snapshot) -> Answer:
            node = self._one(snapshot)
            outer = self._one(snapshot, target) if target is not None else None
            if isinstance(node, Answer) or isinstance(outer, Answer):
                return node if isinstance(node, Answer) else outer  # type: ignore[return-value]
            frame = outer.bounds if outer is not None else snapshot.screen.app_area
            beyond = _beyond(node.bounds, frame, slack)
            seen = f"{node} sticks out by {beyond}" if beyond else f"{node} lies inside"
            kind = "visual.clipped" if target is not None else "visual.off_screen"
            return Answer((not beyond) == holds, seen, kind)

        word = "to be" if holds else "not to be"
        self._ask(f"{word} within {target or 'the screen'} (tolerance {tolerance:g})", ask, timeout)

    def _overlap(self, other: Locator, tolerance: float, holds: bool, timeout: float | None) -> None:
        target, slack = _target(other), self._slack(tolerance)

        def ask(snapshot: Snapshot) -> Answer:
            node, rival = self._one(snapshot), self._one(snapshot, target)
            if isinstance(node, Answer):
                return node
            if isinstance(rival, Answer):
                return rival
            if node.is_inside(rival) or rival.is_inside(node):
                why = f"of {node} and {rival} one is inside the other in the tree"
                return Answer(False, why, "test.config", cure="ask to_be_within(), or name two that stand side by side")
            common = node.bounds.intersect(rival.bounds)
            meet = common.width > slack and common.height > slack
            seen = f"{node} and {rival} {f'have {common.size} in common' if meet else 'are apart'}"
            return Answer(meet == holds, seen, "visual.overlap")

        word = "to" if holds else "not to"
        self._ask(f"{word} overlap {target} (tolerance {tolerance:g})", ask, timeout)


def _target(other: object) -> Target:
    if isinstance(other, Locator):
        return other.target
    raise ConfigError(
        "this check compares with another control", seen=repr(other)[:120], cure='give a locator: device.find("Save")'
    )


def _beyond(box: Rect, frame: Rect, slack: float) -> str:
    """How far a box sticks out of a frame, in words; "" for inside."""
    sides = (
        (frame.left - box.left, "left"), (frame.top - box.top, "top"),
        (box.right - frame.right, "right"), (box.bottom - frame.bottom, "bottom"),
    )  # fmt: skip
    return ", ".join(f"{by:g} at the {side}" for by, side in sides if by > slack)
