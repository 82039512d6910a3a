"""Class chains (`**/XCUIElementTypeCell[`label == "One"`][2]/XCUIElementTypeButton`), read and followed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from pytest_apex.model.node import Node
from pytest_apex.phone_wires.wda import predicate
from pytest_apex.phone_wires.webdriver.faults import Fault

#: What an element tells, for predicates.
Tell = Callable[[Node], predicate.Attributes]
_MOST_STEPS = 30
_STEP = re.compile(r"(\*\*/)?(\*|[A-Za-z]\w*)((?:\[(?:`(?:[^`]|``)*`|\$(?:[^$]|\$\$)*\$|-?\d{1,6})\])*)(/|$)")
_FILTER = re.compile(r"\[(?:`((?:[^`]|``)*)`|\$((?:[^$]|\$\$)*)\$|(-?\d{1,6}))\]")


@dataclass(frozen=True, slots=True)
class Step:
    """`deep`: below at any depth, else children. `own` tests an element, `inner` one somewhere in it; `place` counts
    from 1, or from the end below 0; 0 is all."""

    deep: bool
    kind: str
    own: tuple[predicate.Test, ...]
    inner: tuple[predicate.Test, ...]
    place: int


def read(text: str) -> Sequence[Step]:
    """Raises `Fault` for what is no class chain."""
    steps: list[Step] = []
    at, text = 0, text.strip()
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None or len(steps) >= _MOST_STEPS:
            raise Fault("invalid selector", f"Cannot parse class chain query '{text[:200]}'")
        deep, kind, filters, _ = found.groups()
        own, inner, place = [], [], 0
        for one in _FILTER.finditer(filters):
            if one[1] is not None:
                own.append(predicate.read(one[1].replace("``", "`")))
            elif one[2] is not None:
                inner.append(predicate.read(one[2].replace("$$", "$")))
            else:
                place = int(one[3])
        if kind != "*" and not kind.startswith("XCUIElementType"):
            kind = f"XCUIElementType{kind[:1].upper()}{kind[1:]}"
        steps.append(Step(deep is not None, kind, tuple(own), tuple(inner), place))
        at = found.end()
    if not steps or text.endswith("/"):
        raise Fault("invalid selector", f"Cannot parse class chain query '{text[:200]}'")
    return steps


def follow(steps: Sequence[Step], tops: Sequence[Node], tell: Tell) -> list[Node]:
    """What the chain leads to from the children of `tops`, in document order."""
    found: list[Node] = list(tops)
    for step in steps:
        reached: dict[int, Node] = {}
        for node in found:
            fitting = [one for one in _below(node, step.deep) if _fits(one, step, tell)]
            if step.place:
                number = step.place - 1 if step.place > 0 else step.place
                fitting = fitting[number : number + 1 or None]
            for one in fitting:
                reached.setdefault(one.index, one)
        found = [reached[index] for index in sorted(reached)]
    return found


def _below(node: Node, deep: bool) -> Iterable[Node]:
    return node.descendants if deep else node.children


def _fits(node: Node, step: Step, tell: Tell) -> bool:
    if step.kind != "*" and node.class_name != step.kind:
        return False
    return all(test(tell(node)) for test in step.own) and all(
        any(test(tell(inner)) for inner in node.descendants) for test in step.inner
    )
