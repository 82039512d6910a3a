"""Every gesture is recognised as itself by the platforms' own thresholds, exact or by any hand."""

from __future__ import annotations

import random

import pytest

from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.gestures.humanize import PERSONAS, HumanizeConfig, humanize_track
from pytest_apex.model.action import DoubleTap, Drag, LongPress, Pointer, Swipe, Tap, Track
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.phone.touch import THRESHOLDS, Recognizer, Wants

SEEDS = range(100)
HERE, BELOW, BESIDE = Point(300, 1500), Point(300, 600), Point(900, 1500)
CONTROL = Rect(200, 1400, 400, 1600)
SCREEN = Rect(0, 0, 1080, 2400)
HANDS = {"off": HumanizeConfig(enabled=False), "default": HumanizeConfig(), **PERSONAS}


def recognised(track: Track, platform: str) -> list[str]:
    """What the built-in phone takes a track for on a control that listens to all."""
    phone = Recognizer(THRESHOLDS[platform], density=1.0)
    wants = Wants((200, 1400, 400, 1600), long_press=True, double_tap=True, scroll_x=True, scroll_y=True)
    found = []
    for stroke in track.strokes:
        first, *middle, last = stroke.samples
        found += phone.down(first.t_ms, first.x, first.y, wants)
        for sample in (*middle, last):
            found += phone.time(sample.t_ms)
            found += phone.move(sample.t_ms, sample.x, sample.y)
        found += phone.up(last.t_ms, last.x, last.y)
    found += phone.time(track.duration_ms + 1000)
    return [gesture.kind for gesture in found]


@pytest.mark.parametrize("hand", HANDS)
@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize(
    ("action", "begins"),
    [
        (Tap(HERE), "tap"),
        (Tap(HERE, hold_ms=350), "tap"),
        (DoubleTap(HERE), "double_tap"),
        (DoubleTap(HERE, interval_ms=60), "double_tap"),
        (DoubleTap(HERE, interval_ms=220), "double_tap"),
        (LongPress(HERE), "long_press"),
        (LongPress(HERE, duration_ms=520), "long_press"),
        (Swipe(HERE, BELOW), "scroll"),
        (Swipe(HERE, BESIDE, duration_ms=200), "scroll"),
        (Drag(HERE, BELOW), "long_press"),
    ],
    ids=repr,
)
def test_a_gesture_arrives_as_itself(action: Pointer, begins: str, platform: str, hand: str) -> None:
    rules = RULES[platform]
    exact = compile_action(action, rules)
    for seed in SEEDS if hand != "off" else (0,):
        track = humanize_track(
            exact, area=CONTROL, end_area=SCREEN, config=HANDS[hand], rules=rules, rng=random.Random(seed)
        )
        kinds = recognised(track, platform)
        assert kinds[0] == begins
        assert set(kinds) <= {begins, "scroll", "fling", "swipe", "drag"}


def test_the_phone_and_the_compiler_go_by_the_same_numbers() -> None:
    for platform, phone in THRESHOLDS.items():
        rules = RULES[platform]
        assert (rules.touch_slop, rules.long_press_ms) == (phone.slop, phone.long_press)
        assert (rules.double_tap_min_ms, rules.double_tap_max_ms) == (phone.double_tap_min, phone.double_tap_max)
