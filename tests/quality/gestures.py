"""Every gesture is recognised as itself: `python tests/quality/gestures.py [--seeds N]` (default: 1000 a cell).

Each gesture goes by `compile_action` and `humanize_track` to the built-in phone, which tells gestures apart from touch
samples alone, by the platforms' own thresholds (`pytest_apex/phone/touch.py`). It lands on a control that listens to
all gestures, or on a list that scrolls; what the phone took it for has to be exactly what it was meant to be. Without a
hand a track is always the same: there, the place is drawn anew for each seed.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pytest_apex.backends.virtual import VirtualBackend
from pytest_apex.gestures.compile import TouchRules, compile_action, rules_for
from pytest_apex.gestures.humanize import PERSONAS, HumanizeConfig, humanize_track
from pytest_apex.model.action import (
    DoubleTap,
    Drag,
    Fingers,
    Fling,
    Frame,
    LongPress,
    Pinch,
    Pointer,
    Swipe,
    Tap,
    Track,
    Twist,
)
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.phone.app import load_app
from pytest_apex.phone.phone import Phone
from pytest_apex.phone.touch import Gesture

PLATFORMS = ("android", "ios")
HANDS = {"off": HumanizeConfig(enabled=False), "default": HumanizeConfig(), **PERSONAS}

#: A control that listens to everything, and a list.
APP = """
app: com.example.touch
name: Touch
version: 1.0.0
start: all
data:
  rows: [{rows}]
screens:
  all:
    scroll: false
    padding: 0
    gap: 0
    controls:
      - {{role: card, id: pad, height: 360, {gestures}}}
      - role: list
        id: list
        items: rows
        scroll: true
        controls: [{{role: cell, controls: [{{role: text, text: "{{item}}"}}]}}]
