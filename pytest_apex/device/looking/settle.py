"""Has the screen come to rest?

Looks are compared by tree digest and picture. Numbers: a look every 50 ms; 300 ms of quiet after something moved, and
three equal looks (where looks are slow, two of what goes to and fro can fall on the same place); two equal looks when
nothing moved since the touch; a frame that shows next to nothing never counts before a grace of 2 s (two equal looks in
a blank gap between two screens are the classic false "settled").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pytest_apex.clock import Clock
from pytest_apex.device.looking.living import Living, changed_boxes, is_clock_text, outside
from pytest_apex.hierarchy import diff, digest, loading
from pytest_apex.hierarchy.names import in_words
from pytest_apex.model.geometry import Rect
from pytest_apex.model.look import Settled, Unsettled
from pytest_apex.model.node import Node, NodeState
from pytest_apex.model.snapshot import Snapshot

LOOK_EVERY_S = 0.05
STILL_S = 0.1
QUIET_S = 0.3
GRACE_S = 2.0


def no_regions(_look: Snapshot) -> Sequence[Rect]:
    """Nothing is declared to live by itself."""
    return ()


@dataclass
class Rest:
    """What it takes for the screen to be at rest: the limit, whether loading signs count, and what is known to live: by
    having been seen to (`living`), or because the app's manual says so of a look (`live`). A loading sign counts
    wherever it is."""

    limit_s: float
    limit_name: str
    wait_for_loading: bool = True
    living: Living = field(default_factory=Living)
    live: Callable[[Snapshot], Sequence[Rect]] = no_regions


def pause(waited_s: float) -> float:
    """How long to wait before the next look at a screen that still loads: 0.05 s at first, at most 0.25 s."""
    return min(0.25, max(LOOK_EVERY_S, waited_s / 10))


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
    living: Living
    live: Callable[[Snapshot], Sequence[Rect]]
    structure: str
    full: str
    quiet_since: float
    looks: int = 1
    #: Looks one after the other that showed the same.
    equal: int = 1
    moved: bool = False
    tree_moving: tuple[str, ...] = ()
    pixels_moving: tuple[str, ...] = ()

    def add(self, snapshot: Snapshot, now: float, *, pictures: bool) -> None:
        """Take in one more look. `pictures` = False leaves pixels out: they can't decide while something loads."""
        structure, full = digest.structure(snapshot), digest.full(snapshot)
        self.looks, self.equal = self.looks + 1, self.equal + 1
        self.living.on(structure)
        live = self.live(snapshot)
        moved = _moved_words(self.last, snapshot, live) if structure != self.structure else ()
        altered = _real_changes(self.last, snapshot, live) if structure == self.structure and full != self.full else ()
        if moved or altered:
            self._moving(now, tree=moved or altered)
        elif pictures:
            changed = outside(changed_boxes(self.last, snapshot), list(live))
            strange = self.living.seen(now, changed, snapshot.screen.bounds)
            if strange:
                self._moving(now, pixels=_where(strange, snapshot))
        self.last, self.structure, self.full = snapshot, structure, full

    def _moving(self, now: float, *, tree: tuple[str, ...] = (), pixels: tuple[str, ...] = ()) -> None:
        self.quiet_since, self.moved, self.equal = now, True, 1
        self.tree_moving, self.pixels_moving = tree or self.tree_moving, pixels or self.pixels_moving


def _moved_words(before: Snapshot, after: Snapshot, live: Sequence[Rect]) -> tuple[str, ...]:
    """What moved, came or went; () if all of it lives by itself."""
    if live and only_in(diff.node_diff(before, after), live):
        return ()
    change = diff.diff(before, after)
    return change.moved or change.scrolled or change.appeared or change.vanished or ("the tree",)


def only_in(change: diff.NodeDiff, live: Sequence[Rect]) -> bool:
    """Whether all that differs lies in live regions, before and after."""
    nodes = [*change.appeared, *change.vanished, *(node for pair in change.moved for node in pair)]
    nodes += [node for item in change.altered for node in (item.before, item.after)]
    nodes += [node for item in change.scrolled for node in (item.before, item.after)]
    boxes = [node.bounds for node in nodes if not node.bounds.is_empty]
    return bool(boxes) and not change.navigated and not outside(boxes, list(live))


def _real_changes(before: Snapshot, after: Snapshot, live: Sequence[Rect]) -> tuple[str, ...]:
    """Fields that changed, without clocks and counters, and without what lives by itself."""
    return tuple(
        f"{in_words(item.before)} {item.field}"
        for item in diff.node_diff(before, after).altered
        if not (item.field == "text" and is_clock_text(item.is_now)) and outside([item.after.bounds], list(live))
    )


def _where(boxes: Sequence[Rect], snapshot: Snapshot) -> tuple[str, ...]:
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
    look_s = clock.now() - started
    if previous is not None and not _loading(first, rest) and _same(previous, first, rest):
        return Settled(first, (clock.now() - started) * 1000, 1, by="unchanged since the last step")
    structure = digest.structure(first)
    rest.living.on(structure)
    watch = _Watch(first, rest.living, rest.live, structure, digest.full(first), started)
    while True:
        now = clock.now()
        signs = _loading(watch.last, rest)
        quiet = now - watch.quiet_since
        needed = quiet_s if watch.moved else STILL_S
        enough = quiet >= needed - 0.001 and watch.equal >= (3 if watch.moved else 2)
        graced = now - started >= GRACE_S or not shows_little(watch.last)
        if enough and graced and not signs:
            alive = _where(rest.living.boxes, watch.last)
            return Settled(watch.last, (now - started) * 1000, watch.looks, by="quiet", alive=alive)
        if now - started >= rest.limit_s:
            return _unsettled(watch, signs, (now - started) * 1000, rest)
        # The look that may end the waiting is over right when the quiet window is, not up to a whole interval later.
        rest_of_it = max(0.01, needed - quiet - look_s)
        usual = min(LOOK_EVERY_S, rest_of_it) if watch.moved else rest_of_it
        clock.sleep(pause(now - started) if signs else usual)
        began = clock.now()
        snapshot = look()
        look_s = clock.now() - began
        watch.add(snapshot, began, pictures=not signs)


def _same(previous: Snapshot, now: Snapshot, rest: Rest) -> bool:
    structure, live = digest.structure(now), rest.live(now)
    if digest.structure(previous) != structure:
        return False
    rest.living.on(structure)
    if digest.full(previous) != digest.full(now) and _real_changes(previous, now, live):
        return False
    return not outside(changed_boxes(previous, now), [*rest.living.boxes, *live])


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
