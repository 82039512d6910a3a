"""Swiping until an element shows (`UiScrollable` of UI Automator)."""

from __future__ import annotations

from pytest_apex.model.node import NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uia2.command import Command
from pytest_apex.phone_wires.uia2.find_calls import strategy_of
from pytest_apex.phone_wires.uiautomator import fingers
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.webdriver.faults import Fault

#: The share of a list at each end where no swipe begins, and the steps of one (`UiScrollable`).
_DEAD, _STEPS, _MOST_SWIPES = 0.1, 55, 100


def into_view(command: Command, name: str | None, strategy: str, selector: str, swipes: int) -> None:
    """Raises `Fault` when it does not show within so many swipes, or when nothing moves any more."""
    find = strategy_of(strategy)
    for _ in range(max(1, min(_MOST_SWIPES, swipes))):
        with command.handset.pace.held() as phone:
            if find(command, phone, selector, None):
                return
            box = command.seen_on(phone, name) if name else _scrollable(command, phone)
            before = phone.tree()
        left, top, right, bottom = box.bounds
        inset = int((bottom - top) * _DEAD)
        x = (left + right) // 2
        command.handset.play(fingers.swipe((x, bottom - inset), (x, top + inset), _STEPS))
        command.handset.pace.sleep(0.2)
        if command.ask(lambda phone: phone.tree()) is before:
            break
    with command.handset.pace.held() as phone:
        if find(command, phone, selector, None):
            return
    raise Fault("no such element", f"No element by {strategy[:50]} comes into view")


def _scrollable(command: Command, phone: Phone) -> Seen:
    for root in command.roots(phone):
        for seen in root.walk():
            if seen.flag(NodeState.SCROLLABLE):
                return seen
    raise Fault("no such element", "Nothing here can be scrolled")