""".format(
    rows=", ".join(f"Row {n}" for n in range(60)),
    gestures=", ".join(
        f"on_{name}: []"
        for name in ("tap", "double_tap", "long_press", "swipe_up", "swipe_down", "swipe_left", "swipe_right")
    ),
)


@dataclass(frozen=True)
class Case:
    """`make` draws the action on an area of the screen, in dp or points times `unit`; `says` is what the phone has to
    take it for, `fits` whether it is right in all else."""

    says: tuple[str, ...]
    make: Callable[[Rect, float, random.Random], Pointer]
    fits: Callable[[Pointer, Track, list[Gesture], Slack], bool] = lambda *_: True
    place: str = "pad"


@dataclass(frozen=True)
class Slack:
    """How far things may be off, in pixels: `hand` for each end, `pixel` pixels a unit, `rules` in units."""

    hand: float
    pixel: float
    rules: TouchRules


def near(area: Rect, rng: random.Random, margin: float) -> Point:
    """A place on an area, away from its edges."""
    return Point(
        round(rng.uniform(area.left + margin, area.right - margin)),
        round(rng.uniform(area.top + margin, area.bottom - margin)),
    )


def across(way: float, dx: int, dy: int, **more: int) -> Callable[[Rect, float, random.Random], Pointer]:
    """A swipe through the middle of an area."""

    def make(area: Rect, unit: float, rng: random.Random) -> Pointer:
        at, half = near(Rect(*_middle(area)), rng, 0), way * unit / 2
        return Swipe(at.moved(-dx * half, -dy * half), at.moved(dx * half, dy * half), **more)

    return make


def _middle(area: Rect) -> tuple[float, float, float, float]:
    x, y = area.center
    return x - 20, y - 20, x + 20, y + 20


def fling(area: Rect, unit: float, rng: random.Random) -> Pointer:
    at = near(Rect(*_middle(area)), rng, 0)
    return Fling(at.moved(0, 100 * unit), at.moved(0, -100 * unit))


def path(area: Rect, unit: float, rng: random.Random) -> Pointer:
    """There and back again, and on."""
    at = near(Rect(*_middle(area)), rng, 0)
    spots = [(-120, 60), (-60, -60), (0, 60), (60, -60), (120, 60)]
    start, *via, end = (at.moved(x * unit, y * unit) for x, y in spots)
    return Swipe(start, end, 900, tuple(via))


def drag(area: Rect, unit: float, rng: random.Random) -> Pointer:
    at = near(Rect(*_middle(area)), rng, 0)
    return Drag(at.moved(-60 * unit, -80 * unit), at.moved(60 * unit, 80 * unit))


def pinch(scale: float) -> Callable[[Rect, float, random.Random], Pointer]:
    def make(area: Rect, unit: float, rng: random.Random) -> Pointer:
        at = near(Rect(*_middle(area)), rng, 0)
        return Pinch(at, scale, (190 if scale > 1 else 190 / scale) * unit, angle=rng.uniform(-60, 60))

    return make


def twist(degrees: float) -> Callable[[Rect, float, random.Random], Pointer]:
    return lambda area, unit, rng: Twist(near(Rect(*_middle(area)), rng, 0), degrees, 200 * unit)


def three(area: Rect, unit: float, rng: random.Random) -> Pointer:
    """Down together; one rests, one goes and lifts early, one comes back elsewhere."""
    at = near(Rect(*_middle(area)), rng, 0)

    def frame(ms: int, *spots: tuple[float, float] | None) -> Frame:
        return Frame(tuple(at.moved(spot[0] * unit, spot[1] * unit) if spot else None for spot in spots), ms)

    return Fingers(
        (
            frame(300, (-100, 0), (0, 0), (100, 0)),
            frame(200, (-100, 0), (0, 80), (100, 60)),
            frame(240, (-100, 0), None, (100, 60)),
            frame(160, (-100, 0), (0, -80), (100, 60)),
            frame(100, (-60, 0), (0, -80), (100, -60)),
        )
    )


def came_from(pointer: Pointer, track: Track, found: list[Gesture], slack: Slack) -> bool:
    """The way that was made, as long and as wide as it was meant."""
    assert isinstance(pointer, (Swipe, Drag))
    got, pixel = found[-1], slack.pixel
    dx, dy = (pointer.end.x - pointer.start.x) * pixel, (pointer.end.y - pointer.start.y) * pixel
    return abs(got.dx - dx) <= 2 * slack.hand and abs(got.dy - dy) <= 2 * slack.hand


def towards(direction: str) -> Callable[[Pointer, Track, list[Gesture], Slack], bool]:
    return lambda _pointer, _track, found, _slack: found[-1].direction == direction


def followed(pointer: Pointer, track: Track, found: list[Gesture], slack: Slack) -> bool:
    """The content went as far as the finger, less the slop, and rested."""
    assert isinstance(pointer, Swipe)
    way = (pointer.end.y - pointer.start.y + slack.rules.touch_slop) * slack.pixel
    return abs(found[0].dy - way) <= 2 * slack.hand


def flew(pointer: Pointer, track: Track, found: list[Gesture], slack: Slack) -> bool:
    """Faster at the end than on the whole, as no swipe of a hand is."""
    way = track.points[0].distance(track.points[-1]) * slack.pixel
    return abs(found[-1].dy) >= 0.99 * way / track.duration_ms * 1000 and found[-1].direction == "up"


def scaled(pointer: Pointer, track: Track, found: list[Gesture], slack: Slack) -> bool:
    """As far as was meant, less what is lost before a pinch begins: the slop, and at most one step."""
    assert isinstance(pointer, Pinch)
    whole = pointer.scale
    away = pointer.span * (whole - 1)
    step = 2.2 * abs(away) / (len(track.strokes[0].samples) - 1)
    lost = (slack.rules.span_slop + step) * (1 if away > 0 else -1)
    least = pointer.span * whole / (pointer.span + lost)
    low, high = sorted((least, whole))
    return 0.95 * low <= found[0].scale <= 1.05 * high


def turned(pointer: Pointer, track: Track, found: list[Gesture], slack: Slack) -> bool:
    """By the angle that was meant, less what is lost before a twist begins."""
    assert isinstance(pointer, Twist)
    whole = abs(pointer.degrees)
    lost = slack.rules.touch_slop / (pointer.span / 2) * 57.3 + 2.2 * whole / (len(track.strokes[0].samples) - 1)
    got = found[0].degrees * (1 if pointer.degrees > 0 else -1)
    return whole - lost - 3 <= got <= whole + 3


def each_finger(pointer: Pointer, track: Track, found: list[Gesture], slack: Slack) -> bool:
    """Three fingers, four contacts: where and when the track has them, down together where they were meant to be."""
    assert isinstance(pointer, Fingers)
    got = found[-1]
    meant = [[frame.points[finger] for frame in pointer.frames if finger < len(frame.points)] for finger in range(3)]
    starts = [meant[0][0], meant[1][0], meant[2][0], meant[1][3]]
    ends = [meant[0][4], meant[1][1], meant[2][4], meant[1][4]]
    first = got.contacts[0].began
    if len({contact.began for contact in got.contacts[:3]}) != 1:
        return False
    for contact, start, end, stroke in zip(got.contacts, starts, ends, track.strokes, strict=True):
        assert start is not None
        assert end is not None
        if Point(contact.x, contact.y).distance(Point(start.x * slack.pixel, start.y * slack.pixel)) > slack.hand:
            return False
        if Point(contact.last_x, contact.last_y).distance(Point(end.x * slack.pixel, end.y * slack.pixel)) > slack.hand:
            return False
        if abs(contact.began - first - stroke.samples[0].t_ms) > 0.5:
            return False
    return got.fingers == 3 and len(got.contacts) == 4


GESTURES: Mapping[str, Case] = {
    "tap": Case(("tap",), lambda area, _unit, rng: Tap(near(area, rng, 20))),
    "tap, held 300 ms": Case(("tap",), lambda area, _unit, rng: Tap(near(area, rng, 20), 300)),
    "double tap": Case(("double_tap",), lambda area, _unit, rng: DoubleTap(near(area, rng, 20))),
    "double tap, 60 ms": Case(("double_tap",), lambda area, _unit, rng: DoubleTap(near(area, rng, 20), 60)),
    "double tap, 220 ms": Case(("double_tap",), lambda area, _unit, rng: DoubleTap(near(area, rng, 20), 220)),
    "long press": Case(("long_press",), lambda area, _unit, rng: LongPress(near(area, rng, 20))),
    "press, held 2 s": Case(("long_press",), lambda area, _unit, rng: Tap(near(area, rng, 20), 2000)),
    "swipe up": Case(("swipe",), across(200, 0, -1), towards("up")),
    "swipe down": Case(("swipe",), across(200, 0, 1), towards("down")),
    "swipe left": Case(("swipe",), across(200, -1, 0), towards("left")),
    "swipe right": Case(("swipe",), across(200, 1, 0), towards("right")),
    "swipe, slow and short": Case(("swipe",), across(40, 1, 0, duration_ms=700), towards("right")),
    "swipe along a path": Case(("swipe",), path),
    "swipe over a list": Case(("scroll", "fling"), across(200, 0, -1), towards("up"), "list"),
    "scroll": Case(("scroll",), across(200, 0, -1, rest_ms=100), followed, "list"),
    "fling": Case(("scroll", "fling"), fling, flew, "list"),
    "drag": Case(("long_press", "drag"), drag, came_from),
    "pinch open": Case(("pinch",), pinch(1.6), scaled),
    "pinch close": Case(("pinch",), pinch(0.6), scaled),
    "twist right": Case(("twist",), twist(90), turned),
    "twist left": Case(("twist",), twist(-60), turned),
    "three fingers": Case(("multi_touch",), three, each_finger),
}


class Stand:
    """A phone with the app in front."""

    def __init__(self, platform: str) -> None:
        self.phone = Phone([load_app(APP, "touch.yaml")], platform=platform)
        self.phone.launch("com.example.touch")
        self.phone.clock.sleep(2)
        backend = VirtualBackend(self.phone)
        self.rules, self.unit = rules_for(backend.info()), backend.info().dp
        tree, self.bounds = self.phone.tree(), backend.info().screen.bounds
        nodes = [tree.node(n) for n in range(len(tree))]
        self.areas = {
            word: next(node.bounds for node in nodes if node.identifier.endswith(word)).intersect(self.bounds)
            for word in ("pad", "list")
        }

    def _begin_anew(self, place: str) -> None:
        """The list in its middle, and nothing seen yet."""
        front = self.phone.machine.front
        assert front is not None
        if place == "list":
            front.scroll_to("content/list", 1500)
        self.phone.recognised.clear()

    def mistake(self, case: Case, config: HumanizeConfig, seed: int) -> str:
        """What the phone took a gesture for, if it is not what it was meant to be."""
        rng, area = random.Random(seed), self.areas[case.place]
        action = case.make(area, self.unit, rng)
        exact = compile_action(action, self.rules)
        track = humanize_track(exact, area=area, end_area=area, config=config, rules=self.rules, rng=rng)
        self._begin_anew(case.place)
        self.phone.touch(track)
        self.phone.clock.sleep(0.5)
        found = list(self.phone.recognised)
        kinds = tuple(gesture.kind for gesture in found)
        slack = Slack((config.radius if config.enabled else 0) * self.phone.unit + 2, self.phone.unit, self.rules)
        if kinds != case.says:
            return f"{', '.join(kinds) or 'nothing'} in place of {', '.join(case.says)}"
        return "" if case.fits(action, track, found, slack) else f"not as meant: {found[-1]}"


def cell(stand: Stand, case: Case, config: HumanizeConfig, seeds: int) -> list[str]:
    """The mistakes of so many tries, with their seeds."""
    told = ((seed, stand.mistake(case, config, seed)) for seed in range(seeds))
    return [f"seed {seed}: {mistake}" for seed, mistake in told if mistake]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seeds", type=int, default=1000, help="tries for each gesture, platform and hand")
    seeds = parser.parse_args().seeds
    names = [f"{platform} {hand}" for platform in PLATFORMS for hand in HANDS]
    print(f"recognised as itself, of {seeds}\n")
    print(f"| {'gesture':<22} | " + " | ".join(f"{name:<16}" for name in names) + " |")
    print("|" + "-" * 24 + "|" + "|".join("-" * 18 for _ in names) + "|")
    wrong = []
    stands = {platform: Stand(platform) for platform in PLATFORMS}
    for name, case in GESTURES.items():
        cells = []
        for platform in PLATFORMS:
            for hand, config in HANDS.items():
                mistakes = cell(stands[platform], case, config, seeds)
                wrong += [f"{name}, {platform} {hand}, {mistake}" for mistake in mistakes[:3]]
                cells.append(f"{100 * (1 - len(mistakes) / seeds):.4g} %")
        print(f"| {name:<22} | " + " | ".join(f"{text:<16}" for text in cells) + " |", flush=True)
    print("\n" + ("\n".join(wrong) if wrong else f"all {len(GESTURES) * len(names) * seeds} as meant"))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
