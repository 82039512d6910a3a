"""How a manual says which control it means, and what is on a screen."""

from __future__ import annotations

from pytest_apex.manual.kinds import Choice, Flag, Got, Key, Many, NameOf, Record, Word, complain
from pytest_apex.marked_yaml import At
from pytest_apex.model.manual import Needs, Place, Shown
from pytest_apex.model.node import ROLES
from pytest_apex.model.target import By, Target

#: In the order in which they are tried where several stand for the same control.
_WAYS = ("id", "label", "text")

_ROLE = Key("role", Choice(ROLES, "role"), "the control's role")
_EXACT = Key("exact", Flag(), "false: a part of the words is enough, in any case", default=True)


def way_keys(many: bool) -> tuple[Key, ...]:
    """The keys that say which control is meant; `many` allows several values each."""
    about = {
        "id": "resource id or accessibility identifier; the part after :id/ is enough",
        "label": "accessibility label",
        "text": "text on the control, else its label, else its placeholder",
    }
    return (*(Key(way, Many(Word()) if many else Word(), about[way]) for way in _WAYS), _ROLE, _EXACT)


def _target(_name: str, at: At, got: Got, _where: Place) -> Target | None:
    by = tuple(By(kind, got[kind]) for kind in ("text", "id", "label", "role") if got[kind])
    if not by:
        if at.is_a("map"):
            complain(at, "says no control: give text, id, label or role")
        return None
    return Target(by, exact=got["exact"])


#: One control: all that is given must hold. A word alone is its text.
TARGET = Record(_target, way_keys(many=False), short="text", ref="target")


def targets_by_order(got: Got) -> tuple[Target, ...]:
    """One target for each way to the same control, in the order in which they are tried."""
    role = (By("role", got["role"]),) if got["role"] else ()
    return tuple(Target((By(way, word), *role), exact=got["exact"]) for way in _WAYS for word in got[way] or ())


SHOWN_KEYS = (
    Key("shows", Many(TARGET), "all of these are on the screen", default=()),
    Key("hides", Many(TARGET), "none of these is on the screen", default=()),
)
#: A control that is on the screen, said in place.
_ONE_SHOWN = way_keys(many=False)
#: What says which screen is meant, wherever other keys stand beside it.
APPEARANCE = (*_ONE_SHOWN, *SHOWN_KEYS)


def shown_of(got: Got) -> Shown:
    by = tuple(By(kind, got[kind]) for kind in ("text", "id", "label", "role") if got[kind])
    here = (Target(by, exact=got["exact"]),) if by else ()
    return Shown((*here, *got["shows"]), got["hides"])


def need_something(shown: Shown, at: At, also: str = "") -> None:
    """Note that nothing tells the screen."""
    if at.is_a("map") and not shown.shows and not shown.hides:
        complain(at, f"does not say what is on the screen: give {also}shows, hides, id, label or text")


def _shown(_name: str, at: At, got: Got, _where: Place) -> Shown:
    shown = shown_of(got)
    need_something(shown, at)
    return shown


#: What is on a screen; a word or a list alone is what it shows.
SHOWN = Record(_shown, APPEARANCE, short="shows", ref="shown")


def _needs(_name: str, at: At, got: Got, _where: Place) -> Needs:
    shown = shown_of(got)
    if not got["screen"]:
        need_something(shown, at, "screen, ")
    return Needs(got["screen"], shown)


#: A precondition; a word or a list alone names screens of the manual.
NEEDS = Record(
    _needs,
    (Key("screen", Many(NameOf("screen")), "one of these screens of the manual is shown", default=()), *APPEARANCE),
    short="screen",
    ref="needs",
)
