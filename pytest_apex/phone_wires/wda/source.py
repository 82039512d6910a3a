"""The page source, element by element as `FBXPath` writes it; lengths are points."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from pytest_apex.model.geometry import Rect
from pytest_apex.model.node import Node, NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda.command import Command, top_nodes
from pytest_apex.phone_wires.webdriver.xml import element_lines

#: The element around the app, which only this scope has.
SCOPE = "AppiumAUT"
APPLICATION = "XCUIElementTypeApplication"
_TRAITS = {"button": "Button", "link": "Link", "text": "StaticText", "image": "Image", "switch": "Button"}
_FIELDS = ("XCUIElementTypeTextField", "XCUIElementTypeSecureTextField", "XCUIElementTypeTextView")
#: Kinds that hold others, and are no element for VoiceOver themselves.
_HOLDERS = frozenset(
    {"application", "window", "group", "scroll", "list", "toolbar", "keyboard", "status_bar", "dialog"}
)


@dataclass(frozen=True, slots=True)
class Source:
    """`nodes` are its elements in document order, without the one around the app."""

    xml: str
    nodes: Sequence[Node | None]


def source(command: Command, phone: Phone, *, scope: str = "", without: Collection[str] = ()) -> Source:
    """The tree of the active app. `without` are attributes that are left out."""
    tops = top_nodes(command, phone)
    deepest = int(command.session.settings["snapshotMaxDepth"])
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', *([f"<{scope}>"] if scope else [])]
    nodes: list[Node | None] = []
    whole = tops[0].role == "application"
    # The system's own dialogs come without their application: it is put around them.
    head = _attributes(command, phone, tops[0], 0) if whole else _system_attributes(command, phone, tops[0])
    nodes.append(tops[0] if whole else None)
    lines += element_lines(APPLICATION, _told(head, without), 1, open=True)
    children = [*(tops[0].children if whole else ()), *(tops[1:] if whole else tops)]
    waiting: list[tuple[Node, int, int, bool]] = [
        (child, place, 2, False) for place, child in reversed(list(enumerate(children)))
    ]
    while waiting:
        node, place, depth, done = waiting.pop()
        if done:
            lines += element_lines(node.class_name, (), depth, close=True)
            continue
        nodes.append(node)
        below = list(enumerate(node.children)) if depth < deepest else []
        told = _told(_attributes(command, phone, node, place), without)
        lines += element_lines(node.class_name, told, depth, open=bool(below))
        if below:
            waiting.append((node, place, depth, True))
            waiting += [(child, number, depth + 1, False) for number, child in reversed(below)]
    lines += [f"  </{APPLICATION}>", *([f"</{scope}>"] if scope else [])]
    return Source("\n".join(lines), nodes)


def _told(attributes: list[tuple[str, str]], without: Collection[str]) -> list[tuple[str, str]]:
    return [(name, value) for name, value in attributes if name not in without]


def frame(bounds: Rect) -> dict[str, int]:
    """A frame rounded outward to whole points."""
    left, top = math.floor(bounds.left), math.floor(bounds.top)
    return {"x": left, "y": top, "width": math.ceil(bounds.right) - left, "height": math.ceil(bounds.bottom) - top}


def _native_frame(bounds: Rect) -> str:
    """As `NSStringFromCGRect` writes it."""
    numbers = (bounds.left, bounds.top, bounds.width, bounds.height)
    return "{{{{{:.9g}, {:.9g}}}, {{{:.9g}, {:.9g}}}}}".format(*numbers)


def value_of(node: Node) -> str:
    """The value that XCTest tells or WebDriverAgent makes up: of a static text its label, of an empty field its
    placeholder."""
    if node.class_name in _FIELDS:
        typed = "•" * len(node.text) if node.has(NodeState.PASSWORD) else node.text
        return typed or node.hint
    return node.label if node.role == "text" else node.value


def label_of(node: Node) -> str:
    return node.label or ("" if node.class_name in _FIELDS else node.text)


def _attributes(command: Command, phone: Phone, node: Node, place: int) -> list[tuple[str, str]]:
    attributes = node_attributes(command, phone, node)
    return [*((name, str(value)) for name, value in attributes.items() if value is not None), ("index", str(place))]


def node_attributes(command: Command, phone: Phone, node: Node) -> dict[str, str | None]:
    """All that an element tells, None where it has none."""
    label, visible = label_of(node), node.has(NodeState.VISIBLE)
    told: dict[str, str | None] = {
        "type": node.class_name,
        "value": value_of(node) or None,
        "name": node.identifier or label or None,
        "label": label or None,
        "enabled": _bool(node.has(NodeState.ENABLED) or node.role in _HOLDERS),
        "visible": _bool(visible or node.role in ("application", "window")),
        "accessible": _bool(node.role not in _HOLDERS),
        **{name: str(value) for name, value in frame(command.on_screen(node.bounds)).items()},
        "traits": _traits(node),
        "placeholderValue": (node.hint or None) if node.class_name in _FIELDS else None,
    }
    if command.device.platform.name == "tvos":
        told["focused"] = _bool(node.has(NodeState.FOCUSED))
    if command.session.settings["includeHittableInPageSource"] is True:
        told["hittable"] = _bool(visible and hittable(phone, node))
    if command.session.settings["includeNativeFrameInPageSource"] is True:
        told["nativeFrame"] = _native_frame(command.on_screen(node.bounds))
    if node.role == "application":
        told["bundleId"], told["processId"] = node.window.app, str(node.window.pid)
    return told


def _system_attributes(command: Command, phone: Phone, top: Node) -> list[tuple[str, str]]:
    size = phone.screen().size
    screen: dict[str, Any] = {"x": 0, "y": 0, "width": round(command.device.width), "height": round(size.height)}
    told = {"type": APPLICATION, "name": "SpringBoard", "label": "SpringBoard", "enabled": "true", "visible": "true",
            "accessible": "false", **screen, "traits": "", "bundleId": top.window.app, "processId": top.window.pid,
            "index": 0}  # fmt: skip
    return [(name, str(value)) for name, value in told.items()]


def _traits(node: Node) -> str:
    found = [_TRAITS[node.role]] if node.role in _TRAITS else []
    found += [] if node.has(NodeState.ENABLED) or node.role in _HOLDERS else ["NotEnabled"]
    found += ["Selected"] if node.has(NodeState.SELECTED) else []
    return ", ".join(found)


def hittable(phone: Phone, node: Node) -> bool:
    """Whether a touch in its middle would reach it or something in it."""
    scene = phone.scene()
    if scene.tree is not node.tree:
        return True  # a tree that is not the screen's: nobody can tell
    box, middle = scene.sources[node.index].box, node.bounds.center
    for surface in reversed(scene.surfaces):
        found = surface.touched(middle.x * phone.unit, middle.y * phone.unit)
        if found is not None:
            return any(item.box is box for item in found)
    return False


def _bool(value: object) -> str:
    return "true" if value else "false"
