"""Arguments of the public verbs, checked before anything is looked at or sent."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_apex.errors import ConfigError

#: A day: whatever is longer is a mistake, and no clock has to cope with it.
LONGEST_S = 86_400.0


def number(value: Any, what: str, *, least: float = -math.inf, most: float = math.inf) -> float:
    """A finite number in a range; raises `ConfigError` that says what `what` is."""
    good = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    if not good or not least <= value <= most:
        raise ConfigError(f"{what} takes {_range(least, most)}", seen=_shown(value), cure=f"give {what} a number")
    return float(value)


def _range(least: float, most: float) -> str:
    if least == -math.inf and most == math.inf:
        return "a number"
    if most == math.inf:
        return f"a number from {least:.10g} on"
    return f"a number from {least:.10g} to {most:.10g}"


def seconds(value: Any, what: str, *, least: float = 0.0) -> float:
    """A time in seconds, a day at most."""
    return number(value, what, least=least, most=LONGEST_S)


def milliseconds(value: Any, what: str, *, least: int = 0) -> int:
    """A whole number of milliseconds, a day at most."""
    return whole(value, what, least=least, most=int(LONGEST_S * 1000))


def whole(value: Any, what: str, *, least: int | None = None, most: int | None = None) -> int:
    """A whole number in a range."""
    wrong = isinstance(value, bool) or not isinstance(value, int)
    if wrong or (least is not None and value < least) or (most is not None and value > most):
        bounds = _range(-math.inf if least is None else least, math.inf if most is None else most)
        raise ConfigError(f"{what} takes {bounds.replace('a number', 'a whole number')}", seen=_shown(value))
    return int(value)


def text(value: Any, what: str, *, empty: bool = True) -> str:
    """A text."""
    if not isinstance(value, str) or (not value and not empty):
        raise ConfigError(f"{what} takes text{'' if empty else ' that is not empty'}", seen=_shown(value))
    return value


def path(value: Any, what: str) -> str:
    """The path of a file, as text or `Path`."""
    if not isinstance(value, (str, os.PathLike)) or not os.fspath(value):
        raise ConfigError(f"{what} takes the path of a file", seen=_shown(value))
    return str(os.fspath(value))


def words(value: Any, what: str, *, empty: bool = True) -> str | re.Pattern[str]:
    """A text, or a compiled pattern of text."""
    if isinstance(value, re.Pattern) and isinstance(value.pattern, str):
        return value
    if not isinstance(value, str) or (not value and not empty):
        wanted = "text, or re.compile(…)" if empty else "text that is not empty, or re.compile(…)"
        raise ConfigError(f"{what} takes {wanted}", seen=_shown(value))
    return value


def flag(value: Any, what: str) -> bool:
    """True or False, and nothing that only counts as one."""
    if not isinstance(value, bool):
        raise ConfigError(f"{what} takes True or False", seen=_shown(value))
    return value


def texts(value: Any, what: str) -> list[str]:
    """A list of texts; a single text is a mistake, as its letters would be taken one by one."""
    good = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    if not good or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{what} takes a list of texts", seen=_shown(value), cure=f'{what}=["--reset", "…"]')
    return list(value)


def pairs(value: Any, what: str) -> dict[str, str]:
    """A mapping of text to text."""
    good = isinstance(value, Mapping)
    if not good or not all(isinstance(key, str) and isinstance(item, str) for key, item in value.items()):
        raise ConfigError(f"{what} takes names and their values, all text", seen=_shown(value))
    return dict(value)


def place(value: Any, what: str) -> tuple[float, float]:
    """A pair of finite coordinates."""
    good = isinstance(value, Sequence) and not isinstance(value, (str, bytes)) and len(value) == 2
    if not good:
        raise ConfigError(f"{what} takes a pair of numbers, x and y", seen=_shown(value), cure=f"{what}=(120, 340)")
    return number(value[0], f"{what}[0]"), number(value[1], f"{what}[1]")


def _shown(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 120 else f"{shown[:119]}…"
