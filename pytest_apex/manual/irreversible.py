"""The field group `irreversible`: acts that can't be undone, as a list or as lists by tier."""

from __future__ import annotations

import re
from dataclasses import replace

from pytest_apex.manual.kinds import Got, Key, ManualReader, Many, Record, Schema, note, place_of, region_of, text_of
from pytest_apex.manual.lookup import usual
from pytest_apex.marked_yaml import At, nearest
from pytest_apex.model.geometry import Rect
from pytest_apex.model.manual import Irreversible, Place, Tier, key_combination

#: How far the tool can tell that an act is one of these.
CHECKED = {
    "key": "each press of these keys is checked",
    "region": "each touch that lands there is checked",
    "control": "each touch of the control is checked, by whatever name it is meant",
    "intent": "only an act whose test or flow declares this purpose is checked",
}


class Entry:
    """`key:<combination>`, `region:<x,y,w,h>`, `intent:<name>` or `control:<name>`."""

    def read(self, at: At) -> Irreversible | None:
        if at.is_a("map"):
            at.mistake("expected text such as key:enter, got a mapping; write it without a space after the colon")
            return None
        word = text_of(at)
        what, colon, value = (part.strip() for part in word.partition(":"))
        if not at.is_a("text"):
            return None
        if not colon or not value:
            at.mistake(f'expected key:, region:, intent: or control: and what follows, got "{word}"')
            return None
        if what not in CHECKED:
            at.mistake(f'unknown class of action "{what}"{nearest(what, CHECKED)}')
            return None
        keys = key_combination(value) if what == "key" else ()
        if what == "key" and not keys:
            at.mistake(f'expected a combination of keys such as cmd+enter, got "{value}"')
        if what == "intent" and (wrong := _wrong_intent(value)):
            at.mistake(wrong)
        if what == "control" and isinstance(at.reader, ManualReader):
            at.reader.later.append(("control", value, at))
        region = _region(value, at) if what == "region" else None
        return Irreversible(Tier.NORMAL, what, value, keys, region, CHECKED[what], place_of(at))

    def schema(self) -> Schema:
        return {"type": "string", "pattern": rf"^\s*({'|'.join(CHECKED)})\s*:\s*\S"}


def _region(value: str, at: At) -> Rect | None:
    try:
        numbers = [float(part) for part in value.split(",")]
    except ValueError:
        numbers = [-1.0]
    if not all(0 <= number <= 1000 for number in numbers):
        at.mistake(f'expected x,y,width,height from 0 to 1000 (thousandths of the window), got "{value}"')
        return None
    return region_of(numbers, at)


def _wrong_intent(value: str) -> str:
    if "*" in value:
        return f'"{value}" is a pattern, which is for what is allowed; here each purpose is named'
    return "" if re.search(r"\w", value) else f'expected a purpose in words, got "{value}"'


def _by_tier(_name: str, _at: At, got: Got, _where: Place) -> tuple[Irreversible, ...]:
    return tuple(replace(entry, tier=tier) for tier in Tier for entry in got[tier.value])


_ABOUT = {
    Tier.NORMAL: "refused unless the test's marker or --apex-allow says so",
    Tier.CRITICAL: "refused unless the test's marker and --apex-allow both say so",
    Tier.HAND_OFF: "never done by the tool; a person is asked",
}
_LIST = Many(Entry())
_TIERS = Record(_by_tier, tuple(Key(tier.value, _LIST, _ABOUT[tier], default=()) for tier in Tier))


class Acts:
    """A list is the tier `normal`; a mapping has a list for each tier."""

    def read(self, at: At) -> tuple[Irreversible, ...]:
        if at.is_a("nothing"):
            at.mistake(f"expected a list of acts, or a list for each tier ({', '.join(Tier)}), got nothing")
            return ()
        found: tuple[Irreversible, ...] | None = _TIERS.read(at) if at.is_a("map") else _LIST.read(at)
        return self._once(found or (), at)

    @staticmethod
    def _once(found: tuple[Irreversible, ...], at: At) -> tuple[Irreversible, ...]:
        """An act stands in one tier, and once."""
        first: dict[tuple[str, object], Irreversible] = {}
        for one in found:
            other = first.setdefault((one.what, one.keys or one.region or usual(one.value)), one)
            if other is not one:
                tier = "" if other.tier is one.tier else f", as {other.tier}; an act is in one tier"
                note(at, one.where, f'"{one}" stands here twice (first in line {other.where.line}{tier})')
        return found

    def schema(self) -> Schema:
        return {"anyOf": [_LIST.schema(), _TIERS.schema()]}
