"""Commands that find elements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pytest_apex.errors import ConfigError
from pytest_apex.hierarchy.source_xpath import select
from pytest_apex.model.node import Node, NodeState
from pytest_apex.phone.phone import Phone
from pytest_apex.phone_wires.wda import class_chain, predicate
from pytest_apex.phone_wires.wda.command import ROUTES, Command, top_nodes
from pytest_apex.phone_wires.wda.source import node_attributes, source
from pytest_apex.phone_wires.webdriver.faults import Fault
from pytest_apex.phone_wires.webdriver.values import text


@ROUTES.add("POST", "/element")
def find_element(command: Command) -> Any:
    return _first(_find(command))


@ROUTES.add("POST", "/elements")
def find_elements(command: Command) -> Any:
    return _find(command)


@ROUTES.add("POST", "/element/{element}/element")
def find_below(command: Command, name: str) -> Any:
    return _first(_find(command, name))


@ROUTES.add("POST", "/element/{element}/elements")
def find_all_below(command: Command, name: str) -> Any:
    return _find(command, name)


@ROUTES.add("GET", "/element/active")
def active(command: Command) -> Any:
    with command.device.pace.held() as phone:
        for node in _all(command, phone, None):
            if node.has(NodeState.FOCUSED):
                return command.named(phone, node)
    raise Fault("no such element", "There is no element with the focus")


@ROUTES.add("GET", "/wda/element/{element}/getVisibleCells")
def visible_cells(command: Command, name: str) -> Any:
    with command.device.pace.held() as phone:
        cells = [node for node in command.node(phone, name).descendants if node.role == "cell"]
        return [command.named(phone, node) for node in cells if node.has(NodeState.VISIBLE)]


def _first(found: list[Any]) -> Any:
    if not found:
        raise Fault("no such element", "An element could not be located on the page using the given search parameters")
    return found[0]


def _find(command: Command, around: str = "") -> list[Any]:
    using, value = text(command.body, "using"), text(command.body, "value")
    find = STRATEGIES.get(using)
    if find is None:
        raise Fault("invalid selector", f"Invalid locator requested: {using[:50]}")
    with command.device.pace.held() as phone:
        found = find(command, phone, value, command.node(phone, around) if around else None)
        return [command.named(phone, node) for node in found]


def _all(command: Command, phone: Phone, around: Node | None) -> Iterator[Node]:
    """All below an element, or the whole tree of the active app."""
    if around is not None:
        yield from around.descendants
        return
    for top in top_nodes(command, phone):
        yield top
        yield from top.descendants


_Find = Callable[[Command, Phone, str, "Node | None"], Sequence[Node]]


def _where(fits: Callable[[str | None, str], bool], attribute: str) -> _Find:
    def find(command: Command, phone: Phone, value: str, around: Node | None) -> Sequence[Node]:
        return [
            node
            for node in _all(command, phone, around)
            if fits(node_attributes(command, phone, node).get(attribute), value)
        ]

    return find


def _by_predicate(command: Command, phone: Phone, value: str, around: Node | None) -> Sequence[Node]:
    test = predicate.read(value)
    return [node for node in _all(command, phone, around) if test(node_attributes(command, phone, node))]


def _by_chain(command: Command, phone: Phone, value: str, around: Node | None) -> Sequence[Node]:
    """From the app's own children on, as from those of an element."""
    steps = class_chain.read(value)
    tops = [around] if around is not None else top_nodes(command, phone)
    return class_chain.follow(steps, tops, lambda node: node_attributes(command, phone, node))


def _by_xpath(command: Command, phone: Phone, value: str, around: Node | None) -> Sequence[Node]:
    told = source(command, phone)
    within = None
    if around is not None:
        places = [n for n, node in enumerate(told.nodes) if node is not None and node.index == around.index]
        within = places[0] if places else None
    try:
        found = [told.nodes[place] for place in select(told.xml, value, within)]
    except ConfigError as error:
        raise Fault("invalid selector", str(error).splitlines()[0]) from error
    return [node for node in found if node is not None]


def _is(told: str | None, value: str) -> bool:
    return told == value


def _link(command: Command, phone: Phone, value: str, around: Node | None) -> Sequence[Node]:
    """`attribute=value`, of any element."""
    name, _, wanted = value.partition("=")
    return _where(_is, name)(command, phone, wanted, around)


STRATEGIES: dict[str, _Find] = {
    "id": _where(_is, "name"),
    "name": _where(_is, "name"),
    "accessibility id": _where(_is, "name"),
    "class name": _where(_is, "type"),
    "predicate string": _by_predicate,
    "class chain": _by_chain,
    "xpath": _by_xpath,
    "link text": _link,
}
