"""The guard's question: is this act one that can't be undone, and may it be done?

What can't be undone is listed by the app's manual (`Listed`, as it stands on the screen of this moment) and, for every
app, in `critical.py`. Functions over values: whoever acts asks before anything is sent.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase

from pytest_apex.hierarchy.around import touchable
from pytest_apex.model.geometry import Point, Rect
from pytest_apex.model.manual import Tier, key_combination
from pytest_apex.model.node import Node

#: What a pattern of `allow_irreversible` and `--apex-allow` begins with. `system` is the list for all apps.
KINDS = ("control", "region", "key", "intent", "system")
#: A touch on a keyboard whose keys the tree does not list: it may be any of them.
ANY_KEY = ("any key",)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where a finger comes down or lifts, and the number of the window that is on top there."""

    point: Point
    window: int = 0


@dataclass(frozen=True, slots=True)
class Act:
    """What is about to be sent. `nodes` are the controls that take it: where fingers come down and lift, or what has
    the focus for a key that activates; `spots` those places, `keys` the combinations that are pressed, `purpose` what
    the test declares."""

    nodes: tuple[Node, ...] = ()
    spots: tuple[Spot, ...] = ()
    keys: tuple[tuple[str, ...], ...] = ()
    purpose: str = ""


@dataclass(frozen=True, slots=True)
class Listed:
    """An act that can't be undone, as it stands on the screen: `name` is how it is allowed (`control:delete_account`).
    It is done by a touch on one of `nodes` or into `box` (units of the tree) of the window with this number, by `keys`,
    or by the `intent`. `where` says who lists it."""

    name: str
    tier: Tier
    where: str
    nodes: tuple[Node, ...] = ()
    box: Rect | None = None
    window: int = 0
    keys: tuple[str, ...] = ()
    intent: str = ""


@dataclass(frozen=True, slots=True)
class Leave:
    """Patterns of what may be done: the test's own (`marker`), and the run's (`option`: `--apex-allow`)."""

    marker: tuple[str, ...] = ()
    option: tuple[str, ...] = ()

    def given_by(self, name: str) -> tuple[str, ...]:
        """Which of the two allow it: `the marker`, `--apex-allow`."""
        words = (("the marker", self.marker), ("--apex-allow", self.option))
        return tuple(word for word, patterns in words if any(fits(pattern, name) for pattern in patterns))


def caught(act: Act, listed: Iterable[Listed]) -> tuple[Listed, ...]:
    """What of the list this act is."""
    return tuple(item for item in listed if _is(act, item))


def _is(act: Act, item: Listed) -> bool:
    if item.intent and act.purpose and slug(act.purpose) == slug(item.intent):
        return True
    if item.keys and (item.keys in act.keys or (ANY_KEY in act.keys and len(item.keys) == 1)):
        return True
    box = item.box
    spots = (spot for spot in act.spots if spot.window == item.window)
    if box is not None and any(box.contains(point) for spot in spots for point in _as_sent(spot.point)):
        return True
    return any(_belongs(node, control) for node in act.nodes for control in item.nodes)


def _as_sent(point: Point) -> tuple[Point, ...]:
    """The places where a touch may arrive: drivers cut or round to whole units."""
    down, up = Point(math.floor(point.x), math.floor(point.y)), Point(math.ceil(point.x), math.ceil(point.y))
    return (point, down, up, Point(down.x, up.y), Point(up.x, down.y))


def _belongs(node: Node, control: Node) -> bool:
    """Whether a touch on `node` is one on `control`: it is inside, or both are on the same thing that takes touches."""
    return node.is_inside(control) or touchable(node) == touchable(control)


def is_allowed(item: Listed, leave: Leave) -> bool:
    """`normal` takes one leave, `critical` both; `hand_off` is never the tool's."""
    needed = {Tier.NORMAL: 1, Tier.CRITICAL: 2}.get(item.tier)
    return needed is not None and len(leave.given_by(item.name)) >= needed


# Patterns


def fits(pattern: str, name: str) -> bool:
    """Whether a pattern (as for file names: `intent:send-*`) is for this name. Case does not matter, nor how a key
    combination is written."""
    pattern, name = usual(pattern), usual(name)
    return pattern == name or fnmatchcase(name, pattern)


def usual(name: str) -> str:
    """`Key:Return+CTRL` → `key:ctrl+enter`, `region: 0, 900,1000,100` → `region:0,900,1000,100`."""
    kind, _, value = unicodedata.normalize("NFC", name).casefold().partition(":")
    kind, value = kind.strip(), value.strip()
    if kind == "key":
        value = "+".join(key_combination(value)) or value
    elif kind == "region":
        value = "".join(value.split())
    elif kind == "intent":
        value = slug(value)
    return f"{kind}:{value}"


def slug(purpose: str) -> str:
    """`Send a message!` → `send-a-message`; what patterns are made of stays, and what has no letters (`🗑`) as it is."""
    text = unicodedata.normalize("NFC", purpose).casefold().strip()
    return re.sub(r"[^\w*?\[\]!]+", "-", text).strip("-!") or text


def complaint(pattern: object) -> str:
    """What is wrong with a pattern of what is allowed; "" for a right one."""
    if not isinstance(pattern, str):
        return f"expected a text such as 'intent:send-message', found {pattern!r}"
    kind, colon, value = pattern.partition(":")
    if not colon or kind.strip().casefold() not in KINDS:
        return f"expected one of {', '.join(f'{name}:…' for name in KINDS)}, found {pattern!r}"
    if not value.strip():
        return f"{pattern!r} names nothing; {kind}:* allows all"
    if kind.strip().casefold() == "key" and not re.search(r"[*?\[]", value) and not key_combination(value):
        return f"{pattern!r} is no combination of keys, such as key:ctrl+enter"
    return ""
