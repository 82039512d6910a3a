"""Values of the model as plain JSON: dictionaries, lists, texts, numbers. Whole trees and pictures never."""

from __future__ import annotations

import dataclasses
import enum
import json
import math
import re
from collections.abc import Mapping, Set
from pathlib import PurePath
from typing import Any

from pytest_apex.model.action import Action, Track, TypeText
from pytest_apex.model.change import Change
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.look import Hit, Settled, Unsettled
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot
from pytest_apex.model.step import Source, Step
from pytest_apex.model.target import Target

#: What stands in place of a secret.
MASK = "•••"


def plain(value: object) -> Any:
    """`value` as JSON has it. Points and rectangles become lists, controls and targets words, a snapshot its id; what
    JSON has no word for becomes its `str`."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, str):
        return value
    if isinstance(value, float):
        return round(value, 3) if math.isfinite(value) else str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, Set):
        return sorted((plain(item) for item in value), key=str)
    return _of_object(value)


def _of_object(value: object) -> Any:
    if isinstance(value, Point):
        return [plain(value.x), plain(value.y)]
    if isinstance(value, Rect):
        return [plain(edge) for edge in (value.left, value.top, value.right, value.bottom)]
    if isinstance(value, Node | Target | Source):
        return str(value)
    if isinstance(value, Snapshot):
        return value.id
    if isinstance(value, re.Pattern):
        return f"/{value.pattern}/"
    if isinstance(value, PurePath):
        return value.as_posix()
    if isinstance(value, bytes):
        return f"<{len(value)} bytes>"
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {item.name: plain(getattr(value, item.name)) for item in dataclasses.fields(value)}
    return str(value)


def step_to_dict(step: Step) -> dict[str, Any]:
    """A step as plain JSON; what is empty is left out. Looks are named by the ids of their snapshots."""
    own = ("action", "settled_before", "settled_after", "hit", "track", "change")
    fields = {
        item.name: plain(getattr(step, item.name)) for item in dataclasses.fields(step) if item.name not in own
    } | {
        "action": _action(step.action),
        "before": _look(step.settled_before),
        "after": _look(step.settled_after),
        "hit": _hit(step.hit),
        "track": _track(step.track),
        "change": _change(step.change),
    }
    return {name: value for name, value in fields.items() if value not in (None, "", [], {})}


def _action(action: Action | None) -> dict[str, Any] | None:
    if action is None:
        return None
    if isinstance(action, TypeText):
        return {"verb": action.verb, "text": MASK if action.secret else action.text, "secret": action.secret}
    return {"verb": action.verb} | dict(plain(action))


def _look(look: Settled | Unsettled | None) -> dict[str, Any] | None:
    if look is None:
        return None
    facts = dict(plain(look))
    return {"settled": isinstance(look, Settled)} | {name: value for name, value in facts.items() if value}


def _hit(hit: Hit | None) -> dict[str, Any] | None:
    return None if hit is None else dict(plain(hit))


def _track(track: Track | None) -> dict[str, Any] | None:
    """The samples as `[t_ms, x, y]`, a list for each contact of a finger."""
    if track is None:
        return None
    strokes = [
        {"finger": stroke.finger, "samples": [plain((at.t_ms, at.x, at.y)) for at in stroke.samples]}
        for stroke in track.strokes
    ]
    return {"verb": track.verb, "humanized": track.humanized, "seed": track.seed, "strokes": strokes}


def _change(change: Change | None) -> dict[str, Any] | None:
    if change is None:
        return None
    return {"words": str(change)} | {name: value for name, value in dict(plain(change)).items() if value}


def json_line(fields: Mapping[str, Any]) -> bytes:
    """One line of JSON in UTF-8, with its line end. Half a surrogate pair, which devices do send, becomes `\\udXXX`."""
    text = json.dumps(fields, ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
    return text.encode("utf-8", "backslashreplace") + b"\n"
