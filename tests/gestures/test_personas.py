"""Where a hand's values come from."""

from __future__ import annotations

import dataclasses

import pytest

from pytest_apex.device.context import humanize_config
from pytest_apex.errors import ConfigError
from pytest_apex.gestures.personas import PERSONAS, HumanizeConfig, wrong_variables

VARIABLES = ("ENABLED", "TAP_RADIUS_PX", "SWIPE_CURVATURE", "SWIPE_WAYPOINTS", "DURATION_SPREAD")


@pytest.fixture(autouse=True)
def empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in VARIABLES:
        monkeypatch.delenv(f"APEX_HUMANIZE_{name}", raising=False)


def test_the_defaults_are_the_contracts() -> None:
    assert HumanizeConfig.from_env() == HumanizeConfig(
        enabled=True, radius=5.0, curvature=0.15, waypoints=8, spread=0.15
    )


@pytest.mark.parametrize(
    ("variable", "text", "field", "value"),
    [
        ("ENABLED", "false", "enabled", False),
        ("ENABLED", " OFF ", "enabled", False),
        ("ENABLED", "1", "enabled", True),
        ("TAP_RADIUS_PX", "2.5", "radius", 2.5),
        ("SWIPE_CURVATURE", "0", "curvature", 0.0),
        ("SWIPE_WAYPOINTS", "3", "waypoints", 3),
        ("DURATION_SPREAD", "0.5", "spread", 0.5),
        ("DURATION_SPREAD", " .1 ", "spread", 0.1),
        ("TAP_RADIUS_PX", "+1e1", "radius", 10.0),
    ],
)
def test_each_variable_stands_alone(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str, field: str, value: object
) -> None:
    monkeypatch.setenv(f"APEX_HUMANIZE_{variable}", text)
    read = dataclasses.asdict(HumanizeConfig.from_env())
    assert read.pop(field) == value
    rest = dataclasses.asdict(HumanizeConfig())
    del rest[field]
    assert read == rest


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("ENABLED", "maybe"),
        ("TAP_RADIUS_PX", "five"),
        ("TAP_RADIUS_PX", "-1"),
        ("TAP_RADIUS_PX", "nan"),
        ("TAP_RADIUS_PX", "inf"),
        ("SWIPE_CURVATURE", "15"),
        ("SWIPE_WAYPOINTS", "8.5"),
        ("SWIPE_WAYPOINTS", "-1"),
        ("DURATION_SPREAD", "15%"),
        ("DURATION_SPREAD", "0.51"),
        ("DURATION_SPREAD", "0,1"),
        ("DURATION_SPREAD", ""),
        ("TAP_RADIUS_PX", "1e999"),
        ("SWIPE_WAYPOINTS", "1_0"),
        ("SWIPE_WAYPOINTS", "٣"),
        ("SWIPE_WAYPOINTS", "9" * 5000),
    ],
)
def test_a_wrong_value_is_refused_with_the_variables_name(
    monkeypatch: pytest.MonkeyPatch, variable: str, text: str
) -> None:
    monkeypatch.setenv(f"APEX_HUMANIZE_{variable}", text)
    with pytest.raises(ConfigError, match=f"APEX_HUMANIZE_{variable}") as caught:
        HumanizeConfig.from_env()
    assert text in caught.value.tried
    assert all((caught.value.seen, caught.value.likely, caught.value.cure))


def test_it_is_read_when_asked_and_then_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    before = HumanizeConfig.from_env()
    monkeypatch.setenv("APEX_HUMANIZE_TAP_RADIUS_PX", "1")
    assert HumanizeConfig.from_env().radius == 1.0
    assert before.radius == 5.0
    with pytest.raises(dataclasses.FrozenInstanceError):
        before.radius = 2.0  # type: ignore[misc]


@pytest.mark.parametrize(
    ("switch", "hand"),
    [("calm", PERSONAS["calm"]), (" QUICK ", PERSONAS["quick"]), ("", HumanizeConfig()), ("on", HumanizeConfig())],
)
def test_the_switch_takes_what_the_option_takes(
    monkeypatch: pytest.MonkeyPatch, switch: str, hand: HumanizeConfig
) -> None:
    monkeypatch.setenv("APEX_HUMANIZE_ENABLED", switch)
    assert HumanizeConfig.from_env() == hand
    assert HumanizeConfig.from_env(PERSONAS["unsteady"]) == PERSONAS["unsteady"]
    for word, chosen in (("on", HumanizeConfig()), ("calm", PERSONAS["calm"])):
        assert humanize_config(word) == chosen


def test_the_environment_refines_a_persona(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APEX_HUMANIZE_SWIPE_WAYPOINTS", "2")
    calm = PERSONAS["calm"]
    assert HumanizeConfig.from_env(calm) == dataclasses.replace(calm, waypoints=2)


@pytest.mark.parametrize(
    ("field", "value"),
    [("radius", -1.0), ("curvature", 0.3), ("waypoints", 2.5), ("spread", True), ("radius", "5")],
)
def test_a_config_can_not_be_made_wrong(field: str, value: object) -> None:
    with pytest.raises(ConfigError, match=field):
        HumanizeConfig(**{field: value})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["APEX_HUMANIZE", "APEX_HUMANIZE_TAP_RADIUS", "APEX_HUMANIZED"])
def test_a_variable_that_there_is_not_is_told_with_those_that_there_are(name: str) -> None:
    (error,) = wrong_variables({name: "off", "APEX_HUMANIZE_ENABLED": "perhaps", "APEX_SEED": "x"})
    assert error.tried == f"there is no {name}"
    assert all(f"APEX_HUMANIZE_{variable}" in error.seen for variable in VARIABLES)


def test_the_personas_differ_as_their_names_say() -> None:
    calm, quick, unsteady = (PERSONAS[name] for name in ("calm", "quick", "unsteady"))
    assert calm.radius < quick.radius < unsteady.radius
    assert calm.curvature < quick.curvature < unsteady.curvature
    assert all(config.enabled for config in PERSONAS.values())
