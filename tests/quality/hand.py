"""What a humanized hand does, in numbers: `python tests/quality/hand.py [COUNT]` (default: 10000 of each gesture).

For every hand and platform: how far touches miss, how much faster than its mean a swipe gets that rests before it lifts
(1.88 is a reaching hand, 1.0 a machine) and one that lifts while it is on its way (1.84), how far it leaves the
straight line, how long it and the pause of a double tap take.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Sequence
from itertools import pairwise

from pytest_apex.gestures.compile import RULES, TouchRules, compile_action
from pytest_apex.gestures.humanize import PERSONAS, HumanizeConfig, humanize_track
from pytest_apex.model.action import DoubleTap, Pointer, Swipe, Tap, Track
from pytest_apex.model.geometry import Point, Rect

AREA = Rect(0, 0, 1080, 2400)
AT = Point(500, 1900)
TO = Point(500, 500)
COLUMNS = ("tap offset", "speed ratio, rests", "speed ratio, lifts", "sideways %", "swipe ms", "double-tap gap ms")


def tracks(action: Pointer, config: HumanizeConfig, rules: TouchRules, count: int) -> list[Track]:
    exact = compile_action(action, rules)
    return [
        humanize_track(exact, area=AREA, end_area=AREA, config=config, rules=rules, rng=random.Random(seed))
        for seed in range(count)
    ]


def speed_ratio(track: Track) -> float:
    """Top speed over mean speed, without the rest at the end."""
    samples = [a for a, b in pairwise(track.strokes[0].samples) if (a.x, a.y) != (b.x, b.y)]
    samples.append(next(b for b in track.strokes[0].samples if b.t_ms > samples[-1].t_ms))
    pieces = [(math.hypot(b.x - a.x, b.y - a.y), b.t_ms - a.t_ms) for a, b in pairwise(samples)]
    return max(way / time for way, time in pieces) * sum(time for _, time in pieces) / sum(way for way, _ in pieces)


def sideways(track: Track) -> float:
    """The widest distance from the straight line, in percent of its length. `AT` and `TO` lie above each other."""
    start, *_, end = track.points
    beside = (abs(p.x - start.x - (end.x - start.x) * (p.y - start.y) / (end.y - start.y)) for p in track.points)
    return 100 * max(beside) / start.distance(end)


def row(config: HumanizeConfig, rules: TouchRules, count: int) -> list[list[float]]:
    swipes = tracks(Swipe(AT, TO), config, rules, count)
    doubles = [track.strokes for track in tracks(DoubleTap(AT), config, rules, count)]
    return [
        [track.points[0].distance(AT) for track in tracks(Tap(AT), config, rules, count)],
        [speed_ratio(track) for track in tracks(Swipe(AT, TO, rest_ms=100), config, rules, count)],
        [speed_ratio(track) for track in swipes],
        [sideways(track) for track in swipes],
        [track.duration_ms for track in swipes],
        [second.samples[0].t_ms - first.samples[-1].t_ms for first, second in doubles],
    ]


def spread(values: Sequence[float]) -> str:
    """Least, middle and greatest."""
    ordered = sorted(values)
    return " … ".join(f"{round(value, 2):g}" for value in (ordered[0], ordered[len(ordered) // 2], ordered[-1]))


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    print(f"least … middle … greatest of {count}\n")
    print(f"| {'hand':<18} | " + " | ".join(f"{name:<19}" for name in COLUMNS) + " |")
    print("|" + "-" * 20 + "|" + "|".join("-" * 21 for _ in COLUMNS) + "|")
    hands = {"default": HumanizeConfig(), **PERSONAS, "off": HumanizeConfig(enabled=False)}
    for platform in ("android", "ios"):
        for name, config in hands.items():
            cells = row(config, RULES[platform], count if config.enabled else 1)
            print(f"| {name + ', ' + platform:<18} | " + " | ".join(f"{spread(cell):<19}" for cell in cells) + " |")


if __name__ == "__main__":
    main()
