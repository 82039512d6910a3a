"""Commands that find elements."""

from __future__ import annotations

from typing import Any

from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uia2.command import ROUTES, TOAST, Command
from pytest_apex.phone_wires.uia2.scrolling import run_scrollable
from pytest_apex.phone_wires.uia2.strategies import strategy_of
from pytest_apex.phone_wires.uia2.ui_selector import SCROLLABLE
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.webdriver.elements import ELEMENT_KEY
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.phone_wires.webdriver.values import text


@ROUTES.add("POST", "/element")
def find_element(command: Command) -> Any:
    found = _find(command)
    if not found:
        raise Fault("no such element", "An element could not be located on the page using the given search parameters")
    return found[0]


@ROUTES.add("POST", "/elements")
def find_elements(command: Command) -> Any:
    return _find(command)


@ROUTES.add("POST", "/element/{element}/element")
def find_below(command: Command, name: str) -> Any:
    found = _find(command, name)
    if not found:
        raise Fault("no such element", "An element could not be located on the page using the given search parameters")
    return found[0]


@ROUTES.add("POST", "/element/{element}/elements")
def find_all_below(command: Command, name: str) -> Any:
    return _find(command, name)


def _find(command: Command, context: str = "") -> list[Any]:
    body = command.body
    strategy = text(body, "strategy", text(body, "using", ""))
    selector = text(body, "selector", text(body, "value", ""))
    context = context or text(body, "context", "")
    command.wait_idle()
    if strategy == "-android uiautomator" and SCROLLABLE in selector:
        selector = run_scrollable(command, selector)
    with command.handset.pace.held() as phone:
        around = command.seen_on(phone, context) if context else None
        found = strategy_of(strategy)(command, phone, selector, around)
        return [_name(command, phone, seen) for seen in found]


def _name(command: Command, phone: Phone, seen: Seen | None) -> dict[str, str]:
    if seen is not None:
        return command.named(phone, seen)
    return {ELEMENT_KEY: f"{TOAST}{command.session.id}"}
