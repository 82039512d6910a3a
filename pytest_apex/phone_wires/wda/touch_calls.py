"""Gestures that WebDriverAgent has of its own, on the active app or on an element. A place is relative to whichever it
is. All of this is compiled out of the builds for tvOS and watchOS."""

from __future__ import annotations

from pytest_apex.model.action import Track
from pytest_apex.model.geometry import Rect
from pytest_apex.phone_wires.wda import gestures
from pytest_apex.phone_wires.wda.command import Command, touch_route
from pytest_apex.phone_wires.wda.find_calls import STRATEGIES
from pytest_apex.phone_wires.webdriver.faults import BadValue, Fault
from pytest_apex.phone_wires.webdriver.values import number, text

#: The share of an element that a swipe and a scroll go over.
_SWIPE_SHARE, _SCROLL_SHARE = 0.6, 0.8
_WAYS = {"up": (0, -1), "down": (0, 1), "left": (-1, 0), "right": (1, 0)}
#: How many swipes look for an element before it is given up, and how long each may run on (seconds).
_MOST_SWIPES, _SETTLE_S = 25, 0.3


def _area(command: Command, name: str) -> Rect:
    return command.bounds(name)


def _place(command: Command, name: str, x: str = "x", y: str = "y") -> tuple[float, float]:
    """A place from the corner of an element, or its middle."""
    box = _area(command, name)
    if command.body.get(x) is None and command.body.get(y) is None:
        return box.center.x, box.center.y
    if name == "0":
        return command.corner() + number(command.body, x), number(command.body, y)
    return box.left + number(command.body, x), box.top + number(command.body, y)


@touch_route("/wda/element/{element}/tap")
def tap(command: Command, name: str) -> None:
    number(command.body, "x"), number(command.body, "y")
    command.device.play(gestures.press(_place(command, name), gestures.TAP_MS))


@touch_route("/wda/element/{element}/doubleTap")
def double_tap(command: Command, name: str) -> None:
    command.device.play(gestures.presses(_place(command, name), 2))


@touch_route("/wda/element/{element}/twoFingerTap")
def two_finger_tap(command: Command, name: str) -> None:
    command.device.play(gestures.presses(_place(command, name), 1, 2))


@touch_route("/wda/element/{element}/tapWithNumberOfTaps")
def tap_several(command: Command, name: str) -> None:
    taps, fingers = int(number(command.body, "numberOfTaps", 1)), int(number(command.body, "numberOfTouches", 1))
    if not (1 <= taps <= 20 and 1 <= fingers <= 5):
        raise BadValue("1 to 20 taps with 1 to 5 touches")
    command.device.play(gestures.presses(_place(command, name), taps, fingers))


@touch_route("/wda/element/{element}/touchAndHold")
def touch_and_hold(command: Command, name: str) -> None:
    """`duration` in seconds."""
    command.device.play(gestures.press(_place(command, name), number(command.body, "duration") * 1000))


@touch_route("/wda/element/{element}/forceTouch")
def force_touch(command: Command, name: str) -> None:
    command.device.play(gestures.press(_place(command, name), number(command.body, "duration", 0.5) * 1000))


@touch_route("/wda/element/{element}/dragfromtoforduration")
def drag(command: Command, name: str) -> None:
    """`duration` is how long it presses before it moves, in seconds; the speed is XCTest's own."""
    start, end = _place(command, name, "fromX", "fromY"), _place(command, name, "toX", "toY")
    hold = number(command.body, "duration") * 1000
    command.device.play(gestures.drag(start, end, hold, gestures.DRAG_SPEED))


@touch_route("/wda/element/{element}/pressAndDragWithVelocity")
def press_and_drag(command: Command, name: str) -> None:
    if name == "0":
        start, end = _place(command, name, "fromX", "fromY"), _place(command, name, "toX", "toY")
    else:
        first, last = _area(command, name).center, _area(command, text(command.body, "toElement")).center
        start, end = (first.x, first.y), (last.x, last.y)
    press, hold = number(command.body, "pressDuration") * 1000, number(command.body, "holdDuration") * 1000
    command.device.play(gestures.drag(start, end, press, number(command.body, "velocity"), hold))


