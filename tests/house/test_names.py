"""What the pages, and the product's own words, name is there: options, commands, variables, hooks, words of the device,
kinds of verdicts, files and headings."""

from __future__ import annotations

import argparse
import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pytest_apex import hookspecs
from pytest_apex.cli import make_parser
from pytest_apex.device.app import AppFacet, AppsFacet
from pytest_apex.device.checking.expect_device import DeviceChecks
from pytest_apex.device.checking.expect_locator import LocatorChecks
from pytest_apex.device.checking.expect_screen import AppChecks, ScreenChecks
from pytest_apex.device.checking.expect_step import StepChecks
from pytest_apex.device.device import Device
from pytest_apex.device.facets import ScreenFacet
from pytest_apex.device.locator import Locator
from pytest_apex.device.web import WebFacet
from pytest_apex.gestures.personas import wrong_variables
from pytest_apex.manual.appearances import KINDS
from pytest_apex.plugin.marker_rules import RULES
from pytest_apex.plugin.options import OPTIONS

PAGES = ("*.md", "docs/*.md", "fixtures/**/*.md", "manuals/*.md")
SWITCHES = {option.switch for option in OPTIONS if option.flag} | {
    "--device", "--appium-url", "--appium-caps", "--apex-doctor",
}  # fmt: skip
#: Fixtures, and what Android apps find their launch arguments under.
FURTHER = {"apex_device", "apex_settings", "apex_lease", "apex_backend", "apex_args"}
VARIABLES = {name for option in OPTIONS for name in option.env} | {"APEX_APPROVE"}
FACETS: dict[str, type] = {"app": AppFacet, "apps": AppsFacet, "screen": ScreenFacet, "web": WebFacet}
CHECKS = (LocatorChecks, ScreenChecks, AppChecks, DeviceChecks, StepChecks)
#: What follows the name of the product in a sentence; add a word that is missing.
PROSE = frozenset({"and", "brings", "by", "does", "is", "itself", "marks", "on", "open", "says", "that"})
COMMANDS: dict[str, argparse.ArgumentParser] = next(
    action.choices for action in make_parser()._actions if isinstance(action, argparse._SubParsersAction)
)


@pytest.fixture(scope="module")
def pages(root: Path) -> dict[str, str]:
    found = {path for pattern in PAGES for path in root.glob(pattern)}
    return {path.relative_to(root).as_posix(): path.read_text("utf-8") for path in sorted(found)}


@pytest.fixture(scope="module")
def words(house: tuple[Any, ...]) -> dict[str, str]:
    """All texts of each module of the package, docstrings too."""
    return {
        module.path: "\n".join(
            node.value
            for node in ast.walk(module.tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str)
        )
        for module in house
    }


def options(text: str) -> Iterator[str]:
    for switch in re.findall(r"(?<![\w-])--(?:apex|appium)-[a-z][a-z-]*", text):
        if switch not in SWITCHES:
            yield switch


def settings(text: str) -> Iterator[str]:
    known = {option.dest for option in OPTIONS} | FURTHER
    yield from (name for name in re.findall(r"(?<![\w/.])apex_[a-z][a-z_]*(?!\w)", text) if name not in known)


def variables(text: str) -> Iterator[str]:
    for name in re.findall(r"\bAPEX_[A-Z_]+", text):
        unknown = not name.startswith("APEX_HUMANIZE_") or "there is no" in "".join(
            map(str, wrong_variables({name: "0"}))
        )
        if unknown and not any(known.startswith(name) for known in VARIABLES):
            yield name


def commands(text: str) -> Iterator[str]:
    """Commands that there are not, and options that they have not."""
    for name, rest in re.findall(r"pytest-apex ([a-z]+)\b([^`\n]*)", text):
        if name in COMMANDS:
            known = {*COMMANDS[name]._option_string_actions, *SWITCHES}
            yield from (f"{name} {option}" for option in re.findall(r"--[a-z][a-z-]*", rest) if option not in known)
        elif name not in PROSE:
            yield name


def markers(text: str) -> Iterator[str]:
    known = {*RULES, "apex", "parametrize", "flaky", "skip", "xfail", "skipif", "usefixtures"}
    yield from (name for name in re.findall(r"pytest\.mark\.(\w+)", text) if name not in known)


def hooks(text: str) -> Iterator[str]:
    yield from (name for name in re.findall(r"\bpytest_apex_[a-z_]+", text) if not hasattr(hookspecs, name))


