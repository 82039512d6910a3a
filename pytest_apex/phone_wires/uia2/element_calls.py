"""Commands on one element: what it says, where it is, a tap on it, its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pytest_apex.model.node import NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uia2.command import ROUTES, TOAST, Command
from pytest_apex.phone_wires.uia2.source import attributes, toasts
from pytest_apex.phone_wires.uiautomator import fingers
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.webdriver.faults import BadValue, Fault
from pytest_apex.phone_wires.webdriver.pictures import base64_png
from pytest_apex.phone_wires.webdriver.values import text

#: Other names of attributes (`utils/Attribute.java`).
_ALIASES: Mapping[str, str] = {
    "contentDescription": "content-desc",
    "resourceId": "resource-id",
    "className": "class",
    "longClickable": "long-clickable",
}
_NAMES = frozenset(
    {
        "index", "package", "class", "text", "content-desc", "resource-id", "checkable", "checked", "clickable",
        "enabled", "focusable", "focused", "long-clickable", "password", "scrollable", "selected", "bounds",
        "displayed", "hint",
        "a11y-important", "screen-reader-focusable", "drawing-order", "showing-hint", "text-entry-key", "dismissable",
        "a11y-focused", "heading", "live-region", "context-clickable", "content-invalid",
    }
)  # fmt: skip


@ROUTES.add("GET", "/element/active")
def active(command: Command) -> Any:
    with command.handset.pace.held() as phone:
        for root in command.roots(phone):
            for seen in root.walk():
                if seen.flag(NodeState.FOCUSED):
                    return command.named(phone, seen)
    raise Fault("no such element", "There is no element with the focus")


@ROUTES.add("GET", "/element/{element}/text")
def get_text(command: Command, name: str) -> str:
    if name.startswith(TOAST):
        shown: list[tuple[str, str]] = command.ask(lambda phone: toasts(command, phone))
        if not shown:
            raise Fault("stale element reference", "The toast is gone")
        return shown[-1][1]
    return command.seen(name).text


@ROUTES.add("GET", "/element/{element}/name")
def get_name(command: Command, name: str) -> str | None:
    return command.seen(name).node.label or None


@ROUTES.add("GET", "/element/{element}/attribute/{attribute}")
def get_attribute(command: Command, name: str, attribute: str) -> str | None:
    if name.startswith(TOAST):
        return get_text(command, name) if attribute in ("text", "name") else None
    seen = command.seen(name)
    if attribute == "name":
        return seen.node.label or seen.text
    attribute = _ALIASES.get(attribute, attribute)
    if attribute not in _NAMES:
        raise BadValue(f"'{attribute[:50]}' attribute is unknown for the element. Known: {', '.join(sorted(_NAMES))}")
    return dict(attributes(seen)).get(attribute)


@ROUTES.add("GET", "/element/{element}/displayed")
def displayed(command: Command, name: str) -> bool:
    return command.seen(name).visible


@ROUTES.add("GET", "/element/{element}/rect")
def rect(command: Command, name: str) -> dict[str, int]:
    left, top, right, bottom = command.seen(name).bounds
    return {"x": left, "y": top, "width": right - left, "height": bottom - top}


@ROUTES.add("GET", "/element/{element}/location")
def location(command: Command, name: str) -> dict[str, int]:
    found = rect(command, name)
    return {"x": found["x"], "y": found["y"]}


@ROUTES.add("GET", "/element/{element}/size")
def size(command: Command, name: str) -> dict[str, int]:
    found = rect(command, name)
    return {"width": found["width"], "height": found["height"]}


@ROUTES.add("GET", "/element/{element}/screenshot")
def screenshot(command: Command, name: str) -> str:
    return base64_png(command.handset.picture(), command.seen(name).bounds)


@ROUTES.add("POST", "/element/{element}/click")
def click(command: Command, name: str) -> None:
    seen = command.seen(name)
    if not seen.visible:
        raise Fault("element not interactable", "The element is not on the screen")
    command.handset.play(fingers.press(*seen.center, 0))
    command.wait_idle()


# Text


@ROUTES.add("POST", "/element/{element}/value")
def set_value(command: Command, name: str) -> None:
    """Put text behind what is there, or in its place (`replace`). A line break at the end presses enter."""
    given = text(command.body, "text", "")
    if not given:
        value = command.body.get("value")
        given = "".join(str(item) for item in value[:10_000]) if isinstance(value, list) else ""
    replace = command.body.get("replace") is True
    enter = given.endswith(("\n", "\\n"))
    words = given.removesuffix("\n").removesuffix("\\n") if enter else given
    _edit(command, command.seen(name), lambda old: words if replace else old + words)
    if enter:
        command.handset.pace.do(lambda phone: phone.press("enter"))


@ROUTES.add("POST", "/element/{element}/clear")
def clear(command: Command, name: str) -> None:
    _edit(command, command.seen(name), lambda _old: "")


def _edit(command: Command, seen: Seen, change: Callable[[str], str]) -> None:
    """The text of a field is set at once, as accessibility does; a field without the focus gets it first."""
    if not seen.flag(NodeState.EDITABLE) and "EditText" not in seen.node.class_name:
        raise Fault(
            "invalid element state", "Cannot set the element to the text. Did you interact with the correct element?"
        )
    if not seen.flag(NodeState.FOCUSED):
        command.handset.play(fingers.press(*seen.center, 0))

    def edit(phone: Phone) -> bool:
        return phone.edit_text(change)

    if not command.ask(edit):
        raise Fault("invalid element state", "The element takes no text")


@ROUTES.add("POST", "/keys")
def keys(command: Command) -> None:
    """Text for the field with the focus."""
    given = text(command.body, "text", "")
    if not given:
        value = command.body.get("value")
        given = "".join(str(item) for item in value[:10_000]) if isinstance(value, list) else ""
    typed: list[bool] = []
    command.handset.pace.do(lambda phone: typed.append(phone.type_text(given)))
    if not all(typed):
        raise Fault("invalid element state", "There is no focused element to type into")
