"""Has the screen come to rest?

Looks are compared by tree digest and picture. Numbers: a look every 100 ms; 300 ms of quiet after something moved;
two equal
looks when nothing moved since the touch; a frame that shows next to nothing never counts before a grace of 2 s (two
equal
looks in a blank gap between two screens are the classic false "settled").
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from pytest_apex.clock import Clock
from pytest_apex.hierarchy import diff, digest, loading
from pytest_apex.model.geometry import Rect
from pytest_apex.model.look import Settled, Unsettled
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.vision import compare

LOOK_EVERY_S = 0.08
STILL_S = 0.1
QUIET_S = 0.3
GRACE_S = 2.0
#: A region that changed in most of the last looks while the tree stood still lives by itself.
ALIVE_LOOKS, ALIVE_SHARE = 5, 0.6
#: Larger than this share of the screen it is not a living corner but a screen that moves.
ALIVE_AREA = 0.4
_CLOCK_TEXT = re.compile(r"\d{1,3}([:.]\d{2}){1,3}( ?[AaPp]\.?[Mm]\.?)?|\d+ ?(s|sec|min|%)")


@dataclass
class Rest:
    """What it takes for the screen to be at rest: the limit, and whether loading signs count."""

    limit_s: float
    limit_name: str
    wait_for_loading: bool = True


def pause(waited_s: float) -> float:
    """How long to wait before the next look at a screen that still loads: 0.08 s at first, at most 0.25 s."""
    return min(0.25, max(LOOK_EVERY_S, waited_s / 10))


def is_clock_text(text: str) -> bool:
    """Whether a text reads like a clock or counter: `12:04:31`, `59 %`, `3 s`."""
    return bool(_CLOCK_TEXT.fullmatch(text.strip(" \"'")))


def is_clock(node: Node) -> bool:
    """A control that changes by itself: declared live, a video, or a text that reads like a clock or counter."""
    return node.has(NodeState.LIVE) or node.role == "video" or is_clock_text(node.text)


def living_boxes(snapshot: Snapshot) -> list[Rect]:
    """Where pixels may change without anything having happened: living controls, the focused field's caret, the
    status bar."""
    boxes = []
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
    living = [box.grown(2) for box in living_boxes(after) + living_boxes(before)]
    boxes = [box.scaled(1 / after.screen.scale) for box in found.boxes]
    return [box for box in boxes if not any(alive.encloses(box, 2) for alive in living)]


def shows_little(snapshot: Snapshot) -> bool:
    """A blank, skeleton or splash-like frame: fewer than three visible leaves that belong to apps, at most one named.

    A splash shows a logo, and the app's name at most; two words are somebody's first screen.
    """
    tree, leaves, named = snapshot.tree, 0, 0
    for index in range(len(tree)):
        kind = tree.windows[tree.window_of[index]].kind
        if kind in ("status_bar", "keyboard") or tree.ends[index] != index + 1:
            continue
        if tree.states[index] & NodeState.VISIBLE:
            leaves += 1
            named += bool(tree.texts[index] or tree.labels[index])
            if leaves >= 3 or named >= 2:
                return False
    return True


@dataclass
class _Watch:
    """What changed from look to look."""

    last: Snapshot
    structure: str
    full: str
    quiet_since: float
    looks: int = 1
    moved: bool = False
    tree_moving: tuple[str, ...] = ()
    pixels_moving: tuple[str, ...] = ()
    history: list[frozenset[Rect]] = field(default_factory=list)

    def add(self, snapshot: Snapshot, now: float, *, pictures: bool) -> None:
        """Take in one more look. `pictures` = False leaves pixels out: they can't decide while something loads."""
        structure, full = digest.structure(snapshot), digest.full(snapshot)
        self.looks += 1
        altered = _real_changes(self.last, snapshot) if structure == self.structure and full != self.full else ()
        if structure != self.structure:
            self.history.clear()
            self._moving(now, tree=_moved_words(self.last, snapshot))
        elif altered:
            self._moving(now, tree=altered)
        elif pictures:
            boxes = frozenset(changed_boxes(self.last, snapshot))
            self.history = [*self.history, boxes][-8:]
            if boxes - self.alive(snapshot):
                self._moving(now, pixels=_where(boxes, snapshot))
        self.last, self.structure, self.full = snapshot, structure, full

    def _moving(self, now: float, *, tree: tuple[str, ...] = (), pixels: tuple[str, ...] = ()) -> None:
        self.quiet_since, self.moved = now, True
        self.tree_moving, self.pixels_moving = tree or self.tree_moving, pixels or self.pixels_moving

    def alive(self, snapshot: Snapshot) -> frozenset[Rect]:
        """Boxes that changed in most looks while the tree stood still, if they are a small part of the screen."""
        if len(self.history) < ALIVE_LOOKS:
            return frozenset()
        counts = Counter(box for boxes in self.history for box in boxes)
        busy = sum(1 for boxes in self.history if boxes) / len(self.history)
        alive = frozenset(counts) if busy >= ALIVE_SHARE else frozenset()
        area = max((box.area for box in alive), default=0.0)
        return alive if area <= ALIVE_AREA * snapshot.screen.bounds.area else frozenset()


