"""W3C actions, with the server's own model of time (`utils/w3c/`): slots of 20 ms, whatever was asked for."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pytest_apex.model.action import Sample, Stroke, Track
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uia2.command import ROUTES, Command, origin_of
from pytest_apex.phone_wires.webdriver.faults import BadValue
from pytest_apex.phone_wires.webdriver.values import Body, items, number, shown, text

#: EVENT_INJECTION_DELAY_MS of `ActionsConstants`.
SLOT_MS = 20
#: The longest gesture, and the most fingers.
MOST_MS, MOST_FINGERS = 600_000, 10
Place = tuple[float, float]
#: Where an element is, by its name.
Locate = Callable[[str], Place]


@ROUTES.add("POST", "/actions")
def perform_actions(command: Command) -> None:
    chains = [_checked(chain) for chain in items(command.body, "actions")]

    def locate(name: str) -> Place:
        return command.seen(name).center

    fingers = [chain for chain in chains if chain.get("type") == "pointer"]
    if not 0 <= len(fingers) <= MOST_FINGERS:
        raise BadValue("too many pointers")
    lines = [timeline(chain, locate) for chain in fingers]
    lasts = max([line.ends for line in lines] + [_length(chain) for chain in chains], default=0)
    strokes = strokes_of(lines)
    keys = _keys(chains)
    start = command.handset.pace.real_now()
    if strokes:
        command.handset.play(Track("multi_touch" if len(lines) > 1 else "touch", strokes))
    for key in keys:
        command.handset.pace.do(lambda phone, key=key: _press(phone, key))  # type: ignore[misc]
    command.handset.pace.sleep(max(0.0, lasts / 1000 - (command.handset.pace.real_now() - start)))


@ROUTES.add("DELETE", "/actions")
def release_actions(_command: Command) -> None:
    """Nothing is ever held on."""


def _checked(chain: Any) -> Body:
    if not isinstance(chain, dict):
        raise BadValue(f"an action chain must be an object, got {shown(chain)}")
    if chain.get("type") not in ("pointer", "key", "none"):
        raise BadValue(f"action type {shown(chain.get('type'))} is not supported")
    items(chain, "actions")
    return chain


@dataclass(slots=True)
class Line:
    """The events of one finger: time in ms, kind, place, pressure. `ends` is when the last pause is over."""

    events: list[tuple[int, str, float, float, float]] = field(default_factory=list)
    ends: int = 0


def slots(value: float) -> int:
    """A duration as the server takes it: rounded up to whole slots."""
    if not 0 <= value <= MOST_MS:
        raise BadValue(f"a duration must be 0 to {MOST_MS}, got {shown(value)}")
    return math.ceil(value / SLOT_MS) * SLOT_MS


def timeline(chain: Body, locate: Locate) -> Line:
    """What one finger does, as events that are injected. Raises `Fault` for what is no chain."""
    line, at, place, down = Line(), 0, None, False
    last: dict[str, int] = {}
    for item in items(chain, "actions"):
        if not isinstance(item, dict):
            raise BadValue(f"an action must be an object, got {shown(item)}")
        kind = text(item, "type")
        if kind == "pause":
            at += slots(number(item, "duration", 0))
        elif kind == "pointerMove":
            lasts, target = slots(number(item, "duration", 0)), _target(item, place, locate)
            if down and place is not None:
                line.events += _moves(at, lasts, place, target, number(item, "pressure", 1.0))
            place, at = target, at + lasts
        elif kind in ("pointerDown", "pointerUp"):
            name = "down" if kind == "pointerDown" else "up"
            if place is None:
                raise BadValue(f"{kind} without a pointerMove before it")
            if (name == "down") is down or last.get(name) == at:
                raise BadValue(f"{kind} can't follow here at {at} ms: put a pause between two touches")
            last[name], down = at, name == "down"
            line.events.append((at, name, *place, number(item, "pressure", 1.0)))
        elif kind == "pointerCancel":
            raise BadValue("pointerCancel is not supported")
        else:
            raise BadValue(f"unknown action {kind[:50]!r}")
        if at > MOST_MS:
            raise BadValue("the actions take too long")
    line.ends = at
    return line


def _target(item: Body, place: Place | None, locate: Locate) -> Place:
    x, y = number(item, "x", 0), number(item, "y", 0)
    origin = item.get("origin", "viewport")
    if origin == "viewport" or origin is None:
        return x, y
    if origin == "pointer":
        if place is None:
            raise BadValue("a first move can't be relative to the pointer")
        return place[0] + x, place[1] + y
    name = origin_of({"origin": origin}) or ""
    middle = locate(name)
    return middle[0] + x, middle[1] + y


def _moves(
    at: int, lasts: int, start: Place, end: Place, pressure: float
) -> list[tuple[int, str, float, float, float]]:
    """One event a slot; none at all for a move without a duration."""
    count = lasts // SLOT_MS
    return [
        (
            at + step * SLOT_MS,
            "move",
            start[0] + (end[0] - start[0]) * step / count,
            start[1] + (end[1] - start[1]) * step / count,
            pressure,
        )
        for step in range(1, count + 1)
    ]


def strokes_of(lines: Sequence[Line]) -> tuple[Stroke, ...]:
    """The touches of all fingers. Each injected event holds only the fingers that have one in its slot: a finger that
    is down and rests while another one moves is gone from the screen, until it moves again."""
    by_time: dict[int, dict[int, list[tuple[int, str, float, float, float]]]] = {}
    for finger, line in enumerate(lines):
        for event in line.events:
            by_time.setdefault(event[0], {}).setdefault(finger, []).append(event)
    strokes: list[Stroke] = []
    touching: dict[int, list[Sample]] = {}
    for at in sorted(by_time):
        gone = [finger for finger in touching if finger not in by_time[at]]
        strokes += [_lifted(finger, touching.pop(finger), at) for finger in gone]
        for finger, events in by_time[at].items():
            for _, kind, x, y, pressure in events:
                sample = Sample(at, x, y, pressure)
                if kind != "up":
                    touching.setdefault(finger, []).append(sample)
                elif finger in touching:
                    strokes.append(Stroke(finger, (*touching.pop(finger), sample)))
    for finger, samples in touching.items():  # never lifted: the server ends the gesture
        strokes.append(_lifted(finger, samples, round(samples[-1].t_ms)))
    return tuple(sorted(strokes, key=lambda stroke: (stroke.samples[0].t_ms, stroke.finger)))


def _lifted(finger: int, samples: list[Sample], at: int) -> Stroke:
    last = samples[-1]
    return Stroke(finger, (*samples, Sample(at, last.x, last.y, last.pressure)))


# Keys

_KEYS: Mapping[str, str] = {"\ue003": "delete", "\ue006": "enter", "\ue007": "enter"}


def _keys(chains: Sequence[Body]) -> list[str]:
    return [
        text(item, "value")[:10]
        for chain in chains
        if chain.get("type") == "key"
        for item in chain["actions"]
        if isinstance(item, dict) and item.get("type") == "keyDown"
    ]


def _press(phone: Phone, key: str) -> None:
    named = _KEYS.get(key)
    if named is not None:
        phone.press(named)
    elif key and not "\ue000" <= key <= "\uf8ff":
        phone.type_text(key)


def _length(chain: Body) -> int:
    """How long pauses make a chain without fingers."""
    found = (item for item in chain["actions"] if isinstance(item, dict) and item.get("type") == "pause")
    return sum(slots(number(item, "duration", 0)) for item in found) if chain.get("type") != "pointer" else 0
