"""A real browser is told of our gestures by a real Appium server, and says what it took them for.

The only judge of gestures here that was written by others from the server to the screen. Everything is sent as the
payload that `to_w3c` makes for Android or iOS, told in ticks (see `ticks.py`). Fingers and points have to be exact;
for the times see `arrived.py`.
"""

from __future__ import annotations

import copy
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.gestures.humanize import HumanizeConfig, humanize_track
from pytest_apex.gestures.language import parse_commands
from pytest_apex.gestures.w3c import to_w3c
from pytest_apex.model.action import DoubleTap, LongPress, Pinch, Pointer, Swipe, Tap, Track
from pytest_apex.model.geometry import Point, Rect

from . import arrived
from .chromium import TouchPage
from .ticks import in_ticks

pytestmark = pytest.mark.bench

#: Tries for times alone: another program can have the processor for a moment, and then a touch is late, never early.
TRIES = 3
(KEY_FRAMES,) = parse_commands(
    "mt [100 300, 200 300, 300 300] 0.3 [100 500, 200 300, 300 400] 0.2 [100 500, 200 350] 0.3 "
    "[, 200 350, 350 350] 0.12 [110 500, 200 350, 350 450] 0.06"
)
#: Each at a place of its own: two taps at one place, soon after each other, are a double tap to the browser.
GESTURES: dict[str, Any] = {
    "tap": Tap(Point(100, 120)),
    "double tap": DoubleTap(Point(300, 220), 80),
    "long press": LongPress(Point(200, 700)),
    "curved swipe": Swipe(Point(100, 700), Point(300, 200), 500, via=(Point(150, 500), Point(250, 400))),
    "pinch": Pinch(Point(206, 450), 1.5, 200),
    "three fingers": KEY_FRAMES,
}
#: What the browser made of it: clicks and double clicks. A held touch ends with a click there, too.
CLICKS = {"tap": (1, 0), "double tap": (2, 1), "long press": (1, 0)}
HANDS = {"off": HumanizeConfig(enabled=False), "seeded": HumanizeConfig()}
SEED = 11

each = pytest.mark.parametrize("name", GESTURES)
everywhere = pytest.mark.parametrize("platform", ["android", "ios"])


def track_of(action: Pointer, platform: str, hand: str) -> Track:
    """The gesture by that hand, free to miss its ends by as much as it likes to."""
    rules = RULES[platform]
    track = compile_action(action, rules)
    start, end = (Rect(p.x - 20, p.y - 20, p.x + 20, p.y + 20) for p in (track.points[0], track.points[-1]))
    area = Rect(0, 0, 412, 915) if track.verb in ("pinch", "multi_touch") else start
    return humanize_track(
        track, area=area, end_area=end, config=HANDS[hand], rules=rules, rng=random.Random(SEED),
        bounds=Rect(0, 0, 412, 915),
    )  # fmt: skip


def counted(events: list[dict[str, Any]], kind: str) -> int:
    return sum(event["type"] == kind for event in events)


def row(name: str, platform: str, hand: str, track: Track, events: list[dict[str, Any]]) -> str:
    def spans(times: list[tuple[float, float]]) -> str:
        return ", ".join(f"{begins:.0f} to {ends:.0f}" for begins, ends in times)

    asked = [(stroke.samples[0].t_ms, stroke.samples[-1].t_ms) for stroke in track.strokes]
    got = [(contact.began, contact.ended) for contact in arrived.contacts(events)]
    return f"{name:<14}{platform:<9}hand {hand:<8}{spans(asked)}\n{'arrived':>36} {spans(got)}"


@each
@everywhere
@pytest.mark.parametrize("hand", HANDS)
def test_it_arrives_with_its_fingers_points_and_times(
    name: str, platform: str, hand: str, page: TouchPage, table: list[str]
) -> None:
    rules, clicks = RULES[platform], CLICKS.get(name, (0, 0))
    track = track_of(GESTURES[name], platform, hand)
    payload = in_ticks(to_w3c(track, rules))
    for _ in range(TRIES):
        page.open()
        events = page.play(payload, ups=len(track.strokes), clicks=clicks[0])
        assert arrived.wrong_places(track, events, rules) == []
        late = arrived.wrong_times(track, events)
        if not late:
            break
    table.append(row(name, platform, hand, track, events))
    assert late == []
    assert (counted(events, "click"), counted(events, "dblclick")) == clicks


