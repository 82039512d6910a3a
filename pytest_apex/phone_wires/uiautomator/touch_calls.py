"""Calls that touch and press, by place or by selector."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pytest_apex.model.action import Track
from pytest_apex.phone_wires import keys
from pytest_apex.phone_wires.uiautomator import fingers
from pytest_apex.phone_wires.uiautomator.calls import Context, RpcError, WrongParameters, call, real, whole
from pytest_apex.phone_wires.uiautomator.nodes import Seen

#: The most samples of one gesture.
_MOST_STEPS = 20_000
#: The longest that a call waits (seconds).
MOST_WAIT_S = 600.0
_EVENTS = {0: "down", 1: "up", 2: "move", 3: "cancel"}


def play(context: Context, track: Track) -> bool:
    context.handset.play(track)
    return True


def step_count(value: Any) -> int:
    steps = whole(value)
    if steps > _MOST_STEPS:
        raise WrongParameters("too many steps")
    return max(0, steps)


@call("click")
def click(context: Context, *given: Any) -> bool:
    """At x and y, held for 100 ms or as long as asked; or the middle (or a corner) of what a selector finds."""
    if given and not isinstance(given[0], (int, float)):
        seen = context.must_find(given[0])
        x, y = _corner(seen, given[1] if len(given) > 1 else "center")
        return play(context, fingers.press(x, y, fingers.CLICK_MS))
    if len(given) not in (2, 3):
        raise WrongParameters("click")
    place = whole(given[0]), whole(given[1])
    if min(place) < 0:
        return False
    hold = whole(given[2]) if len(given) == 3 else fingers.CLICK_MS
    return play(context, fingers.press(*place, min(hold, 600_000)))


def _corner(seen: Seen, name: Any) -> tuple[float, float]:
    left, top, right, bottom = seen.bounds
    wanted = str(name).lower()
    if wanted in ("tl", "topleft"):
        return left + 5, top + 5
    return (right - 5, bottom - 5) if wanted in ("br", "bottomright") else seen.center


@call("longClick")
def long_click(context: Context, given: Any, corner: Any = "center") -> bool:
    seen = context.must_find(given)
    return play(context, fingers.press(*_corner(seen, corner), fingers.LONG_PRESS_MS * 1.25))


@call("clickAndWaitForNewWindow")
def click_and_wait(context: Context, given: Any, timeout: Any) -> bool:
    before = context.ask(lambda phone: phone.scene())
    click(context, given)
    limit = min(MOST_WAIT_S, whole(timeout) / 1000)
    return context.handset.pace.wait(lambda phone: phone.scene() is not before, limit, context.gone)


@call("injectInputEvent")
def inject_input_event(context: Context, action: Any, x: Any, y: Any, _meta: Any = 0) -> bool:
    kind = _EVENTS.get(whole(action))
    if kind is not None:
        context.handset.finger(kind, real(x), real(y))
    return kind is not None


@call("swipe")
def swipe(context: Context, *given: Any) -> bool:
    if given and not isinstance(given[0], (int, float)):
        return _swipe_on(context, *given)
    if len(given) != 5:
        raise WrongParameters("swipe")
    x1, y1, x2, y2 = (whole(value) for value in given[:4])
    return play(context, fingers.swipe((x1, y1), (x2, y2), step_count(given[4])))


def _swipe_on(context: Context, given: Any, direction: Any, *rest: Any) -> bool:
    left, top, right, bottom = context.must_find(given).bounds
    x, y, margin = (left + right) // 2, (top + bottom) // 2, 5
    ways = {
        "u": ((x, bottom - margin), (x, top + margin)),
        "d": ((x, top + margin), (x, bottom - margin)),
        "l": ((right - margin, y), (left + margin, y)),
        "r": ((left + margin, y), (right - margin, y)),
    }
    way = ways.get(str(direction).lower()[:1])
    return way is not None and play(context, fingers.swipe(*way, step_count(rest[-1] if rest else 55)))


@call("swipePoints")
def swipe_points(context: Context, points: Any, steps: Any) -> bool:
    if not isinstance(points, list) or len(points) < 2 or len(points) > _MOST_STEPS:
        raise WrongParameters("points")
    numbers = [whole(value) for value in points]
    places = list(zip(numbers[::2], numbers[1::2], strict=False))
    if len(places) * step_count(steps) > _MOST_STEPS:
        raise WrongParameters("too many steps")
    return play(context, fingers.swipe_points(places, step_count(steps)))


@call("drag")
def drag(context: Context, x1: Any, y1: Any, x2: Any, y2: Any, steps: Any) -> bool:
    return play(context, fingers.swipe((whole(x1), whole(y1)), (whole(x2), whole(y2)), step_count(steps), drag=True))


@call("dragTo")
def drag_to(context: Context, given: Any, *rest: Any) -> bool:
    start = context.must_find(given).center
    if len(rest) == 2:
        end = context.must_find(rest[0]).center
    elif len(rest) == 3:
        end = whole(rest[0]), whole(rest[1])
    else:
        raise WrongParameters("dragTo")
    return play(context, fingers.swipe(start, end, step_count(rest[-1]), drag=True))


@call("gesture")
def gesture(context: Context, given: Any, start1: Any, start2: Any, end1: Any, end2: Any, steps: Any) -> bool:
    context.must_find(given)
    starts, ends = [_point(start1), _point(start2)], [_point(end1), _point(end2)]
    return play(context, fingers.two_fingers(starts, ends, step_count(steps)))


def _point(value: Any) -> tuple[int, int]:
    if not isinstance(value, Mapping):
        raise WrongParameters("Point")
    return whole(value.get("x")), whole(value.get("y"))


@call("pinchIn")
def pinch_in(context: Context, given: Any, percent: Any = 100, steps: Any = 50) -> bool:
    return _pinch(context, given, percent, steps, opens=False)


@call("pinchOut")
def pinch_out(context: Context, given: Any, percent: Any = 100, steps: Any = 50) -> bool:
    return _pinch(context, given, percent, steps, opens=True)


def _pinch(context: Context, given: Any, percent: Any, steps: Any, *, opens: bool) -> bool:
    track = fingers.pinch(context.must_find(given).bounds, whole(percent), step_count(steps), opens=opens)
    if track is None:
        raise RpcError("java.lang.IllegalStateException", "Object width is too small for operation")
    return play(context, track)


# Keys


@call("pressKey")
def press_key(context: Context, name: Any) -> bool:
    return keys.press(context.handset, keys.UIAUTOMATOR_NAMES.get(str(name).lower(), ""))


@call("pressKeyCode")
def press_key_code(context: Context, code: Any, _meta: Any = 0) -> bool:
    return keys.press(context.handset, keys.CODES.get(whole(code), ""), known=True)
