"""How human a hand is: one frozen value, read from the environment when asked, or chosen by name."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from pytest_apex.errors import ConfigError

_PREFIX = "APEX_HUMANIZE"
_SWITCH = f"{_PREFIX}_ENABLED"
#: A number as people write it; Python's own reading also takes `1_0` and the digits of all scripts.
_NUMBER = re.compile(r"\s*[+-]?[0-9]*\.?[0-9]*([eE][+-]?[0-9]+)?\s*", re.ASCII)
_TRUE = ("1", "true", "yes", "on")
_FALSE = ("0", "false", "no", "off")

#: Variable of the environment, field, least and greatest value (whole numbers where these are). Past a curvature of 0.2
#: a swipe is no line any more, past a spread of a half no habit.
_FIELDS: tuple[tuple[str, str, float, float], ...] = (
    ("APEX_HUMANIZE_TAP_RADIUS_PX", "radius", 0.0, 100.0),
    ("APEX_HUMANIZE_SWIPE_CURVATURE", "curvature", 0.0, 0.2),
    ("APEX_HUMANIZE_SWIPE_WAYPOINTS", "waypoints", 0, 100),
    ("APEX_HUMANIZE_DURATION_SPREAD", "spread", 0.0, 0.5),
)


@dataclass(frozen=True, slots=True)
class HumanizeConfig:
    """How human the hand is. Raises `ConfigError` for a value out of its range.

    `radius` (units of the tree, to 100) is how far a touch may miss its point; `curvature` how far a swipe may leave
    the straight line, as a share of its length (to 0.2); `waypoints` how many points between the ends shape it (to
    100); `spread` how far durations and intervals may be off, as a share (to 0.5).
    """

    enabled: bool = True
    radius: float = 5.0
    curvature: float = 0.15
    waypoints: int = 8
    spread: float = 0.15

    def __post_init__(self) -> None:
        if not isinstance(self.enabled, bool):
            raise ConfigError(
                "HumanizeConfig(enabled=…) takes True or False",
                seen=repr(self.enabled)[:120],
                cure="a persona by its name is PERSONAS[…]",
            )
        for _, field, least, greatest in _FIELDS:
            _check(field, getattr(self, field), least, greatest)

    @classmethod
    def from_env(cls, base: HumanizeConfig | None = None) -> HumanizeConfig:
        """Read `APEX_HUMANIZE_*` now. A variable that is not set leaves what `base` says (None: the defaults, or the
        persona that the switch names).

        Raises `ConfigError` that names the variable with a wrong value.
        """
        switch = os.environ.get(_SWITCH, "").strip().lower()
        persona = PERSONAS.get(switch)
        config = base or persona or cls()
        if switch:
            config = replace(config, enabled=persona is not None or _truth(os.environ[_SWITCH]))
        for variable, field, least, greatest in _FIELDS:
            text = os.environ.get(variable)
            if text is not None:
                config = config._with(field, _number(variable, text, least, greatest))
        return config

    def _with(self, field: str, value: object) -> HumanizeConfig:
        changes: dict[str, Any] = {field: value}
        return replace(self, **changes)


def wrong_variables(environ: Mapping[str, str]) -> list[ConfigError]:
    """What is wrong with each finer `APEX_HUMANIZE_…` variable of `environ`; the switch itself is not looked at."""
    wrong = []
    names = [_SWITCH, *(variable for variable, *_ in _FIELDS)]
    for variable, _field, least, greatest in _FIELDS:
        try:
            if variable in environ:
                _number(variable, environ[variable], least, greatest)
        except ConfigError as error:  # noqa: PERF203 - all wrong ones are told at once
            wrong.append(error)
    unknown = sorted(name for name in environ if name.startswith(_PREFIX) and name not in names)
    wrong += [ConfigError(f"there is no {name}", seen=f"known: {', '.join(names)}") for name in unknown]
    return wrong


def _truth(text: str) -> bool:
    word = text.strip().lower()
    if word in _TRUE or word in _FALSE:
        return word in _TRUE
    raise ConfigError(
        f"can't read {_SWITCH}={text!r}",
        seen="neither true nor false, nor a persona",
        likely="a typing mistake in the environment",
        cure=f"true, false or one of {', '.join(PERSONAS)}, or unset it",
    )


def _number(variable: str, text: str, least: float, greatest: float) -> float:
    try:
        value = (int(text) if isinstance(least, int) else float(text)) if _NUMBER.fullmatch(text) else math.nan
    except ValueError:
        value = math.nan
    if not least <= value <= greatest:
        raise _out_of_range(variable, text, least, greatest)
    return value


def _check(name: str, value: object, least: float, greatest: float) -> None:
    kind = int if isinstance(least, int) else (int, float)
    if not isinstance(value, kind) or isinstance(value, bool) or not least <= value <= greatest:
        raise _out_of_range(name, str(value), least, greatest)


def _out_of_range(name: str, text: str, least: float, greatest: float) -> ConfigError:
    what = "a whole number" if isinstance(least, int) else "a number"
    return ConfigError(
        f"can't use {name}={text} for a human hand",
        seen=f"not {what} from {least:g} to {greatest:g}",
        likely="a typing mistake, or a percentage where a share is meant (0.15 is 15 %)",
        cure=f"{what} from {least:g} to {greatest:g}, or leave {name} out for the default",
    )


#: Hands to choose by name: `calm` is sure of itself, `quick` is on the go, `unsteady` trembles.
PERSONAS: Mapping[str, HumanizeConfig] = MappingProxyType(
    {
        "calm": HumanizeConfig(radius=3.0, curvature=0.06, waypoints=6, spread=0.08),
        "quick": HumanizeConfig(radius=6.0, curvature=0.10, waypoints=6, spread=0.25),
        "unsteady": HumanizeConfig(radius=10.0, curvature=0.20, waypoints=12, spread=0.35),
    }
)
