"""Pinch, twist, fling and scroll of the device, on the built-in phone; and where they go on an area."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pytest_apex.device.device import Device
from pytest_apex.errors import CapabilityMissing, ConfigError
from pytest_apex.gestures.aim import fling_in, pinch_in, swipe_in, twist_in
from pytest_apex.gestures.compile import RULES, compile_action
from pytest_apex.model.action import Pinch, Twist
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.settings import Settings, Touch
from pytest_apex.testing import virtual_device

GALLERY = Path(__file__).parents[2] / "fixtures" / "virtual_apps" / "gallery.yaml"
On = Callable[..., Device]

law = settings(max_examples=200, derandomize=True, deadline=None)


@pytest.fixture
def on(tmp_path: Path) -> Iterator[On]:
    """`on(platform="ios", hand="calm")`: the gallery in front."""
    with ExitStack() as stack:

        def make(platform: str = "android", hand: str = "on", seed: int = 1) -> Device:
            spec = f"virtual:{GALLERY}?platform={platform}"
            chosen = Settings(touch=Touch(humanize=hand, seed=seed))
            return stack.enter_context(virtual_device(tmp_path, spec, app="com.example.gallery", settings=chosen))

        yield make


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize("hand", ["off", "on", "unsteady"])
def test_two_fingers_do_what_they_are_told(on: On, platform: str, hand: str) -> None:
    device = on(platform, hand)
    slider = device.find(id="slider")
    for act, says in (
        (lambda: slider.pinch(scale=1.5), "pinch open"),
        (lambda: device.pinch(slider, scale=0.6), "pinch close"),
        (lambda: slider.twist(degrees=90), "twist right"),
        (lambda: device.twist(slider, degrees=-60), "twist left"),
    ):
        step = act()
        assert step.effect == "changed"
        assert device.find(id="last").text == f"Last: {says}"
        assert step.track is not None
        assert step.track.humanized is (hand != "off")
        assert all(slider.box.contains(point) for point in step.track.points)


def test_a_step_tells_what_was_meant(on: On) -> None:
    step = on().find(id="slider").pinch(scale=1.5, purpose="zoom in", expected_outcome="it is larger")
    assert step.named == "pinch id='slider' by 1.5"
    assert (step.verb, step.purpose, step.expected_outcome) == ("pinch", "zoom in", "it is larger")
    assert isinstance(step.action, Pinch)


@pytest.mark.parametrize(
    ("act", "seen"),
    [
        (lambda control: control.pinch(scale=4), "sees a pinch only while"),
        (lambda control: control.pinch(scale=1.01), "begins when"),
        (lambda control: control.pinch(scale=0), "greater than 0"),
        (lambda control: control.pinch(scale="2"), "'2'"),
        (lambda control: control.twist(degrees=1), "have not turned"),
        (lambda control: control.twist(degrees=math.nan), "nan"),
    ],
)
def test_what_can_not_arrive_is_refused_and_nothing_is_sent(on: On, act: Callable[..., None], seen: str) -> None:
    device = on()
    device.raw.recognised.clear()
    with pytest.raises(ConfigError, match=seen):
        act(device.find(id="slider"))
    assert not device.raw.recognised


def test_a_fling_runs_on_and_a_scroll_does_not(on: On) -> None:
    device = on(hand="off")
    device.tap("All rows")

    scrolled = device.scroll("down")
    assert scrolled.track is not None
    start, end = scrolled.track.points[0], scrolled.track.points[-1]
    (scroll,) = (gesture for gesture in device.raw.recognised if gesture.kind != "tap")
    assert (scroll.kind, scroll.dy) == ("scroll", pytest.approx(end.y - start.y + 12))
    device.fling("down")
    assert [gesture.kind for gesture in device.raw.recognised][-2:] == ["scroll", "fling"]


def test_a_device_without_two_fingers_says_so(on: On) -> None:
    with pytest.raises(CapabilityMissing, match="can't pinch"):
        on("watchos").find(id="slider").pinch(scale=2)


# --- where they go ----------------------------------------------------------------------------------------------------


@st.composite
def areas(draw: st.DrawFn) -> Rect:
    left, top = draw(st.floats(0, 500)), draw(st.floats(0, 900))
    return Rect(left, top, left + draw(st.floats(1, 1080)), top + draw(st.floats(1, 2000)))


@law
@given(areas(), st.floats(0.2, 5), st.floats(-360, 360), st.sampled_from(("android", "ios")))
def test_two_fingers_stay_inside_or_are_refused(area: Rect, scale: float, degrees: float, platform: str) -> None:
    rules = RULES[platform]
    for action in (pinch_in(area, scale, rules), twist_in(area, degrees, rules)):
        try:
            track = compile_action(action, rules)
        except ConfigError:
            continue
        assert all(area.contains(point) for point in track.points)


def test_a_large_area_takes_any_usual_pinch_and_twist() -> None:
    area = Rect(0, 0, 400, 700)
    for platform in ("android", "ios"):
        rules = RULES[platform]
        for scale in (0.3, 0.5, 0.8, 1.25, 2, 3.5):
            pinch = pinch_in(area, scale, rules)
            assert (pinch.scale, pinch.center) == (scale, Point(200, 350))
            assert compile_action(pinch, rules).strokes
        twist = twist_in(area, 30, rules)
        assert twist == Twist(Point(200, 350), 30, 20 * rules.touch_slop)
        assert compile_action(twist, rules).strokes


@pytest.mark.parametrize(("direction", "dx", "dy"), [("up", 0, -1), ("down", 0, 1), ("left", -1, 0), ("right", 1, 0)])
def test_the_direction_is_where_the_finger_moves(direction: str, dx: int, dy: int) -> None:
    area = Rect(0, 0, 100, 200)
    for gesture in (swipe_in(area, direction), fling_in(area, direction)):
        assert (gesture.end.x - gesture.start.x, gesture.end.y - gesture.start.y) == (60 * dx, 120 * dy)


@pytest.mark.parametrize("make", [swipe_in, fling_in])
def test_there_are_four_directions(make: Callable[..., object]) -> None:
    with pytest.raises(ConfigError, match="'sideways'") as caught:
        make(Rect(0, 0, 100, 100), "sideways")
    assert caught.value.cure == "one of up, down, left, right"
