"""Commands that look at the screen as a whole, and those that turn it."""

from __future__ import annotations

from typing import Any

from pytest_apex.phone_wires.uia2.command import ROUTES, Command
from pytest_apex.phone_wires.uia2.source import source
from pytest_apex.phone_wires.uiautomator.screen_calls import MUTE_S, ROTATIONS
from pytest_apex.phone_wires.webdriver.faults import BadValue, Fault
from pytest_apex.phone_wires.webdriver.pictures import base64_png
from pytest_apex.phone_wires.webdriver.values import number, part, text

_BY_ROTATION = {90 * rotation: name for name, rotation in ROTATIONS.items()}
#: What the two words of WebDriver mean in degrees (`model/ScreenRotation.java`).
_WORDS = {"PORTRAIT": 0, "LANDSCAPE": 270}


@ROUTES.add("GET", "/source")
def get_source(command: Command) -> str:
    command.wait_idle()
    if command.ask(lambda phone: phone.mute):
        command.handset.pace.sleep(MUTE_S)
    with command.handset.pace.held() as phone:
        told = source(command, phone)
    if not told.seen:
        raise Fault("unknown error", "The active window root node is not available: accessibility told of no window")
    return told.xml


@ROUTES.add("GET", "/screenshot")
def screenshot(command: Command) -> str:
    return base64_png(command.handset.picture())


@ROUTES.add("GET", "/window/current/size")
def window_size(command: Command) -> dict[str, int]:
    with command.handset.pace.held() as phone:
        size = phone.screen().size
    return {"width": round(size.width), "height": round(size.height)}


@ROUTES.add("GET", "/window/rect")
def window_rect(command: Command) -> dict[str, int]:
    return {"x": 0, "y": 0, **window_size(command)}


@ROUTES.add("GET", "/orientation")
def orientation(command: Command) -> str:
    landscape: bool = command.ask(lambda phone: phone.orientation.startswith("landscape"))
    return "LANDSCAPE" if landscape else "PORTRAIT"


@ROUTES.add("POST", "/orientation")
def set_orientation(command: Command) -> str:
    word = text(command.body, "orientation").upper()
    if word not in _WORDS:
        raise BadValue(f"'orientation' must be one of {', '.join(_WORDS)}, got {word[:20]!r}")
    _turn(command, _WORDS[word])
    return word


@ROUTES.add("GET", "/rotation")
def rotation(command: Command) -> dict[str, int]:
    return {"x": 0, "y": 0, "z": command.ask(lambda phone: 90 * ROTATIONS[phone.orientation])}


@ROUTES.add("POST", "/rotation")
def set_rotation(command: Command) -> dict[str, int]:
    degrees = number(command.body, "z")
    if degrees not in _BY_ROTATION or number(command.body, "x", 0) or number(command.body, "y", 0):
        raise BadValue("a rotation is x 0, y 0 and z one of 0, 90, 180, 270")
    _turn(command, int(degrees))
    return {"x": 0, "y": 0, "z": int(degrees)}


def _turn(command: Command, degrees: int) -> None:
    command.handset.pace.do(lambda phone: phone.rotate(_BY_ROTATION[degrees]))


@ROUTES.add("GET", "/appium/settings")
def settings(command: Command) -> dict[str, Any]:
    return dict(command.session.settings)


@ROUTES.add("POST", "/appium/settings")
def set_settings(command: Command) -> None:
    """One that is not known is passed over, as the driver sends its own too."""
    given = part(command.body, "settings") or {}
    for name, value in given.items():
        before = command.session.settings.get(name)
        if before is None:
            continue
        if type(value) is not type(before) or (isinstance(value, int) and not 0 <= value <= 600_000):
            raise BadValue(f"the setting '{name}' takes a value like {before!r}")
        if name == "snapshotMaxDepth" and not 1 <= value <= 500:
            raise BadValue(f"'{name}' must be 1 to 500, got {value}")
        command.session.settings[name] = value
