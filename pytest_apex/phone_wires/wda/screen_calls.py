"""Commands that look at the screen as a whole, turn it, and set how things are told."""

from __future__ import annotations

from typing import Any

from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda.command import ROUTES, SETTINGS, Command, top_nodes
from pytest_apex.phone_wires.wda.source import SCOPE, source
from pytest_apex.phone_wires.webdriver.faults import BadValue
from pytest_apex.phone_wires.webdriver.pictures import base64_png
from pytest_apex.phone_wires.webdriver.values import part, text

_ORIENTATIONS = {"PORTRAIT": "portrait", "LANDSCAPE": "landscape_left",
                 "UIA_DEVICE_ORIENTATION_LANDSCAPERIGHT": "landscape_right",
                 "UIA_DEVICE_ORIENTATION_PORTRAIT_UPSIDEDOWN": "portrait_upside_down"}  # fmt: skip


@ROUTES.add("GET", "/source")
def get_source(command: Command) -> Any:
    command.settle()
    form = command.query.get("format", "xml")
    with command.device.pace.held() as phone:
        if form == "description":
            return _description(command, phone)
        if form != "xml":
            raise BadValue(f"Unknown source format '{form[:20]}'. Only xml and description are supported here.")
        given = command.query.get("excluded_attributes", "")
        without = given or command.session.settings["pageSourceExcludedAttributes"]
        scope = SCOPE if command.query.get("scope") else ""
        return source(command, phone, scope=scope, without={name.strip() for name in str(without).split(",")}).xml


def _description(command: Command, phone: Phone) -> str:
    lines = []
    for top in top_nodes(command, phone):
        for node in (top, *top.descendants):
            depth = sum(1 for _ in node.ancestors)
            kind = node.class_name.removeprefix("XCUIElementType")
            lines.append(f"{'  ' * min(depth, 60)}{kind}, {node.bounds}, {node.name!r}")
    return "\n".join(lines)


@ROUTES.add("GET", "/screenshot")
def screenshot(command: Command) -> str:
    return base64_png(command.device.picture())


@ROUTES.add("GET", "/window/rect")
def window_rect(command: Command) -> dict[str, int]:
    return {"x": round(command.corner()), "y": 0, **window_size(command)}


@ROUTES.add("GET", "/window/size")
def window_size(command: Command) -> dict[str, int]:
    with command.device.pace.held() as phone:
        size = phone.screen().size
    return {"width": round(size.width), "height": round(size.height)}


@ROUTES.add("GET", "/wda/screen")
def screen(command: Command) -> dict[str, Any]:
    with command.device.pace.held() as phone:
        size, bar = phone.screen().size, phone.platform.bars[0]
        scale = phone.unit
    width, height = round(command.device.width), round(size.height)
    return {
        "statusBarSize": {"width": width if bar else 0, "height": bar},
        "scale": scale,
        "screenSize": {"width": width, "height": height},
        "displayId": 1,
        "native": {"width": round(width * scale), "height": round(height * scale)},
    }


@ROUTES.add("GET", "/orientation")
def orientation(command: Command) -> str:
    name: str = command.ask(lambda phone: phone.orientation)
    return next(word for word, one in _ORIENTATIONS.items() if one == name)


@ROUTES.add("POST", "/orientation")
def set_orientation(command: Command) -> None:
    word = text(command.body, "orientation").upper()
    if word not in _ORIENTATIONS:
        raise BadValue(f"'orientation' must be one of {', '.join(_ORIENTATIONS)}")
    command.device.pace.do(lambda phone: phone.rotate(_ORIENTATIONS[word]))


@ROUTES.add("GET", "/appium/settings")
def settings(command: Command) -> dict[str, Any]:
    return dict(command.session.settings)


@ROUTES.add("POST", "/appium/settings")
def set_settings(command: Command) -> dict[str, Any]:
    """One that is not known is passed over."""
    for name, value in (part(command.body, "settings") or {}).items():
        before = SETTINGS.get(name)
        if before is None or value is None:
            continue
        if not _fits(value, before):
            raise BadValue(f"the setting '{name}' takes a value like {before!r}")
        if name == "snapshotMaxDepth" and not 1 <= value <= 62:
            raise BadValue(f"'{name}' must be 1 to 62, got {value}")
        if name in ("animationCoolOffTimeout", "waitForIdleTimeout") and not 0 <= value <= 600:
            raise BadValue(f"'{name}' must be 0 to 600, got {value}")
        command.session.settings[name] = value
    return dict(command.session.settings)


def _fits(value: Any, before: Any) -> bool:
    """Whether a setting may get this value: numbers of both kinds are as good."""
    if isinstance(before, (bool, str)):
        return type(value) is type(before)
    return isinstance(value, (int, float)) and not isinstance(value, bool)


@ROUTES.add("GET", "/timeouts")
def timeouts(_command: Command) -> dict[str, int]:
    return {"implicit": 0}


@ROUTES.add("POST", "/timeouts")
def set_timeouts(_command: Command) -> None:
    """They are the driver's business."""