@pytest.mark.parametrize("name", ["tap", "double tap", "long press", "curved swipe"])
@everywhere
def test_one_finger_arrives_by_the_very_payload_too(name: str, platform: str, page: TouchPage) -> None:
    """Word for word as a phone's server gets it; only the times of a curve are the driver's own then."""
    rules, clicks = RULES[platform], CLICKS.get(name, (0, 0))
    track = track_of(GESTURES[name], platform, "off")
    events = page.play(to_w3c(track, rules), ups=len(track.strokes), clicks=clicks[0])
    assert arrived.wrong_places(track, events, rules) == []
    assert counted(events, "click") == clicks[0]


def test_a_long_press_is_held_past_the_limit_of_the_platform(page: TouchPage) -> None:
    track = track_of(GESTURES["long press"], "android", "off")
    (press,) = arrived.contacts(page.play(in_ticks(to_w3c(track, RULES["android"])), ups=1, clicks=1))
    assert press.ended - press.began >= RULES["android"].shortest_press_ms


# --- the judge tells right from wrong -------------------------------------------------------------------------------


def _off_by_a_pixel(payload: list[dict[str, Any]]) -> None:
    next(action for action in payload[0]["actions"] if action["type"] == "pointerMove")["x"] += 1


def _without_a_finger(payload: list[dict[str, Any]]) -> None:
    payload.pop()


@pytest.mark.parametrize(
    ("name", "spoilt", "says"),
    [
        ("tap", _off_by_a_pixel, "no touch from (100, 120)"),
        ("pinch", _without_a_finger, "1 fingers at a time, in place of 2"),
    ],
)
def test_another_touch_is_seen_as_another(
    name: str, spoilt: Callable[[list[dict[str, Any]]], None], says: str, page: TouchPage
) -> None:
    track = track_of(GESTURES[name], "ios", "off")
    payload = copy.deepcopy(to_w3c(track, RULES["ios"]))
    spoilt(payload)
    events = page.play(payload, ups=len(payload))
    assert any(wrong.startswith(says) for wrong in arrived.wrong_places(track, events, RULES["ios"]))


def test_a_touch_by_a_script_is_not_trusted(page: TouchPage) -> None:
    track = track_of(GESTURES["tap"], "ios", "off")
    wrong = arrived.wrong_places(track, page.forge(100, 120), RULES["ios"])
    assert wrong[:2] == ["pointerdown is not trusted", "pointerup is not trusted"]


def test_a_clients_own_move_of_a_quarter_second_makes_a_double_tap_too_slow(page: TouchPage) -> None:
    track = track_of(DoubleTap(Point(150, 820), 80), "android", "off")
    (source,) = to_w3c(track, RULES["android"])
    again = {"type": "pointerMove", "duration": 250, "x": 150, "y": 820, "origin": "viewport"}
    second = [n for n, action in enumerate(source["actions"]) if action["type"] == "pointerDown"][1]
    source["actions"].insert(second, again)
    events = page.play(in_ticks([source]), ups=2, clicks=2)
    assert any(wrong.startswith("pauses 3") for wrong in arrived.wrong_times(track, events))


def test_a_curve_told_a_point_at_a_time_without_its_times_is_too_fast(page: TouchPage) -> None:
    swipe = GESTURES["curved swipe"]
    asked, sent = (track_of(replace(swipe, duration_ms=ms), "ios", "off") for ms in (500, 250))
    events = page.play(in_ticks(to_w3c(sent, RULES["ios"])), ups=1)
    assert any(wrong.startswith("lasts") for wrong in arrived.wrong_times(asked, events))
