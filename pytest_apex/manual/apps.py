"""The field group `match`: which apps a manual is for."""

from __future__ import annotations

import re

from pytest_apex.manual.kinds import Got, Key, Many, Record, Schema, Word, complain, text_of
from pytest_apex.manual.versions import parts_of
from pytest_apex.marked_yaml import At
from pytest_apex.model.manual import Match, Place

_LOCALE = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}", re.ASCII)


class VersionRange:
    """`>=1.4, <2`."""

    def read(self, at: At) -> str:
        word = text_of(at)
        if parts_of(word) is None:
            if at.is_a("text"):
                at.mistake(f'expected a range of versions such as ">=1.4, <2", got "{word}"')
            return ""
        return " ".join(word.split())

    def schema(self) -> Schema:
        one = r"\s*(>=|<=|==|!=|>|<)?\s*\d+(\.\d+)*\s*"
        return {"type": "string", "pattern": f"^{one}(,{one})*$"}


class Locale:
    """`de` or `de-AT`."""

    def read(self, at: At) -> str:
        word = text_of(at)
        if _LOCALE.fullmatch(word):
            return word.replace("_", "-")
        if at.is_a("text"):
            at.mistake(f'expected a language such as en or de-AT, got "{word}"')
        return ""

    def schema(self) -> Schema:
        return {"type": "string", "pattern": f"^{_LOCALE.pattern}$"}


def _match(_name: str, at: At, got: Got, _where: Place) -> Match:
    match = Match(got["bundleId"], got["processName"], got["displayName"], got["version"], got["locale"])
    if at.is_a("map") and not (match.bundle_ids or match.process_names or match.display_names):
        complain(at, "names no app: give bundleId, processName or displayName")
    return match


MATCH = Record(
    _match,
    (
        Key("bundleId", Many(Word()), "package or bundle id, in any case", default=()),
        Key("processName", Many(Word()), "name of the app's process, in any case", default=()),
        Key(
            "displayName",
            Many(Word()),
            "name under the app's icon, in any case; another app may have it too",
            default=(),
        ),
        Key("version", VersionRange(), 'only for these versions: ">=1.4, <2"', default=""),
        Key("locale", Many(Locale()), "only where the device speaks one of these languages", default=()),
    ),
    loose=True,
)
