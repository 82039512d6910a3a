"""A few seeds of what `python tests/quality/gestures.py` does with a thousand, and that it can tell a mistake."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from pytest_apex.gestures.humanize import HumanizeConfig
from pytest_apex.model.action import Fingers, Frame, Pinch, Swipe, Tap, Twist

GESTURES = (
    "tap", "tap, held 300 ms", "double tap", "double tap, 60 ms", "double tap, 220 ms", "long press",
    "press, held 2 s", "swipe up", "swipe down", "swipe left", "swipe right", "swipe, slow and short",
    "swipe along a path", "swipe over a list", "scroll", "fling", "drag", "pinch open", "pinch close", "twist right",
    "twist left", "three fingers",
)  # fmt: skip


@pytest.fixture(scope="module")
def gestures() -> Iterator[ModuleType]:
    """The command as a module."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(Path(__file__).parent)
        import gestures

        yield gestures
    sys.modules.pop("gestures", None)


def test_all_gestures_are_in_it(gestures: ModuleType) -> None:
    assert tuple(gestures.GESTURES) == GESTURES


@pytest.mark.parametrize("platform", ["android", "ios"])
@pytest.mark.parametrize("name", GESTURES)
def test_a_gesture_is_recognised_as_itself(gestures: ModuleType, name: str, platform: str) -> None:
    stand = gestures.Stand(platform)
    for hand, config in gestures.HANDS.items():
        assert gestures.cell(stand, gestures.GESTURES[name], config, 4) == [], hand


OTHER = {
    "tap": (lambda area, unit, rng: Tap(area.center, 2000), "long_press in place of tap"),
    "double tap": (lambda area, unit, rng: Tap(area.center), "tap in place of double_tap"),
    "swipe up": (lambda area, unit, rng: Swipe(area.center, area.center.moved(0, 150)), "not as meant"),
    "scroll": (lambda area, unit, rng: Swipe(area.center, area.center.moved(0, -150)), "fling in place of scroll"),
    "pinch open": (lambda area, unit, rng: Twist(area.center, 90, 200 * unit), "twist in place of pinch"),
    "twist right": (lambda area, unit, rng: Pinch(area.center, 1.5, 190 * unit), "pinch in place of twist"),
    "three fingers": (
        lambda area, unit, rng: Fingers((Frame((area.center, area.center.moved(90, 0)), 300),)),
        "not as meant",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", OTHER)
def test_another_gesture_is_not(gestures: ModuleType, name: str) -> None:
    make, mistake = OTHER[name]
    case = gestures.GESTURES[name]
    if name == "three fingers":
        case = replace(case, fits=lambda _pointer, _track, found, _slack: found[-1].fingers == 3)
    off = HumanizeConfig(enabled=False)
    assert mistake in gestures.Stand("android").mistake(replace(case, make=make), off, 1)
