"""Parameters of commands, as they came: of any kind and size until looked at here."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from pytest_apex.phone_wires.webdriver.faults import BadValue

#: No number of a gesture or a setting is larger, no text of a command longer, no list has more items.
MOST, MOST_TEXT, MOST_ITEMS = 1e9, 1_000_000, 20_000
Body = Mapping[str, Any]


def body_of(data: bytes) -> Body:
    """The JSON object of a request; an empty one counts as empty. Raises `BadValue`."""
    if not data.strip():
        return {}
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadValue("the body is no JSON") from error
    if not isinstance(found, dict):
        raise BadValue("the body is no JSON object")
    return found


def number(body: Body, name: str, default: float | None = None) -> float:
    """A number; `default` where there is none, or `null`."""
    value = body.get(name)
    if value is None and default is not None:
        return default
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not -MOST < value < MOST:
        raise BadValue(f"'{name}' must be a number, got {shown(value)}")
    if not math.isfinite(value):
        raise BadValue(f"'{name}' must be finite")
    return value


def text(body: Body, name: str, default: str | None = None) -> str:
    value = body.get(name)
    if value is None and default is not None:
        return default
    if not isinstance(value, str) or len(value) > MOST_TEXT:
        raise BadValue(f"'{name}' must be a text, got {shown(value)}")
    return value


def part(body: Body, name: str) -> Body | None:
    """An object within; None where there is none."""
    value = body.get(name)
    if value is not None and not isinstance(value, dict):
        raise BadValue(f"'{name}' must be an object, got {shown(value)}")
    return value


def items(body: Body, name: str) -> Sequence[Any]:
    value = body.get(name)
    if not isinstance(value, list) or len(value) > MOST_ITEMS:
        raise BadValue(f"'{name}' must be a list, got {shown(value)}")
    return value


def shown(value: object) -> str:
    """A value for a message: never the whole of a large one."""
    told = repr(value) if isinstance(value, (str, int, float, bool, type(None))) else type(value).__name__
    return told if len(told) < 100 else f"{told[:100]}…"
