"""Two fingers and more, on both sides of each threshold, and what the phone tells of all that it saw."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.errors import CapabilityMissing
from pytest_apex.phone.several import Several
from pytest_apex.phone.touch import THRESHOLDS, Gesture, Recognizer, Wants

Way = Callable[[float], tuple[float, float]]
DENSITY = 1.5


def play(*ways: Way, steps: int = 30, platform: str = "android") -> list[Gesture]:
    """Fingers that are down together, each on its way from 0 to 1."""
    several = Several(THRESHOLDS[platform], DENSITY)
    found: list[Gesture] = []
    for finger, way in enumerate(ways):
        found += several.down(0, finger, *way(0))
    for n in range(1, steps + 1):
        for finger, way in enumerate(ways):
            several.move(finger, *way(n / steps))
        several.look()
    for finger in range(len(ways)):
        found += several.up(steps * 20, finger)
    return found


def line(x1: float, y1: float, x2: float, y2: float) -> Way:
    """In dp."""
    return lambda s: (DENSITY * (x1 + (x2 - x1) * s), DENSITY * (y1 + (y2 - y1) * s))


def arc(start: float, degrees: float, span: float) -> Way:
    def at(s: float) -> tuple[float, float]:
        angle = math.radians(start + degrees * s)
        return DENSITY * (300 + span / 2 * math.cos(angle)), DENSITY * (300 + span / 2 * math.sin(angle))

    return at


def kinds(found: list[Gesture]) -> list[str]:
    return [gesture.kind for gesture in found]


@pytest.mark.parametrize(
    ("platform", "by", "seen"),
    [("android", 15.9, False), ("android", 16.3, True), ("ios", 19.9, False), ("ios", 20.3, True)],
)
@pytest.mark.parametrize("sign", [1, -1])
def test_a_pinch_begins_past_the_slop_of_the_span(platform: str, by: float, seen: bool, sign: int) -> None:
    found = play(line(100, 100, 100, 100), line(400, 100, 400 + sign * by, 100), platform=platform, steps=300)
    assert kinds(found) == (["pinch"] if seen else ["multi_touch"])


@pytest.mark.parametrize(("platform", "seen"), [("android", "multi_touch"), ("ios", "pinch")])
def test_android_sees_no_pinch_of_fingers_closer_than_27_mm(platform: str, seen: str) -> None:
    assert kinds(play(line(100, 100, 100, 100), line(140, 100, 268, 100), platform=platform)) == [seen]
    assert kinds(play(line(100, 100, 100, 100), line(140, 100, 290, 100), platform=platform)) == ["pinch"]


def test_a_pinch_that_gets_too_close_is_over_on_android() -> None:
    near, far = line(100, 100, 100, 100), line(400, 100, 150, 100)
    (android,) = play(near, far, steps=250)
    (ios,) = play(near, far, steps=250, platform="ios")
    assert android.scale == pytest.approx(170 / 283, abs=0.02)
    assert ios.scale == pytest.approx(50 / 279, abs=0.02)


def test_the_scale_counts_from_where_the_pinch_begins() -> None:
    (open_,) = play(line(100, 100, 100, 100), line(300, 100, 500, 100), steps=400)
    assert (open_.kind, open_.fingers) == ("pinch", 2)
    assert open_.scale == pytest.approx(400 / 216.5, abs=0.01)
    assert (open_.x, open_.y) == (200 * DENSITY, 100 * DENSITY)


@pytest.mark.parametrize(("by", "seen"), [(4.4, "multi_touch"), (4.8, "twist")])
def test_a_twist_begins_past_the_slop_along_the_circle(by: float, seen: str) -> None:
    # 8 dp on a circle of 200 dp across are 4.58 degrees.
    assert kinds(play(arc(0, by, 200), arc(180, by, 200), steps=100)) == [seen]


@pytest.mark.parametrize("degrees", [90, -90, 360, -540])
def test_a_twist_counts_all_its_turns(degrees: float) -> None:
    (found,) = play(arc(0, degrees, 200), arc(180, degrees, 200), steps=200)
    assert found.kind == "twist"
    assert found.degrees == pytest.approx(degrees - math.copysign(4.58, degrees), abs=3)


def test_a_twist_that_opens_is_both() -> None:
    def wider(start: float) -> Way:
        return lambda s: arc(start, 60 * s, 200 + 200 * s)(1)

    assert kinds(play(wider(0), wider(180))) == ["pinch", "twist"]


def test_two_fingers_that_go_side_by_side_do_neither() -> None:
    (found,) = play(line(100, 100, 400, 500), line(300, 100, 600, 500), steps=5)
    assert (found.kind, found.fingers, len(found.contacts)) == ("multi_touch", 2, 2)
    assert (found.contacts[1].last_x, found.contacts[1].last_y) == (600 * DENSITY, 500 * DENSITY)


def test_two_fingers_that_tap_are_told() -> None:
    assert kinds(play(line(100, 100, 100, 100), line(300, 100, 300, 100))) == ["multi_touch"]


def test_one_finger_is_nothing_here() -> None:
    assert play(line(100, 100, 400, 500)) == []


def test_three_fingers_are_told_with_all_their_contacts() -> None:
    several = Several(THRESHOLDS["android"], DENSITY)
    for finger in range(3):
        several.down(0, finger, 100.0 * finger, 50)
    several.move(1, 100, 250)
    several.look()
    assert several.up(200, 1) == []
    several.down(300, 3, 120, 60)
    found = [gesture for finger in (0, 2, 3) for gesture in several.up(400, finger)]
    assert kinds(found) == ["multi_touch"]
    assert [(c.finger, c.began, c.ended) for c in found[0].contacts] == [
        (0, 0, 400),
        (1, 0, 200),
        (2, 0, 400),
        (3, 300, 400),
    ]
    assert found[0].fingers == 3


def test_two_of_three_fingers_still_pinch_when_the_third_has_gone() -> None:
    several = Several(THRESHOLDS["ios"], 1.0)
    for finger, x in enumerate((100.0, 300.0, 500.0)):
        several.down(0, finger, x, 50)
    assert several.up(20, 1) == []
    for n in range(1, 11):
        several.move(2, 500 + 20 * n, 50)
        several.look()
    assert kinds(several.up(220, 2)) == ["pinch"]
    assert kinds(several.up(220, 0)) == ["multi_touch"]


def test_each_touch_begins_anew() -> None:
    several = Several(THRESHOLDS["android"], 1.0)
    for _ in range(2):
        several.down(0, 0, 0, 0)
        several.down(0, 1, 300, 0)
        several.up(50, 0)
        (found,) = several.up(50, 1)
        assert (found.fingers, len(found.contacts)) == (2, 2)


# --- one finger: what several fingers brought with them ---------------------------------------------------------------


def one(wants: Wants, *moves: tuple[float, float, float], lifted: float | None = None) -> list[Gesture]:
    recognizer = Recognizer(THRESHOLDS["android"], 1.0)
    (t, x, y), *more = moves
    found = recognizer.down(t, x, y, wants)
    for t, x, y in more:
        found += recognizer.time(t)
        found += recognizer.move(t, x, y)
    return found + recognizer.up(lifted if lifted is not None else t, x, y)


ALL = Wants((0, 0, 400, 400), long_press=True, double_tap=True)


@pytest.mark.parametrize(("by", "seen"), [(7.9, ["long_press"]), (8.1, ["long_press", "drag"])])
def test_a_finger_that_moves_after_a_long_press_drags(by: float, seen: list[str]) -> None:
    found = one(ALL, (0, 100, 100), (450, 100, 100), (600, 100 + by, 100), lifted=900)
    assert kinds(found) == seen
    assert found[-1].dx == (pytest.approx(by) if len(seen) > 1 else 0)


@pytest.mark.parametrize(("rest", "seen"), [(39, ["scroll", "fling"]), (41, ["scroll"])])
def test_a_finger_that_rests_for_40_ms_has_stopped(rest: float, seen: list[str]) -> None:
    moves = [(n * 10.0, 100.0, 300.0 - n * 10) for n in range(11)]
    found = one(Wants((0, 0, 400, 400), scroll_y=True), *moves, lifted=100 + rest)
    assert list(dict.fromkeys(kinds(found))) == seen


def test_a_finger_that_slows_to_a_standstill_seems_to_go_back_on_android() -> None:
    def place(t: float) -> float:
        s = t / 500
        return 900 - 600 * (10 * s**3 - 15 * s**4 + 6 * s**5)

    found = one(Wants((0, 0, 400, 1000), scroll_y=True), *[(t, 100, place(t)) for t in range(0, 501, 20)])
    assert (found[-1].kind, found[-1].direction) == ("fling", "down")


def test_a_slanting_finger_scrolls_once_it_went_far_enough_along() -> None:
    """At 45 degrees, the way is past the slop before either of its parts is."""
    listens = Wants((0, 0, 400, 400), long_press=True, scroll_y=True)
    found = one(listens, *[(n * 20.0, 100.0 + n * 2, 300.0 - n * 2.1) for n in range(11)])
    assert kinds(found)[0] == "scroll"


# --- the whole phone --------------------------------------------------------------------------------------------------

HEAD = """
app: com.example.pad
name: Pad
version: 1.0.0
start: one
data: {last: nothing, rows: [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x]}
screens:
  one:
    scroll: false
    controls:
