"""No module waits for itself: what the package imports as it runs, on top or inside a function, forms no ring."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from typing import Any

import pytest

#: Imports that close a ring all the same: module, and the room that it leads to.
LEFT = {
    # `Snapshot.from_source`, `from_text` and `to_text` are words of the public contract; what they do is made of
    # snapshots. They import when they are called.
    ("pytest_apex.model.snapshot", "hierarchy"),
    ("pytest_apex.model.snapshot", "vision"),
    ("pytest_apex.model.snapshot", "verify"),
}

#: The rooms inside device/, from the ground up. One imports those below it; what stands beside them is free.
INSIDE_DEVICE = {"looking": 0, "acting": 1, "checking": 2, "examining": 2}


def name_of(path: str) -> str:
    """`pytest_apex/device/__init__.py` → `pytest_apex.device`."""
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


def module_of(imported: str, known: Iterable[str]) -> str:
    """The module that an import leads to: itself, the one that the name is in, or the home of a public name."""
    if imported in known:
        return imported
    parent, _, name = imported.rpartition(".")
    return str(import_module("pytest_apex")._HOME.get(name, parent)) if parent == "pytest_apex" else parent


def ring_in(modules: Iterable[Any]) -> str:
    """One ring, as the way around it; empty if there is none."""
    names = {name_of(module.path): module for module in modules}
    wanted: dict[str, set[str]] = {}
    for name, module in names.items():
        found = {module_of(item.name, names) for item in module.imports if not item.types_only}
        wanted[name] = {
            other for other in found & names.keys() - {name} if (name, f"{other}.".split(".")[1]) not in LEFT
        }
    try:
        TopologicalSorter(wanted).prepare()
    except CycleError as error:
        return " -> ".join(reversed(error.args[1]))
    return ""


def _inner(name: str) -> str:
    """The room inside device/ that a module or name is in; empty outside of device/."""
    return name.split(".")[2] if name.startswith("pytest_apex.device.") else ""


def inner_steps_up(modules: Iterable[Any]) -> list[str]:
    """Imports between the rooms inside device/ that do not go down."""
    wrong = []
    for module in modules:
        here = _inner(name_of(module.path))
        for item in module.imports:
            there = _inner(item.name)
            if {here, there} <= INSIDE_DEVICE.keys() and here != there and INSIDE_DEVICE[there] >= INSIDE_DEVICE[here]:
                wrong.append(f"{module.path}:{item.line} imports {item.name}")
    return wrong


def test_no_module_waits_for_itself(house: tuple[Any, ...]) -> None:
    assert ring_in(house) == ""


def test_what_is_left_is_still_there(house: tuple[Any, ...]) -> None:
    used = {
        (name_of(module.path), item.name.split(".")[1])
        for module in house
        for item in module.imports
        if item.late and item.name.startswith("pytest_apex.")
    }
    assert used >= LEFT


def test_the_rooms_inside_device_go_down(house: tuple[Any, ...]) -> None:
    assert inner_steps_up(house) == []


@pytest.mark.parametrize(
    ("first", "second", "caught"),
    [
        ("from pytest_apex.device import second", "from pytest_apex.device import first", True),
        ("from pytest_apex.device.second import go", "def f():\n    from pytest_apex.device import first", True),
        ("def f():\n    import pytest_apex.device.second", "from pytest_apex.device.first import Aim", True),
        ("from pytest_apex.device import second", "if TYPE_CHECKING:\n    from pytest_apex.device import first", False),
        ("from pytest_apex.device import second", "from pytest_apex.errors import ApexError", False),
    ],
)
def test_the_walk_sees_a_ring_and_only_that(
    read: Callable[[str, str], Any], first: str, second: str, caught: bool
) -> None:
    pair = [read(first, "pytest_apex/device/first.py"), read(second, "pytest_apex/device/second.py")]
    assert bool(ring_in(pair)) is caught


def test_the_walk_knows_the_home_of_a_public_name(read: Callable[[str, str], Any]) -> None:
    ring = ring_in(
        [
            read("from pytest_apex import Locator", "pytest_apex/device/find.py"),
            read("from pytest_apex.device import find", "pytest_apex/device/locator.py"),
        ]
    )
    assert ring.count(" -> ") == 2


@pytest.mark.parametrize(
    ("path", "text", "caught"),
    [
        ("pytest_apex/device/looking/eyes.py", "from pytest_apex.device.acting import act", True),
        ("pytest_apex/device/checking/waiting.py", "from pytest_apex.device.examining import failure", True),
        ("pytest_apex/device/acting/act.py", "from pytest_apex.device.looking.eyes import Eyes", False),
        ("pytest_apex/device/looking/eyes.py", "from pytest_apex.device.context import Context", False),
    ],
)
def test_the_walk_sees_what_goes_up_inside_device(
    read: Callable[[str, str], Any], path: str, text: str, caught: bool
) -> None:
    assert bool(inner_steps_up([read(text, path)])) is caught
