"""The recogniser, on both sides of each threshold (Android's in dp at a density of 1.5, iOS' in points at 2)."""

from __future__ import annotations

import pytest

from pytest_apex.phone.touch import THRESHOLDS, Gesture, Recognizer, Wants

BOX = (0, 0, 400, 400)
DENSITY = 1.5


def feed(wants: Wants, *events: tuple[str, float, float, float], platform: str = "android") -> list[str]:
    """Kinds of the gestures that events (kind, ms, x, y) make; time runs on to the end of any waiting."""
    recognizer = Recognizer(THRESHOLDS[platform], DENSITY)
    found: list[Gesture] = []
    for kind, t, x, y in events:
        due = recognizer.deadline()
        if due is not None and due < t:
            found += recognizer.time(due + 0.1)
        if kind == "down":
            found += recognizer.down(t, x, y, wants)
        elif kind == "move":
            found += recognizer.move(t, x, y)
        else:
            found += recognizer.up(t, x, y)
    due = recognizer.deadline()
    if due is not None and events[-1][0] == "up":
        found += recognizer.time(due + 0.1)
    return [gesture.kind for gesture in found]


def tap(t: float, ms: float = 50, x: float = 100, y: float = 100) -> list[tuple[str, float, float, float]]:
    return [("down", t, x, y), ("up", t + ms, x, y)]


PLAIN = Wants(BOX)
LONG = Wants(BOX, long_press=True)
DOUBLE = Wants(BOX, double_tap=True)
SCROLL = Wants(BOX, scroll_y=True)


def test_a_touch_is_a_tap() -> None:
    assert feed(PLAIN, *tap(0)) == ["tap"]


@pytest.mark.parametrize(
    ("platform", "ms", "kinds"),
    [
        ("android", 399, ["tap"]),
        ("android", 401, ["long_press"]),
        ("ios", 499, ["tap"]),
        ("ios", 501, ["long_press"]),
    ],
)
def test_a_long_press_begins_at_the_platforms_time(platform: str, ms: float, kinds: list[str]) -> None:
    assert feed(LONG, *tap(0, ms), platform=platform) == kinds


def test_a_long_touch_on_what_knows_no_long_press_is_a_tap() -> None:
    assert feed(PLAIN, *tap(0, 3000)) == ["tap"]


def test_a_long_press_comes_while_the_finger_is_still_down() -> None:
    recognizer = Recognizer(THRESHOLDS["android"], DENSITY)
    recognizer.down(0, 10, 10, LONG)
    assert recognizer.deadline() == 400
    assert recognizer.time(399.9) == []
    assert [gesture.kind for gesture in recognizer.time(400)] == ["long_press"]
    assert recognizer.up(2000, 10, 10) == []


@pytest.mark.parametrize(
    ("platform", "dp", "kinds"),
    [
        ("android", 7.9, ["long_press"]),
        ("android", 8.1, []),
        ("ios", 9.9, ["long_press"]),
        ("ios", 10.1, []),
    ],
)
def test_a_finger_that_moves_more_than_the_slop_makes_no_long_press(platform: str, dp: float, kinds: list[str]) -> None:
    x = 100 + dp * DENSITY
    assert feed(LONG, ("down", 0, 100, 100), ("move", 50, x, 100), ("up", 900, x, 100), platform=platform) == kinds


@pytest.mark.parametrize(
    ("second_down", "kinds"),
    [
        (50 + 39, ["tap", "tap"]),  # too soon after the first went up
        (50 + 41, ["double_tap"]),
        (299, ["double_tap"]),
        (301, ["tap", "tap"]),  # too late after the first came down
    ],
)
def test_two_taps_are_a_double_tap_within_androids_window(second_down: float, kinds: list[str]) -> None:
    assert feed(DOUBLE, *tap(0), *tap(second_down)) == kinds


def test_two_taps_far_apart_are_two_taps() -> None:
    near, far = 100 + 99 * DENSITY, 100 + 101 * DENSITY
    assert feed(DOUBLE, *tap(0), *tap(150, x=near)) == ["double_tap"]
    assert feed(DOUBLE, *tap(0), *tap(150, x=far)) == ["tap", "tap"]


