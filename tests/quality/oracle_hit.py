"""Hit points against pixels: paint all controls in order, ask who is on top of each pixel, compare.

    python tests/quality/oracle_hit.py --trees 5000 --seed 1

Random trees of up to three windows with overlapping, nested, hidden, scrolling and modal controls on a small screen. Of
each tree three controls are looked at. The point has to be on a pixel where the control itself is on top (one of its
own controls, if they fill it), and so has all of the area; `Obscured` is right exactly when no such pixel is left.
The exit code is 1 if one is wrong.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TypeAlias

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pytest_apex.hierarchy.hit import find_hit  # noqa: E402
from pytest_apex.model.geometry import Insets, Point, Rect, Size  # noqa: E402
from pytest_apex.model.look import Hit, Obscured  # noqa: E402
from pytest_apex.model.node import Node, NodeState  # noqa: E402
from pytest_apex.model.screen import Screen  # noqa: E402
from pytest_apex.model.snapshot import AppInFront, Snapshot, TreeBuilder, Window  # noqa: E402

Pixel: TypeAlias = tuple[int, int]

GRID = 14
EVERYWHERE = frozenset((x, y) for x in range(GRID) for y in range(GRID))
TAP = NodeState.CLICKABLE
TAKES = int(TAP | NodeState.EDITABLE | NodeState.OPAQUE_TO_TOUCH | NodeState.LONG_CLICKABLE | NodeState.CHECKABLE)
#: Controls looked at in each tree.
TARGETS = 3


def random_tree(rng: random.Random) -> Snapshot:
    builder = TreeBuilder()
    for number in range(rng.choice([1, 1, 2, 3])):
        kind = "application" if number == 0 else rng.choice(["application", "dialog", "toast", "keyboard", "system"])
        builder.window(Window(0, f"app{number}", kind, bounds=random_box(rng) if number else Rect(0, 0, GRID, GRID)))
        for _ in range(rng.randrange(1, 9)):
            while builder.depth and rng.random() < 0.5:
                builder.close()
            states = NodeState.VISIBLE if rng.random() < 0.92 else NodeState(0)
            for state in (TAP, NodeState.SCROLLABLE, NodeState.OPAQUE_TO_TOUCH):
                states |= state if rng.random() < 0.3 else NodeState(0)
            role = rng.choice(["group"] * 12 + ["text"] * 5 + ["list", "dialog", "sheet"])
            builder.open(role, random_box(rng), states=int(states))
        while builder.depth:
            builder.close()
    bars = Insets(0, rng.choice([0, 0, 1, 2]), 0, rng.choice([0, 0, 1]))
    return Snapshot("s", 0.0, builder.build(), Screen(Size(GRID, GRID), insets=bars), AppInFront("app0"))


def random_box(rng: random.Random) -> Rect:
    left, top = rng.randrange(-3, GRID), rng.randrange(-3, GRID)
    return Rect(left, top, left + rng.randrange(0, GRID), top + rng.randrange(0, GRID))


def pixels_of(node: Node) -> frozenset[Pixel]:
    """The pixels of a control that no container, window or screen edge cuts off."""
    boxes = [node.bounds]
    if not node.window.bounds.is_empty:
        boxes.append(node.window.bounds)
    boxes.extend(
        above.bounds
        for above in node.ancestors
        if (above.role in ("list", "scroll") or above.has(NodeState.SCROLLABLE)) and not above.bounds.is_empty
    )
    return frozenset(at for at in EVERYWHERE if all(box.contains(Point(*at)) for box in boxes))


def painted(snapshot: Snapshot, target: Node) -> dict[Pixel, int]:
    """Who is on top of each pixel: the nodes that take touches, and the target, painted in order; -1 is a window."""
    top: dict[Pixel, int] = {}
    window = snapshot.nodes[0].window
    for node in snapshot.nodes:
        if node.window != window:
            window = node.window
            if window.kind == "dialog":
                top.update(dict.fromkeys(EVERYWHERE, -1))
            elif window.kind != "toast":
                top.update(dict.fromkeys((at for at in EVERYWHERE if window.bounds.contains(Point(*at))), -1))
        takes = bool(int(node.states) & TAKES) or node.role in ("dialog", "sheet")
        if node == target:
            top.update(dict.fromkeys(pixels_of(node), node.index))
        elif node.visible and takes and (pixels := pixels_of(node)):
            top.update(dict.fromkeys(EVERYWHERE if node.role == "dialog" else pixels, node.index))
    return top


def wrong(snapshot: Snapshot, target: Node) -> str:
    """What is wrong with the hit point of a control; "" if nothing is."""
    own = range(target.index, target.tree.ends[target.index])
    top = painted(snapshot, target)
    reach = {at for at in pixels_of(target) if top[at] in own} if target.visible else set()
    clear = {at for at in reach if top[at] == target.index}
    found = find_hit(snapshot, target)
    if isinstance(found, Obscured):
        return f"obscured ({found}), with {len(reach)} pixels left" if reach else ""
    if not isinstance(found, Hit) or not reach:
        return f"a hit at {found.point}, with no pixel left"
    good = clear or reach
    if (int(found.point.x), int(found.point.y)) not in good:
        return f"{found.point} is not on it"
    area = found.area
    inside = {(x, y) for x in range(int(area.left), int(area.right)) for y in range(int(area.top), int(area.bottom))}
    return "" if inside <= good else f"{area} is not all its own"


def run(trees: int, rng: random.Random) -> tuple[Counter[str], list[str]]:
    """How the answers were, and what was wrong."""
    answers: Counter[str] = Counter()
    mistakes = []
    for number in range(trees):
        snapshot = random_tree(rng)
        nodes = list(snapshot.nodes)
        for target in rng.sample(nodes, min(TARGETS, len(nodes))):
            found = find_hit(snapshot, target)
            answers[found.why if isinstance(found, Obscured) else "hit"] += 1
            mistake = wrong(snapshot, target)
            if mistake:
                mistakes.append(f"tree {number}, node {target.index}: {mistake}")
    return answers, mistakes


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("--trees", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    began = time.perf_counter()
    answers, mistakes = run(asked.trees, random.Random(asked.seed))
    for mistake in mistakes[:20]:
        print(mistake)
    told = ", ".join(f"{count} {word}" for word, count in answers.most_common())
    took = time.perf_counter() - began
    print(f"{asked.trees} trees, {sum(answers.values())} controls: {told}; {len(mistakes)} wrong ({took:.0f} s)")
    return 1 if mistakes else 0


if __name__ == "__main__":
    sys.exit(main())
