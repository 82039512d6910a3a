"""A tap on a watch. WebDriverAgent has no touches there, and no place on the screen: it taps an element, in its middle
and for as long as XCTest likes (`FBElementCommands.m`, `handleClick`)."""

from __future__ import annotations

from typing import Any

from pytest_apex.backends.appium.connection import Connection
from pytest_apex.backends.appium.focus import ELEMENT, same_place
from pytest_apex.backends.appium.wire import Refused
from pytest_apex.errors import ActionRefused, CapabilityMissing
from pytest_apex.gestures.rules import RULES
from pytest_apex.model.action import Track
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.node import Node
from pytest_apex.model.snapshot import Snapshot

_GROUNDS = frozenset({"application", "window"})


def element_for(connection: Connection, snapshot: Snapshot, track: Track) -> tuple[str, str]:
    """The id of the element that a tap is meant for, and the element in words. Raises `CapabilityMissing` for a gesture
    that is no plain tap or is on no element, `ActionRefused` where the element is gone."""
    device = connection.channel.device
    if track.verb != "tap" or (not track.humanized and round(track.duration_ms) != RULES[snapshot.platform].tap_ms):
        raise _refused(device, f"do a {track.verb.replace('_', ' ')} of {track.duration_ms:.0f} ms", "plain taps alone")
    sample = track.strokes[0].samples[0]
    point = Point(sample.x, sample.y)
    node = _node_at(snapshot, point)
    if node is None:
        raise _refused(device, f"be tapped at {point.x:.0f}, {point.y:.0f}", "no element with a name is there")
    return found_on_screen(connection, node), node.identifier or node.label


def _node_at(snapshot: Snapshot, point: Point) -> Node | None:
    from pytest_apex.hierarchy.at_point import smallest_at, taker_at, window_at

    window = window_at(snapshot, point)
    there = (smallest_at(snapshot, point, window) if window is not None else None, taker_at(snapshot, point))
    return next(
        (node for node in there if node and node.role not in _GROUNDS and (node.identifier or node.label)), None
    )


def found_on_screen(connection: Connection, node: Node) -> str:
    """The id of an element by its identifier or label; of several the one at its place. What is told by another name is
    looked for by its kind. Raises `ActionRefused`."""
    name = node.identifier or node.label
    for using, value in (("accessibility id", name), ("class name", node.class_name)):
        try:
            told = connection.refused_or("/elements", {"using": using, "value": value}, f"finding {value}")
        except Refused as error:
            raise ActionRefused(
                f"{value} can't be found for a tap", seen=str(error)[:200], cure="look again"
            ) from error
        ids = [str(one[ELEMENT]) for one in told if isinstance(one, dict) and ELEMENT in one] if told else []
        if len(ids) == 1 and using == "accessibility id":
            return ids[0]
        for one in ids:
            if same_place(_rect(connection, one), node.bounds):
                return one
    raise ActionRefused(
        f"{name} is gone: it was not tapped",
        seen="no element of this name or kind is at its place any more",
        likely="the screen changed between the look and the tap",
        cure="look again",
    )


def _rect(connection: Connection, element: str) -> Rect:
    try:
        told: Any = connection.refused_or(f"/element/{element}/rect", None, "asking where it is")
        x, y, width, height = (float(told[name]) for name in ("x", "y", "width", "height"))
    except (Refused, TypeError, KeyError, ValueError):
        return Rect(0, 0, 0, 0)
    return Rect(x, y, x + width, y + height)


def _refused(device: str, what: str, seen: str) -> CapabilityMissing:
    return CapabilityMissing(
        f"{device} can't {what}",
        seen=f"WebDriverAgent has no touches on watchOS: {seen}",
        cure='device.find("…").tap() for an element; device.perform("c -0.5") turns the crown',
    )
