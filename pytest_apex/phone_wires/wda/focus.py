"""Apple TV: the focus goes to an element by presses of the remote (`XCUIElement+FBTVFocuse`)."""

from __future__ import annotations

from pytest_apex.model.node import Node, NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda.command import Command
from pytest_apex.phone_wires.webdriver.faults import Fault

_MOST_PRESSES = 100
#: So many presses without effect, and the element is out of reach.
_MOST_IDLE = 2
#: How long the focus takes to arrive (seconds).
_MOVE_S = 0.1
_OTHER = {"up": "right", "down": "right", "left": "down", "right": "down"}


def select(command: Command, name: str) -> None:
    """Move the focus onto an element and press select. Raises `Fault` when the focus does not get there."""
    idle, before = 0, None
    for _ in range(_MOST_PRESSES):
        with command.device.pace.held() as phone:
            target, focused = command.node(phone, name), _focused(phone)
            key = "select" if target.has(NodeState.FOCUSED) else _way(focused, target)
            place = focused.bounds if focused is not None else None
        if key == "select":
            command.device.pace.do(lambda phone: phone.press("select"))
            return
        idle = idle + 1 if place is not None and place == before else 0
        if idle > _MOST_IDLE:
            break
        pressed = _OTHER[key] if idle == 1 else key
        command.device.pace.do(lambda phone, key=pressed: phone.press(key))  # type: ignore[misc]
        command.device.pace.sleep(_MOVE_S)
        before = place
    raise Fault("invalid element state", "Unable to move the focus onto the element: it may not take the focus")


def _focused(phone: Phone) -> Node | None:
    tree = phone.tree()
    return next((node for node in map(tree.node, range(len(tree.parents))) if node.has(NodeState.FOCUSED)), None)


def _way(focused: Node | None, target: Node) -> str:
    """The next press: along the longer way first."""
    if focused is None:
        return "down"
    start, goal = focused.bounds, target.bounds
    right = max(goal.left - start.right, 0) or min(goal.right - start.left, 0)
    down = max(goal.top - start.bottom, 0) or min(goal.bottom - start.top, 0)
    if not right and not down:
        right, down = goal.center.x - start.center.x, goal.center.y - start.center.y
    if abs(down) >= abs(right):
        return "down" if down > 0 else "up"
    return "right" if right > 0 else "left"
