"""The gestures that the server has of its own (`handler/gestures/`), along the ways that `Gestures` of UI Automator
draws. Speeds are pixels a second."""

from __future__ import annotations

from collections.abc import Mapping
from math import dist
from typing import Any

from pytest_apex.model.action import Track
from pytest_apex.model.geometry import Rect
from pytest_apex.phone_wires.uia2 import gestures
from pytest_apex.phone_wires.uia2.command import ROUTES, Command, origin_of, places
from pytest_apex.phone_wires.uia2.scrolling import into_view
from pytest_apex.phone_wires.webdriver.faults import BadValue
from pytest_apex.phone_wires.webdriver.values import number, part, text

#: Default speeds, each times the display's density.
_DRAG, _PINCH, _SWIPE, _SCROLL, _FLING = 2500, 2500, 5000, 5000, 7500
#: `ViewConfiguration` of AOSP: the least speed of a fling in dp a second.
_FLING_MIN = 50
_MARGIN = 5
_OPPOSITE: Mapping[str, str] = {"up": "down", "down": "up", "left": "right", "right": "left"}


def _point(command: Command, name: str = "offset") -> tuple[float, float]:
    """A place on the screen: of itself, or from the corner of an element; without a place its middle."""
    element, offset = origin_of(command.body), part(command.body, name)
    if element is None and offset is None:
        raise BadValue(f"either 'origin' or '{name}' must be given")
    x, y = (int(number(offset, "x")), int(number(offset, "y"))) if offset is not None else (0, 0)
    if element is None:
        return x, y
    seen = command.seen(element)
    return (seen.bounds[0] + x, seen.bounds[1] + y) if offset is not None else seen.center


def _area(command: Command) -> Rect:
    """The area of a gesture; that of an element is smaller by a margin."""
    element, area = origin_of(command.body), part(command.body, "area")
    if element is not None:
        left, top, right, bottom = command.seen(element).bounds
        return Rect(left + _MARGIN, top + _MARGIN, right - _MARGIN, bottom - _MARGIN)
    if area is None:
        raise BadValue("either 'origin' or 'area' must be given")
    left, top, width, height = (int(number(area, name)) for name in ("left", "top", "width", "height"))
    if width <= 0 or height <= 0:
        raise BadValue("the area must not be empty")
    return Rect(left, top, left + width, top + height)


def _speed(command: Command, default: float) -> float:
    density: float = command.ask(lambda phone: phone.screen().density)
    speed = number(command.body, "speed", round(default * density))
    if speed <= 0 or speed != int(speed):
        raise BadValue(f"'speed' must be a positive whole number, got {speed}")
    return speed


def _percent(command: Command, most: float = 1.0) -> float:
    percent = number(command.body, "percent")
    if not 0 < percent <= most:
        raise BadValue(f"'percent' must be above 0 and at most {most:g}, got {percent}")
    return percent


def _direction(command: Command) -> str:
    direction = text(command.body, "direction").lower()
    if direction not in _OPPOSITE:
        raise BadValue(f"'direction' must be one of {', '.join(_OPPOSITE)}, got {direction[:20]!r}")
    return direction


def _play(command: Command, track: Track) -> None:
    if track.duration_ms > gestures.MOST_MS:
        raise BadValue("the gesture takes too long")
    command.handset.play(track)


@ROUTES.add("POST", "/appium/gestures/click")
def click(command: Command) -> None:
    _play(command, gestures.press(_point(command), 0))


@ROUTES.add("POST", "/appium/gestures/long_click")
def long_click(command: Command) -> None:
    hold = number(command.body, "duration", gestures.LONG_PRESS_MS)
    if hold < 0:
        raise BadValue(f"'duration' must not be negative, got {hold}")
    _play(command, gestures.press(_point(command), hold))


@ROUTES.add("POST", "/appium/gestures/double_click")
def double_click(command: Command) -> None:
    _play(command, gestures.double_press(_point(command)))


@ROUTES.add("POST", "/appium/gestures/drag")
def drag(command: Command) -> None:
    end = part(command.body, "end")
    if end is None:
        raise BadValue("'end' must be given")
    start, goal = _point(command, "start"), (int(number(end, "x")), int(number(end, "y")))
    _play(command, gestures.drag(start, goal, _speed(command, _DRAG)))


@ROUTES.add("POST", "/appium/gestures/swipe")
def swipe(command: Command) -> None:
    area, direction, percent = _area(command), _direction(command), _percent(command)
    _play(command, gestures.swipe(area, direction, percent, _speed(command, _SWIPE)))


@ROUTES.add("POST", "/appium/gestures/scroll")
def scroll(command: Command) -> bool:
    """As far as asked, in several swipes where the area is too small; whether it can go on."""
    area, finger, percent = _area(command), _OPPOSITE[_direction(command)], _percent(command, 100.0)
    speed = _speed(command, _SCROLL)
    while percent > 0:
        if not _moved(command, gestures.swipe(area, finger, min(1.0, percent), speed)):
            return False
        percent -= 1.0
    return True


@ROUTES.add("POST", "/appium/gestures/fling")
def fling(command: Command) -> bool:
    """Whether it can go on."""
    area, finger, speed = _area(command), _OPPOSITE[_direction(command)], _speed(command, _FLING)
    density: float = command.ask(lambda phone: phone.screen().density)
    if speed < _FLING_MIN * density:
        raise BadValue(f"Speed is less than the minimum fling velocity {_FLING_MIN * density:g}")
    return _moved(command, gestures.swipe(area, finger, 1.0, speed))


def _moved(command: Command, track: Track) -> bool:
    before: object = command.ask(places)
    _play(command, track)
    command.handset.pace.sleep(command.session.settings["scrollAcknowledgmentTimeout"] / 1000)
    return command.ask(places) != before


@ROUTES.add("POST", "/appium/gestures/pinch_open")
def pinch_open(command: Command) -> None:
    _pinch(command, opens=True)


@ROUTES.add("POST", "/appium/gestures/pinch_close")
def pinch_close(command: Command) -> None:
    _pinch(command, opens=False)


def _pinch(command: Command, *, opens: bool) -> None:
    area, percent, speed = _area(command), _percent(command), _speed(command, _PINCH)
    if part(command.body, "area") is not None and origin_of(command.body) is None:
        area = Rect(area.left + _MARGIN, area.top + _MARGIN, area.right - _MARGIN, area.bottom - _MARGIN)
    if dist((area.left, area.top), (area.right, area.bottom)) < 2 * _MARGIN:
        raise BadValue("the area is too small for two fingers")
    _play(command, gestures.pinch(area, percent, speed, opens=opens))


@ROUTES.add("POST", "/gestures/scroll_to")
def scroll_to(command: Command) -> Any:
    """Swipe forward until an element shows (`UiScrollable.scrollIntoView`)."""
    params = part(command.body, "params") or {}
    into_view(command, origin_of(command.body), text(params, "strategy"), text(params, "selector"),
              int(number(params, "maxSwipes", 30)))  # fmt: skip
