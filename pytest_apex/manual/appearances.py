"""The field groups that begin with what is on the screen: `screens`, `interruptions`, `environment` and `expected`."""

from __future__ import annotations

import re

from pytest_apex.manual.apps import VersionRange
from pytest_apex.manual.kinds import Day, Got, Key, Named, Record, Schema, Word, text_of
from pytest_apex.manual.targets import APPEARANCE, SHOWN, TARGET, need_something, shown_of
from pytest_apex.marked_yaml import At, nearest
from pytest_apex.model.manual import EnvironmentScreen, ExpectedBehaviour, Interruption, ManualScreen, Place, Shown

#: What can be known behaviour. That an app dies never is.
_CATEGORIES = ("accessibility", "functional", "transient", "visual")

#: The kinds of findings that the tool itself tells; checks of others may tell more. What warns as `accessibility` is
#: `visual` where a test makes it fail.
KINDS = (
    "functional.assertion", "functional.error_shown", "functional.left_app", "functional.missing_element",
    "functional.no_effect", "functional.not_reachable", "functional.stuck_loading", "functional.wrong_destination",
    "functional.wrong_state", "functional.wrong_value",
    "visual.baseline", "visual.blank", "visual.changed", "visual.clipped", "visual.low_contrast", "visual.misaligned",
    "visual.missing_image", "visual.occluded", "visual.off_screen", "visual.overlap", "visual.truncated",
    "visual.unresolved_text", "visual.wrong_color",
    "transient.animating", "transient.blocked", "transient.environment", "transient.harness", "transient.keyboard",
    "transient.loading",
    *(f"{category}.{kind}" for category in ("accessibility", "visual")
      for kind in ("contrast", "duplicate_label", "missing_label", "touch_target")),
)  # fmt: skip


def _screen(name: str, at: At, got: Got, where: Place) -> ManualScreen:
    shown = shown_of(got)
    need_something(shown, at)
    return ManualScreen(name, shown, where)


SCREENS = Named(Record(_screen, APPEARANCE, short="shows"))


def _interruption(name: str, at: At, got: Got, where: Place) -> Interruption:
    if at.is_a("map") and ("tap" in at.node.value) == ("press" in at.node.value):
        at.mistake("expected what makes it go: tap (a control) or press (a key), one of them")
    return Interruption(name, got["appears"] or Shown(), got["tap"], got["press"], got["reason"], where)


INTERRUPTIONS = Named(
    Record(
        _interruption,
        (
            Key("appears", SHOWN, "what is on the screen then", required=True),
            Key("tap", TARGET, "the control that makes it go"),
            Key("press", Word(), "the key that makes it go, such as back", default=""),
            Key("reason", Word(), "why it comes", default=""),
        ),
    )
)


def _environment(name: str, at: At, got: Got, where: Place) -> EnvironmentScreen:
    shown = shown_of(got)
    need_something(shown, at)
    return EnvironmentScreen(name, shown, got["reason"], where)


ENVIRONMENT = Named(
    Record(
        _environment,
        (*APPEARANCE, Key("reason", Word(), "what is wrong around the app: the test server is down", default="")),
        short="shows",
    )
)


class FindingKind:
    """A category, or one of its kinds: `visual`, `visual.truncated`."""

    _FORM = re.compile(r"([a-z]+)(\.[a-z_]+)*", re.ASCII)

    def read(self, at: At) -> str:
        word = text_of(at)
        found = self._FORM.fullmatch(word)
        if found and found[1] in _CATEGORIES:
            return word
        if word.split(".")[0] == "crash":
            at.mistake(f"that an app dies is never expected behaviour; known: {', '.join(_CATEGORIES)}")
        elif at.is_a("text"):
            hint = nearest(found[1] if found else word, _CATEGORIES)
            at.mistake(f'expected a category or one of its kinds such as visual.truncated, got "{word}"{hint}')
        return ""

    def schema(self) -> Schema:
        return {"type": "string", "pattern": rf"^({'|'.join(_CATEGORIES)})(\.[a-z_]+)*$"}


def odd_kind(kind: str) -> str:
    """What is odd about a kind of finding: a slip would make its entry explain nothing."""
    known = kind in (*KINDS, *_CATEGORIES, "") or kind.startswith("transient.harness.")
    return "" if known else f'only a check of your own can tell "{kind}"{nearest(kind, KINDS)}'


def _expected(name: str, _at: At, got: Got, where: Place) -> ExpectedBehaviour:
    shown = shown_of(got)
    what, kind, reason = got["what"] or "", got["kind"], got["reason"] or ""
    return ExpectedBehaviour(name, what, shown, kind, reason, got["versions"], got["until"], where)


EXPECTED = Named(
    Record(
        _expected,
        (
            Key("what", Word(), "what is known to happen, in a sentence", required=True),
            Key("reason", Word(), "why it is no failure", required=True),
            *APPEARANCE,
            Key("kind", FindingKind(), "the kind of finding that it explains: visual.truncated, or visual", default=""),
            Key("versions", VersionRange(), 'only in these versions: ">=1.4, <2"', default=""),
            Key("until", Day(), "the last day that it counts: 2027-01-31"),
        ),
    )
)
