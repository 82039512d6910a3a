"""`Selector` of uiautomator2's server: which nodes fit what was asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pytest_apex.model.node import NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uiautomator.nodes import Seen, roots

#: The longest pattern, and the longest text it is held against: hostile patterns take exponential time.
_MOST_PATTERN, _MOST_TEXT = 500, 2000
_S = NodeState
_FLAGS = {
    "checkable": _S.CHECKABLE,
    "checked": _S.CHECKED,
    "clickable": _S.CLICKABLE,
    "longClickable": _S.LONG_CLICKABLE,
    "scrollable": _S.SCROLLABLE,
    "enabled": _S.ENABLED,
    "focusable": _S.FOCUSABLE,
    "focused": _S.FOCUSED,
    "selected": _S.SELECTED,
}
_WORDS: Mapping[str, Callable[[Seen], str]] = {
    "text": lambda seen: seen.text,
    "description": lambda seen: seen.node.label,
    "className": lambda seen: seen.node.class_name,
    "packageName": lambda seen: seen.package,
    "resourceId": lambda seen: seen.node.identifier,
}
_KNOWN = frozenset(
    {*_FLAGS, *(f"{word}{end}" for word in _WORDS for end in ("", "Contains", "StartsWith", "Matches"))}
    | {"index", "instance", "mask", "childOrSibling", "childOrSiblingSelector"}
)
#: How deep selectors may lie in each other.
_MOST_DEPTH = 20


class NotASelector(Exception):
    """What was sent is no selector; the text says why."""


def check(selector: Any, depth: int = 0) -> Mapping[str, Any]:
    """The selector as it came, if it is one. Raises `NotASelector`."""
    if not isinstance(selector, Mapping) or depth > _MOST_DEPTH:
        raise NotASelector(f"Cannot deserialize instance of Selector out of {type(selector).__name__}")
    for name, value in selector.items():
        if name not in _KNOWN:
            raise NotASelector(f'Unrecognized field "{name}" (class Selector), not marked as ignorable')
        wanted = bool if name in _FLAGS else int if name in ("index", "instance", "mask") else list
        if name in _FLAGS or wanted is int or name.startswith("childOr"):
            if not isinstance(value, wanted):
                raise NotASelector(f"Cannot deserialize value of {name}")
        elif not isinstance(value, str):
            raise NotASelector(f"Cannot deserialize value of {name}")
    for inner in selector.get("childOrSiblingSelector", ()):
        check(inner, depth + 1)
    return selector


def find_all(phone: Phone, selector: Mapping[str, Any]) -> Sequence[Seen]:
    """All nodes that fit, in document order of their windows; with an `instance`, at most that one."""
    fits = test_of(selector)
    found = [seen for root in roots(phone) for seen in root.walk() if fits(seen)]
    found = _instance(found, selector)
    for kind, inner in zip(
        selector.get("childOrSibling", ()), selector.get("childOrSiblingSelector", ()), strict=False
    ):
        found = _instance(_related(found, str(kind).lower(), test_of(inner)), inner)
    return found


def find(phone: Phone, selector: Mapping[str, Any]) -> Seen | None:
    return next(iter(find_all(phone, selector)), None)


def _instance(found: list[Seen], selector: Mapping[str, Any]) -> list[Seen]:
    number = selector.get("instance")
    return found if number is None else found[number : number + 1] if number >= 0 else []


def _related(found: Sequence[Seen], kind: str, fits: Callable[[Seen], bool]) -> list[Seen]:
    """Descendants of what was found, or of the parents of it."""
    nodes: dict[int, Seen] = {}
    for seen in found:
        around = seen
        if kind == "sibling":
            parent = seen.node.parent
            if parent is None:
                continue
            around = Seen(parent, 0, seen.depth - 1, seen.screen)
        for below in around.walk():
            if below.node.index != around.node.index and fits(below):
                nodes.setdefault(below.node.index, below)
    return list(nodes.values())


def test_of(selector: Mapping[str, Any]) -> Callable[[Seen], bool]:
    tests: list[Callable[[Seen], bool]] = []
    for name, value in selector.items():
        if name in _FLAGS:
            tests.append(lambda seen, name=name, value=value: seen.flag(_FLAGS[name]) is value)  # type: ignore[misc]
        elif name == "index":
            tests.append(lambda seen, value=value: seen.index == value)  # type: ignore[misc]
        else:
            for word, read in _WORDS.items():
                test = _word_test(name.removeprefix(word), value) if name.startswith(word) else None
                if test is not None:
                    tests.append(lambda seen, read=read, test=test: test(read(seen)))  # type: ignore[misc]
    return lambda seen: all(test(seen) for test in tests)


def _word_test(how: str, wanted: Any) -> Callable[[str], bool] | None:
    if how == "":
        return lambda text: text == wanted
    if how == "Contains":
        return lambda text: wanted in text
    if how == "StartsWith":
        return lambda text: text.startswith(wanted)
    if how == "Matches":
        pattern = _pattern(wanted)
        return lambda text: pattern.fullmatch(text[:_MOST_TEXT]) is not None
    return None


def _pattern(text: str) -> re.Pattern[str]:
    if len(text) > _MOST_PATTERN:
        raise NotASelector("the pattern is too long")
    try:
        return re.compile(text, re.DOTALL)
    except (re.error, RecursionError, OverflowError) as error:
        raise NotASelector(f"java.util.regex.PatternSyntaxException: {error}") from error


def info(seen: Seen) -> dict[str, Any]:
    """`ObjInfo`."""
    left, top, right, bottom = seen.bounds
    bounds = {"left": left, "top": top, "right": right, "bottom": bottom}
    node = seen.node
    return {
        "bounds": bounds,
        "visibleBounds": bounds,
        "childCount": len(seen.children()),
        "className": node.class_name,
        "contentDescription": node.label or None,
        "packageName": seen.package,
        "resourceName": node.identifier or None,
        "text": seen.text,
        **{name: seen.flag(state) for name, state in _FLAGS.items()},
    }
