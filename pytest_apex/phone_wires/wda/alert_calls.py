"""Alerts: of the app in front, and of the system over it."""

from __future__ import annotations

from pytest_apex.model.node import Node
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda import focus, gestures
from pytest_apex.phone_wires.wda.command import ROUTES, Command
from pytest_apex.phone_wires.wda.element_calls import typed
from pytest_apex.phone_wires.wda.source import label_of
from pytest_apex.phone_wires.webdriver.elements import marks
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.phone_wires.webdriver.values import text


def alert_of(phone: Phone) -> Node | None:
    """The topmost alert of all windows."""
    tree = phone.tree()
    found = [index for index, kind in enumerate(tree.classes) if kind == "XCUIElementTypeAlert"]
    return tree.node(found[-1]) if found else None


def _must(phone: Phone) -> Node:
    alert = alert_of(phone)
    if alert is None:
        raise Fault("no such alert", "An attempt was made to operate on a modal dialog when one was not open")
    return alert


def _buttons(alert: Node) -> list[Node]:
    return [node for node in alert.descendants if node.class_name == "XCUIElementTypeButton" and label_of(node)]


@ROUTES.add("GET", "/alert/text")
def alert_text(command: Command) -> str:
    with command.device.pace.held() as phone:
        alert = _must(phone)
        texts = [label_of(node) for node in alert.descendants if node.class_name == "XCUIElementTypeStaticText"]
        return "\n".join(texts)


@ROUTES.add("GET", "/wda/alert/buttons")
def alert_buttons(command: Command) -> list[str]:
    with command.device.pace.held() as phone:
        return [label_of(node) for node in _buttons(_must(phone))]


@ROUTES.add("POST", "/alert/accept")
def accept(command: Command) -> None:
    _press(command, first=True)


@ROUTES.add("POST", "/alert/dismiss")
def dismiss(command: Command) -> None:
    _press(command, first=False)


def _press(command: Command, *, first: bool) -> None:
    """A button by its label; else the default one, or the one that cancels (`FBAlert`: the last of two accepts on a
    real iPhone, whose buttons lie the other way round)."""
    label = text(command.body, "name", "")
    with command.device.pace.held() as phone:
        buttons = _buttons(_must(phone))
        fitting = [node for node in buttons if label_of(node) == label] if label else buttons
        if not fitting:
            raise Fault("invalid element state", f"Failed to find button with label '{label[:50]}' for the alert")
        chosen = fitting[0] if first or label else fitting[-1]
        middle = command.on_screen(chosen.bounds).center
        name = command.session.elements.name(marks(phone)[chosen.index])
    if command.device.platform.name == "tvos":
        focus.select(command, name)
    else:
        command.device.play(gestures.press((middle.x, middle.y), gestures.TAP_MS))


@ROUTES.add("POST", "/alert/text")
def set_alert_text(command: Command) -> None:
    with command.device.pace.held() as phone:
        _must(phone)
        if not phone.edit_text(lambda _old: typed(command.body)):
            raise Fault("unsupported operation", "The alert has no field for text")