def _direction(command: Command) -> tuple[int, int]:
    direction = text(command.body, "direction").lower()
    if direction not in _WAYS:
        raise BadValue(f"'direction' must be one of {', '.join(_WAYS)}")
    return _WAYS[direction]


def _stroke(box: Rect, way: tuple[int, int], share: float, speed: float) -> Track:
    middle = box.center
    dx, dy = way[0] * box.width * share / 2, way[1] * box.height * share / 2
    return gestures.drag((middle.x - dx, middle.y - dy), (middle.x + dx, middle.y + dy), 0, speed)


@touch_route("/wda/element/{element}/swipe")
def swipe(command: Command, name: str) -> None:
    """The finger goes in `direction`; `velocity` is points a second."""
    velocity = number(command.body, "velocity", gestures.SWIPE_SPEED)
    command.device.play(_stroke(_area(command, name), _direction(command), _SWIPE_SHARE, velocity))


@touch_route("/wda/element/{element}/scroll")
def scroll(command: Command, name: str) -> None:
    """By a direction (the finger goes the other way), or to something by name, predicate or for an element itself."""
    if command.body.get("direction") is not None:
        way = _direction(command)
        share = min(1.0, number(command.body, "distance", 1.0)) * _SCROLL_SHARE
        command.device.play(_stroke(_area(command, name), (-way[0], -way[1]), share, gestures.SWIPE_SPEED))
        return
    using, value = ("name", command.body.get("name")) if command.body.get("name") else (
        "predicate string", command.body.get("predicateString"))  # fmt: skip
    if command.body.get("toVisible"):
        scroll_to(command, name)
        return
    if not isinstance(value, str):
        raise BadValue("Unsupported scroll type")
    with command.device.pace.held() as phone:
        found = STRATEGIES[using](command, phone, value, command.node(phone, name) if name != "0" else None)
        if not found:
            raise Fault("no such element", f"There is nothing to scroll to by {using}")
        wanted = command.named(phone, found[0])["ELEMENT"]
    scroll_to(command, wanted)


@touch_route("/wda/element/{element}/scrollTo")
def scroll_to(command: Command, name: str) -> None:
    """Swipes until the element is in sight."""
    for _ in range(_MOST_SWIPES):
        with command.device.pace.held() as phone:
            node = command.node(phone, name)
            around = next((one for one in node.ancestors if one.role in ("scroll", "list")), None)
            if around is None:
                raise Fault("invalid element state", "Failed to find scrollable visible parent with 2 visible children")
            area, middle = command.on_screen(around.bounds), node.bounds.center
        if area.top <= middle.y <= area.bottom:
            return
        command.device.play(_stroke(area, (0, -1 if middle.y > area.bottom else 1), _SCROLL_SHARE / 2, 300))
        command.device.pace.sleep(_SETTLE_S)
    raise Fault("invalid element state", "Failed to perform scroll with visible cell due to max scroll count reached")


@touch_route("/wda/element/{element}/pinch")
def pinch(command: Command, name: str) -> None:
    scale, velocity = number(command.body, "scale"), number(command.body, "velocity")
    command.device.play(gestures.pinch(_area(command, name), scale, velocity))


@touch_route("/wda/element/{element}/rotate")
def rotate(command: Command, name: str) -> None:
    """`rotation` in radians, `velocity` in radians a second."""
    turn, velocity = number(command.body, "rotation"), number(command.body, "velocity")
    command.device.play(gestures.rotate(_area(command, name), turn, velocity))


#: The same on the active app: `/wda/tap` is `/wda/element/0/tap`.
ON_APP = ("tap", "doubleTap", "twoFingerTap", "tapWithNumberOfTaps", "touchAndHold", "forceTouch",
          "dragfromtoforduration", "pressAndDragWithVelocity", "swipe", "scroll", "pinch", "rotate")  # fmt: skip