def device_words(text: str) -> Iterator[str]:
    """Words of the device, of a locator, of `expect` that nothing has; `device.orientation` is told of as a mistake."""
    for facet, word in re.findall(r"(?<![\w./])device\.(?:(app|apps|screen|web)\.)?([a-z_]+)(?!\w)", text):
        if not hasattr(FACETS.get(facet, Device), word) and word != "orientation":
            yield f"device.{facet}.{word}" if facet else f"device.{word}"
    found = re.findall(r"device\.find\([^()]*\)\.(\w+)", text)
    yield from (f"Locator.{word}" for word in found if not hasattr(Locator, word))
    found = re.findall(r"expect(?:\.soft)?\((?:[^()\n]|\([^()]*\))*\)\.(\w+)", text)
    yield from (f"expect.{word}" for word in found if not any(hasattr(checks, word) for checks in CHECKS))


def kinds(text: str) -> Iterator[str]:
    """Kinds of verdicts that no rule gives; those of tests and of what is unsure are not listed anywhere."""
    for name in re.findall(r"\b(?:functional|visual|transient)\.[a-z_]+\b(?!\.?\w|/)", text):
        if name not in KINDS and name != "visual.md":
            yield name


EVERYWHERE = (options, variables, commands, device_words)
#: What in the package may as well be a name of Python.
IN_PAGES = (settings, markers, hooks, kinds)


@pytest.mark.parametrize("missing", [*EVERYWHERE, *IN_PAGES])
def test_pages_name_what_is_there(missing: Callable[[str], Iterator[str]], pages: dict[str, str]) -> None:
    assert [f"{path}: {name}" for path, text in pages.items() for name in missing(text)] == []


@pytest.mark.parametrize("missing", EVERYWHERE)
def test_the_product_names_what_is_there(missing: Callable[[str], Iterator[str]], words: dict[str, str]) -> None:
    assert [f"{path}: {name}" for path, text in words.items() for name in missing(text)] == []


@pytest.mark.parametrize(
    ("missing", "text", "names"),
    [
        (options, "--apex-allow, --appium-url=X, --apex-alow, see --appium-cap", ["--apex-alow", "--appium-cap"]),
        (settings, "apex_seed = 7, fixture apex_lease, pytest_apex.x, apex_sede", ["apex_sede"]),
        (variables, "APEX_SEED=1 APEX_HUMANIZE_TAP_RADIUS_PX=2 APEX_SEEED=3", ["APEX_SEEED"]),
        (commands, "pytest-apex check X --apex-allow a; `pytest-apex devises`; pytest-apex does", ["devises"]),
        (commands, "pytest-apex capture --manual APP\npytest-apex doctor --manual", ["doctor --manual"]),
        (markers, "@pytest.mark.humanize(False), @pytest.mark.humanise(False)", ["humanise"]),
        (hooks, "pytest_apex_checks, pytest_apex_check", ["pytest_apex_check"]),
        (device_words, "device.tap(1), device.app.pid, device.app.soar()", ["device.app.soar"]),
        (device_words, "device.fly(), device.find(id=1).sink()", ["device.fly", "Locator.sink"]),
        (device_words, "expect(device.find(id=1)).to_be_visible(); expect(device).to_glow()", ["expect.to_glow"]),
        (kinds, "functional.no_effect, transient.harness.device_lost, visual.ugly", ["visual.ugly"]),
    ],
)  # fmt: skip
def test_what_is_not_there_is_found(missing: Callable[[str], Iterator[str]], text: str, names: list[str]) -> None:
    assert list(missing(text)) == names


# Files and headings


def headings(text: str) -> set[str]:
    """The anchors of a page: those it sets, and those that GitHub makes of headings."""
    titles = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}
    return made | set(re.findall(r'<a id="([\w-]+)">', text))


def test_links_of_pages_lead_somewhere(pages: dict[str, str], root: Path) -> None:
    for page, text in pages.items():
        for file, anchor in re.findall(r"\]\((?!https?://)([^)#\s]*)(?:#([\w-]+))?\)", text):
            target = (root / page).parent / file if file else root / page
            assert target.exists(), f"{page}: {file}"
            assert not anchor or anchor in headings(target.read_text("utf-8")), f"{page}: {file}#{anchor}"


def test_files_that_are_named_are_there(pages: dict[str, str], words: dict[str, str], root: Path) -> None:
    """Of the docs and of what measures and tests; `*` stands for more."""
    for source, text in {**pages, **words}.items():
        for path in re.findall(
            r"(?<![\w/.*])(?:docs|tests/\w+|fixtures|examples)/[\w./*-]+\.(?:py|md|yaml|csv)\b", text
        ):
            assert any(root.glob(path)), f"{source}: {path}"
