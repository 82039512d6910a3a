"""The field group `flows`: named steps, which may be nested, and what must hold before the first."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from pytest_apex.errors import CommandError
from pytest_apex.gestures.language import parse_commands
from pytest_apex.manual.kinds import (
    Choice,
    Flag,
    Got,
    Key,
    Kind,
    Named,
    NameOf,
    Number,
    Record,
    Schema,
    Word,
    note,
    place_of,
    text_of,
)
from pytest_apex.manual.targets import NEEDS, TARGET
from pytest_apex.marked_yaml import At
from pytest_apex.model.manual import STEP_VERBS, FlowStep, ManualFlow, Needs, Place

_LONGEST_S = 3600.0
#: So many flows of a circle are told.
_LONGEST_SHOWN = 8


class Typed:
    """Text to type, as it stands, spaces at its ends too."""

    def read(self, at: At) -> str:
        return text_of(at)

    def schema(self) -> Schema:
        return {"type": "string"}


class Commands:
    """A text of the command language."""

    def read(self, at: At) -> str:
        text = text_of(at)
        try:
            if at.is_a("text") and not parse_commands(text):
                at.mistake("expected commands, got an empty text")
        except CommandError as error:
            at.mistake(error.tried)
        return text

    def schema(self) -> Schema:
        return {"type": "string", "pattern": r"\S"}


class Steps:
    """A list of steps."""

    def read(self, at: At) -> tuple[FlowStep, ...]:
        steps = tuple(step for item in at.items() if (step := _step(item)) is not None)
        if at.is_a("list") and not at.node.value:
            at.mistake("expected at least one step, got an empty list")
        return steps

    def schema(self) -> Schema:
        return {"$ref": "#/$defs/steps"}


@dataclass(frozen=True, slots=True)
class _Verb:
    """What a verb is given: its own value goes into the field `main` of the step, further keys into theirs."""

    main: str
    kind: Kind
    about: str
    extras: Mapping[str, tuple[str, Kind]]
    required: tuple[str, ...] = ()


_PURPOSE = {"purpose": ("purpose", Word())}
_SECONDS = Number(0, _LONGEST_S)
#: The verbs and their further keys. One table for reader and schema.
_VERBS: dict[str, _Verb] = {
    "tap": _Verb("target", TARGET, "touch a control", _PURPOSE),
    "double_tap": _Verb("target", TARGET, "touch a control twice", _PURPOSE),
    "long_press": _Verb("target", TARGET, "press a control", {"seconds": ("seconds", _SECONDS), **_PURPOSE}),
    "scroll_to": _Verb("target", TARGET, "scroll until a control is on the screen", {}),
    "type": _Verb(
        "text", Typed(), "type a text", {"into": ("target", TARGET), "secret": ("secret", Flag()), **_PURPOSE}
    ),
    "press": _Verb("text", Word(), "press a key: back, enter", _PURPOSE),
    "swipe": _Verb(
        "text",
        Choice(("up", "down", "left", "right"), "direction"),
        "move a finger",
        {"on": ("target", TARGET), **_PURPOSE},
    ),
    "wait": _Verb("seconds", _SECONDS, "let seconds pass", {}),
    "perform": _Verb("text", Commands(), "do commands of the command language", _PURPOSE),
    "flow": _Verb("text", NameOf("flow"), "do another flow", {}),
    "hand_over": _Verb(
        "text",
        Word(),
        "ask a person to do this",
        {"until": ("target", TARGET), "timeout": ("seconds", _SECONDS)},
        ("until",),
    ),
    "expect": _Verb("target", TARGET, "this must be on the screen", {}),
    "expect_not": _Verb("target", TARGET, "this must not be on the screen", {}),
    "when": _Verb("needs", NEEDS, "do the steps only if this holds", {"steps": ("steps", Steps())}, ("steps",)),
}
assert tuple(sorted(_VERBS)) == tuple(sorted(STEP_VERBS))
_KEYS = (*_VERBS, *dict.fromkeys(name for verb in _VERBS.values() for name in verb.extras))


def _step(at: At) -> FlowStep | None:
    if not at.is_a("map"):
        at.mistake(f"expected a step such as {{tap: Save}}, got {at.node.kind_name}")
        return None
    given = at.fields(*_KEYS).found
    verbs = [name for name in given if name in _VERBS]
    if len(verbs) != 1:
        said = f"this has {' and '.join(verbs)}" if verbs else f"one of {', '.join(_VERBS)}"
        at.mistake(f"expected one verb in a step; {said}")
        return None
    verb = _VERBS[verbs[0]]
    values: dict[str, Any] = {verb.main: verb.kind.read(given.pop(verbs[0]))}
    for name in verb.required:
        if name not in given:
            at.mistake(f'the key "{name}" is missing')
    for name, value in given.items():
        if name in verb.extras:
            field, kind = verb.extras[name]
            values[field] = kind.read(value)
        elif name in _KEYS:
            own = f"; it takes {', '.join(verb.extras)}" if verb.extras else ""
            value.mistake(f'"{name}" does not go with {verbs[0]}{own}')
    return FlowStep(verbs[0], place_of(at), **{name: value for name, value in values.items() if value is not None})


def steps_schema() -> Schema:
    """What `#/$defs/steps` stands for."""
    one = [
        {
            "type": "object",
            "additionalProperties": False,
            "required": [name, *verb.required],
            "properties": {
                name: {**verb.kind.schema(), "description": verb.about},
                **{extra: kind.schema() for extra, (_, kind) in verb.extras.items()},
            },
        }
        for name, verb in _VERBS.items()
    ]
    return {"type": "array", "minItems": 1, "items": {"oneOf": one}}


def _flow(name: str, _at: At, got: Got, where: Place) -> ManualFlow:
    return ManualFlow(name, got["needs"] or Needs(), got["steps"] or (), where)


_FLOWS = Named(
    Record(
        _flow,
        (
            Key("needs", NEEDS, "what must hold before the first step: a screen of the manual, or what is shown"),
            Key("steps", Steps(), "what is done, in order", required=True),
        ),
    )
)


class Flows:
    """All flows of a manual; none leads into itself."""

    def read(self, at: At) -> tuple[ManualFlow, ...]:
        flows: tuple[ManualFlow, ...] = _FLOWS.read(at)
        where = {flow.name: flow.where for flow in flows}
        for circle in _circles({flow.name: _called(flow.steps) for flow in flows}):
            shown = [*circle[:_LONGEST_SHOWN], "…", circle[-1]] if len(circle) > _LONGEST_SHOWN else circle
            inner = replace(at, path=f"{at.path}.{circle[0]}")
            note(inner, where[circle[0]], f"leads into itself: {' → '.join((*shown, circle[0]))}")
        return flows

    def schema(self) -> Schema:
        return _FLOWS.schema()


def _called(steps: tuple[FlowStep, ...]) -> tuple[str, ...]:
    """The flows that steps call, also from inside of others."""
    waiting, found = list(steps), []
    while waiting:
        step = waiting.pop()
        if step.verb == "flow":
            found.append(step.text)
        waiting.extend(step.steps)
    return tuple(dict.fromkeys(reversed(found)))


def _circles(leads: Mapping[str, tuple[str, ...]]) -> Iterator[list[str]]:
    """Flows that lead round, each circle from the flow that leads into it on; every flow is looked at once."""
    over: set[str] = set()
    for first in leads:
        way: dict[str, Iterator[str]] = {} if first in over else {first: iter(leads[first])}
        while way:
            name = next(reversed(way))
            called = next(way[name], None)
            if called is None:
                del way[name]
                over.add(name)
            elif called in way:
                names = list(way)
                yield names[names.index(called) :]
            elif called in leads and called not in over:
                way[called] = iter(leads[called])