def _moved_words(before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    change = diff.diff(before, after)
    return tuple(change.moved) or tuple(change.appeared) or tuple(change.vanished) or ("the tree",)


def _real_changes(before: Snapshot, after: Snapshot) -> tuple[str, ...]:
    """Fields that changed, without clocks and counters."""
    return tuple(
        f"{item.node} {item.field}"
        for item in diff.diff(before, after).altered
        if not (item.field == "text" and is_clock_text(item.after))
    )


def _where(boxes: frozenset[Rect], snapshot: Snapshot) -> tuple[str, ...]:
    words = []
    for box in sorted(boxes, key=lambda item: -item.area)[:3]:
        around = [node for node in snapshot.nodes if node.visible and node.bounds.grown(2).encloses(box)]
        nearest = min(around, key=lambda node: node.bounds.area, default=None)
        words.append(f"{nearest} {box}" if nearest is not None else f"pixels {box}")
    return tuple(words)


def settle(
    look: Callable[[], Snapshot],
    clock: Clock,
    rest: Rest,
    *,
    previous: Snapshot | None = None,
    quiet_s: float = QUIET_S,
) -> Settled | Unsettled:
    """Look until the screen is at rest or the limit is reached.

    `previous` is the last look of a screen that was settled: then one equal look is enough. Raises what `look`
    raises.
    """
    started = clock.now()
    first = look()
    if previous is not None and _same(previous, first) and not _loading(first, rest):
        return Settled(first, (clock.now() - started) * 1000, 1, by="unchanged since the last step")
    watch = _Watch(first, digest.structure(first), digest.full(first), clock.now())
    while True:
        now = clock.now()
        signs = _loading(watch.last, rest)
        quiet = now - watch.quiet_since
        needed = quiet_s if watch.moved else STILL_S
        enough = quiet >= needed and watch.looks >= 2
        graced = now - started >= GRACE_S or not shows_little(watch.last)
        if enough and graced and not signs:
            alive = _where(watch.alive(watch.last), watch.last)
            return Settled(watch.last, (now - started) * 1000, watch.looks, by="quiet", alive=alive)
        if now - started >= rest.limit_s:
            return _unsettled(watch, signs, (now - started) * 1000, rest)
        # The look that may end the waiting comes right when the quiet window ends, not up to a whole interval later.
        rest_of_it = max(0.01, needed - quiet)
        usual = min(LOOK_EVERY_S, rest_of_it) if watch.moved else rest_of_it
        clock.sleep(pause(now - started) if signs else usual)
        watch.add(look(), clock.now(), pictures=not signs)


def _same(previous: Snapshot, now: Snapshot) -> bool:
    if digest.structure(previous) != digest.structure(now):
        return False
    if digest.full(previous) != digest.full(now) and _real_changes(previous, now):
        return False
    return not changed_boxes(previous, now)


def _loading(snapshot: Snapshot, rest: Rest) -> list[Node]:
    return loading.loading_signs(snapshot) if rest.wait_for_loading else []


def _unsettled(watch: _Watch, signs: list[Node], waited_ms: float, rest: Rest) -> Unsettled:
    if signs:
        why, moving = "loading", tuple(f"{sign} {sign.bounds}" for sign in signs)
    else:
        keyboard = any(word.startswith("keyboard") for word in watch.tree_moving)
        why = "keyboard" if keyboard else "animating"
        moving = watch.tree_moving or watch.pixels_moving or ("the screen shows next to nothing",)
    return Unsettled(watch.last, waited_ms, watch.looks, why, moving, rest.limit_name)
