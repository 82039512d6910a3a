"""A random clean walk through the demo app: no fault, random timing, and no verdict against anybody.

    python tests/quality/walk.py                      1,000 steps
    python tests/quality/walk.py --steps 5000 --seed 3

Prints steps, seconds, memory and what was judged; ends with 1 if anything failed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
import tracemalloc
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from pytest_apex import Device, expect
from pytest_apex.device.examining.failure import failure_of
from pytest_apex.errors import ApexError
from pytest_apex.hierarchy.hit import find_hit
from pytest_apex.model.look import Hit
from pytest_apex.model.node import Node, NodeState
from pytest_apex.settings import Settings, Touch
from pytest_apex.testing import virtual_device
from pytest_apex.verify.judge import judge

APP = "com.example.notes"
WORDS = ("Theatre", "Milk and bread", "Zürich", "12 o'clock", "Καλημέρα", "a" * 40)


@dataclass
class Walk:
    """What was done, and what was said of it. `held` is memory in MB after each quarter."""

    verbs: Counter[str] = field(default_factory=Counter)
    verdicts: list[str] = field(default_factory=list)
    held: list[float] = field(default_factory=list)

    @property
    def steps(self) -> int:
        return self.verbs.total()


def walk(device: Device, steps: int, chance: random.Random) -> Walk:
    """So many random acts. What fails is judged, as the plugin would."""
    done = Walk()
    for number in range(1, steps + 1):
        try:
            done.verbs[_act(device, chance)] += 1
            if chance.random() < 0.1:
                expect(device.app).to_be_running()
                expect(device.screen).to_have_no_defects()
        except (ApexError, AssertionError) as error:
            verdict = judge(device.examine(failure_of(error), error))
            done.verdicts.append(f"after {number} steps: {verdict}")
            device.launch()
        if tracemalloc.is_tracing() and number % max(1, steps // 4) == 0:
            done.held.append(tracemalloc.get_traced_memory()[0] / 1e6)
    return done


def _act(device: Device, chance: random.Random) -> str:
    device.context.backend.clock.sleep(chance.choice((0.0, 0.0, 0.05, 0.3, 1.5)))
    snapshot = device.snapshot()
    controls = [node for node in snapshot.nodes if _may_touch(node) and isinstance(find_hit(snapshot, node), Hit)]
    kind = chance.choices(("tap", "scroll", "back", "type"), (12, 2, 2, 3))[0]
    if kind == "type":
        fields = [node for node in controls if node.role == "text_field"]
        if fields:
            place = chance.choice(fields).bounds.center
            device.find(point=(place.x, place.y)).fill(chance.choice(WORDS))
            return "fill"
    if kind == "scroll":
        device.scroll(chance.choice(("up", "down")))
        return "scroll"
    # Back leaves the app on its first screen, which is the test's own doing and ends the walk.
    if (kind == "back" and any(node.label == "Navigate up" for node in controls)) or not controls:
        device.press("back")
        return "back"
    node = chance.choice(controls)
    hit = find_hit(snapshot, node)
    assert isinstance(hit, Hit)
    device.find(point=(hit.point.x, hit.point.y)).tap()
    return "tap"


def _may_touch(node: Node) -> bool:
    touchable = node.has(NodeState.CLICKABLE | NodeState.EDITABLE | NodeState.CHECKABLE)
    return touchable and node.enabled and node.visible and node.window.app == APP


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action="store_true", help="trace memory (several times slower)")
    asked = parser.parse_args()
    if asked.memory:
        tracemalloc.start()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(touch=Touch(seed=asked.seed))
        with virtual_device(Path(folder), app=APP, settings=settings) as device:
            done = walk(device, asked.steps, random.Random(asked.seed))
            passed = device.context.backend.clock.now()
    took = time.monotonic() - began
    print(f"{done.steps} steps ({', '.join(f'{verb} {count}' for verb, count in done.verbs.most_common())})")
    print(f"{took:.1f} s, {took / max(1, done.steps) * 1000:.1f} ms a step; {passed:.0f} s on the phone's clock")
    if done.held:
        print("memory after each quarter: " + ", ".join(f"{held:.1f} MB" for held in done.held))
    print(f"{len(done.verdicts)} verdicts against anybody", *done.verdicts, sep="\n  ")
    return 1 if done.verdicts else 0


if __name__ == "__main__":
    sys.exit(main())
