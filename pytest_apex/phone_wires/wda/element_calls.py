"""Commands on one element: what it says, where it is, a tap on it, its text."""

from __future__ import annotations

from typing import Any

from pytest_apex.model.node import Node, NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda import focus, gestures
from pytest_apex.phone_wires.wda.command import ROUTES, Command
from pytest_apex.phone_wires.wda.source import frame, hittable, label_of, node_attributes, value_of
from pytest_apex.phone_wires.webdriver.faults import BadValue, Fault
from pytest_apex.phone_wires.webdriver.pictures import base64_png
from pytest_apex.phone_wires.webdriver.values import MOST_ITEMS, Body, text

#: How long the keyboard takes to come up after the tap into a field (seconds).
_KEYBOARD_S = 0.3


def _attributes(command: Command, name: str) -> dict[str, str | None]:
    with command.device.pace.held() as phone:
        return node_attributes(command, phone, command.node(phone, name))


@ROUTES.add("GET", "/element/{element}/text")
def get_text(command: Command, name: str) -> str:
    """Its value, else its label, else its name."""
    told = _attributes(command, name)
    return told["value"] or told["label"] or told["name"] or ""


@ROUTES.add("GET", "/element/{element}/name")
def get_name(command: Command, name: str) -> str | None:
    return _attributes(command, name)["type"]


@ROUTES.add("GET", "/element/{element}/enabled")
def enabled(command: Command, name: str) -> bool:
    return _attributes(command, name)["enabled"] == "true"


@ROUTES.add("GET", "/element/{element}/displayed")
def displayed(command: Command, name: str) -> bool:
    return _attributes(command, name)["visible"] == "true"


@ROUTES.add("GET", "/element/{element}/selected")
def selected(command: Command, name: str) -> bool:
    return command.ask(lambda phone: command.node(phone, name).has(NodeState.SELECTED))


@ROUTES.add("GET", "/wda/element/{element}/accessible")
def accessible(command: Command, name: str) -> bool:
    return _attributes(command, name)["accessible"] == "true"


@ROUTES.add("GET", "/element/{element}/attribute/{attribute}")
def get_attribute(command: Command, name: str, attribute: str) -> Any:
    with command.device.pace.held() as phone:
        node = command.node(phone, name)
        told = node_attributes(command, phone, node)
        if attribute == "hittable":
            return "true" if hittable(phone, node) else "false"
    if attribute == "selected":
        return "true" if node.has(NodeState.SELECTED) else "false"
    if attribute == "rect":
        return frame(command.on_screen(node.bounds))
    attribute = {"UID": "name", "isEnabled": "enabled", "isVisible": "visible"}.get(attribute, attribute)
    if attribute not in told and attribute not in ("focused", "bundleId", "processId"):
        raise BadValue(f"The attribute '{attribute[:50]}' is unknown. Known: {', '.join(told)}")
    return told.get(attribute)


@ROUTES.add("GET", "/element/{element}/rect")
def rect(command: Command, name: str) -> dict[str, int]:
    return frame(command.bounds(name))


@ROUTES.add("GET", "/element/{element}/screenshot")
def screenshot(command: Command, name: str) -> str:
    with command.device.pace.held() as phone:
        box, unit = command.on_screen(command.node(phone, name).bounds), phone.unit
    edges = (round(box.left * unit), round(box.top * unit), round(box.right * unit), round(box.bottom * unit))
    return base64_png(command.device.picture(), edges)


@ROUTES.add("POST", "/element/{element}/click")
def click(command: Command, name: str) -> None:
    if command.device.platform.name == "tvos":
        focus.select(command, name)
        return
    with command.device.pace.held() as phone:
        middle = command.on_screen(reachable(phone, command.node(phone, name)).bounds).center
    command.device.play(gestures.press((middle.x, middle.y), gestures.TAP_MS))


def reachable(phone: Phone, node: Node) -> Node:
    """The node itself. Raises `Fault` for one that has no area on the screen."""
    size, middle = phone.screen().size, node.bounds.center
    if node.bounds.is_empty or not (0 <= middle.x <= size.width and 0 <= middle.y <= size.height):
        raise Fault("element not interactable", f"{node.class_name} is not on the screen and can't be tapped")
    return node


# Text


def typed(body: Body) -> str:
    """The text of a command: a list of letters, or a text."""
    value = body.get("value")
    if isinstance(value, list):
        if len(value) > MOST_ITEMS or not all(isinstance(item, str) for item in value):
            raise BadValue("'value' must be a list of texts")
        return "".join(value)
    return text(body, "value", text(body, "text", ""))


@ROUTES.add("POST", "/element/{element}/value")
def set_value(command: Command, name: str) -> None:
    """A tap into the field if it has no focus, then a keystroke at a time."""
    words = typed(command.body)
    _take_focus(command, name)
    _type(command, words)


@ROUTES.add("POST", "/wda/keys")
def keys(command: Command) -> None:
    _type(command, typed(command.body))


def _take_focus(command: Command, name: str) -> None:
    with command.device.pace.held() as phone:
        focused = command.node(phone, name).has(NodeState.FOCUSED)
    if not focused:
        click(command, name)
        command.device.pace.sleep(_KEYBOARD_S)


def _type(command: Command, words: str) -> None:
    if "type" not in command.device.platform.capabilities:
        with command.device.pace.held() as phone:
            done = phone.edit_text(lambda old: old + words)
    else:
        result: list[bool] = []
        command.device.pace.do(lambda phone: result.append(_keystrokes(phone, words)))
        done = all(result)
    if not done:
        raise Fault("invalid element state", "Neither element nor any descendant has keyboard focus")


def _keystrokes(phone: Phone, words: str) -> bool:
    for letter in words:
        if letter in "\b\x7f\ue003":
            phone.edit_text(lambda text: text[:-1])
        elif not phone.type_text("\n" if letter == "\r" else letter):
            return False
    return True


@ROUTES.add("POST", "/element/{element}/clear")
def clear(command: Command, name: str) -> None:
    with command.device.pace.held() as phone:
        node = command.node(phone, name)
        empty = not node.text and value_of(node) in ("", node.hint, label_of(node))
    if empty:
        return
    _take_focus(command, name)
    if not command.ask(lambda phone: phone.edit_text(lambda _old: "")):
        raise Fault("invalid element state", "The element can't be cleared")
