"""W3C actions as chromedriver has to be told of them, to do what the servers on a phone do.

The payloads of the product are for the UiAutomator2 server and for WebDriverAgent, where each source has a clock of its
own and a move reaches its place at the *end* of its duration. Chromedriver keeps to the standard, and to its own ways:

- The n-th actions of all sources are one tick, as long as the longest of them.
- A move is at its place at the *start* of its tick; nothing is drawn in between.
- A tick whose last source does something is followed by waiting for the next frame, up to 17 ms: twice the time of a
  curve told every 16 ms. One more source that only pauses takes that wait away.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, TypeAlias

Payload: TypeAlias = Sequence[dict[str, Any]]
_IDLE = {"type": "pause", "duration": 0}


def in_ticks(payload: Payload) -> list[dict[str, Any]]:
    """The same downs, moves and ups at the same times and places, each of them in a tick of no length."""
    happens = [_by_time(source["actions"]) for source in payload]
    lines: list[list[dict[str, Any]]] = [[] for _ in range(len(payload) + 1)]
    now = 0
    for t in sorted({t for times in happens for t in times}):
        if t > now:
            for line in lines:
                line.append({"type": "pause", "duration": t - now})
            now = t
        for n in range(max(len(times.get(t, ())) for times in happens)):
            for line, times in zip(lines, [*happens, {}], strict=True):
                here = times.get(t, [])
                line.append(here[n] if n < len(here) else _IDLE)
    clock = {"type": "pointer", "id": "clock", "parameters": {"pointerType": "touch"}}
    return [{**source, "actions": line} for source, line in zip([*payload, clock], lines, strict=True)]


def _by_time(actions: Payload) -> dict[int, list[dict[str, Any]]]:
    """What a source does, by the time at which a phone's server has done it."""
    times: dict[int, list[dict[str, Any]]] = defaultdict(list)
    t = 0
    for action in actions:
        t += action.get("duration", 0)
        if action["type"] == "pointerMove":
            times[t].append({**action, "duration": 0})
        elif action["type"] != "pause":
            times[t].append(action)
    return times
