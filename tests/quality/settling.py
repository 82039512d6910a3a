"""Settling on the built-in phone: never settled while an animation runs, hardly late, and no stall by a ticking clock.

    python tests/quality/settling.py                  200 random animations, and a ticker beside a button
    python tests/quality/settling.py --count 1000

Prints how late the screen was called settled, in milliseconds of the phone's clock, and what taps take beside a clock
that ticks every second and without it. Ends with 1 if one was too early, or more than 400 ms late.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from pytest_apex.model.look import Settled
from pytest_apex.testing import virtual_device

LATEST_MS = 400
TAPS = 20
APP = """
app: com.example.moving
name: Moving
animation_ms: {length}
start: first
screens:
  first:
    title: First
    transition: {kind}
    controls:
      - {{role: text, text: Here}}
      - {{role: button, id: go, text: Go, on_tap: {{goto: second}}}}
  second:
    title: Second
    transition: {kind}
    controls:
      - {{role: text, text: There}}
      - {{role: text, text: Nothing moves here any more}}
"""


@dataclass(frozen=True)
class Case:
    """One animation. `late_ms` is negative when the screen was called settled before it ended."""

    kind: str
    length_ms: int
    late_ms: float
    settled: bool


def run_one(folder: Path, chance: random.Random) -> Case:
    """A tap that starts an animation of a random kind and length."""
    kind, length = chance.choice(("slide", "fade")), chance.randint(60, 1800)
    path = folder / "moving.yaml"
    path.write_text(APP.format(length=length, kind=kind), "utf-8")
    with virtual_device(folder / "run", f"virtual:{path}", app="com.example.moving") as device:
        step = device.tap("Go")
        assert step.receipt is not None
        assert step.settled_after is not None
        ended = step.receipt.ended + length / 1000
        late = device.context.backend.clock.now() - ended
        return Case(kind, length, late * 1000, isinstance(step.settled_after, Settled))


def seconds_of_taps(folder: Path, spec: str) -> float:
    """Phone seconds that taps take on the demo's list, opened and left again."""
    with virtual_device(folder, spec, app="com.example.notes") as device:
        device.find(id="email").fill("ada@example.com")
        device.find(id="password").fill("x")
        device.tap("Log in")
        device.find("Welcome, Ada").tap()
        began = device.context.backend.clock.now()
        for _ in range(TAPS // 2):
            device.tap("Settings")
            device.tap("Navigate up")
        return device.context.backend.clock.now() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    chance = random.Random(asked.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cases = [run_one(folder, chance) for _ in range(asked.count)]
        plain = seconds_of_taps(folder / "plain", "virtual")
        ticking = seconds_of_taps(folder / "ticking", "virtual?fault=ticking_clock")
    wrong = [case for case in cases if not case.settled or not 0 <= case.late_ms <= LATEST_MS]
    late = sorted(case.late_ms for case in cases)
    print(f"{len(cases)} animations of 60 to 1800 ms: {len(wrong)} wrong")
    print(f"late by {late[0]:.0f} ms at least, {statistics.median(late):.0f} in the middle, {late[-1]:.0f} at most")
    for case in wrong[:10]:
        print(f"  {case}")
    print(f"{TAPS} taps: {plain:.1f} s, beside a ticking clock {ticking:.1f} s, ratio {ticking / plain:.3f}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
