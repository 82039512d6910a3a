"""How a control is at this moment, as the bits of `NodeState`."""

from __future__ import annotations

from pytest_apex.model.node import NodeState
from pytest_apex.phone.parts import Control
from pytest_apex.phone.template import Condition, Lookup, look_up

_S = NodeState
_TOUCHED = int(_S.CLICKABLE | _S.FOCUSABLE)
_BY_ROLE = {
    "button": _TOUCHED,
    "link": _TOUCHED,
    "text_field": int(_TOUCHED | _S.EDITABLE | _S.LONG_CLICKABLE),
    "checkbox": int(_TOUCHED | _S.CHECKABLE),
    "switch": int(_TOUCHED | _S.CHECKABLE),
}
_CHECKABLE = frozenset({"checkbox", "switch"})
# Plain numbers: a screen has some fifty controls, and combining flags takes ten times as long.
_VISIBLE, _ENABLED, _CHECKED, _FOCUSED = int(_S.VISIBLE), int(_S.ENABLED), int(_S.CHECKED), int(_S.FOCUSED)
_LONG, _PASSWORD, _REQUIRED, _LIVE = int(_S.LONG_CLICKABLE), int(_S.PASSWORD), int(_S.REQUIRED), int(_S.LIVE)
_SELECTED, _INVALID = int(_S.SELECTED), int(_S.INVALID)


def _holds(condition: Condition | None, lookup: Lookup, usual: bool) -> bool:
    return usual if condition is None else condition.holds(lookup)


def states_of(control: Control, lookup: Lookup, *, focused: bool) -> int:
    """All states of a visible control."""
    on = control.on
    touched = "tap" in on or "double_tap" in on
    return (
        _VISIBLE
        | _BY_ROLE.get(control.role, 0)
        | (_TOUCHED if touched else 0)
        | (_LONG if "long_press" in on else 0)
        | (_ENABLED if _holds(control.enabled_when, lookup, True) else 0)
        | (_CHECKED if control.role in _CHECKABLE and look_up(control.bind, lookup) is True else 0)
        | (_FOCUSED if focused else 0)
        | (_PASSWORD if control.password else 0)
        | (_REQUIRED if control.required else 0)
        | (_LIVE if control.live else 0)
        | (_SELECTED if _holds(control.selected_when, lookup, False) else 0)
        | (_INVALID if _holds(control.invalid_when, lookup, False) else 0)
    )
