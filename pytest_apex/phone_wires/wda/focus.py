"""Apple TV: the focus goes to an element by presses of the remote (`XCUIElement+FBTVFocuse`)."""

from __future__ import annotations

from pytest_apex.model.node import Node, NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda.command import Command
from pytest_apex.phone_wires.webdriver.faults import Fault

_MOST_PRESSES = 100
#: How long the focus takes to arrive (seconds).
_MOVE_S = 0.1


def select(command: Command, name: str) -> None:
    """Move the focus onto an element and press select. Raises `Fault` when the focus does not get there."""
    for _ in range(_MOST_PRESSES):
        with command.device.pace.held() as phone:
            target = command.node(phone, name)
            key = "select" if target.has(NodeState.FOCUSED) else _way(phone, target)
        command.device.pace.do(lambda phone, key=key: phone.press(key))  # type: ignore[misc]
        if key == "select":
            return
        command.device.pace.sleep(_MOVE_S)
    raise Fault("invalid element state", "Unable to move the focus onto the element: it may not take the focus")


def _way(phone: Phone, target: Node) -> str:
    """The next press: along the longer way first."""
    tree = phone.tree()
    focused = next((node for node in map(tree.node, range(len(tree.parents))) if node.has(NodeState.FOCUSED)), None)
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
