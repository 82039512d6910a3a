"""Swiping until an element shows (`UiScrollable` of UI Automator)."""

from __future__ import annotations

from collections.abc import Callable

from pytest_apex.model.node import NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uia2.command import Command, places
from pytest_apex.phone_wires.uia2.strategies import strategy_of
from pytest_apex.phone_wires.uia2.ui_selector import find_by, read_scrollable
from pytest_apex.phone_wires.uiautomator import fingers
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.webdriver.faults import Fault

#: The share of a list at each end where no swipe begins, and the steps of one (`UiScrollable`).
_DEAD, _STEPS, _MOST_SWIPES = 0.1, 55, 100


Shows = Callable[[Phone], bool]


def into_view(command: Command, name: str | None, strategy: str, selector: str, swipes: int) -> None:
    """Swipe on an element, or on what can be scrolled, until something shows. Raises `Fault` when it does not within so
    many swipes, or when nothing moves any more."""
    find = strategy_of(strategy)

    def box(phone: Phone) -> Seen:
        return command.seen_on(phone, name) if name else _scrollable(command, phone)

    if not _until(command, box, lambda phone: bool(find(command, phone, selector, None)), swipes):
        raise Fault("no such element", f"No element by {strategy[:50]} comes into view")


def run_scrollable(command: Command, expression: str) -> str:
    """Do what a `new UiScrollable(…)` says; the selector of what it looks for. What does not show is not found."""
    wanted = read_scrollable(expression)

    def every(phone: Phone) -> list[Seen]:
        return [seen for root in command.roots(phone) for seen in root.walk()]

    def box(phone: Phone) -> Seen:
        found = find_by(wanted.box, every(phone))
        if not found:
            raise Fault("no such element", "There is no such UiScrollable")
        return found[0]

    _until(command, box, lambda phone: bool(find_by(wanted.target, every(phone))), wanted.swipes)
    return wanted.target


def _until(command: Command, box: Callable[[Phone], Seen], shows: Shows, swipes: int) -> bool:
    """Back to the beginning is left out: swipes go forward only."""
    pace = command.handset.pace
    for _ in range(max(1, min(_MOST_SWIPES, swipes))):
        with pace.held() as phone:
            if shows(phone):
                return True
            left, top, right, bottom = box(phone).bounds
            before = places(phone)
        inset, x = int((bottom - top) * _DEAD), (left + right) // 2
        command.handset.play(fingers.swipe((x, bottom - inset), (x, top + inset), _STEPS))
        pace.sleep(0.2)
        if command.ask(lambda phone: phone.tree()) is before:
            break
    return command.ask(shows)


def _scrollable(command: Command, phone: Phone) -> Seen:
    for root in command.roots(phone):
        for seen in root.walk():
            if seen.flag(NodeState.SCROLLABLE):
                return seen
    raise Fault("no such element", "Nothing here can be scrolled")
