"""Imports go down only; each vendor library has one room; pytest, sleep and chance stand where they may."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Any

import pytest

#: Each room and its floor. A new room is entered here on purpose, with its floor.
FLOORS: dict[str, float] = {
    "version": -1,  # `from pytest_apex import __version__`: the package's own file imports nothing
    "model": 0, "errors": 0, "settings": 0, "clock": 0,
    "hierarchy": 1, "vision": 1, "gestures": 1, "records": 1, "marked_yaml": 1,
    "verify": 2, "manual": 2, "phone": 2,
    "evidence": 2.5,
    "backends": 3, "phone_wires": 3, "leases": 3, "manual_files": 3,
    "device": 4,
    "flows": 5, "reports": 5,
    "hookspecs": 6, "testing": 6,
    "plugin": 7, "cli": 7, "__main__": 7,
    "__init__": 7,  # the public names, resolved on first use
}  # fmt: skip

#: What goes up or sideways all the same, and how: `late` (inside a function) or `types` (for the type checker alone).
EXCEPTIONS = {
    ("pytest_apex/model/snapshot.py", "hierarchy"): "late",
    ("pytest_apex/model/snapshot.py", "vision"): "late",
    ("pytest_apex/model/snapshot.py", "verify"): "late",
    ("pytest_apex/errors.py", "model"): "types",
    ("pytest_apex/__main__.py", "cli"): "any",
}

#: Who may import a library: a room, or one module of it.
VENDORS = {
    "PIL": ("vision",),
    "numpy": ("vision",),
    "imagehash": ("vision",),
    "rapidocr": ("vision/ocr",),
    "lxml": ("hierarchy",),
    "yaml": ("marked_yaml",),
    "allure": ("reports/allure",),
    "allure_commons": ("reports/allure",),
    "allure_pytest": ("reports/allure",),
    "appium": ("backends/appium",),
    "selenium": ("backends/appium", "backends/uiautomator2/web_driver"),
    "uiautomator2": ("backends/uiautomator2",),
    "adbutils": ("backends/uiautomator2",),
    "xdist": ("plugin",),
    "pytest": ("plugin", "hookspecs", "testing"),
    "_pytest": ("plugin", "testing"),
}


def room_of(name: str) -> str:
    """The room that an import of `name` leads to: `pytest_apex.device.acting.act.perform` → `device`."""
    first = name.split(".")[1]
    if first in FLOORS:
        return first
    home = import_module("pytest_apex")._HOME.get(first)
    return str(home.split(".")[1]) if home else "version"


def steps_up(modules: Iterable[Any]) -> list[str]:
    """Imports within the package that do not go down."""
    wrong = []
    for module in modules:
        for item in module.imports:
            if not item.name.startswith("pytest_apex."):
                continue
            room = room_of(item.name)
            if room == module.room or FLOORS[room] < FLOORS[module.room]:
                continue
            allowed = EXCEPTIONS.get((module.path, room))
            if allowed == "any" or (allowed == "late" and item.late) or (allowed == "types" and item.types_only):
                continue
            if module.room == "__init__" and item.types_only:
                continue
            wrong.append(
                f"{module.path}:{item.line} floor {FLOORS[module.room]:g} imports {item.name} (floor {FLOORS[room]:g})"
            )
    return wrong


def misplaced_vendors(modules: Iterable[Any]) -> list[str]:
    """Imports of a library outside of its room."""
    wrong = []
    for module in modules:
        inside = module.path.removeprefix("pytest_apex/").removesuffix(".py")
        for item in module.imports:
            rooms = VENDORS.get(item.name.split(".")[0])
            if rooms is not None and not any(inside == room or inside.startswith(f"{room}/") for room in rooms):
                wrong.append(f"{module.path}:{item.line} imports {item.name}; it belongs in {' or '.join(rooms)}")
    return wrong


def sleepers_and_gamblers(modules: Iterable[Any]) -> list[str]:
    """Uses of `time.sleep` outside of clock.py, and of the random numbers that everybody shares."""
    wrong = []
    for module in modules:
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                used = (node.value.id, node.attr)
            elif isinstance(node, ast.ImportFrom):
                used = next(((node.module or "", alias.name) for alias in node.names), ("", ""))
            else:
                continue
            if used == ("time", "sleep") and module.path != "pytest_apex/clock.py":
                wrong.append(f"{module.path}:{node.lineno} sleeps; let the device's clock do it")
            if used[0] == "random" and used[1] not in ("Random", "SystemRandom"):
                wrong.append(f"{module.path}:{node.lineno} uses random.{used[1]}; take a random.Random as argument")
    return wrong


def test_every_room_has_a_floor(house: tuple[Any, ...]) -> None:
    assert {module.room for module in house} <= set(FLOORS)


def test_imports_go_down(house: tuple[Any, ...]) -> None:
    assert steps_up(house) == []


def test_imports_name_the_whole_way(house: tuple[Any, ...]) -> None:
    relative = [f"{module.path}:{item.line}" for module in house for item in module.imports if item.name[0] == "."]
    assert relative == []


def test_each_vendor_library_stays_in_its_room(house: tuple[Any, ...]) -> None:
    assert misplaced_vendors(house) == []


def test_nobody_sleeps_or_gambles(house: tuple[Any, ...]) -> None:
    assert sleepers_and_gamblers(house) == []


@pytest.mark.parametrize(
    ("path", "text", "caught"),
    [
        ("pytest_apex/model/node.py", "from pytest_apex.device import act", True),
        ("pytest_apex/model/node.py", "def f():\n    from pytest_apex.hierarchy import text", True),
        ("pytest_apex/model/snapshot.py", "def f():\n    from pytest_apex.hierarchy import text", False),
        ("pytest_apex/model/snapshot.py", "from pytest_apex.hierarchy import text", True),
        ("pytest_apex/vision/image.py", "from pytest_apex.hierarchy.query import find", True),
        ("pytest_apex/vision/image.py", "from pytest_apex.vision.mask import black_out", False),
        ("pytest_apex/verify/judge.py", "try:\n    pass\nexcept OSError:\n    import pytest_apex.plugin.hooks", True),
        ("pytest_apex/verify/judge.py", "from pytest_apex import Snapshot, expect", True),
        ("pytest_apex/verify/judge.py", "from pytest_apex import Snapshot", False),
        ("pytest_apex/evidence/store.py", "from pytest_apex.vision.mask import black_out", False),
        ("pytest_apex/errors.py", "if TYPE_CHECKING:\n    from pytest_apex.model.node import Node", False),
        ("pytest_apex/errors.py", "from pytest_apex.model.node import Node", True),
    ],
)
def test_the_walk_sees_what_goes_up_and_only_that(
    read: Callable[[str, str], Any], path: str, text: str, caught: bool
) -> None:
    assert bool(steps_up([read(text, path)])) is caught


@pytest.mark.parametrize(
    ("path", "text", "caught"),
    [
        ("pytest_apex/device/acting/act.py", "import pytest", True),
        ("pytest_apex/plugin/hooks.py", "import pytest", False),
        ("pytest_apex/device/acting/act.py", "def f():\n    from PIL import Image", True),
        ("pytest_apex/vision/image.py", "from PIL import Image", False),
        ("pytest_apex/manual/load.py", "import yaml", True),
        ("pytest_apex/marked_yaml.py", "import yaml", False),
        ("pytest_apex/reports/junit.py", "import allure", True),
        ("pytest_apex/reports/allure.py", "import allure_commons.model2", False),
    ],
)
def test_the_walk_sees_vendors_out_of_place(
    read: Callable[[str, str], Any], path: str, text: str, caught: bool
) -> None:
    assert bool(misplaced_vendors([read(text, path)])) is caught


@pytest.mark.parametrize(
    ("path", "text", "caught"),
    [
        ("pytest_apex/device/looking/settle.py", "import time\ntime.sleep(1)", True),
        ("pytest_apex/device/looking/settle.py", "from time import sleep", True),
        ("pytest_apex/device/looking/settle.py", "clock.sleep(1)", False),
        ("pytest_apex/clock.py", "import time\ntime.sleep(1)", False),
        ("pytest_apex/phone/phone.py", "import random\nrandom.choice([1])", True),
        ("pytest_apex/phone/phone.py", "import random\nrandom.Random(1).choice([1])", False),
        ("pytest_apex/phone/phone.py", "from random import Random", False),
    ],
)
def test_the_walk_sees_sleepers_and_gamblers(
    read: Callable[[str, str], Any], path: str, text: str, caught: bool
) -> None:
    assert bool(sleepers_and_gamblers([read(text, path)])) is caught
