"""Calls that scroll a list (`UiScrollable` of UI Automator)."""

from __future__ import annotations

from typing import Any

from pytest_apex.phone_wires.uiautomator import fingers
from pytest_apex.phone_wires.uiautomator.calls import Context, call, whole
from pytest_apex.phone_wires.uiautomator.selector_calls import exist
from pytest_apex.phone_wires.uiautomator.touch_calls import play, step_count

#: The share of a list at each end where a swipe does not begin (DEFAULT_SWIPE_DEADZONE_PCT).
_DEAD = 0.1
_FLING_STEPS, _SCROLL_STEPS, _MOST_SWIPES = 5, 55, 30


def _scroll(context: Context, given: Any, vertical: Any, steps: Any, *, forward: bool) -> bool:
    """One swipe; whether anything moved."""
    seen = context.must_find(given)
    left, top, right, bottom = seen.bounds
    x, y = (left + right) // 2, (top + bottom) // 2
    if vertical:
        inset = int((bottom - top) * _DEAD)
        start, end = (x, bottom - inset), (x, top + inset)
    else:
        inset = int((right - left) * _DEAD)
        start, end = (right - inset, y), (left + inset, y)
    before = context.ask(lambda phone: phone.tree())
    play(context, fingers.swipe(*((start, end) if forward else (end, start)), step_count(steps)))
    context.handset.pace.sleep(0.2)
    return context.ask(lambda phone: phone.tree()) is not before


@call("scrollForward")
def scroll_forward(context: Context, given: Any, vertical: Any = True, steps: Any = _SCROLL_STEPS) -> bool:
    return _scroll(context, given, vertical, steps, forward=True)


@call("scrollBackward")
def scroll_backward(context: Context, given: Any, vertical: Any = True, steps: Any = _SCROLL_STEPS) -> bool:
    return _scroll(context, given, vertical, steps, forward=False)


@call("flingForward")
def fling_forward(context: Context, given: Any, vertical: Any = True) -> bool:
    return _scroll(context, given, vertical, _FLING_STEPS, forward=True)


@call("flingBackward")
def fling_backward(context: Context, given: Any, vertical: Any = True) -> bool:
    return _scroll(context, given, vertical, _FLING_STEPS, forward=False)


def _to_end(context: Context, given: Any, vertical: Any, most: Any, steps: Any, *, forward: bool) -> bool:
    for _ in range(min(_MOST_SWIPES, max(0, whole(most)))):
        if not _scroll(context, given, vertical, steps, forward=forward):
            return True
    return False


@call("scrollToEnd")
def scroll_to_end(
    context: Context, given: Any, vertical: Any = True, most: Any = 500, steps: Any = _SCROLL_STEPS
) -> bool:
    return _to_end(context, given, vertical, most, steps, forward=True)


@call("scrollToBeginning")
def scroll_to_beginning(
    context: Context, given: Any, vertical: Any = True, most: Any = 500, steps: Any = _SCROLL_STEPS
) -> bool:
    return _to_end(context, given, vertical, most, steps, forward=False)


@call("flingToEnd")
def fling_to_end(context: Context, given: Any, vertical: Any = True, most: Any = 500) -> bool:
    return _to_end(context, given, vertical, most, _FLING_STEPS, forward=True)


@call("flingToBeginning")
def fling_to_beginning(context: Context, given: Any, vertical: Any = True, most: Any = 500) -> bool:
    return _to_end(context, given, vertical, most, _FLING_STEPS, forward=False)


@call("scrollTo")
def scroll_to(context: Context, given: Any, wanted: Any, vertical: Any = True) -> bool:
    """To the beginning, then forward until it shows."""
    if exist(context, wanted):
        return True
    _to_end(context, given, vertical, _MOST_SWIPES, _SCROLL_STEPS, forward=False)
    for _ in range(_MOST_SWIPES):
        if exist(context, wanted):
            return True
        if not _scroll(context, given, vertical, _SCROLL_STEPS, forward=True):
            break
    return exist(context, wanted)
