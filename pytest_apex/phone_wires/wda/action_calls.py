"""W3C actions, with WebDriverAgent's own model (`Utilities/FBW3CActionsSynthesizer.m`): no slots, a path for each
touch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from pytest_apex.model.action import Stroke, Track
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda.command import Command, touch_route
from pytest_apex.phone_wires.wda.gestures import Place, checked, drawn
from pytest_apex.phone_wires.webdriver.elements import ELEMENT_KEY
from pytest_apex.phone_wires.webdriver.faults import BadValue
from pytest_apex.phone_wires.webdriver.values import Body, items, number, shown, text

MOST_FINGERS = 10
Locate = Callable[[str], Place]


@touch_route("/actions")
def perform_actions(command: Command) -> None:
    chains = items(command.body, "actions")
    if not chains:
        raise BadValue("Empty W3C actions list cannot be performed")

    def locate(name: str) -> Place:
        middle = command.bounds(name).center
        return middle.x, middle.y

    strokes: list[Stroke] = []
    corner = command.corner()
    keys: list[str] = []
    fingers = 0
    for chain in chains:
        kind = chain.get("type") if isinstance(chain, dict) else None
        if kind == "pointer" and fingers < MOST_FINGERS:
            strokes += paths(chain, fingers, locate, corner)
            fingers += 1
        elif kind == "key":
            keys += _keys(chain)
        else:
            raise BadValue(f"Unknown action type {shown(kind)}: only pointer and key are known")
    if strokes:
        command.device.play(Track("multi_touch" if fingers > 1 else "touch", tuple(strokes)))
    for key in keys:
        command.device.pace.do(lambda phone, key=key: _press(phone, key))  # type: ignore[misc]


@dataclass(slots=True)
class _Finger:
    """One finger while its chain is read: `points` are those of the touch that is open."""

    number: int
    at: float = 0.0
    place: Place | None = None
    points: list[tuple[float, Place]] | None = None
    first: bool = True
    corner: float = 0.0
    strokes: list[Stroke] = field(default_factory=list)

    def lift(self) -> None:
        points = self.points or []
        if points:
            points.append((self.at, points[-1][1]))
            self.strokes.append(Stroke(self.number, drawn(points)))
        self.points = None


def paths(chain: Body, number_of: int, locate: Locate, corner: float = 0.0) -> list[Stroke]:
    """The touches of one chain; the viewport begins at `corner`. Raises `Fault` for what is no chain.

    The first move opens the touch, at the end of its time; the down after it changes nothing. Each later down opens a
    touch of its own where the finger is; a move between an up and a down moves nothing that touches.
    """
    finger = _Finger(number_of, corner=corner)
    for item in items(chain, "actions"):
        if not isinstance(item, dict):
            raise BadValue(f"an action must be an object, got {shown(item)}")
        _take(finger, item, locate)
        checked(finger.at)
    finger.lift()
    return finger.strokes


def _take(finger: _Finger, item: Body, locate: Locate) -> None:
    kind = text(item, "type")
    if kind == "pause":
        finger.at += number(item, "duration", 0)
    elif kind == "pointerMove":
        finger.at += number(item, "duration", 0)
        finger.place = _target(item, finger, locate)
        if finger.first:
            finger.points, finger.first = [], False
        if finger.points is not None:
            finger.points.append((finger.at, finger.place))
    elif kind == "pointerDown":
        if finger.place is None:
            raise BadValue("Pointer Down must be preceded by Pointer Move")
        if finger.points is None:
            finger.points = [(finger.at, finger.place)]
    elif kind == "pointerUp":
        if finger.points is None:
            raise BadValue("Pointer Up must not be called before a Pointer Down")
        finger.lift()
    else:
        raise BadValue(f"Unsupported action item type {kind[:50]!r}")


def _target(item: Body, finger: _Finger, locate: Locate) -> Place:
    x, y, origin = number(item, "x", 0), number(item, "y", 0), item.get("origin", "viewport")
    if origin in ("viewport", None):
        return finger.corner + x, y
    if origin == "pointer":
        if finger.place is None:
            raise BadValue("There is no previous item to be relative to")
        return finger.place[0] + x, finger.place[1] + y
    name = origin.get(ELEMENT_KEY) or origin.get("ELEMENT") if isinstance(origin, dict) else origin
    if not isinstance(name, str):
        raise BadValue(f"Unknown origin {shown(origin)}")
    middle = locate(name)
    return middle[0] + x, middle[1] + y


def _keys(chain: Body) -> list[str]:
    return [text(item, "value")[:10] for item in items(chain, "actions")
            if isinstance(item, dict) and item.get("type") == "keyDown"]  # fmt: skip


def _press(phone: Phone, key: str) -> Any:
    if key in ("\ue006", "\ue007", "\n"):
        return phone.press("enter")
    return phone.press("delete") if key in ("\ue003", "\b") else phone.type_text(key)