def test_a_single_tap_waits_only_where_a_double_tap_means_something() -> None:
    assert feed(PLAIN, *tap(0), *tap(120)) == ["tap", "tap"]
    recognizer = Recognizer(THRESHOLDS["android"], DENSITY)
    recognizer.down(0, 10, 10, DOUBLE)
    assert recognizer.up(50, 10, 10) == []
    assert recognizer.deadline() == 300
    assert [gesture.kind for gesture in recognizer.time(300.1)] == ["tap"]


def test_a_third_tap_begins_anew() -> None:
    assert feed(DOUBLE, *tap(0), *tap(120), *tap(240)) == ["double_tap", "tap"]


@pytest.mark.parametrize(("dp", "scrolls"), [(7.9, False), (8.1, True)])
def test_content_scrolls_once_the_finger_leaves_the_slop(dp: float, scrolls: bool) -> None:
    y = 100 - dp * DENSITY
    kinds = feed(SCROLL, ("down", 0, 100, 100), ("move", 50, 100, y), ("move", 1000, 100, y), ("up", 1200, 100, y))
    assert kinds == (["scroll"] if scrolls else ["tap"])


def test_the_content_follows_the_finger_less_the_slop() -> None:
    recognizer = Recognizer(THRESHOLDS["android"], DENSITY)
    recognizer.down(0, 100, 300, SCROLL)
    moved = sum(g.dy for n in range(1, 11) for g in recognizer.move(n * 20, 100, 300 - n * 10) if g.kind == "scroll")
    assert moved == pytest.approx(-100 + 8 * DENSITY)


def test_sideways_does_not_scroll_what_goes_up_and_down() -> None:
    assert feed(SCROLL, ("down", 0, 100, 100), ("move", 100, 160, 105), ("up", 900, 160, 105)) == ["tap"]


@pytest.mark.parametrize(("ms", "kinds"), [(200, ["scroll", "scroll", "fling"]), (60_000, ["scroll", "scroll"])])
def test_only_a_fast_finger_leaves_content_running(ms: float, kinds: list[str]) -> None:
    events = [("down", 0.0, 100.0, 300.0)]
    events += [("move", ms * n / 10, 100.0, 300.0 - n * 5) for n in range(1, 10)]
    found = feed(SCROLL, *events, ("up", ms, 100.0, 250.0))
    assert [kind for n, kind in enumerate(found) if n == 0 or kind != found[n - 1]] == (
        ["scroll", "fling"] if "fling" in kinds else ["scroll"]
    )


def test_a_finger_that_leaves_the_control_taps_nothing() -> None:
    inside, outside = 400 + 7 * DENSITY, 400 + 9 * DENSITY
    assert feed(PLAIN, ("down", 0, 390, 100), ("move", 300, inside, 100), ("up", 9000, inside, 100)) == ["tap"]
    assert feed(PLAIN, ("down", 0, 390, 100), ("move", 300, outside, 100), ("up", 9000, outside, 100)) == []


def test_a_swipe_has_a_direction() -> None:
    recognizer = Recognizer(THRESHOLDS["android"], DENSITY)
    recognizer.down(0, 300, 100, DOUBLE)
    for n in range(1, 10):
        recognizer.move(n * 20, 300 - n * 20, 100 + n * 2)
    found = recognizer.up(200, 100, 120)
    assert [(gesture.kind, gesture.direction) for gesture in found] == [("swipe", "left")]


def test_a_slow_drag_is_no_swipe() -> None:
    # 20 dp in 2 s are 10 dp a second; Android's minimum is 50.
    assert feed(DOUBLE, ("down", 0, 100, 100), ("move", 1000, 115, 100), ("up", 2000, 130, 100)) == []


def test_a_cancelled_touch_means_nothing() -> None:
    recognizer = Recognizer(THRESHOLDS["android"], DENSITY)
    recognizer.down(0, 10, 10, LONG)
    recognizer.cancel()
    assert recognizer.up(50, 10, 10) == []
    assert recognizer.deadline() is None
