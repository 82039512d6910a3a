"""What a Selenium Grid tells of its slots, so that a request that fits none does not wait in its queue for long.

Which slot a request goes to: `DefaultSlotMatcher.java` of Selenium 4. What both name has to be equal, and a
`platformVersion` that is asked for has to be in the slot's stereotype: one that is not there fits no request.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

_VERSION = "platformVersion"
_COMPARED = ("platformName", "browserName", "appium:automationName", "appium:deviceName", "appium:udid")


def why_no_slot_fits(status: object, asked: Mapping[str, Any]) -> str:
    """Why a grid with this `/status` has nothing for a request, in words; "" where it has, or is no grid, or tells of
    no slot (one whose machines come when they are needed)."""
    stereotypes = slots(status)
    if not stereotypes:
        return ""
    reasons = [_differs(one, asked) for one in stereotypes]
    return "" if not all(reasons) else "; ".join(dict.fromkeys(reasons))


def slots(status: object) -> Sequence[Mapping[str, Any]]:
    """What each slot of the grid is for."""
    nodes = status.get("nodes") if isinstance(status, dict) else None
    found = []
    for node in nodes if isinstance(nodes, list) else []:
        for slot in node.get("slots") or [] if isinstance(node, dict) else []:
            stereotype = slot.get("stereotype") if isinstance(slot, dict) else None
            if isinstance(stereotype, dict):
                found.append(stereotype)
    return found


def _differs(stereotype: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    for name, value in asked.items():
        offered = stereotype.get(name)
        if name.endswith(_VERSION) and value not in (None, "") and offered != value:
            told = f"{name} {offered}" if offered else f"no {name}"
            return f"a slot has {told}, and {value} is asked for"
        if name in _COMPARED and offered and value and str(offered).lower() != str(value).lower():
            return f"a slot has {name} {offered}, and {value} is asked for"
    return ""
