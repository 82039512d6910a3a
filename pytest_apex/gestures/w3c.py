"""A track as W3C actions: the list under `actions` of `POST /session/{id}/actions`. One gesture, one request.

What the servers make of them decides how they are written (UiAutomator2 server: `utils/w3c/ActionsTokenizer`;
WebDriverAgent: `FBW3CActionsSynthesizer`):

- Both: milliseconds and coordinates are whole numbers. The first move of a pointer only says where it comes down; its
  duration is a delay before that. A client's default of 250 ms for a move is never left to chance.
- Android plays slots of 20 ms, straight on from move to move, and rounds each duration up: a steady line is one move.
  A later move without a duration injects nothing, so none is
  written while a finger is down; between two touches it says where the next one is. A finger that pauses while another
  one moves is missing from the event, which reads as lifted: with several fingers, resting is a move to the same place.
- WebDriverAgent opens the touch at the end of the first move and takes the down as done: nothing may come between them.
  A move between an up and the next down would land on the finished touch: a touch at another place is a pointer of its
  own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from pytest_apex.gestures.rules import TouchRules
from pytest_apex.model.action import Sample, Stroke, Track

#: How far a finger may be off a steady line, in units of the tree: far below the whole ones that are sent.
_STEADY = 0.01


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where a finger is at a time of the grid, in whole units."""

    t: int
    x: int
    y: int

    def is_at(self, other: _Spot) -> bool:
        return (self.x, self.y) == (other.x, other.y)


@dataclass(slots=True)
class _Pointer:
    """One source: the touches of a finger that a server can play as one pointer."""

    finger: int
    touches: list[list[_Spot]] = field(default_factory=list)


def to_w3c(track: Track, rules: TouchRules) -> list[dict[str, Any]]:
    """The input sources that play `track` on the platform of `rules`, in whole milliseconds of its time grid."""
    together = len({stroke.finger for stroke in track.strokes}) > 1
    sources = []
    for n, pointer in enumerate(_pointers(track.strokes, rules), 1):
        actions = _actions(pointer, rests_by_moving=together and rules.platform == "android")
        parameters = {"pointerType": "touch"}
        sources.append({"type": "pointer", "id": f"finger{n}", "parameters": parameters, "actions": actions})
    return sources


def _pointers(strokes: Sequence[Stroke], rules: TouchRules) -> list[_Pointer]:
    pointers: list[_Pointer] = []
    for stroke in sorted(strokes, key=lambda stroke: (stroke.samples[0].t_ms, stroke.finger)):
        spots = _on_grid(stroke, rules)
        known = [pointer for pointer in pointers if pointer.finger == stroke.finger]
        if rules.platform != "android":
            known = [pointer for pointer in known if pointer.touches[-1][-1].is_at(spots[0])]
        if known:
            known[-1].touches.append(spots)
        else:
            pointers.append(_Pointer(stroke.finger, [spots]))
    return sorted(pointers, key=lambda pointer: pointer.finger)


def _on_grid(stroke: Stroke, rules: TouchRules) -> list[_Spot]:
    """The samples at whole slots and units; of several in one slot the last, but the first is where it came down."""
    spots: list[_Spot] = []
    for sample in _turns(stroke.samples) if rules.platform == "android" else stroke.samples:
        spot = _Spot(rules.fit(sample.t_ms), round(sample.x), round(sample.y))
        if len(spots) > 1 and spots[-1].t == spot.t:
            spots.pop()
        spots.append(spot)
    return spots


def _turns(samples: Sequence[Sample]) -> list[Sample]:
    """The samples at which a finger changes its pace or direction, and both ends."""
    kept = [samples[0]]
    steady: tuple[float, float] | None = None
    for before, sample in pairwise(samples):
        if steady is not None:
            since = sample.t_ms - kept[-1].t_ms
            off = abs(kept[-1].x + steady[0] * since - sample.x) + abs(kept[-1].y + steady[1] * since - sample.y)
            if off <= _STEADY:
                continue
            kept.append(before)
        took = sample.t_ms - before.t_ms
        steady = ((sample.x - before.x) / took, (sample.y - before.y) / took)
    return [*kept, samples[-1]]


def _actions(pointer: _Pointer, rests_by_moving: bool) -> list[dict[str, Any]]:
    actions: list[dict[str, Any]] = []
    last: _Spot | None = None
    for spots in pointer.touches:
        first = spots[0]
        if last is None:
            actions.append(_move(first, first.t))
        else:
            actions.append(_pause(first.t - last.t))
            if not first.is_at(last):
                actions.append(_move(first, 0))
        actions.append({"type": "pointerDown", "button": 0})
        actions += _while_down(spots, rests_by_moving)
        actions.append({"type": "pointerUp", "button": 0})
        last = spots[-1]
    return actions


def _while_down(spots: list[_Spot], rests_by_moving: bool) -> list[dict[str, Any]]:
    """Moves, and rests in one piece: a pause before the finger lifts, else a move to the same place, which holds it
    there for servers that draw a line from one place to the next."""
    actions: list[dict[str, Any]] = []
    begins = spots[0]
    for before, spot in pairwise(spots):
        if spot.is_at(before):
            continue
        if before.t > begins.t:
            actions.append(_move(before, before.t - begins.t))
        if spot.t > before.t:
            actions.append(_move(spot, spot.t - before.t))
        begins = spot
    rest = spots[-1].t - begins.t
    if rest:
        actions.append(_move(begins, rest) if rests_by_moving else _pause(rest))
    return actions


def _move(to: _Spot, duration: int) -> dict[str, Any]:
    return {"type": "pointerMove", "duration": duration, "x": to.x, "y": to.y, "origin": "viewport"}


def _pause(duration: int) -> dict[str, Any]:
    return {"type": "pause", "duration": duration}