"""
LIST = """
      - role: list
        id: list
        items: rows
        as: row
        scroll: true
        controls: [{role: cell, controls: [{role: text, text: "{row}"}]}]
"""
PAD = f"""{HEAD}
      - {{role: text, id: last, text: "{{last}}"}}
      - role: card
        id: pad
        height: 320
        on_tap: {{set: {{last: tap}}}}
        on_long_press: {{set: {{last: long press}}}}
        on_pinch_open: {{set: {{last: opened}}}}
        on_pinch_close: {{set: {{last: closed}}}}
        on_twist_left: {{set: {{last: left}}}}
        on_twist_right: {{set: {{last: right}}}}
{LIST}"""


def straight(x1: float, y1: float, x2: float, y2: float) -> list[tuple[float, float, float]]:
    return [(n * 20.0, x1 + (x2 - x1) * n / 25, y1 + (y2 - y1) * n / 25) for n in range(26)]


@pytest.mark.parametrize(
    ("ends", "says"),
    [
        (((100, 300, 60, 300), (380, 300, 480, 300)), "opened"),
        (((60, 300, 100, 300), (480, 300, 380, 300)), "closed"),
        (((120, 300, 120, 240), (420, 300, 420, 360)), "right"),
        (((120, 300, 120, 360), (420, 300, 420, 240)), "left"),
    ],
)
def test_a_control_answers_to_two_fingers(run_app: Callable[..., Any], ends: Any, says: str) -> None:
    driver = run_app(PAD)
    driver.play(*(straight(*end) for end in ends), verb="pinch")
    driver.wait(0.5)
    assert driver.node("last").text == says


def test_a_second_finger_takes_the_tap_and_the_long_press_away(run_app: Callable[..., Any]) -> None:
    driver = run_app(PAD)
    driver.play([(0, 100, 300), (900, 100, 300)], [(100, 400, 300), (900, 400, 300)], verb="multi_touch")
    driver.wait(0.5)
    assert driver.node("last").text == "nothing"
    assert [gesture.kind for gesture in driver.phone.recognised] == ["multi_touch"]


def test_the_phone_tells_what_it_took_touches_for(run_app: Callable[..., Any]) -> None:
    driver = run_app(PAD)
    driver.tap("pad")
    driver.swipe((270, 1000), (270, 800), rest_ms=200)
    driver.swipe((270, 1000), (270, 800), rest_ms=200)
    tap, first, second = driver.phone.recognised
    assert (tap.kind, first.kind, second.kind) == ("tap", "scroll", "scroll")
    assert first.dy == second.dy == pytest.approx(-200 + 12)
    driver.phone.recognised.clear()
    assert not driver.phone.recognised


def test_a_crown_scrolls_by_heights_of_what_scrolls(run_app: Callable[..., Any]) -> None:
    driver = run_app(HEAD + LIST, platform="watchos")
    before = driver.node("a").bounds.top
    height = driver.node("list").bounds.height
    driver.phone.turn_crown(0.5)
    assert before - driver.node("a").bounds.top == pytest.approx(height / 2, abs=1)
    driver.phone.turn_crown(-2)
    assert driver.node("a").bounds.top == before


@pytest.mark.parametrize("platform", ["android", "ios", "tvos"])
def test_only_a_watch_has_a_crown(run_app: Callable[..., Any], platform: str) -> None:
    with pytest.raises(CapabilityMissing, match="'crown'"):
        run_app(HEAD + LIST, platform=platform).phone.turn_crown(1)
