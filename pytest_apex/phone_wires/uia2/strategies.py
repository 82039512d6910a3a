"""How elements are found: by id, class, XPath and the others that the driver passes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pytest_apex.errors import ConfigError
from pytest_apex.hierarchy.source_xpath import select
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.uia2.command import Command
from pytest_apex.phone_wires.uia2.source import source
from pytest_apex.phone_wires.uia2.ui_selector import find_by
from pytest_apex.phone_wires.uiautomator.nodes import Seen
from pytest_apex.phone_wires.webdriver.faults import Fault

#: None is the toast, which is no node.
Found = list[Seen | None]
Strategy = Callable[[Command, Phone, str, Seen | None], Found]


def strategy_of(name: str) -> Strategy:
    known: dict[str, Strategy] = {
        "id": _by(_is_id),
        "accessibility id": _by(lambda seen, word: seen.node.label == word),
        "class name": _by(lambda seen, word: seen.node.class_name == word),
        "xpath": _by_xpath,
        "-android uiautomator": lambda command, phone, selector, around: list(
            find_by(selector, list(_walk(command, phone, around)))
        ),
    }
    if name not in known:
        raise Fault("invalid selector", f"Locator strategy '{name[:50]}' is not supported")
    return known[name]


def _is_id(seen: Seen, word: str) -> bool:
    """A full resource id, or the part behind the slash of one of the app in front."""
    mine = seen.node.identifier
    return mine == word or (":" not in word and mine == f"{seen.package}:id/{word}")


def _walk(command: Command, phone: Phone, around: Seen | None) -> Iterator[Seen]:
    for root in [around] if around is not None else command.roots(phone):
        yield from root.walk()


def _by(fits: Callable[[Seen, str], bool]) -> Strategy:
    def find(command: Command, phone: Phone, word: str, around: Seen | None) -> Found:
        return [seen for seen in _walk(command, phone, around) if seen is not around and fits(seen, word)]

    return find


def _by_xpath(command: Command, phone: Phone, path: str, around: Seen | None) -> Found:
    told = source(command, phone)
    within = None
    if around is not None:
        places = [n for n, seen in enumerate(told.seen) if seen is not None and seen.node.index == around.node.index]
        within = places[0] + 1 if places else None
    try:
        return [told.seen[place - 1] for place in select(told.xml, path, within) if place]
    except ConfigError as error:
        raise Fault("invalid selector", str(error).splitlines()[0]) from error
