"""Alerts: the two layouts that the server knows (`utils/AlertHelpers.java`), told by their resource ids."""

from __future__ import annotations

import re

from pytest_apex.model.node import NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uia2.command import ROUTES, Command
from pytest_apex.phone_wires.uiautomator import fingers
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.phone_wires.webdriver.values import text

_TITLE = re.compile(r".+:id/(?:alertTitle|custom)")
_BUTTON = re.compile(r"android:id/button\d+")
_MESSAGE = re.compile(r".+:id/permission_message")
_PERMISSION_BUTTON = re.compile(r".+:id/permission_\w+_button")


def _all(command: Command, phone: Phone) -> list[Seen]:
    return [seen for root in command.roots(phone) for seen in root.walk()]


def _matching(found: list[Seen], pattern: re.Pattern[str]) -> list[Seen]:
    return [seen for seen in found if pattern.fullmatch(seen.node.identifier)]


def _alert(command: Command) -> tuple[str, list[Seen], bool]:
    """Its text, its buttons, and whether it asks for a permission."""
    command.wait_idle()
    with command.handset.pace.held() as phone:
        every = _all(command, phone)
        message, titles = _matching(every, _MESSAGE), _matching(every, _TITLE)
        buttons = _matching(every, _BUTTON)
        if message:
            return message[0].text, _matching(every, _PERMISSION_BUTTON), True
        if titles and buttons:
            texts = [seen.text for seen in every if seen.text and not seen.flag(NodeState.CLICKABLE)]
            return "\n".join(texts), buttons, False
    raise Fault("no such alert", "An attempt was made to operate on a modal dialog when one was not open")


@ROUTES.add("GET", "/alert/text")
def alert_text(command: Command) -> str:
    return _alert(command)[0]


@ROUTES.add("POST", "/alert/accept")
def accept(command: Command) -> None:
    _press(command, accepts=True)


@ROUTES.add("POST", "/alert/dismiss")
def dismiss(command: Command) -> None:
    _press(command, accepts=False)


def _press(command: Command, *, accepts: bool) -> None:
    _, buttons, permission = _alert(command)
    label = text(command.body, "buttonLabel", "")
    if label:
        fitting = [seen for seen in buttons if seen.text.lower() == label.lower()]
    elif permission:
        word = "allow" if accepts else "deny"
        fitting = [seen for seen in buttons if word in seen.node.identifier]
    else:  # button1 says yes, button2 says no
        names = ("android:id/button1",) if accepts else ("android:id/button2", "android:id/button1")
        fitting = [seen for name in names for seen in buttons if seen.node.identifier == name]
    if not fitting:
        raise Fault("no such alert", f"The alert has no button {label!r}" if label else "The alert has no such button")
    command.handset.play(fingers.press(*fitting[0].center, 0))
    command.wait_idle()
