"""What an XCUIElement is: role, words and states out of its type and attributes, in whichever form they come."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pytest_apex.hierarchy.element_types import ABLE, ROLE_OF
from pytest_apex.model.geometry import Size
from pytest_apex.model.node import NodeState

ENABLED_VISIBLE = int(NodeState.ENABLED | NodeState.VISIBLE)

_ROLES = ROLE_OF | {
    "Browser": "list",
    "ComboBox": "text_field",
    "DecrementArrow": "button",
    "DisclosureTriangle": "button",
    "Grid": "list",
    "IncrementArrow": "button",
    "LevelIndicator": "progress",
    "RadioGroup": "group",
    "RatingIndicator": "slider",
    "StatusItem": "button",
    "TabGroup": "tab_bar",
}
_ABLE = {role: int(state) for role, state in ABLE.items()}
_CHECKABLE, _CHECKED, _PASSWORD = (int(one) for one in (NodeState.CHECKABLE, NodeState.CHECKED, NodeState.PASSWORD))
_CHECKED_VALUES = frozenset({"1", "true", "on"})
#: Controls whose label is usually drawn on them.
_TITLED = frozenset({"button", "link", "tab", "menu_item"})

#: Points across; smaller screens are those of watches (up to 211 by 257), larger ones of phones (from 320 by 480).
_WATCH = 260
#: The screens of an Apple TV.
_TELEVISIONS = (Size(1920, 1080), Size(1280, 720), Size(3840, 2160))


class Meaning(NamedTuple):
    role: str
    text: str
    value: str
    states: int


def meaning(kind: str, label: str, value: str, placeholder: str, states: int = ENABLED_VISIBLE) -> Meaning:
    """Role, text, value and states of an element; `kind` is its type without `XCUIElementType`.

    XCTest tells the placeholder as the value of an empty field, and the label of a static text as its value again.
    """
    role = _ROLES.get(kind, "other")
    states |= _ABLE.get(role, 0)
    text = ""
    if role == "text_field":
        text, value = ("" if value == placeholder else value), ""
        if kind == "SecureTextField":
            states |= _PASSWORD
    elif role == "text":
        text = label or value
        if text == value or label.startswith(value.removesuffix("...")):
            value = ""
    elif role in _TITLED:
        text = label
    elif states & _CHECKABLE:
        states |= _CHECKED if value.lower() in _CHECKED_VALUES else 0
    elif kind == "ActivityIndicator" and value == "1":  # it turns; how far it is nobody knows
        value = ""
    return Meaning(role, text, value, states)


def spoken_titles(roles: Sequence[str], ends: Sequence[int], kinds: Sequence[str]) -> list[int]:
    """The buttons and links that hold a picture and no text: their label is spoken, and drawn nowhere."""
    found = []
    for index, role in enumerate(roles):
        if role in _TITLED and ends[index] > index + 1:
            inside = kinds[index + 1 : min(ends[index], index + 50)]
            if "Image" in inside and "StaticText" not in inside:
                found.append(index)
    return found


def platform_of(size: Size, tells_focus: bool = False) -> str:
    """`ios`, `tvos` or `watchos`. Only tvOS builds of WebDriverAgent tell the focus."""
    if tells_focus or size in _TELEVISIONS:
        return "tvos"
    return "watchos" if 0 < size.width <= _WATCH and 0 < size.height <= _WATCH * 1.25 else "ios"
