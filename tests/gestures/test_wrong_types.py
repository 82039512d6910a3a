"""Arguments of another type are refused in our own words by what takes them."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from pytest_apex.errors import ConfigError
from pytest_apex.gestures.humanize import (
    HumanizeConfig,
    humanize,
    jitter_duration,
    jitter_interval,
    jitter_point,
    swipe_waypoints,
)
from pytest_apex.gestures.language import format_commands, parse_commands
from pytest_apex.model.action import Press

TAP = parse_commands("t 100 200")[0]
WRONG = [None, 5, float("nan"), "x", b"x", [], {}, object, "\ud800"]


@pytest.mark.parametrize("wrong", WRONG)
def test_humanize(wrong: Any) -> None:
    rng = random.Random(1)
    for arguments in ((wrong, HumanizeConfig(), rng), (TAP, wrong, rng), (TAP, HumanizeConfig(), wrong)):
        with pytest.raises(ConfigError, match=r"humanize\(\) takes"):
            humanize(*arguments)
    with pytest.raises(ConfigError, match="can't make a gesture for"):
        humanize(TAP, HumanizeConfig(), rng, platform=wrong)  # type: ignore[arg-type]


def test_keys_are_not_of_the_hand() -> None:
    with pytest.raises(ConfigError, match="an action of a finger"):
        humanize(Press("back"), HumanizeConfig(), random.Random(1))  # type: ignore[arg-type]


@pytest.mark.parametrize("wrong", [None, 5, "t 1 2", b"t 1 2", {"t": 1}, object])
def test_format_commands(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="takes a list of actions"):
        format_commands(wrong)


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_no_action_in_a_list(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="can't write action 2, ") as caught:
        format_commands([TAP, wrong])  # type: ignore[list-item]
    str(caught.value).encode("utf-8")


@pytest.mark.parametrize("wrong", [None, 1, "", "off", []])
def test_a_switch_that_is_neither_on_nor_off(wrong: Any) -> None:
    with pytest.raises(ConfigError, match="takes True or False"):
        HumanizeConfig(enabled=wrong)


@pytest.mark.parametrize("wrong", [*WRONG, float("inf"), True])
def test_what_a_hand_draws_from(wrong: Any) -> None:
    rng = random.Random(1)
    calls: list[Callable[[], object]] = [
        lambda: jitter_point(wrong, 2, radius=5, rng=rng),
        lambda: jitter_point(1, 2, radius=wrong, rng=rng),
        lambda: swipe_waypoints((wrong, 0), (9, 9), curvature=0.1, n=3, rng=rng),
        lambda: swipe_waypoints((0, 0), wrong, curvature=0.1, n=3, rng=rng),
        lambda: swipe_waypoints((0, 0), (9, 9), curvature=wrong, n=3, rng=rng),
        lambda: jitter_duration(wrong, spread=0.1, rng=rng),
        lambda: jitter_interval(80, spread=wrong, rng=rng),
        lambda: jitter_point(1, 2, radius=5, rng=wrong),
    ]
    # Five is a number in each of these places, but neither a place nor a source of randomness.
    for call in [calls[3], calls[7]] if wrong == 5 and wrong is not True else calls:
        with pytest.raises(ConfigError, match=r"(jitter|swipe)_\w+\(\) takes"):
            call()


def test_sizes_below_nothing() -> None:
    rng = random.Random(1)
    for call in (
        lambda: jitter_point(1, 2, radius=-1, rng=rng),
        lambda: swipe_waypoints((0, 0), (9, 9), curvature=-0.1, n=3, rng=rng),
        lambda: swipe_waypoints((0, 0), (9, 9), curvature=0.1, n=-1, rng=rng),
        lambda: swipe_waypoints((0, 0), (9, 9), curvature=0.1, n=1.5, rng=rng),  # type: ignore[arg-type]
        lambda: jitter_duration(-5, spread=0.1, rng=rng),
        lambda: jitter_interval(80, spread=-0.1, rng=rng),
    ):
        with pytest.raises(ConfigError, match=r"number from 0 on"):
            call()
